import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace, type StaffPlace } from "../shared/place.ts";
import { AUTONOMY_WORDS } from "../shared/words.ts";
import { AgentDialog } from "./agent-dialog.tsx";
import { Approvals } from "./approvals.tsx";
import { Emergency } from "./emergency.tsx";
import { Runs } from "./runs.tsx";

type Agent = ListRow<"GET /agents">;

/** What keeps an agent from working, in a word; "ready" where nothing does. */
export const agentState = ({ status, circuit }: Pick<Agent, "status" | "circuit">): string => {
  if (status === "deactivated") return "switched off";
  return { closed: "ready", open: "stopped by validation", probing: "being validated" }[circuit];
};
const STATE_TONES = { ready: "good", "switched off": "plain", "stopped by validation": "bad" } as const;
export const AgentState = (agent: Pick<Agent, "status" | "circuit">): ReactNode => {
  const state = agentState(agent);
  return <Badge tone={STATE_TONES[state as keyof typeof STATE_TONES] ?? "info"}>{state}</Badge>;
};

const columns = ({ nameOf }: StaffPlace): readonly Column<Agent>[] => [
  {
    head: "Agent",
    cell: ({ id, name, description }) => (
      <>
        <Link to={`/staff/agents/${id}`}>{name}</Link>
        {description && <small className="muted block">{description}</small>}
      </>
    ),
  },
  { head: "State", cell: (agent) => <AgentState {...agent} /> },
  { head: "How much is left to it", cell: ({ autonomy }) => AUTONOMY_WORDS[autonomy] ?? autonomy },
  { head: "May use", cell: ({ tools }) => many(tools.length, "tool") },
  { head: "Where", cell: ({ problemSetId }) => nameOf(problemSetId) },
];

/** Agents, what they wait for, and what they are doing for the person. */
export function Agents(): ReactNode {
  const place = useStaffPlace();
  const { setId, sets } = place;
  const page = usePage();
  const [isEnrolling, setEnrolling] = useState(false);
  const mayIn = useMayIn(setId);
  const mayEverywhere = useMay("agents:administer");
  const mayEnrol = setId === undefined ? mayEverywhere : mayIn("agents:enrol");
  // Whoever administers the platform has what a new agent is built of.
  const mayBuild = useMay("platform:administer");
  const query = { page, sort: "name" as const, ...(setId !== undefined && { problemSetId: setId }) };
  const agents = useAnswer("GET /agents", [{ query }], { keepsShown: true });
  return (
    <StaffPage
      title="Agents"
      intro="Helpers that do work for you, with your rights and never more. What could matter waits for a person."
      place={place}
      elsewhere="All of mine"
      acts={
        <>
          {mayEnrol && mayBuild && (
            <Link
              className="button primary"
              to={{ pathname: "/staff/agents/new", search: setId === undefined ? "" : `set=${setId}` }}
            >
              Make an agent
            </Link>
          )}
          {mayEnrol && !mayBuild && (
            <button type="button" className="primary" onClick={() => setEnrolling(true)}>
              Make an agent
            </button>
          )}
          {setId !== undefined && <Emergency setId={setId} name={place.nameOf(setId)} />}
        </>
      }
    >
      <HearSets ids={setId === undefined ? sets.map(({ id }) => id) : [setId]} ops={["GET /agents"]} />
      <Approvals setId={setId} />
      <Section title="Agents">
        <Shown of={agents}>
          {({ data, meta }) => (
            <>
              <Table
                label="Agents"
                rows={data}
                keyOf={({ id }) => id}
                columns={columns(place)}
                empty={<NoAgents mayEnrol={mayEnrol} setId={setId} />}
              />
              <Pager meta={meta} />
            </>
          )}
        </Shown>
      </Section>
      <Runs title="What agents do for you" {...(setId !== undefined && { setId })} />
      {isEnrolling && <AgentDialog setId={setId} onClose={() => setEnrolling(false)} />}
    </StaffPage>
  );
}

function NoAgents({ mayEnrol, setId }: { mayEnrol: boolean; setId: string | undefined }): ReactNode {
  if (mayEnrol) return "There is no agent here yet. Make one: say what it is good at, and how much is left to it.";
  return setId === undefined
    ? "There is no agent that you can see. Choose a problem set in which you plan, and make one there."
    : "There is no agent here yet. A planner of this problem set, or above, can make one.";
}
