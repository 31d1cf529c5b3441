import type { ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { addressOf, type ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { PageOf, Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Share, Time } from "../../parts/texts.tsx";
import { StaffPage } from "../shared/frame.tsx";

type Score = ListRow<"GET /validation/agents/{agentId}/scores">;
/** With what can be compared to the one before it. */
type ScoreInLine = Score & { isNewLine: boolean };

/** How one agent did over time. */
export function AgentHistory(): ReactNode {
  const { agentId = "" } = useParams();
  const agent = useAnswer("GET /agents/{agentId}", [{ path: { agentId } }]);
  return (
    <PageOf of={agent} title="An agent's validations" back={<Link to="/staff/validation">To validation</Link>}>
      {({ data: { name } }) => (
        <StaffPage
          title={`${name} over time`}
          intro="How it did in each validation that came to a result, the newest first."
          acts={
            <>
              <Link to={`/staff/agents/${agentId}`}>The agent</Link>
              <a className="button" href={addressOf("GET /validation/export/csv", { query: { agentId } })} download>
                Every answer (CSV)
              </a>
            </>
          }
        >
          <Scores agentId={agentId} />
        </StaffPage>
      )}
    </PageOf>
  );
}

function Scores({ agentId }: { agentId: string }): ReactNode {
  const [search] = useSearchParams();
  const cursor = search.get("cursor");
  const scores = useAnswer("GET /validation/agents/{agentId}/scores", [
    { path: { agentId }, query: { limit: 30, ...(cursor && { cursor }) } },
  ]);
  return (
    <Section title="Validations">
      <Shown of={scores}>
        {({ data, meta }) => (
          <>
            <Table
              label="How it did, the newest first"
              rows={data.map((one, at) => ({
                ...one,
                isNewLine: data[at + 1] ? data[at + 1]!.line !== one.line : false,
              }))}
              keyOf={({ runId }) => runId}
              columns={COLUMNS}
              empty="No validation of it came to a result yet."
            />
            <nav className="row" aria-label="Pages">
              {cursor && <Link to="?">To the newest</Link>}
              {meta.next && <Link to={`?${new URLSearchParams({ cursor: meta.next })}`}>Older</Link>}
            </nav>
          </>
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<ScoreInLine>[] = [
  {
    head: "When",
    cell: ({ runId, at }) => (
      <Link to={`/staff/validation/${runId}`}>
        <Time at={at} />
      </Link>
    ),
  },
  { head: "Suite", cell: ({ suiteName, cases }) => `${suiteName}, ${cases} cases` },
  {
    head: "Cases passed",
    cell: ({ passRate, interval }) => (
      <>
        <Share of={passRate} label="Cases passed" />{" "}
        <small className="muted">
          truly between {Math.round(interval.low * 100)} and {Math.round(interval.high * 100)} %
        </small>
      </>
    ),
  },
  { head: "Mean score", isFigure: true, cell: ({ score }) => `${Math.round(score * 100)} of 100` },
  {
    head: "Agent",
    cell: ({ agentVersion, model, isNewLine }) => (
      <>
        version {agentVersion}, {model ?? "without a model"}
        {isNewLine && (
          <small className="muted">
            {" "}
            (not to be compared with the one before: suite, agent, model or instructions are others)
          </small>
        )}
      </>
    ),
  },
];
