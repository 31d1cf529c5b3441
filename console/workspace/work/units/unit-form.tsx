import type { ReactNode } from "react";
import { useAct } from "../../../../api/hooks.ts";
import { Dialog } from "../../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../../parts/form.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { chosenReaders, ReadersChoice } from "../../compartments.tsx";
import { ECHELONS, type CommandTree } from "./command-words.ts";

/** A unit belongs to the problem set; relationships put it under another. */
export function NewUnit({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const create = useAct("POST /command/units", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is added.`,
    then: onClose,
  });
  return (
    <Dialog title="Add a unit" onClose={onClose}>
      <Form
        act="Add the unit"
        onSubmit={(fields) => {
          const { name = "", designation, echelon, kind, strength } = fields;
          return create.mutateAsync({
            body: {
              problemSetId: set.id,
              name,
              ...chosenReaders(fields),
              ...(echelon && { echelon: echelon as CommandTree["unit"]["echelon"] }),
              ...(designation && { designation }),
              ...(kind && { kind }),
              ...(strength && { strength: Number(strength) }),
            },
          });
        }}
      >
        <Field label="Name" name="name" required />
        <Field label="Short form" name="designation" hint="As on a map: 2-7 IN." />
        <Select label="Size" name="echelon" defaultValue="company" options={ECHELONS} />
        <Field label="What it is" name="kind" hint="Engineers, medical, fire and rescue." />
        <Field label="People" name="strength" type="number" min={0} />
        <ReadersChoice />
      </Form>
    </Dialog>
  );
}
