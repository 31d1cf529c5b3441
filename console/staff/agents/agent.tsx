import { useState, type ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay, useWho } from "../../app/session.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace } from "../shared/place.ts";
import { AUTONOMY_WORDS, CLASS_WORDS } from "../shared/words.ts";
import { AgentState } from "./agents.tsx";
import { Approvals } from "./approvals.tsx";
import { Delegations } from "./delegations.tsx";
import { Deeds } from "./deeds.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { Stopped } from "./stopped.tsx";
import { Runs } from "./runs.tsx";

export type AgentShown = Data<"GET /agents/{agentId}">;

/** One agent: what it may do, what waits, what it did. */
export function AgentPage(): ReactNode {
  const { agentId = "" } = useParams();
  const agent = useAnswer("GET /agents/{agentId}", [{ path: { agentId } }]);
  const data = agent.data?.data;
  return (
    <StaffPage title={data?.name ?? "Agent"} intro={data?.description} acts={data && <Acts agent={data} />}>
      <Shown of={agent}>
        {({ data: shown }) => (
          <>
            {shown.problemSetId !== undefined && <HearSets ids={[shown.problemSetId]} ops={["GET /agents"]} />}
            <Approvals agentId={shown.id} {...(shown.problemSetId !== undefined && { setId: shown.problemSetId })} />
            {shown.circuit !== "closed" && <Stopped agent={shown} />}
            <Facts agent={shown} />
            <Runs title="What it does for you" agentId={shown.id} />
            <Delegations agent={shown} />
            <Deeds agentId={shown.id} />
          </>
        )}
      </Shown>
    </StaffPage>
  );
}

function Acts({ agent }: { agent: AgentShown }): ReactNode {
  const [search] = useSearchParams();
  const isNew = search.has("try");
  const [open, setOpen] = useState<"run" | "off" | undefined>(isNew ? "run" : undefined);
  const { userId } = useWho();
  const mayIn = useMayIn(agent.problemSetId);
  const mayAll = useMay("agents:administer");
  const mayAdminister = useMay("platform:administer");
  const isOfAll = agent.problemSetId === undefined;
  const mayRun = isOfAll || mayIn("agents:run");
  const mayEnrol = isOfAll ? mayAll : mayIn("agents:enrol");
  const maySwitchOff = mayEnrol && (agent.createdBy === userId || isOfAll || mayIn("agents:manage"));
  const close = (): void => setOpen(undefined);
  return (
    <>
      {mayRun && agent.status === "active" && (
        <button type="button" className="primary" onClick={() => setOpen("run")}>
          Give it work
        </button>
      )}
      {mayAdminister && (
        <Link className="button" to={`/staff/agents/${agent.id}/setup`}>
          How it is set up
        </Link>
      )}
      {maySwitchOff && agent.status === "active" && (
        <button type="button" onClick={() => setOpen("off")}>
          Switch it off
        </button>
      )}
      {mayAdminister && mayEnrol && agent.status === "deactivated" && <SwitchOn agent={agent} />}
      {open === "run" && <RunDialog agent={agent} isTrial={isNew} onClose={close} />}
      {open === "off" && <SwitchOff agent={agent} onClose={close} />}
    </>
  );
}

function SwitchOff({ agent: { id, name }, onClose }: { agent: AgentShown; onClose(): void }): ReactNode {
  const off = useAct("PUT /agents/{agentId}/deactivate", { says: `${name} is switched off.`, then: onClose });
  return (
    <Confirm
      title={`Switch ${name} off`}
      act="Switch it off"
      isBusy={off.isPending}
      onConfirm={() => off.mutate({ path: { agentId: id } })}
      onClose={onClose}
    >
      <p>What it has under way stops before its next act. An administrator can switch it on again.</p>
    </Confirm>
  );
}

function SwitchOn({ agent: { id, name } }: { agent: AgentShown }): ReactNode {
  const on = useAct("PUT /admin/agents/{agentId}", { says: `${name} works again.` });
  return (
    <button type="button" onClick={() => on.mutate({ path: { agentId: id }, body: { status: "active" } })}>
      Switch it on
    </button>
  );
}

function Facts({ agent }: { agent: AgentShown }): ReactNode {
  const { nameOf } = useStaffPlace();
  const { budget, tools } = agent;
  return (
    <Section title="What it is">
      <dl>
        <dt>State</dt>
        <dd>
          <AgentState {...agent} /> {agent.reason}
        </dd>
        <dt>Left to it</dt>
        <dd>{AUTONOMY_WORDS[agent.autonomy]}</dd>
        <dt>May use</dt>
        <dd>
          <Tools names={tools} />
        </dd>
        <dt>Works in</dt>
        <dd>{nameOf(agent.problemSetId)}</dd>
        <dt>Model</dt>
        <dd>{agent.model ?? "the platform's"}</dd>
        {budget && (
          <>
            <dt>Budget of a run</dt>
            <dd>
              {[
                budget.calls && `${budget.calls} calls`,
                budget.tokens && `${budget.tokens.toLocaleString("en")} tokens`,
                budget.cost && `cost ${budget.cost}`,
              ]
                .filter(Boolean)
                .join(", ")}
            </dd>
          </>
        )}
        <dt>Made</dt>
        <dd>
          <Time at={agent.createdAt} /> by {agent.createdByName ?? agent.createdBy}
        </dd>
      </dl>
      {agent.character && (
        <details>
          <summary>Its instructions</summary>
          <p className="pre">{agent.character}</p>
        </details>
      )}
    </Section>
  );
}

/** Tools by what they do, the harmless ones first. */
function Tools({ names }: { names: readonly string[] }): ReactNode {
  const { data } = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }], { stays: true });
  const known = (data?.data ?? []).filter(({ name }) => names.includes(name));
  if (!names.length) return "nothing: give it tools first";
  if (!known.length) return names.join(", ");
  const classes = Object.keys(CLASS_WORDS).filter((one) => known.some((tool) => tool.class === one));
  return (
    <ul className="plain-list">
      {classes.map((one) => (
        <li key={one}>
          {CLASS_WORDS[one]}:{" "}
          <span className="muted">
            {known
              .filter((tool) => tool.class === one)
              .map(({ summary }) => summary)
              .join("; ")}
          </span>
        </li>
      ))}
    </ul>
  );
}
