import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Field, Form, Select } from "../../parts/form.tsx";
import { READINESS, type ResourceReadiness } from "./resource-form.tsx";
import type { ResourceShown } from "./resources.tsx";

/** Says how ready a resource is, and why. */
export function ReadinessForm({ resource: { id, name, readiness } }: { resource: ResourceShown }): ReactNode {
  const set = useAct("PATCH /resources/{id}/status", {
    tellsRefusal: false,
    says: ({ data }) => `${name} is ${data.readiness === "maintenance" ? "in maintenance" : data.readiness}.`,
  });
  return (
    <details>
      <summary>Say how ready it is</summary>
      <Form
        act="Say so"
        label="Readiness"
        onSubmit={(fields) =>
          set.mutateAsync({
            path: { id },
            body: { readiness: fields.readiness as ResourceReadiness, reason: fields.reason ?? null },
          })
        }
      >
        <Select label="It is" name="readiness" options={READINESS} defaultValue={readiness} />
        <Field label="Why" name="reason" />
      </Form>
    </details>
  );
}
