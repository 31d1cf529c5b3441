import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMySets } from "../../../app/sets.ts";
import { useLive } from "../../../live/live.ts";
import { Empty, Page, PageOf, Section } from "../../../parts/page.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { credibilityWords } from "../../../news/verification/scales.ts";
import { KnowledgeTabs } from "../../area.tsx";
import { INTELLIGENCE } from "../area.tsx";
import { COMPARISON_STATES, likelihoodSentence, percent, STATE_TONES, type ComparedReports } from "../words.ts";
import { Reviewing } from "./reviewing.tsx";
import { WeighedReports } from "./weighed-reports.tsx";

/** One statement: whether reports contradict each other on it, how likely it is by them, and why. */
export function ComparisonPage(): ReactNode {
  const { productId = "" } = useParams();
  const found = useAnswer("GET /strategic-agents/fused/{id}", [{ path: { id: productId } }]);
  return (
    <PageOf of={found} title="Reports compared" back={<Link to={INTELLIGENCE}>To all that were compared</Link>}>
      {({ data }) => <Comparison of={data} />}
    </PageOf>
  );
}

function Comparison({ of: compared }: { of: ComparedReports }): ReactNode {
  const { hypothesis, problemSetId, from } = compared;
  useLive({ problemSetId }, ["product.changed"]);
  const set = useMySets().data?.data.find(({ id }) => id === problemSetId);
  return (
    <Page
      title={hypothesis}
      intro={
        <>
          {from === "asked" ? "What reports say of this statement" : "What the reports assert themselves"}
          {set && (
            <>
              , in <Link to={`/workspace/${problemSetId}`}>{set.name}</Link>
            </>
          )}
        </>
      }
      acts={<Link to={`${INTELLIGENCE}?set=${problemSetId}`}>All that were compared</Link>}
    >
      <KnowledgeTabs setId={problemSetId} />
      <State of={compared} />
      <Section title="Do they contradict each other?">
        <Contradictions of={compared} />
      </Section>
      <Section title="How likely it is, by these reports">
        <Likelihood of={compared} />
        <WeighedReports of={compared} />
        <HowItAddsUp of={compared} />
      </Section>
    </Page>
  );
}

const State = ({ of: compared }: { of: ComparedReports }): ReactNode => {
  const { status, problemSetId, compartments, createdBy, createdByName, createdAt, supersededBy, cycleId } = compared;
  return (
    <div className="row between">
      <p className="row">
        <Badge tone={STATE_TONES[status]}>{COMPARISON_STATES[status]}</Badge>
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
        <small className="muted">
          {createdByName ?? createdBy}, <Time at={createdAt} />
          {compared.decidedBy && `; ${compared.decidedByName ?? compared.decidedBy} decided`}
          {compared.reason && `: ${compared.reason}`}
        </small>
        {supersededBy && <Link to={`${INTELLIGENCE}/comparisons/${supersededBy}`}>To the newer one</Link>}
        {cycleId && <Link to={`${INTELLIGENCE}/cycles/${cycleId}`}>The cycle that it comes from</Link>}
      </p>
      <Reviewing of={compared} />
    </div>
  );
};

type Disagreement = ComparedReports["disagreements"][number];

function Contradictions({ of: { disagreements, reports } }: { of: ComparedReports }): ReactNode {
  if (!disagreements.length) return <Empty>{whyNone(reports)}</Empty>;
  return (
    <>
      <p>
        <strong>Yes{disagreements.length > 1 && `, in ${disagreements.length} places`}.</strong>
      </p>
      <ul className="list">
        {disagreements.map(({ says, against }) => (
          <li key={`${says.ref} ${says.quote} ${against.ref} ${against.quote}`} className="columns">
            <Side title="One says so" said={says} tone="good" />
            <Side title="Another says otherwise" said={against} tone="bad" />
          </li>
        ))}
      </ul>
    </>
  );
}

function whyNone(reports: ComparedReports["reports"]): string {
  const [so, otherwise] = (["support", "contradict"] as const).map((wanted) =>
    reports.filter(({ stance }) => stance === wanted),
  ) as [typeof reports, typeof reports];
  if (!so.length && !otherwise.length) return "None of them says anything about it, so nothing was found either way.";
  if (!otherwise.length) return `No. ${reportsSay(so.length)} so, and none says otherwise.`;
  return `Not on this. ${reportsSay(otherwise.length)} otherwise, and none says so.`;
}
const reportsSay = (count: number): string => `${many(count, "report")} ${count === 1 ? "says" : "say"}`;

const Side = ({
  title,
  said: { source, quote, reasons },
  tone,
}: {
  title: string;
  said: Disagreement["says"];
  tone: "good" | "bad";
}): ReactNode => (
  <div>
    <p>
      <Badge tone={tone}>{title}</Badge> <strong>{source}</strong>
    </p>
    <blockquote dir="auto">“{quote}”</blockquote>
    {reasons.length > 0 && (
      <ul className="reasons">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    )}
  </div>
);

/** The parts as they are summed, for whoever checks it. */
function HowItAddsUp({ of: { reports, likelihood } }: { of: ComparedReports }): ReactNode {
  const parts = reports.filter(({ counted }) => counted).map(({ logOdds }) => signedOdds(logOdds));
  return (
    <p className="muted">
      Worked out by rules over the words of the reports, without a language model. Copies of one report, and what one
      source says twice, count once.
      {parts.length > 0 && ` In log-odds: ${parts.join(" ")}, which makes ${percent(likelihood.value)}.`}
    </p>
  );
}
const signedOdds = (odds: number): string => `${odds < 0 ? "−" : "+"}${Math.abs(odds).toFixed(2)}`;

const Likelihood = ({ of: { likelihood, credibility, voices } }: { of: ComparedReports }): ReactNode => (
  <>
    <p className="row">
      <strong>{likelihoodSentence(likelihood.words)}.</strong>
      <span className="share">
        <meter min={0} max={1} value={likelihood.value} aria-label="How likely it is" />
        <span>{percent(likelihood.value)}</span>
      </span>
    </p>
    <p className="muted">
      {many(voices, "independent report")} {voices === 1 ? "counts" : "count"}. By corroboration alone it is{" "}
      {credibility} of 6: {credibilityWords(credibility)}.
    </p>
  </>
);
