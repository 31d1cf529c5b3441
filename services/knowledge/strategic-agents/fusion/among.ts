import { each, inTurns, type Steps } from "../../../../core/work/turns.ts";
import { Readings, referring, type Reference } from "../../../news/verification/client.ts";
import { assertionsOf } from "./assertions.ts";
import type { FusedReport } from "./reports.ts";

/** Two reports that cannot both be right, with the sentences that say so: the earlier one says, the other is against it. */
export interface Disagreement {
  says: { articleId: number; quote: string };
  against: Reference;
}

/** Sentences of a report that are held against the others, and all that is compared of a group. */
const MOST_SENTENCES = 30;
const MOST_COMPARED = 500;
/** Reports that disagree in more than that are not of one thing. */
const MOST_DISAGREEMENTS = 20;

/** The stories that reports come from are apart, and what they tell of is one thing: that is why they are fused. */
export const asOfOneEvent = (report: FusedReport): FusedReport => ({
  ...report,
  reportId: report.reportId ?? report.storyId,
  storyId: "one event",
});

/** What independent reports of one thing assert against each other, the earliest first. */
export const disagreementsAmong = (
  reports: readonly FusedReport[],
  { readings = new Readings(), signal }: { readings?: Readings; signal?: AbortSignal | undefined } = {},
): Promise<Disagreement[]> => inTurns(disagreements(reports.map(asOfOneEvent), readings), signal ? { signal } : {});

function* disagreements(told: readonly FusedReport[], readings: Readings): Steps<Disagreement[]> {
  const most = Math.floor(MOST_COMPARED / told.length);
  const ofEach = Math.min(MOST_SENTENCES, Math.ceil(most / told.length));
  const asserted = yield* each(told, (report) =>
    assertionsOf(report, readings)
      .slice(0, ofEach)
      .map((quote) => ({ quote, report })),
  );
  const pairs = new Map<string, Disagreement>();
  for (const { quote, report } of asserted.flat().slice(0, most)) {
    const says = { articleId: report.articleId, quote };
    for (const against of yield* referring(quote, report, told, { readings })) {
      if (against.stance !== "contradict" || !against.independent) continue;
      const key = [`${says.articleId} ${quote}`, `${against.articleId} ${against.evidence.text}`].sort().join("\n");
      if (!pairs.has(key)) pairs.set(key, { says, against });
    }
  }
  return [...pairs.values()].slice(0, MOST_DISAGREEMENTS);
}
