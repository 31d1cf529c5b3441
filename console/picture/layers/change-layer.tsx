import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { TYPE_WORDS, type LayerType } from "../map/feature-words.ts";
import type { WholeLayer } from "./layer-page.tsx";

const TYPES = Object.entries(TYPE_WORDS).map(([type, [words]]): [string, string] => [type, words]);

/** Another name, description or subject of a layer; what it shows stays. */
export function ChangeLayer({ layer }: { layer: WholeLayer }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change its name
      </button>
      {isOpen && <ChangeDialog layer={layer} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeDialog({ layer, onClose }: { layer: WholeLayer; onClose(): void }): ReactNode {
  const { id, rev, name, description, type, section } = layer;
  const change = useAct("PATCH /cop/layers/{id}", { tellsRefusal: false, says: "It is changed.", then: onClose });
  return (
    <Dialog title={`Change ${name}`} onClose={onClose}>
      <p>What it shows stays as it is, and where it stands on its way.</p>
      <Form
        act="Save"
        onSubmit={(fields) =>
          change.mutateAsync({
            path: { id },
            body: {
              name: fields["name"] ?? "",
              type: fields["type"] as LayerType,
              // What was emptied goes.
              description: fields["description"] ?? null,
              section: fields["section"] ?? null,
            },
            options: { headers: { "if-match": `"r${rev}"` } },
          })
        }
      >
        <Field label="Name" name="name" defaultValue={name} required />
        <TextField label="Description" name="description" rows={2} defaultValue={description ?? ""} />
        <Select label="It shows" name="type" options={TYPES} defaultValue={type} />
        <Field
          label="Section (optional)"
          name="section"
          hint="Such as the staff section that keeps it."
          defaultValue={section ?? ""}
        />
      </Form>
    </Dialog>
  );
}
