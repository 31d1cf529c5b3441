import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Form, Select, TextField } from "../../parts/form.tsx";
import { useSet } from "../set/use-set.tsx";
import { ReadersChoice } from "../work/compartments.tsx";
import { REMARK_KINDS, type Remark, type RemarkKind } from "./remark-words.ts";

const RemarkFields = ({ remark }: { remark?: Remark }): ReactNode => (
  <>
    <Select label="Kind" name="kind" defaultValue={remark?.kind} options={REMARK_KINDS} />
    <TextField label="Remark" name="text" defaultValue={remark?.text} maxLength={10_000} required />
    <Check label="The set above reads it, too" name="shared" defaultChecked={remark?.shared ?? true} />
  </>
);

interface NewRemarkProps {
  item: { id: string; title: string };
  onClose(): void;
}

/** Says something about what the set above passes on. */
export function NewRemark({ item, onClose }: NewRemarkProps): ReactNode {
  const { set } = useSet();
  const write = useAct("POST /inheritance/{id}/annotations", {
    tellsRefusal: false,
    says: ({ data }) => (data.shared ? "Noted; the set above can read it." : "Noted, for this set alone."),
    then: onClose,
  });
  return (
    <Dialog title={`A remark on “${item.title}”`} onClose={onClose}>
      <Form
        act="Write it"
        onSubmit={(fields) =>
          write.mutateAsync({
            path: { id: set.id },
            body: {
              itemId: item.id,
              text: fields["text"] ?? "",
              kind: fields["kind"] as RemarkKind,
              shared: fields["shared"] === "on",
              ...chosenReaders(fields),
            },
          })
        }
      >
        <RemarkFields />
        <ReadersChoice />
      </Form>
    </Dialog>
  );
}

/** Whoever wrote a remark changes it. */
export function ChangeRemark({ remark, onClose }: { remark: Remark; onClose(): void }): ReactNode {
  const { set } = useSet();
  const change = useAct("PUT /inheritance/{id}/annotations/{annotationId}", {
    tellsRefusal: false,
    says: "Kept.",
    then: onClose,
  });
  return (
    <Dialog title="Change your remark" onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={({ text = "", kind, shared }) =>
          change.mutateAsync({
            path: { id: set.id, annotationId: remark.id },
            body: { text, kind: kind as RemarkKind, shared: shared === "on" },
          })
        }
      >
        <RemarkFields remark={remark} />
      </Form>
    </Dialog>
  );
}
