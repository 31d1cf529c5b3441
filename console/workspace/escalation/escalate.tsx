import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { many } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";
import { TargetSelect, targetOf } from "./target.tsx";

/** Tells somebody above, at once. */
export function EscalateDialog({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const escalate = useAct("POST /problem-sets/{id}/escalate", {
    tellsRefusal: false,
    says: ({ data }) => `${many(data.told, "person was", "people were")} told.`,
    then: onClose,
  });
  return (
    <Dialog title="Escalate something now" onClose={onClose}>
      <Form
        act="Escalate"
        onSubmit={({ reason = "", target = "commander" }) =>
          escalate.mutateAsync({ path: { id: set.id }, body: { reason, target: targetOf(target) } })
        }
      >
        <TextField label="What is the matter" name="reason" required />
        <TargetSelect />
      </Form>
    </Dialog>
  );
}
