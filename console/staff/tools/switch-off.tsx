import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { useAsOpened } from "../../api/as-opened.ts";
import type { Tool } from "./tool-words.ts";

/** Nobody's agents can use it until it is switched on again. */
export function SwitchOffTool({ tool: { id, summary, rev }, onClose }: { tool: Tool; onClose(): void }): ReactNode {
  const { options, inTime } = useAsOpened(rev);
  const off = useAct("PUT /admin/tools/{toolId}", { tellsRefusal: false, says: "It is off.", then: onClose });
  return (
    <Dialog title={`Switch off: ${summary}`} onClose={onClose}>
      <p>
        No agent can use it from its next act on, and approvals that wait for it end. It stays with those who have it.
      </p>
      <Form
        act="Switch it off"
        onSubmit={({ reason }) =>
          inTime(
            off.mutateAsync({
              path: { toolId: id },
              body: { status: "disabled", ...(reason && { reason }) },
              options,
            }),
          )
        }
      >
        <TextField label="Why (optional)" name="reason" rows={2} minLength={3} maxLength={500} />
      </Form>
    </Dialog>
  );
}
