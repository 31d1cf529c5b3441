import { BUSY_DAY_PERIOD, busyDay } from "../fixtures/briefings/busy-day.ts";
import { SOURCES } from "../fixtures/briefings/articles.ts";
import type { Steps } from "../../core/work/turns.ts";
import { composing } from "../../services/news/briefings/writing/compose.ts";
import { saidOf } from "../../services/knowledge/strategic-agents/fusion/fusing.ts";
import { preparing, Readings, referring } from "../../services/news/verification/client.ts";

// A process in which nobody has read or compared a text yet: tells, in the order asked for, the processor time of the
// longest step of each piece of work, in milliseconds; see first-time.test.ts.

const reports = busyDay.map(({ id, ...article }) => ({ ...article, articleId: id, reliability: "C" as const }));

/** Compares the first article with all others. */
function* verifying(): Steps<unknown> {
  const [first, ...others] = reports;
  for (const claim of first!.text.split(/(?<=\.)\s+/)) yield* referring(claim, first!, others);
  return undefined;
}

/** Holds a hypothesis against two reports. */
const fusing = (): Steps<unknown> => {
  const kept = { kind: "article", actors: [], compartments: [] } as const;
  const fused = reports.slice(0, 2).map((report) => ({ ...report, ...kept, ref: String(report.articleId) }));
  return saidOf("The bridge at Harrow is open to traffic again.", fused, new Readings());
};

const works: Record<string, () => Steps<unknown>> = {
  preparing,
  verifying,
  fusing,
  briefing: () => composing({ articles: busyDay, period: BUSY_DAY_PERIOD, now: BUSY_DAY_PERIOD.to, sources: SOURCES }),
};

function longestOf(work: Steps<unknown>): number {
  let longest = 0;
  for (;;) {
    const before = process.threadCpuUsage();
    const { done } = work.next();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    if (done) return longest;
  }
}

console.log(JSON.stringify(process.argv.slice(2).map((name) => longestOf(works[name]!()))));
