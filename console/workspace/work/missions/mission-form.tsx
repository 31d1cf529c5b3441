import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAsOpened } from "../../../api/as-opened.ts";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, TextField, type FormFields } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import { instantOf, localOf } from "../moments.ts";
import type { Mission } from "./mission-words.ts";

const MissionFields = ({ mission }: { mission?: Mission }): ReactNode => (
  <>
    <Field label="Name" name="name" defaultValue={mission?.name} maxLength={200} required />
    <TextField
      label="Objective"
      name="objective"
      hint="What must be true at the end."
      rows={2}
      maxLength={4_000}
      defaultValue={mission?.objective}
    />
    <TextField label="What is to be done" name="description" maxLength={20_000} defaultValue={mission?.description} />
    <div className="columns">
      <Field label="From" name="startsAt" type="datetime-local" defaultValue={localOf(mission?.startsAt)} />
      <Field label="Until" name="endsAt" type="datetime-local" defaultValue={localOf(mission?.endsAt)} />
    </div>
  </>
);

/** Opens a mission; whoever opens it leads it. */
export function NewMission({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const go = useNavigate();
  const open = useAct("POST /missions", {
    tellsRefusal: false,
    says: ({ data }) => `The mission “${data.name}” is open, and you lead it.`,
    then({ data }) {
      onClose();
      void go(`/workspace/${set.id}/missions/${data.id}`);
    },
  });
  const submit = (fields: FormFields) => {
    const { name = "", objective, description, startsAt, endsAt } = fields;
    return open.mutateAsync({
      body: {
        problemSetId: set.id,
        name,
        ...chosenReaders(fields),
        ...(objective && { objective }),
        ...(description && { description }),
        ...(startsAt && { startsAt: instantOf(startsAt) }),
        ...(endsAt && { endsAt: instantOf(endsAt) }),
      },
    });
  };
  return (
    <Dialog title="Open a mission" onClose={onClose}>
      <Form act="Open the mission" onSubmit={submit}>
        <MissionFields />
        <ReadersChoice hint="It cannot be changed later, and holds for its planning, too." />
      </Form>
    </Dialog>
  );
}

/** Edits a mission; an emptied field is cleared. */
export function EditMission({ mission, onClose }: { mission: Mission; onClose(): void }): ReactNode {
  const { options, inTime } = useAsOpened(mission.rev);
  const edit = useAct("PATCH /missions/{id}", { tellsRefusal: false, says: "The mission is changed.", then: onClose });
  return (
    <Dialog title={`Edit “${mission.name}”`} onClose={onClose}>
      <Form
        act="Save"
        onSubmit={({ name = "", objective, description, startsAt, endsAt }) =>
          inTime(
            edit.mutateAsync({
              options,
              path: { id: mission.id },
              body: {
                name,
                objective: objective ?? null,
                description: description ?? null,
                startsAt: startsAt ? instantOf(startsAt) : null,
                endsAt: endsAt ? instantOf(endsAt) : null,
              },
            }),
          )
        }
      >
        <MissionFields mission={mission} />
      </Form>
    </Dialog>
  );
}
