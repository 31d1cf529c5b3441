import { useState, type ReactNode } from "react";
import { useAct } from "../../../../api/hooks.ts";
import { Dialog } from "../../../../parts/dialog.tsx";
import { Check, Field, Form, Select, TextField } from "../../../../parts/form.tsx";
import { Section } from "../../../../parts/page.tsx";
import { Table, type Column } from "../../../../parts/table.tsx";
import { Badge, Time } from "../../../../parts/texts.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { NewGate } from "../../gates/gate-form.tsx";
import { PHASE_TITLES, PHASES, placeOf, type PlanningPhase, type WorkflowShown } from "../phase-words.ts";

type Condition = WorkflowShown["gates"][number];

/** What must be true at the end of each step. Where somebody must decide, a gate is added instead. */
export function Conditions({ workflow, isOpen }: { workflow: WorkflowShown; isOpen: boolean }): ReactNode {
  const { maySet } = useSet();
  const [asked, setAsked] = useState<"condition" | "gate">();
  const close = (): void => setAsked(undefined);
  return (
    <Section
      title="Conditions of the steps"
      acts={
        isOpen && (
          <>
            {maySet("mdmp:plan") && (
              <button type="button" onClick={() => setAsked("condition")}>
                Add a condition
              </button>
            )}
            {maySet("gates:create") && (
              <button type="button" onClick={() => setAsked("gate")}>
                Add a gate
              </button>
            )}
          </>
        )
      }
    >
      <Table
        label="Conditions"
        rows={workflow.gates}
        keyOf={({ id }) => id}
        columns={isOpen && maySet("mdmp:decide") ? COLUMNS : COLUMNS.slice(0, -1)}
        empty="No step has a condition. Add what must be true before a step is left: that the mission statement is approved, say."
      />
      {asked === "condition" && <AddCondition workflow={workflow} onClose={close} />}
      {asked === "gate" && <NewGate mission={workflow.id} onClose={close} />}
    </Section>
  );
}

const COLUMNS: readonly Column<Condition>[] = [
  {
    head: "Condition",
    cell: ({ name, criteria }) => (
      <>
        {name}
        {criteria && <small className="muted under">{criteria}</small>}
      </>
    ),
  },
  { head: "At the end of", cell: ({ phase }) => PHASE_TITLES[phase] },
  {
    head: "State",
    cell: ({ satisfied, satisfiedAt, satisfiedBy, satisfiedByName, evidence, required }) =>
      satisfied ? (
        <>
          <Badge tone="good">met</Badge>{" "}
          <small className="muted">
            {satisfiedByName ?? satisfiedBy}, <Time at={satisfiedAt} />
            {evidence && `: ${evidence}`}
          </small>
        </>
      ) : (
        <Badge tone={required ? "warn" : "plain"}>{required ? "must be met" : "not met, and may be left so"}</Badge>
      ),
  },
  { head: "Acts", isAct: true, cell: (condition) => <Meet condition={condition} /> },
];

function Meet({ condition: { id, missionId, name, satisfied } }: { condition: Condition }): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const meet = useAct("PUT /mdmp/workflows/{missionId}/gates/{gateId}", {
    tellsRefusal: false,
    says: satisfied ? "The condition is open again." : "The condition is met.",
    then: close,
  });
  const verb = satisfied ? "Open again" : "It is met";
  return (
    <>
      <button type="button" aria-label={`${verb}: ${name}`} onClick={() => setAsked(true)}>
        {verb}
      </button>
      {isAsked && (
        <Dialog title={`${verb}: ${name}`} onClose={close}>
          <Form
            act={verb}
            onSubmit={({ evidence }) =>
              meet.mutateAsync({
                path: { missionId, gateId: id },
                body: { satisfied: !satisfied, ...(evidence && { evidence }) },
              })
            }
          >
            <TextField label={satisfied ? "Why (optional)" : "What shows it (optional)"} name="evidence" rows={2} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function AddCondition({ workflow, onClose }: { workflow: WorkflowShown; onClose(): void }): ReactNode {
  const add = useAct("POST /mdmp/workflows/{missionId}/gates", {
    tellsRefusal: false,
    says: "The condition is added.",
    then: onClose,
  });
  const open = PHASES.filter((phase) => placeOf(phase) >= placeOf(workflow.phase));
  return (
    <Dialog title="Add a condition" onClose={onClose}>
      <Form
        act="Add"
        onSubmit={({ name = "", phase, criteria, required }) =>
          add.mutateAsync({
            path: { missionId: workflow.id },
            body: {
              gates: [
                { name, phase: phase as PlanningPhase, required: required === "on", ...(criteria && { criteria }) },
              ],
            },
          })
        }
      >
        <Field label="Name" name="name" maxLength={200} required />
        <Select
          label="At the end of"
          name="phase"
          options={(open.length ? open : PHASES).map((phase) => [phase, PHASE_TITLES[phase]] as const)}
        />
        <TextField label="What must be true" name="criteria" rows={2} maxLength={4_000} />
        <Check label="Planning waits until it is met" name="required" defaultChecked />
      </Form>
    </Dialog>
  );
}
