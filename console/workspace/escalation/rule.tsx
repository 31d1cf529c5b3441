import { useState, type ReactNode } from "react";
import type { Input } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { useSet } from "../set/use-set.tsx";
import { TargetSelect, targetOf } from "./target.tsx";

type About = Input<"POST /problem-sets/{id}/escalation-rules">["body"]["condition"]["about"];
const ABOUT: readonly (readonly [About, string])[] = [
  ["gate", "a gate"],
  ["rfi", "a request for information"],
  ["mission", "a mission"],
  ["proposal", "a vote"],
];
/** The states that a rule may watch, by what it is about. */
const STATES: Readonly<Record<About, readonly string[]>> = {
  gate: ["submitted", "open", "escalated"],
  rfi: ["open"],
  mission: ["draft"],
  proposal: ["submitted", "open", "closed"],
};

/** Says what may not last, and who is told then. */
export function RuleDialog({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const [about, setAbout] = useState<About>("gate");
  const add = useAct("POST /problem-sets/{id}/escalation-rules", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} holds from now on.`,
    then: onClose,
  });
  return (
    <Dialog title="Add a rule" onClose={onClose}>
      <Form
        act="Add"
        onSubmit={({ name = "", state = "", minutes, target = "commander" }) =>
          add.mutateAsync({
            path: { id: set.id },
            body: { name, condition: { about, state }, delayMinutes: Number(minutes), target: targetOf(target) },
          })
        }
      >
        <Field label="Name" name="name" placeholder="Gates are decided within an hour" required />
        <Select
          label="If this"
          name="about"
          value={about}
          options={ABOUT}
          onChange={({ currentTarget }) => setAbout(currentTarget.value as About)}
        />
        <Select key={about} label="stays" name="state" options={STATES[about]} />
        <Field label="for so many minutes" name="minutes" type="number" min={1} defaultValue={60} required />
        <TargetSelect />
      </Form>
    </Dialog>
  );
}
