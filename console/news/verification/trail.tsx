import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { Table, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { inPoints, signed } from "./scales.ts";
import { waterfall, type WaterfallBar } from "./waterfall.ts";
import { WaterfallPicture } from "./waterfall-picture.tsx";

type Trail = Data<"GET /verification/trail/{contentId}">;
type Step = Trail["steps"][number];

/** Short names of steps, for the picture. */
const NAMES: Record<Step["type"], string> = {
  source: "Starting point: the source",
  ground_truth: "Sources of the best record",
  claims: "Claims found",
  cross_reference: "Other reports",
  bias: "Loaded language",
  llm: "Language model",
  heuristic: "How it is written",
  recency: "Age",
  manual: "A person’s verdict",
};
const nameOf = ({ type, label }: Step): string => (label === "Limit of the scale" ? label : NAMES[type]);
const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

interface StepRow {
  index: number;
  step: Step;
  bar: WaterfallBar;
  /** Other articles that it rests on, with their outlets. */
  evidence: readonly { id: number; outlet: string }[];
}
const COLUMNS: readonly Column<StepRow>[] = [
  { head: "Step", cell: ({ step }) => nameOf(step) },
  { head: "Why", cell: (row) => <Why {...row} /> },
  { head: "Points", isFigure: true, cell: ({ step }) => signed(step.scoreContribution) },
  { head: "Makes", isFigure: true, cell: ({ bar }) => inPoints(bar.to) },
];

interface TrailPictureProps {
  trail: Trail;
  /** Outlets of cited articles, by the articles' ids. */
  outlets: ReadonlyMap<number, string>;
}

/** How the score came to be, step by step: as a picture, and the same as a table. */
export function TrailPicture({ trail, outlets }: TrailPictureProps): ReactNode {
  const { contentId, steps, comparison, finalConfidenceScore } = trail;
  const { bars, total, at } = waterfall(steps);
  // Where there is nothing to compare with, an article is its own average.
  const isCompared = [comparison.sourceAverage, comparison.domainAverage].some((one) => one !== finalConfidenceScore);
  const rows = steps.map((step, index) => ({
    index,
    step,
    bar: bars[index]!,
    evidence: (step.cites.articles ?? [])
      .filter((id) => id !== contentId)
      .map((id) => ({ id, outlet: outlets.get(id) ?? `article ${id}` })),
  }));
  return (
    <>
      <p className="muted">
        Each bar begins where the one above ended; together they make {inPoints(finalConfidenceScore)} of 100 (
        {trail.confidenceLevel}). The start is what the article came in with: for its source’s record, for other outlets
        that told the same by then, for how settled the news was and how the text is made. Worked out{" "}
        <Time at={trail.asOf} />.
      </p>
      <div className="trail">
        <WaterfallPicture
          steps={rows.map(({ step, bar }) => ({ name: nameOf(step), points: step.scoreContribution, bar }))}
          total={total}
          at={at}
        />
        <Table
          label="The steps of the score"
          rows={rows}
          keyOf={({ index }) => index}
          empty="There are no steps."
          columns={COLUMNS}
        />
      </div>
      {isCompared && (
        <p className="muted">
          For comparison: checked articles of this source have {inPoints(comparison.sourceAverage)} points on average,
          those of the same field {inPoints(comparison.domainAverage)}; this one stands above{" "}
          {inPoints(comparison.percentileRank)} % of all.
        </p>
      )}
    </>
  );
}

/** The words of a step, with the articles it rests on. */
const Why = ({ step: { description, cites, parts }, evidence }: StepRow): ReactNode => (
  <>
    {sentence(description)}
    {parts && (
      <ul className="parts" aria-label="What the start is made of">
        {parts.map(({ label, points }) => (
          <li key={label}>
            <span className="figure">{signed(points)}</span> {label}
          </li>
        ))}
      </ul>
    )}
    {cites.by && ` (${cites.byName ?? cites.by})`}
    {evidence.length > 0 && (
      <span>
        . See{" "}
        {evidence.map(({ id, outlet }, at) => (
          <span key={id}>
            {at > 0 && ", "}
            <Link to={`/news/articles/${id}`}>{outlet}</Link>
          </span>
        ))}
      </span>
    )}
  </>
);
