import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useDraftName, useWho } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { Loading } from "../../parts/page.tsx";
import { useStaffPlace } from "../shared/place.ts";
import { fieldsOf, valuesOf } from "../shared/schema.ts";
import { SchemaFields } from "../shared/schema-fields.tsx";
import { DelegateForm } from "./delegate-form.tsx";
import type { AgentShown } from "./agent.tsx";

interface RunDialogProps {
  agent: AgentShown;
  /** Begins as a rehearsal: it is new, and somebody looks what it does. */
  isTrial?: boolean;
  onClose(): void;
}

/** Gives an agent work: where, what, and with which values; first what it may do for the person, if nothing yet. */
export function RunDialog({ agent, isTrial = false, onClose }: RunDialogProps): ReactNode {
  const { sets } = useStaffPlace();
  const isOfAll = agent.problemSetId === undefined;
  const [setId, setSetId] = useState(agent.problemSetId ?? "");
  return (
    <Dialog title={`Work for ${agent.name}`} onClose={onClose}>
      {isOfAll && (
        <Select
          label="Where"
          name="place"
          value={setId}
          onChange={({ currentTarget: { value } }) => setSetId(value)}
          options={[["", "Outside problem sets: it only reads"], ...sets.map(({ id, name }) => [id, name] as const)]}
        />
      )}
      {setId ? (
        <Delegated {...{ agent, setId, isTrial, onClose }} />
      ) : (
        <RunForm {...{ agent, isTrial, onClose }} setId={undefined} />
      )}
    </Dialog>
  );
}

function Delegated({ agent, setId, isTrial = false, onClose }: RunDialogProps & { setId: string }): ReactNode {
  const { userId } = useWho();
  const query = { problemSetId: setId, status: "live" as const, limit: 100 };
  const { data } = useAnswer("GET /agents/{agentId}/delegations", [{ path: { agentId: agent.id }, query }]);
  if (!data) return <Loading />;
  if (data.data.some(({ by, inForce }) => by === userId && inForce))
    return <RunForm {...{ agent, setId, isTrial, onClose }} />;
  return (
    <>
      <p className="hint">First say what {agent.name} may do for you there. Then you give it the work.</p>
      <DelegateForm agent={agent} setId={setId} then={() => undefined} />
    </>
  );
}

function RunForm({ agent, setId, isTrial, onClose }: RunDialogProps & { setId: string | undefined }): ReactNode {
  const navigate = useNavigate();
  const begun = ({ data }: { data: { executionId: string } }): void => {
    onClose();
    void navigate(`/staff/runs/${data.executionId}`);
  };
  const execute = useAct("POST /agents/{agentId}/execute", { tellsRefusal: false, then: begun });
  const analyse = useAct("POST /agents/{agentId}/analyze-all", { then: begun });
  const tools = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }], { stays: true });
  const own = (tools.data?.data ?? []).filter(({ name }) => agent.tools.includes(name));
  const [toolName, setToolName] = useState("");
  const draft = useDraftName(`run ${agent.id} ${setId ?? ""}`);
  const tool = own.find(({ name }) => name === toolName);
  const fields = tool ? fieldsOf(tool.parameters, ["problemSetId", "compartments"]) : [];
  const start = (given: FormFields): Promise<unknown> =>
    execute.mutateAsync({
      path: { agentId: agent.id },
      body: {
        task: given["task"] ?? "",
        ...(setId !== undefined && { problemSetId: setId }),
        ...(tool && { tools: [tool.name], input: valuesOf(fields, given, "input.") }),
        dryRun: given["dryRun"] === "on",
      },
    });
  return (
    <Form
      act="Begin"
      draft={draft}
      onSubmit={start}
      beside={
        setId !== undefined && (
          <button
            type="button"
            disabled={analyse.isPending}
            onClick={() => analyse.mutate({ path: { agentId: agent.id }, body: { problemSetId: setId } })}
          >
            Have it look for gaps and risks instead
          </button>
        )
      }
    >
      <TextField
        label="What it is to do"
        name="task"
        required
        maxLength={20_000}
        rows={3}
        hint="In your words: “List the open gates, and say which are late.”"
      />
      <Select
        label="By"
        name="tool"
        value={toolName}
        onChange={({ currentTarget: { value } }) => setToolName(value)}
        options={[["", "whichever of its tools fits"], ...own.map(({ name, summary }) => [name, summary] as const)]}
        hint="With one chosen, you give it the values for it; without a language model, it has no others."
      />
      <SchemaFields key={toolName} fields={fields} prefix="input." />
      <Check
        label="Rehearse only"
        name="dryRun"
        hint="It says what it would do, and changes nothing."
        defaultChecked={isTrial}
      />
    </Form>
  );
}
