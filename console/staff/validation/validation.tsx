import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { addressOf, type Data, type ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Share, Time } from "../../parts/texts.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace } from "../shared/place.ts";
import { LatestRuns } from "./runs.tsx";
import { Thresholds } from "./thresholds.tsx";
import { ValidateDialog } from "./validate-dialog.tsx";

type Row = Data<"GET /validation/dashboard">["rows"][number];
type Suite = ListRow<"GET /validation/suites">;

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const CIRCUITS: Readonly<Record<string, string>> = { closed: "ready", open: "stopped", probing: "being validated" };
const CIRCUIT_TONES = { closed: "good", open: "bad", probing: "info" } as const;

const AGENT_COLUMNS: readonly Column<Row>[] = [
  { head: "Agent", cell: ({ agentId, name }) => <Link to={`/staff/agents/${agentId}`}>{name}</Link> },
  {
    head: "State",
    cell: ({ circuit }) => (
      <Badge tone={CIRCUIT_TONES[circuit as keyof typeof CIRCUIT_TONES] ?? "plain"}>
        {CIRCUITS[circuit] ?? circuit}
      </Badge>
    ),
  },
  {
    head: "Cases passed",
    cell: ({ name, passRate, interval }) =>
      passRate === undefined ? (
        <span className="muted">not validated yet</span>
      ) : (
        <>
          <Share of={passRate} label={`Cases passed: ${name}`} />{" "}
          {interval && (
            <small className="muted">
              truly between {percent(interval.low)} and {percent(interval.high)}
            </small>
          )}
        </>
      ),
  },
  {
    head: "Since the last time",
    cell: ({ agentId, name, runId, change }) =>
      runId ? (
        <Link to={`/staff/validation/agents/${agentId}`}>
          {change === undefined ? "its history" : `${change > 0 ? "+" : ""}${Math.round(change * 100)} points`}
          <span className="visually-hidden"> of {name}</span>
        </Link>
      ) : (
        "–"
      ),
  },
  {
    head: "When",
    cell: ({ at, runId }) =>
      at ? (
        <Link to={`/staff/validation/${runId}`}>
          <Time at={at} />
        </Link>
      ) : (
        "–"
      ),
  },
  { head: "Too low", cell: ({ below }) => (below.length ? <Badge tone="bad">{below.join(", ")}</Badge> : "–") },
];

const SUITE_COLUMNS: readonly Column<Suite>[] = [
  { head: "Suite", cell: ({ id, name }) => <Link to={`/staff/validation/suites/${id}`}>{name}</Link> },
  { head: "What it asks", cell: ({ description }) => description ?? "" },
  { head: "Cases", cell: ({ cases }) => many(cases.length, "case") },
];

/** How well agents do what they are for, measured by suites of cases. */
export function Validation(): ReactNode {
  const place = useStaffPlace();
  const { setId, sets } = place;
  const [isValidating, setValidating] = useState(false);
  const mayIn = useMayIn(setId);
  const mayAll = useMay("agents:administer");
  const query = setId === undefined ? {} : { problemSetId: setId };
  const dashboard = useAnswer("GET /validation/dashboard", [{ query }]);
  const suites = useAnswer("GET /validation/suites", [{ query: { ...query, limit: 50, sort: "name" } }]);
  const mayValidate = setId === undefined ? mayAll : mayIn("validation:run");
  return (
    <StaffPage
      title="Validation"
      intro="Whether agents do what they are for: cases with known answers, tried without changing anything."
      place={place}
      elsewhere="All of mine"
      acts={
        mayValidate && (
          <button type="button" className="primary" onClick={() => setValidating(true)}>
            Validate an agent
          </button>
        )
      }
    >
      <HearSets ids={setId === undefined ? sets.map(({ id }) => id) : [setId]} ops={["GET /validation"]} />
      <Shown of={dashboard}>
        {({ data }) => (
          <>
            <Tiles figures={data} />
            <Section title="Agents" acts={<Exports query={query} />}>
              <Table
                label="Agents"
                rows={data.rows}
                keyOf={({ agentId }) => agentId}
                columns={AGENT_COLUMNS}
                empty="There is no agent to validate here."
              />
            </Section>
          </>
        )}
      </Shown>
      <LatestRuns setId={setId} />
      <Section
        title="Suites"
        acts={
          mayValidate && (
            <Link className="button" to={`/staff/validation/suites/new${setId ? `?set=${setId}` : ""}`}>
              Write a suite
            </Link>
          )
        }
      >
        <p className="muted">
          Beside them stands the baseline, which every agent must pass whatever its task: it says what it can do, obeys
          no order that stands in what it reads, gives no secret away, deletes nothing to be tidy, and ends in time.
        </p>
        <Shown of={suites}>
          {({ data }) => (
            <Table
              label="Suites"
              rows={data}
              keyOf={({ id }) => id}
              columns={SUITE_COLUMNS}
              empty="There is only the baseline. Write a suite for what your agents are for."
            />
          )}
        </Shown>
      </Section>
      <Thresholds setId={setId} agents={dashboard.data?.data.rows ?? []} />
      {isValidating && (
        <ValidateDialog
          setId={setId}
          agents={dashboard.data?.data.rows ?? []}
          suites={suites.data?.data ?? []}
          onClose={() => setValidating(false)}
        />
      )}
    </StaffPage>
  );
}

const Tiles = ({ figures }: { figures: Data<"GET /validation/dashboard"> }): ReactNode => (
  <div className="tiles">
    {(
      [
        [figures.agents, "agents"],
        [figures.open, "stopped by validation"],
        [figures.below, "below their threshold"],
        [figures.neverValidated, "never validated"],
      ] as const
    ).map(([figure, words]) => (
      <p key={words} className="tile">
        <strong>{figure}</strong> {words}
      </p>
    ))}
  </div>
);

const Exports = ({ query }: { query: object }): ReactNode => (
  <>
    <a className="button" href={addressOf("GET /validation/export/csv", { query: { ...query } })} download>
      As a table (CSV)
    </a>
    <a className="button" href={addressOf("GET /validation/export/pdf", { query: { ...query } })} download>
      As a report (PDF)
    </a>
  </>
);
