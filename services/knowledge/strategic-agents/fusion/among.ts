import { each, inTurns } from "../../../../core/work/turns.ts";
import { Readings, references, type Reference } from "../../../news/verification/client.ts";
import { assertionsOf } from "./assertions.ts";
import type { FusedReport } from "./reports.ts";

/** Two reports that cannot both be right, with the sentences that say so: the earlier one says, the other is against it. */
export interface Disagreement {
  says: { articleId: number; quote: string };
  against: Reference;
}

/** Sentences of a report that are held against the others, and all that is compared of a group. */
const MOST_SENTENCES = 30;
const MOST_COMPARED = 1_000;
/** Reports that disagree in more than that are not of one thing. */
const MOST_DISAGREEMENTS = 20;

/** The stories that reports come from are apart, and what they tell of is one thing: that is why they are fused. */
export const asOfOneEvent = (report: FusedReport): FusedReport => ({
  ...report,
  reportId: report.reportId ?? report.storyId,
  storyId: "one event",
});

/** What independent reports of one thing assert against each other, the earliest first. */
export async function disagreementsAmong(
  reports: readonly FusedReport[],
  signal?: AbortSignal,
): Promise<Disagreement[]> {
  const told = reports.map(asOfOneEvent);
  const most = Math.floor(MOST_COMPARED / told.length);
  const ofEach = Math.min(MOST_SENTENCES, Math.ceil(most / told.length));
  const claims = told
    .flatMap((report) =>
      assertionsOf(report)
        .slice(0, ofEach)
        .map((quote) => ({ quote, report })),
    )
    .slice(0, most);
  const readings = new Readings();
  const found = await inTurns<Disagreement[][]>(
    each(claims, ({ quote, report }) =>
      references(quote, report, told, { readings })
        .filter(({ stance, independent }) => stance === "contradict" && independent)
        .map((against) => ({ says: { articleId: report.articleId, quote }, against })),
    ),
    signal ? { signal } : {},
  );
  const pairs = new Map<string, Disagreement>();
  for (const one of found.flat()) {
    const { says, against } = one;
    const key = [`${says.articleId} ${says.quote}`, `${against.articleId} ${against.evidence.text}`].sort().join("\n");
    if (!pairs.has(key)) pairs.set(key, one);
  }
  return [...pairs.values()].slice(0, MOST_DISAGREEMENTS);
}
