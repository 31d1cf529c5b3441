import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { INTELLIGENCE, IntelligencePage } from "../area.tsx";
import { COMPARISON_STATES, percent, STATE_TONES, type ComparedReports } from "../words.ts";

const STATES = Object.entries(COMPARISON_STATES) as [ComparedReports["status"], string][];

/** What reports say of one statement each, the newest first. */
export const Comparisons = (): ReactNode => (
  <IntelligencePage
    title="Reports compared"
    intro="Do these reports contradict each other? Documents and news are held against one statement: who says so, who says otherwise, and how likely it is by all of them."
    acts={Compare}
  >
    {({ id }) => <All setId={id} />}
  </IntelligencePage>
);

function Compare({ setId }: { setId: string }): ReactNode {
  if (!useMayIn(setId)("intelligence:fuse")) return null;
  return (
    <Link className="button primary" to={`${INTELLIGENCE}/compare?set=${setId}`}>
      Compare reports
    </Link>
  );
}

function All({ setId }: { setId: string }): ReactNode {
  const [search] = useSearchParams();
  const status = STATES.find(([one]) => one === search.get("status"))?.[0];
  const query = { problemSetId: setId, page: usePage(), ...(status && { status }) };
  const all = useAnswer("GET /strategic-agents/fused", [{ query }], { keepsShown: true });
  return (
    <Section title="Statements">
      <Tabs
        label="States"
        of={[["", "All"] as const, ...STATES].map(([one, words]) => ({
          to: `?set=${setId}${one && `&status=${one}`}`,
          words: words.charAt(0).toUpperCase() + words.slice(1),
          isHere: one === (status ?? ""),
        }))}
      />
      <Shown of={all}>
        {({ data, meta }) => (
          <>
            <Table
              label="Statements that reports were held against"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={<Nothing setId={setId} isFiltered={status !== undefined} />}
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<ComparedReports>[] = [
  {
    head: "Statement",
    cell: ({ id, hypothesis, problemSetId, compartments }) => (
      <>
        <Link to={`${INTELLIGENCE}/comparisons/${id}`} dir="auto">
          {hypothesis}
        </Link>{" "}
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
      </>
    ),
  },
  {
    head: "By its reports",
    cell: ({ likelihood: { words, value } }) => `${words} (${percent(value)})`,
  },
  {
    head: "Contradictions",
    cell: ({ disagreements }) =>
      disagreements.length ? <Badge tone="bad">{many(disagreements.length, "contradiction")}</Badge> : "none",
  },
  { head: "Reports", isFigure: true, cell: ({ reports }) => reports.length },
  { head: "State", cell: ({ status }) => <Badge tone={STATE_TONES[status]}>{COMPARISON_STATES[status]}</Badge> },
  { head: "Made", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function Nothing({ setId, isFiltered }: { setId: string; isFiltered: boolean }): ReactNode {
  const may = useMayIn(setId)("intelligence:fuse");
  if (isFiltered) return <>No statement is in this state.</>;
  if (!may) return <>No reports were compared here yet. Analysts, planners and deputies do it.</>;
  return (
    <>
      No reports were compared here yet.{" "}
      <Link to={`${INTELLIGENCE}/compare?set=${setId}`}>Choose two reports of the same thing</Link>, and see where they
      contradict each other.
    </>
  );
}
