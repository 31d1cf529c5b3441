import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { INTELLIGENCE, IntelligencePage } from "../area.tsx";
import { CYCLE_STATES, phaseWords, type CycleStop, type NewsCycle } from "./cycle-words.ts";

/** Questions that are answered from news and documents, step by step. */
export const Cycles = (): ReactNode => (
  <IntelligencePage
    title="Intelligence cycles"
    intro="You ask a question; the news are searched, the best reports are chosen and compared, and what comes of it waits for review. After the steps that you name it waits for a person."
    acts={Ask}
  >
    {({ id }) => (
      <>
        <Stops setId={id} />
        <All setId={id} />
      </>
    )}
  </IntelligencePage>
);

function Ask({ setId }: { setId: string }): ReactNode {
  if (!useMayIn(setId)("intelligence:fuse")) return null;
  return (
    <Link className="button primary" to={`${INTELLIGENCE}/cycles/new?set=${setId}`}>
      Ask a question
    </Link>
  );
}

/** Where cycles wait: they stop by themselves when nobody answers. */
function Stops({ setId }: { setId: string }): ReactNode {
  const stops = useAnswer("GET /strategic-agents/checkpoints", [
    { query: { problemSetId: setId, sort: "expiresAt", limit: 20 } },
  ]);
  if (!stops.data?.data.length) return null;
  return (
    <Section title="Wait for a person">
      <ul className="list">
        {stops.data.data.map((stop) => (
          <Stop key={stop.id} stop={stop} />
        ))}
      </ul>
    </Section>
  );
}

const Stop = ({ stop: { cycleId, question, phase, next, expiresAt } }: { stop: CycleStop }): ReactNode => (
  <li>
    <Link to={`${INTELLIGENCE}/cycles/${cycleId}`}>{question}</Link>
    <br />
    <small className="muted">
      {phaseWords(phase)} is done, {phaseWords(next).toLowerCase()} comes next; without an answer it stops{" "}
      <Time at={expiresAt} />
    </small>
  </li>
);

function All({ setId }: { setId: string }): ReactNode {
  const may = useMayIn(setId)("intelligence:fuse");
  const query = { problemSetId: setId, page: usePage() };
  const cycles = useAnswer("GET /strategic-agents/cycles", [{ query }], { keepsShown: true });
  return (
    <Section title="Questions">
      <Shown of={cycles}>
        {({ data, meta }) => (
          <>
            <Table
              label="Intelligence cycles"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={
                may
                  ? "No question was asked here yet. Ask one that the news and your documents may answer."
                  : "No question was asked here yet. Analysts, planners and deputies ask them."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<NewsCycle>[] = [
  {
    head: "Question",
    cell: ({ id, direction, problemSetId, compartments }) => (
      <>
        <Link to={`${INTELLIGENCE}/cycles/${id}`} dir="auto">
          {direction.question}
        </Link>{" "}
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
      </>
    ),
  },
  {
    head: "State",
    cell: ({ status }) => <Badge tone={CYCLE_STATES[status].tone}>{CYCLE_STATES[status].words}</Badge>,
  },
  { head: "Step", cell: ({ phase }) => phaseWords(phase) },
  { head: "Asked by", cell: ({ createdBy, createdByName }) => createdByName ?? createdBy },
  { head: "Asked", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
