import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Input, ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { many } from "../../parts/texts.tsx";
import { useAgentsIn, useTeamsIn } from "../shared/agents-in.ts";

type Supervisor = ListRow<"GET /orchestration/supervisors">;
type Strategy = NonNullable<Input<"POST /orchestration/supervisors">["body"]["strategy"]>;

const STRATEGIES: readonly (readonly [Strategy, string])[] = [
  ["capability", "to the one whose tools and words fit best"],
  ["round-robin", "in turns"],
  ["model", "as the language model says"],
];
const strategyWords = (strategy: Strategy): string => STRATEGIES.find(([one]) => one === strategy)![1];

const COLUMNS: readonly Column<Supervisor>[] = [
  { head: "Supervisor", cell: ({ name }) => name },
  { head: "Gives work", cell: ({ strategy }) => strategyWords(strategy) },
  { head: "To", cell: (one) => <WorkedBy {...one} /> },
  { head: "Acts", isAct: true, cell: (one) => <Work {...one} /> },
];

/** Those who distribute work among agents. */
export function Supervisors({ setId, mayIn }: { setId: string; mayIn(permit: string): boolean }): ReactNode {
  const [isMaking, setMaking] = useState(false);
  const query = { problemSetId: setId, limit: 50, sort: "name" as const };
  const supervisors = useAnswer("GET /orchestration/supervisors", [{ query }]);
  return (
    <Section
      title="Supervisors"
      acts={
        mayIn("orchestration:supervise") && (
          <button type="button" onClick={() => setMaking(true)}>
            Make a supervisor
          </button>
        )
      }
    >
      <Shown of={supervisors}>
        {({ data }) => (
          <Table
            label="Supervisors"
            rows={data}
            keyOf={({ id }) => id}
            columns={mayIn("orchestration:run") ? COLUMNS : COLUMNS.slice(0, -1)}
            empty="There is none yet. A supervisor takes a task and hands it to the agent that fits."
          />
        )}
      </Shown>
      {isMaking && <SupervisorDialog setId={setId} onClose={() => setMaking(false)} />}
    </Section>
  );
}

function WorkedBy({ problemSetId, agents, teamId }: Supervisor): ReactNode {
  const teams = useTeamsIn(problemSetId);
  if (agents) return many(agents.length, "agent");
  const name = teams.find(({ id }) => id === teamId)?.name;
  return name === undefined ? "a team" : `the team ${name}`;
}

function Work({ id, name }: Supervisor): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const execute = useAct("POST /orchestration/supervisors/{supervisorId}/execute", {
    tellsRefusal: false,
    then: ({ data }) => void navigate(`/staff/workflows/${data.executionId}`),
  });
  return (
    <>
      <button type="button" aria-label={`Give it a task: ${name}`} onClick={() => setOpen(true)}>
        Give it a task
      </button>
      {isOpen && (
        <Dialog title={`A task for ${name}`} onClose={() => setOpen(false)}>
          <Form
            act="Begin"
            onSubmit={({ task = "" }) => execute.mutateAsync({ path: { supervisorId: id }, body: { task } })}
          >
            <TextField label="What is to be done" name="task" required rows={3} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function SupervisorDialog({ setId, onClose }: { setId: string; onClose(): void }): ReactNode {
  const [agents, teams] = [useAgentsIn(setId), useTeamsIn(setId)];
  const [teamId, setTeamId] = useState("");
  const save = useAct("POST /orchestration/supervisors", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} can be given tasks now.`,
    then: onClose,
  });
  return (
    <Dialog title="Make a supervisor" onClose={onClose}>
      <Form
        act="Make it"
        onSubmit={({ name = "", strategy, ...fields }) =>
          save.mutateAsync({
            body: {
              problemSetId: setId,
              name,
              strategy: strategy as Strategy,
              ...(teamId ? { teamId } : { agents: agents.flatMap(({ id }) => (fields[`agent.${id}`] ? [id] : [])) }),
            },
          })
        }
      >
        <Field label="Name" name="name" required />
        <Select label="It gives each piece of work" name="strategy" options={STRATEGIES} />
        {teams.length > 0 && (
          <Select
            label="To"
            name="teamId"
            value={teamId}
            onChange={({ currentTarget: { value } }) => setTeamId(value)}
            options={[
              ["", "agents that you choose"],
              ...teams.map(({ id, name }) => [id, `the team ${name}`] as const),
            ]}
            hint="A team gets the work with whoever is in it by then."
          />
        )}
        {!teamId && (
          <fieldset>
            <legend>To these agents</legend>
            {agents.length === 0 && <p className="empty">There is no agent here yet: make one first.</p>}
            {agents.map(({ id, name, description }) => (
              <Check key={id} label={name} name={`agent.${id}`} hint={description} />
            ))}
          </fieldset>
        )}
      </Form>
    </Dialog>
  );
}
