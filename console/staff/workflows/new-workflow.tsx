import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Check, Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { useAgentsIn } from "../shared/agents-in.ts";
import { NoSets, StaffPage } from "../shared/frame.tsx";
import { useStaffPlace } from "../shared/place.ts";
import { fieldsOf } from "../shared/schema.ts";
import { SchemaFields } from "../shared/schema-fields.tsx";
import { definitionFrom, GIVEN_FIELDS, type DraftKind, type DraftStep } from "./drafting.ts";

type Tool = ListRow<"GET /agents/tools">;
type Agent = ListRow<"GET /agents">;

const KINDS: readonly (readonly [DraftKind, string])[] = [
  ["agent", "An agent carries out a task"],
  ["tool", "An agent does one thing"],
  ["checkpoint", "A person decides"],
  ["wait", "A pause"],
];
const APPROVERS = ["planner", "analyst", "deputy", "commander"] as const;

/** Drafts a workflow step by step, and starts it. */
export function NewWorkflow(): ReactNode {
  const place = useStaffPlace({ isNeeded: true });
  const tools = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }], { stays: true });
  return (
    <StaffPage
      title="Start a workflow"
      intro="One step after the other, or several at once. It is checked as a whole before anything begins."
      place={place}
    >
      {place.setId === undefined ? (
        <NoSets what="Workflows run in problem sets, and you are in none yet." />
      ) : (
        <div className="draft">
          <Shown of={tools}>{({ data }) => <Draft setId={place.setId!} tools={data} />}</Shown>
        </div>
      )}
    </StaffPage>
  );
}

function Draft({ setId, tools }: { setId: string; tools: readonly Tool[] }): ReactNode {
  const navigate = useNavigate();
  const agents = useAgentsIn(setId);
  const [steps, setSteps] = useState<readonly DraftStep[]>([{ key: 1, kind: "agent", tool: "" }]);
  const execute = useAct("POST /orchestration/execute", {
    tellsRefusal: false,
    then: ({ data }) => void navigate(`/staff/workflows/${data.executionId}`),
  });
  const change = (key: number, changed: Partial<DraftStep>): void =>
    setSteps(steps.map((step) => (step.key === key ? { ...step, ...changed } : step)));
  const add = (): void =>
    setSteps([...steps, { key: Math.max(0, ...steps.map(({ key }) => key)) + 1, kind: "checkpoint", tool: "" }]);
  return (
    <Form
      act="Start it"
      onSubmit={(fields) =>
        execute.mutateAsync({ body: { problemSetId: setId, definition: definitionFrom(steps, fields, tools) } })
      }
      beside={
        <button type="button" onClick={add}>
          Add a step
        </button>
      }
    >
      <Field label="Name" name="name" required maxLength={200} />
      {agents.length === 0 && (
        <p className="hint">There is no agent here yet: make one first, on the page of agents.</p>
      )}
      {steps.map((step, at) => (
        <Step
          key={step.key}
          step={step}
          at={at}
          agents={agents}
          tools={tools}
          change={(changed) => change(step.key, changed)}
          remove={steps.length > 1 ? () => setSteps(steps.filter(({ key }) => key !== step.key)) : undefined}
        />
      ))}
    </Form>
  );
}

interface StepProps {
  step: DraftStep;
  at: number;
  agents: readonly Agent[];
  tools: readonly Tool[];
  change(changed: Partial<DraftStep>): void;
  remove: (() => void) | undefined;
}

function Step(props: StepProps): ReactNode {
  const { step, at, change, remove } = props;
  const title = `Step ${at + 1}`;
  return (
    <section className="draft-step" aria-label={title}>
      <div className="row between">
        <h2>{title}</h2>
        {remove && (
          <button type="button" aria-label={`Remove: ${title}`} onClick={remove}>
            Remove
          </button>
        )}
      </div>
      <Select
        label="What happens"
        name={`${step.key}.kind`}
        value={step.kind}
        onChange={({ currentTarget: { value } }) => change({ kind: value as DraftKind })}
        options={KINDS}
      />
      <StepFields {...props} />
      {at > 0 && <Check label="At the same time as the step above" name={`${step.key}.beside`} />}
    </section>
  );
}

function StepFields({ step: { key, kind, tool: chosen }, agents, tools, change }: StepProps): ReactNode {
  const [agentId, setAgentId] = useState("");
  if (kind === "wait")
    return (
      <Field label="Minutes" name={`${key}.minutes`} type="number" min={0} step="any" defaultValue="10" required />
    );
  if (kind === "checkpoint")
    return (
      <>
        <TextField label="Question" name={`${key}.question`} rows={2} required />
        <Select label="Who decides, at least" name={`${key}.approver`} options={APPROVERS} />
      </>
    );
  const agent = agents.find(({ id }) => id === agentId) ?? agents[0];
  const own = tools.filter(({ name }) => agent?.tools.includes(name));
  const tool = own.find(({ name }) => name === chosen);
  return (
    <>
      <Select
        label="Agent"
        name={`${key}.agent`}
        value={agent?.id ?? ""}
        onChange={({ currentTarget: { value } }) => setAgentId(value)}
        options={agents.map(({ id, name }) => [id, name] as const)}
        required
      />
      {kind === "agent" ? (
        <TextField label="Task" name={`${key}.task`} rows={2} required />
      ) : (
        <>
          <Select
            label="What it does"
            name={`${key}.tool`}
            value={tool?.name ?? ""}
            onChange={({ currentTarget: { value } }) => change({ tool: value })}
            options={[["", "choose"], ...own.map(({ name, summary }) => [name, summary] as const)]}
            required
          />
          {tool && (
            <SchemaFields key={tool.name} fields={fieldsOf(tool.parameters, GIVEN_FIELDS)} prefix={`${key}.input.`} />
          )}
        </>
      )}
    </>
  );
}
