import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMayIn } from "../../../app/sets.ts";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { many, Time } from "../../../parts/texts.tsx";
import type { KnownObjective } from "../tree.ts";
import {
  changesOf,
  partsWords,
  signed,
  stepsOf,
  trendWords,
  type ValidityChange,
  type ValidityPoint,
} from "./validity-words.ts";

const MOST = 50;
/** Below it an alert opens. */
const STANDS = 50;
const [WIDTH, HEIGHT] = [480, 120];

/** How far an objective still holds, how that went, and why. */
export function ValidityPage({ objective }: { objective: KnownObjective }): ReactNode {
  const { id, problemSetId, status } = objective;
  const path = { objectiveId: id };
  const history = useAnswer("GET /graph/validity/{objectiveId}/history", [
    { path, query: { sort: "-at", limit: MOST } },
  ]);
  const trend = useAnswer("GET /graph/validity/{objectiveId}/trend", [{ path }]);
  const calculate = useAct("POST /graph/validity/{objectiveId}/calculate", {
    says: ({ data }) => `It is ${data.score} of 100 now.`,
  });
  const isGivenUp = status === "superseded" || status === "rejected";
  const mayCalculate = useMayIn(problemSetId)("validity:calculate") && !isGivenUp;
  const score = trend.data?.data.score ?? undefined;
  return (
    <Section
      title="How far it holds"
      acts={
        mayCalculate && (
          <button type="button" disabled={calculate.isPending} onClick={() => calculate.mutate({ path })}>
            {score === undefined ? "Calculate it" : "Calculate it anew"}
          </button>
        )
      }
    >
      <p className="muted">
        An objective holds fully when it is approved or assessed, and less with time; contradictions, sources that are
        gone and a bad assessment take away, what confirms it adds.
      </p>
      <Shown of={history}>
        {({ data, meta }) =>
          data.length ? (
            <>
              {score !== undefined && trend.data && (
                <p>
                  <strong>{score} of 100.</strong> {trendWords(trend.data.data)}
                </p>
              )}
              <Picture points={data} />
              <MadeOf point={data[0]!} />
              <Table
                label="How it changed"
                rows={changesOf(data)}
                keyOf={({ point }) => point.id}
                columns={COLUMNS}
                empty=""
              />
              {meta.total > MOST && (
                <p className="muted">{many(meta.total - MOST, "older change is", "older changes are")} not shown.</p>
              )}
            </>
          ) : (
            <Empty>
              It was not calculated yet.{" "}
              {isGivenUp
                ? "It is given up, so nobody asks."
                : "Approved objectives are by themselves, daily and with each change; others once somebody asks for it here."}
            </Empty>
          )
        }
      </Shown>
    </Section>
  );
}

/** The scores as a line; the table says the same in words. */
function Picture({ points }: { points: readonly ValidityPoint[] }): ReactNode {
  const [opened] = useState(() => Date.now());
  const times = points.map(({ at }) => Date.parse(at));
  const line = stepsOf(points, Math.max(opened, ...times), [WIDTH, HEIGHT]);
  const scores = points.map(({ score }) => score);
  const bound = HEIGHT * (1 - STANDS / 100);
  return (
    <figure className="validity">
      <svg viewBox={`-2 -4 ${WIDTH + 4} ${HEIGHT + 8}`} aria-hidden="true">
        <line className="bound" x1={0} x2={WIDTH} y1={bound} y2={bound} />
        <path d={line} />
      </svg>
      <figcaption className="muted">
        From 0 at the bottom to 100, since <Time at={points.at(-1)!.at} />: lowest {Math.min(...scores)}, highest{" "}
        {Math.max(...scores)}. Under the dashed line, at {STANDS}, it may no longer hold.
      </figcaption>
    </figure>
  );
}

const MadeOf = ({ point: { parts } }: { point: ValidityPoint }): ReactNode => (
  <details>
    <summary>What the score is made of</summary>
    <ul>
      {partsWords(parts).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </details>
);

const COLUMNS: readonly Column<ValidityChange>[] = [
  { head: "When", cell: ({ point }) => <Time at={point.at} /> },
  { head: "Score", isFigure: true, cell: ({ point }) => point.score },
  { head: "Change", isFigure: true, cell: ({ by }) => (by === undefined ? "first" : signed(by)) },
  {
    head: "Why",
    cell: ({ why }) => (
      <ul className="reasons">
        {why.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    ),
  },
];
