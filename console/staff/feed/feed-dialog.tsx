import type { ReactNode } from "react";
import type { Input } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { TABS } from "./tabs.ts";

type Severity = NonNullable<Input<"POST /ai-staff/{problemSetId}/feed">["body"]["severity"]>;
const SEVERITIES: readonly Severity[] = ["info", "low", "medium", "high", "critical"];

export function FeedDialog({ setId, onClose }: { setId: string; onClose(): void }): ReactNode {
  const add = useAct("POST /ai-staff/{problemSetId}/feed", {
    tellsRefusal: false,
    says: "It is on the feed.",
    then: onClose,
  });
  return (
    <Dialog title="Add something to look at" onClose={onClose}>
      <Form
        act="Add it"
        onSubmit={({ title = "", text, severity, dueAt, tab }) =>
          add.mutateAsync({
            path: { problemSetId: setId },
            body: {
              title,
              severity: severity as Severity,
              ...(text && { text }),
              ...(dueAt && { dueAt: new Date(dueAt).toISOString() }),
              ...(tab && { tab }),
            },
          })
        }
      >
        <Field label="What" name="title" required maxLength={200} />
        <TextField label="More about it (optional)" name="text" maxLength={4_000} />
        <Select label="How serious" name="severity" defaultValue="medium" options={SEVERITIES} />
        <Field label="Due (optional)" name="dueAt" type="datetime-local" />
        <Select label="About (optional)" name="tab" options={[["", "nothing of these"], ...TABS]} />
      </Form>
    </Dialog>
  );
}
