import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import type { DocumentShown } from "./document-words.ts";

/** Removes the files; the name stays for whoever cites it. */
export function WithdrawDocument({ document, onClose }: { document: DocumentShown; onClose(): void }): ReactNode {
  const withdraw = useAct("DELETE /documents/{documentId}", {
    tellsRefusal: false,
    says: `“${document.title}” is withdrawn.`,
    then: onClose,
  });
  return (
    <Dialog title={`Withdraw “${document.title}”`} onClose={onClose}>
      <p>Its files and their text are removed for good. Its title, who withdrew it and why stay on record.</p>
      <Form
        act="Withdraw for good"
        onSubmit={({ reason }) =>
          withdraw.mutateAsync({ path: { documentId: document.id }, query: { ...(reason && { reason }) } })
        }
      >
        <TextField label="Why (optional)" name="reason" rows={2} maxLength={1_000} />
      </Form>
    </Dialog>
  );
}
