import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace, type StaffPlace } from "../shared/place.ts";
import { Checkpoints } from "./checkpoints.tsx";
import { Figures } from "./figures.tsx";
import { Supervisors } from "./supervisors.tsx";

type Execution = ListRow<"GET /orchestration/executions">;

const WAITS: Readonly<Record<string, string>> = {
  approval: "an approval",
  checkpoint: "a checkpoint",
  moment: "a moment",
  settlement: "somebody who knows whether it happened",
};
export const WorkflowState = ({ status, waitingFor = [] }: Pick<Execution, "status" | "waitingFor">): ReactNode => (
  <Badge {...(["stopped", "waiting"].includes(status) && { tone: "warn" as const })}>
    {status === "waiting" && waitingFor.length
      ? `waits for ${waitingFor.map((one) => WAITS[one] ?? one).join(" and ")}`
      : status}
  </Badge>
);

const columns = ({ nameOf }: StaffPlace): readonly Column<Execution>[] => [
  { head: "Workflow", cell: ({ id, name }) => <Link to={`/staff/workflows/${id}`}>{name}</Link> },
  { head: "State", cell: (one) => <WorkflowState {...one} /> },
  { head: "In", cell: ({ problemSetId }) => nameOf(problemSetId) },
  { head: "For", cell: ({ byName, by }) => byName ?? by },
  { head: "Began", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
export const WORKFLOW_LIVE = ["workflow.execution.changed"] as const;

/** Workflows of agents: what waits for a person, what is under way, and who distributes work. */
export function Workflows(): ReactNode {
  const place = useStaffPlace();
  const { setId, sets } = place;
  const page = usePage();
  const [search] = useSearchParams();
  const status = search.get("status") as Execution["status"] | null;
  const mayIn = useMayIn(setId);
  const query = { page, ...(setId !== undefined && { problemSetId: setId }), ...(status && { status }) };
  const executions = useAnswer("GET /orchestration/executions", [{ query }], { keepsShown: true });
  useLive(undefined, WORKFLOW_LIVE, undefined, { ops: ["GET /orchestration"] });
  const mayStart = setId !== undefined && mayIn("orchestration:run");
  return (
    <StaffPage
      title="Workflows"
      intro="Several agents and people, step by step: each step's end is kept before the next one begins."
      place={place}
      elsewhere="All of mine"
      acts={
        mayStart && (
          <Link className="button" to={`/staff/workflows/new?set=${setId}`}>
            Start a workflow
          </Link>
        )
      }
    >
      <HearSets ids={setId === undefined ? sets.map(({ id }) => id) : [setId]} ops={["GET /orchestration"]} />
      <Checkpoints setId={setId} />
      <Section title="Workflows">
        <Shown of={executions}>
          {({ data, meta }) => (
            <>
              <Table
                label="Workflows"
                rows={data}
                keyOf={({ id }) => id}
                columns={columns(place)}
                empty={
                  mayStart
                    ? "No workflow has run here yet. Start one: say which agent does what, and where a person decides."
                    : "No workflow has run here yet. Choose a problem set in which you may start one."
                }
              />
              <Pager meta={meta} />
            </>
          )}
        </Shown>
      </Section>
      {setId !== undefined && <Supervisors setId={setId} mayIn={mayIn} />}
      <Figures setId={setId} />
    </StaffPage>
  );
}
