import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAsOpened } from "../../../api/as-opened.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import { PHASE_TITLES, PHASES, type PlanningPhase } from "../missions/phase-words.ts";
import { instantOf, localOf } from "../moments.ts";
import type { Gate, SetRoleName } from "./gate-words.ts";

const FORCES = [
  ["hard", "Stops the work until it is approved"],
  ["soft", "Warns: it can be overridden with a justification"],
] as const;
const AT_DEADLINE = [
  ["expire", "It expires"],
  ["escalate", "It goes up to the problem set above"],
] as const;

/** Who may decide, as the form offers it: the API takes a list of roles. */
const DECIDERS = [
  ["", "Commander or deputy"],
  ["commander", "The commander alone"],
  ["deputy", "Deputies alone"],
] as const;
const approversOf = (role: string | undefined): SetRoleName[] | undefined => (role ? [role as SetRoleName] : undefined);

/** The fields that can be changed later, too. */
const GateFields = ({ gate }: { gate?: Gate }): ReactNode => (
  <>
    <Field label="Name" name="name" defaultValue={gate?.name} maxLength={200} required />
    <TextField
      label="What must be true to let it pass"
      name="description"
      defaultValue={gate?.description}
      rows={3}
      maxLength={10_000}
    />
    <div className="columns">
      <Select label="Force" name="enforcement" defaultValue={gate?.enforcement} options={FORCES} />
      <Select
        label="Who decides"
        name="approvers"
        defaultValue={gate?.approvers?.length === 1 ? gate.approvers[0] : ""}
        hint="Never whoever submitted it."
        options={DECIDERS}
      />
      <Field
        label="Decide by"
        name="deadline"
        type="datetime-local"
        defaultValue={localOf(gate?.deadline)}
        hint="Empty: no deadline."
      />
      <AtDeadline now={gate?.onDeadline} />
    </div>
  </>
);

function AtDeadline({ now }: { now: Gate["onDeadline"] | undefined }): ReactNode {
  const { set } = useSet();
  return (
    <Select
      label="At the deadline"
      name="onDeadline"
      defaultValue={now}
      options={AT_DEADLINE}
      hint={set.parentId ? undefined : "No set is above this one: while that is so, it expires either way."}
    />
  );
}

const settingsOf = ({ name = "", enforcement, onDeadline }: FormFields) => ({
  name,
  ...(enforcement && { enforcement: enforcement as Gate["enforcement"] }),
  ...(onDeadline && { onDeadline: onDeadline as Gate["onDeadline"] }),
});

/** Adds a gate to the set, or to a mission's way through its planning. */
export function NewGate({ mission, onClose }: { mission?: string; onClose(): void }): ReactNode {
  const { set } = useSet();
  const go = useNavigate();
  const create = useAct("POST /gates", {
    tellsRefusal: false,
    says: ({ data }) => `The gate “${data.name}” stands. Submit it when it is ready for a decision.`,
    then({ data }) {
      onClose();
      void go(`/workspace/${set.id}/gates/${data.id}`);
    },
  });
  const submit = (fields: FormFields) => {
    const approvers = approversOf(fields["approvers"]);
    const subject = mission ?? fields["mission"];
    return create.mutateAsync({
      body: {
        problemSetId: set.id,
        tab: fields["tab"] ?? "general",
        ...settingsOf(fields),
        ...chosenReaders(fields),
        ...(fields["description"] && { description: fields["description"] }),
        ...(fields["deadline"] && { deadline: instantOf(fields["deadline"]) }),
        ...(approvers && { approvers }),
        ...(subject && {
          guards: { kind: "mdmp-transition", subject, ...(fields["step"] && { step: fields["step"] }) },
        }),
      },
    });
  };
  return (
    <Dialog title="Add a gate" onClose={onClose}>
      <Form act="Add the gate" onSubmit={submit}>
        <GateFields />
        <Field
          label="Topic"
          name="tab"
          defaultValue={mission ? "planning" : "general"}
          hint="A word that groups gates, in small letters: orders, public, planning."
          required
        />
        <Guarded {...(mission && { mission })} />
      </Form>
    </Dialog>
  );
}

/** What the gate holds back; whoever sees that sees the gate, so readers are chosen only without it. */
function Guarded({ mission }: { mission?: string }): ReactNode {
  const { set } = useSet();
  const [subject, setSubject] = useState(mission ?? "");
  const missions = useAnswer("GET /missions", [{ query: { problemSetId: set.id, sort: "name", limit: 100 } }], {
    enabled: !mission,
  });
  const steps = PHASES.map((phase: PlanningPhase) => [phase, `Leaving “${PHASE_TITLES[phase]}”`] as const);
  return (
    <>
      {!mission && (
        <Select
          label="What it holds back"
          name="mission"
          value={subject}
          onChange={({ target }) => setSubject(target.value)}
          options={[
            ["", "Nothing that the platform does: people keep to it"],
            ...(missions.data?.data ?? []).map(({ id, name }) => [id, `The planning of “${name}”`] as const),
          ]}
        />
      )}
      {subject ? (
        <Select label="At which step" name="step" options={[["", "Every step forward"], ...steps]} />
      ) : (
        <ReadersChoice />
      )}
    </>
  );
}

/** Changes a gate; an expired one opens again. */
export function ChangeGate({ gate, onClose }: { gate: Gate; onClose(): void }): ReactNode {
  const { options, inTime } = useAsOpened(gate.rev);
  const change = useAct("PATCH /gates/{gateId}/config", {
    tellsRefusal: false,
    says: gate.status === "expired" ? "The gate is open again." : "The gate is changed.",
    then: onClose,
  });
  return (
    <Dialog title={`Change “${gate.name}”`} onClose={onClose}>
      <Form
        act="Change"
        onSubmit={(fields) =>
          inTime(
            change.mutateAsync({
              options,
              path: { gateId: gate.id },
              body: {
                ...settingsOf(fields),
                ...(fields["description"] && { description: fields["description"] }),
                ...changedDeadline(gate, fields["deadline"]),
                ...changedApprovers(gate, fields["approvers"]),
              },
            }),
          )
        }
      >
        <GateFields gate={gate} />
      </Form>
    </Dialog>
  );
}

/** A deadline that stays is not sent: one that has passed would be refused. */
function changedDeadline(gate: Gate, local: string | undefined): { deadline?: string | null } {
  if ((local ?? "") === localOf(gate.deadline)) return {};
  return { deadline: local ? instantOf(local) : null };
}

/** Several approvers, which the form does not offer, stay what they are unless another choice is made. */
function changedApprovers({ approvers }: Gate, role: string | undefined): { approvers?: SetRoleName[] | null } {
  const before = approvers?.length === 1 ? approvers[0] : undefined;
  return before === role ? {} : { approvers: approversOf(role) ?? null };
}
