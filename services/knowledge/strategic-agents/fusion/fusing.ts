import { inTurns, type Steps } from "../../../../core/work/turns.ts";
import { sha256 } from "../../../../core/ids.ts";
import {
  preparing as preparingToCompare,
  Readings,
  referring,
  type Origin,
  type Reference,
  type Stance,
} from "../../../news/verification/client.ts";
import { asOfOneEvent, disagreementsAmong, type Disagreement } from "./among.ts";
import { borneOut } from "./hypotheses/borne-out.ts";
import { readHypothesis } from "./hypotheses/hypothesis.ts";
import { preparing } from "./hypotheses/states.ts";
import { withOneVoice } from "./hypotheses/one-voice.ts";
import { sayingOf } from "./hypotheses/saying.ts";
import { leadOf } from "./assertions.ts";
import type { Product, ProductSource } from "./products.ts";
import type { FusedReport } from "./reports.ts";
import { weighReports, weightOf, type Weighed } from "./weighing.ts";

/** A hypothesis of a person has no report of its own. */
const NOBODY: Origin = { articleId: 0, storyId: "one event", sourceId: 0 };
/** Assertions that are tried where nobody says what is to be judged. */
const MOST_LEADS = 6;
const MOST_DISPUTED = 6;

interface Judging {
  /** Each report is read once. */
  readings: Readings;
  signal: AbortSignal | undefined;
}

/** What each report says of a hypothesis; those that say nothing are left out. */
const stances = (
  hypothesis: string,
  reports: readonly FusedReport[],
  { readings, signal }: Judging,
): Promise<Reference[]> => inTurns(saidOf(hypothesis, reports.map(asOfOneEvent), readings), signal ? { signal } : {});

/** The same, in steps. */
export function* saidOf(hypothesis: string, reports: readonly FusedReport[], readings: Readings): Steps<Reference[]> {
  const found: Reference[] = [];
  // What a hypothesis is read by, reports are compared by as well.
  yield* preparingToCompare();
  yield* preparing();
  const asked = readHypothesis(
    hypothesis,
    reports.map(({ text }) => text),
  );
  for (const report of reports) {
    const [compared] = yield* referring(hypothesis, NOBODY, [report], { readings });
    yield;
    const said = yield* sayingOf(asked, report.text, readings);
    if (said) found.push(told(report, said));
    else if (compared) found.push(borneOut(asked, compared, report.text, readings));
  }
  const texts = new Map(reports.map(({ articleId, text }) => [articleId, text]));
  return withOneVoice(hypothesis, found, ({ articleId }) => texts.get(articleId)!);
}

function told(report: FusedReport, said: Stance): Reference {
  const { title: _, text: __, ...rest } = report;
  return { ...rest, ...said, independent: true, method: "heuristic" };
}

/** Each hypothesis is held against all of them: one that was forgotten meanwhile would be read anew each time. */
const charactersOf = (reports: readonly FusedReport[]): number =>
  reports.reduce((sum, { text }) => sum + text.length, 0);

/** How much bears on a hypothesis, whether for or against it. */
const bearingOf = ({ parts }: Weighed): number => parts.reduce((sum, { weight }) => sum + weight, 0);

export interface Fused {
  hypothesis: string;
  from: Product["from"];
  weighed: Weighed;
  found: readonly Reference[];
  disagreements: readonly Disagreement[];
}

/** Each report that contradicts what was asked beside the strongest one that supports it. */
function againstStrongest({ supporting: [strongest], contradicting }: Weighed): Disagreement[] {
  if (!strongest) return [];
  const says = { articleId: strongest.articleId, quote: strongest.evidence.text };
  return contradicting.map((against) => ({ says, against }));
}

/**
 * The hypothesis that is asked about; else the assertion of the reports that most of them bear on, of those that are
 * contradicted where any is.
 */
export async function judge(
  reports: readonly FusedReport[],
  asked: string | undefined,
  signal?: AbortSignal,
): Promise<Fused> {
  const judging = { readings: new Readings(charactersOf(reports)), signal };
  if (asked !== undefined) {
    const found = await stances(asked, reports, judging);
    const weighed = weighReports(found);
    return { hypothesis: asked, from: "asked", weighed, found, disagreements: againstStrongest(weighed) };
  }
  const byAge = reports.toSorted((a, b) => a.publishedAt.localeCompare(b.publishedAt) || a.articleId - b.articleId);
  const byVoice = [...Map.groupBy(byAge, ({ reportId, storyId }) => reportId ?? storyId).values()];
  const disagreements = await disagreementsAmong(byAge, judging);
  const leads = new Set(byVoice.slice(0, MOST_LEADS).map((voice) => leadOf(voice[0]!, judging.readings)));
  const disputed = disagreements.slice(0, MOST_DISPUTED).map(({ says }) => says.quote);
  let best: Fused | undefined;
  for (const hypothesis of disputed.length ? new Set(disputed) : leads) {
    const found = await stances(hypothesis, reports, judging);
    const weighed = weighReports(found);
    if (!best || bearingOf(weighed) > bearingOf(best.weighed))
      best = { hypothesis, from: "reports", weighed, found, disagreements };
  }
  return best!;
}

/** What the product is of, whoever makes it again. */
const aboutOf = ({ hypothesis, from }: Fused, reports: readonly FusedReport[]): string =>
  sha256(
    from === "asked"
      ? `asked ${hypothesis.trim().toLowerCase()}`
      : `reports ${[...new Set(reports.map(({ storyId }) => storyId))].sort().join(" ")}`,
  ).slice(0, 32);

function sourceOf(report: FusedReport, { found, weighed }: Fused): ProductSource {
  const said = found.find(({ articleId }) => articleId === report.articleId);
  const part = weighed.parts.find(({ articleId }) => articleId === report.articleId);
  const { kind, ref, version, sourceName, title, publishedAt, reliability } = report;
  return {
    ...{ kind, ref, title, reliability, source: sourceName, at: publishedAt },
    ...(version !== undefined && { version }),
    ...(kind !== "document" && { storyId: report.storyId }),
    stance: said?.stance ?? "unrelated",
    ...(said && { quote: said.evidence.text }),
    reasons: said?.reasons ?? ["It says nothing of it."],
    weight: part?.weight ?? (said ? weightOf(said) : 0),
    logOdds: part?.logOdds ?? 0,
    counted: part !== undefined,
  };
}

/** Everything that a product says; where it lies and how it stands is the caller's. */
export function productOf(fused: Fused, reports: readonly FusedReport[]) {
  const { weighed, hypothesis, from, found, disagreements } = fused;
  const said = (articleId: number, quote: string, reasons: readonly string[]) => {
    const { ref, sourceName } = reports.find((report) => report.articleId === articleId)!;
    return { ref, source: sourceName, quote, reasons: [...reasons] };
  };
  const reasonsFor = ({ articleId, quote }: Disagreement["says"]): readonly string[] =>
    found.find((one) => one.articleId === articleId && one.evidence.text === quote)?.reasons ?? [];
  return {
    ...{ hypothesis, from, about: aboutOf(fused, reports) },
    reports: reports.map((report) => sourceOf(report, fused)),
    voices: weighed.parts.length,
    credibility: weighed.credibility,
    likelihood: { value: weighed.likelihood, words: weighed.words, prior: 0 },
    disagreements: disagreements.map(({ says, against }) => ({
      says: said(says.articleId, says.quote, reasonsFor(says)),
      against: said(against.articleId, against.evidence.text, against.reasons),
    })),
    method: "heuristic" as const,
    status: "draft" as const,
  };
}
