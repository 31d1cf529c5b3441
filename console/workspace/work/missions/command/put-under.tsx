import type { ReactNode } from "react";
import { useAct } from "../../../../api/hooks.ts";
import { Dialog } from "../../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../../parts/form.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { instantOf } from "../../moments.ts";
import { RELATIONSHIP_KINDS, type CommandTree, type RelationshipKind } from "../../units/command-words.ts";

interface PutUnderProps {
  missionId: string;
  units: readonly CommandTree["unit"][];
  onClose(): void;
}

/** Says which unit stands under which, and how, in this mission or in all of them. */
export function PutUnder({ missionId, units, onClose }: PutUnderProps): ReactNode {
  const { set } = useSet();
  const relate = useAct("POST /command/relationships", {
    tellsRefusal: false,
    says: "The chain of command is changed.",
    then: onClose,
  });
  const names = units.map(({ id, name }) => [id, name] as const);
  return (
    <Dialog title="Put a unit under another" onClose={onClose}>
      <Form
        act="Put it there"
        onSubmit={({ subordinateId = "", kind, superiorId = "", where, from, until }) =>
          relate.mutateAsync({
            body: {
              problemSetId: set.id,
              subordinateId,
              superiorId,
              kind: kind as RelationshipKind,
              ...(where === "mission" && { missionId }),
              ...(from && { from: instantOf(from) }),
              ...(until && { until: instantOf(until) }),
            },
          })
        }
      >
        <Select label="Unit" name="subordinateId" options={names} />
        <Select label="Is" name="kind" options={RELATIONSHIP_KINDS} />
        <Select label="Other unit" name="superiorId" options={names.toReversed()} />
        <Select
          label="Where that holds"
          name="where"
          options={[
            ["mission", "In this mission"],
            ["", "In every mission of the problem set"],
          ]}
        />
        <div className="columns">
          <Field label="From (optional)" name="from" type="datetime-local" />
          <Field label="Until (optional)" name="until" type="datetime-local" />
        </div>
      </Form>
    </Dialog>
  );
}
