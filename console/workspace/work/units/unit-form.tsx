import type { ReactNode } from "react";
import { useAsOpened } from "../../../api/as-opened.ts";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import { ECHELONS, type UnitRow } from "./command-words.ts";

/** What a unit is made of, in a form. */
const UnitFields = ({ unit }: { unit?: UnitRow }): ReactNode => (
  <>
    <Field label="Name" name="name" defaultValue={unit?.name} maxLength={200} required />
    <Field
      label="Short form"
      name="designation"
      defaultValue={unit?.designation}
      maxLength={40}
      hint="As on a map: 2-7 IN."
    />
    <Select label="Size" name="echelon" defaultValue={unit?.echelon ?? "company"} options={ECHELONS} />
    <Field
      label="What it is"
      name="kind"
      defaultValue={unit?.kind}
      maxLength={80}
      hint="Engineers, medical, fire and rescue."
    />
    <Field label="People" name="strength" type="number" min={0} defaultValue={unit?.strength} />
  </>
);

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
              ...(echelon && { echelon: echelon as UnitRow["echelon"] }),
              ...(designation && { designation }),
              ...(kind && { kind }),
              ...(strength && { strength: Number(strength) }),
            },
          });
        }}
      >
        <UnitFields />
        <ReadersChoice />
      </Form>
    </Dialog>
  );
}

/** Edits a unit; an emptied field is cleared. */
export function ChangeUnit({ unit, onClose }: { unit: UnitRow; onClose(): void }): ReactNode {
  const { options, inTime } = useAsOpened(unit.rev);
  const change = useAct("PATCH /command/units/{id}", {
    tellsRefusal: false,
    says: "The unit is changed.",
    then: onClose,
  });
  return (
    <Dialog title={`Change “${unit.name}”`} onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={({ name = unit.name, designation, echelon, kind, strength }) =>
          inTime(
            change.mutateAsync({
              options,
              path: { id: unit.id },
              body: {
                name,
                designation: designation ?? null,
                echelon: echelon as UnitRow["echelon"],
                kind: kind ?? null,
                strength: strength === undefined ? null : Number(strength),
              },
            }),
          )
        }
      >
        <UnitFields unit={unit} />
      </Form>
    </Dialog>
  );
}
