import { upTo } from "../../../../core/text/cutting.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { each, inTurns } from "../../../../core/work/turns.ts";
import { sha256 } from "../../../../core/ids.ts";
import { references, type Origin, type Reference } from "../../../news/verification/client.ts";
import type { Product, ProductSource } from "./products.ts";
import type { FusedReport } from "./reports.ts";
import { weighReports, weightOf, type Weighed } from "./weighing.ts";

/** A hypothesis of a person has no report of its own. */
const NOBODY: Origin = { articleId: 0, storyId: "", sourceId: 0 };
/** Assertions that are tried where nobody says what is to be judged. */
const MOST_LEADS = 6;
const SHORTEST_LEAD = 25;
const LONGEST_LEAD = 400;
/** Fewer characters state nothing: a document may be called "A". */
const SHORTEST_TITLE = 3;

/** What each report says of a hypothesis; those that say nothing are left out. */
async function stances(
  hypothesis: string,
  reports: readonly FusedReport[],
  signal?: AbortSignal,
): Promise<Reference[]> {
  const storyId =
    new Set(reports.map((report) => report.storyId)).size === 1
      ? (reports[0]?.storyId ?? NOBODY.storyId)
      : NOBODY.storyId;
  const origin = { ...NOBODY, storyId };
  const found = await inTurns<Reference[][]>(
    each(reports, (report) => references(hypothesis, origin, [report])),
    signal ? { signal } : {},
  );
  return found.flat();
}

/** The first sentence of a report that says something, else its title. */
function leadOf({ title, text }: FusedReport): string {
  const lead = sentences(text.slice(0, 2_000)).find(({ text: one }) => one.length >= SHORTEST_LEAD);
  const said = lead?.text ?? (title.length < SHORTEST_TITLE ? `What the report "${title}" says` : title);
  return upTo(LONGEST_LEAD, said);
}

/** How much bears on a hypothesis, whether for or against it. */
const bearingOf = ({ parts }: Weighed): number => parts.reduce((sum, { weight }) => sum + weight, 0);

export interface Fused {
  hypothesis: string;
  from: Product["from"];
  weighed: Weighed;
  found: readonly Reference[];
}

/** The hypothesis that is asked about; else the assertion of the reports that most of them bear on. */
export async function judge(
  reports: readonly FusedReport[],
  asked: string | undefined,
  signal?: AbortSignal,
): Promise<Fused> {
  if (asked !== undefined) {
    const found = await stances(asked, reports, signal);
    return { hypothesis: asked, from: "asked", weighed: weighReports(found), found };
  }
  const byAge = reports.toSorted((a, b) => a.publishedAt.localeCompare(b.publishedAt) || a.articleId - b.articleId);
  const byVoice = [...Map.groupBy(byAge, ({ reportId, storyId }) => reportId ?? storyId).values()];
  const leads = [...new Set(byVoice.map((voice) => leadOf(voice[0]!)))].slice(0, MOST_LEADS);
  let best: Fused | undefined;
  for (const hypothesis of leads) {
    const found = await stances(hypothesis, reports, signal);
    const weighed = weighReports(found);
    if (!best || bearingOf(weighed) > bearingOf(best.weighed)) best = { hypothesis, from: "reports", weighed, found };
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
  const { weighed, hypothesis, from } = fused;
  const said = (reference: Reference) => {
    const { ref, sourceName } = reports.find(({ articleId }) => articleId === reference.articleId)!;
    return { ref, source: sourceName, quote: reference.evidence.text, reasons: reference.reasons };
  };
  const [strongest] = weighed.supporting;
  return {
    ...{ hypothesis, from, about: aboutOf(fused, reports) },
    reports: reports.map((report) => sourceOf(report, fused)),
    voices: weighed.parts.length,
    credibility: weighed.credibility,
    likelihood: { value: weighed.likelihood, words: weighed.words, prior: 0 },
    disagreements: strongest ? weighed.contradicting.map((one) => ({ says: said(strongest), against: said(one) })) : [],
    method: "heuristic" as const,
    status: "draft" as const,
  };
}
