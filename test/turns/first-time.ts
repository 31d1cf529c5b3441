import { BUSY_DAY_PERIOD, busyDay } from "../fixtures/briefings/busy-day.ts";
import { SOURCES } from "../fixtures/briefings/articles.ts";
import type { Steps } from "../../core/work/turns.ts";
import { composing } from "../../services/news/briefings/writing/compose.ts";
import { preparing, referring } from "../../services/news/verification/client.ts";

// A process in which nobody has read or compared a text yet: tells, in the order asked for, the processor time of the
// longest step of each piece of work, in milliseconds; see first-time.test.ts.

/** Compares the first article with all others. */
function* verifying(): Steps<unknown> {
  const [first, ...others] = busyDay.map(({ id, ...article }) => ({
    ...article,
    articleId: id,
    reliability: "C" as const,
  }));
  for (const claim of first!.text.split(/(?<=\.)\s+/)) yield* referring(claim, first!, others);
  return undefined;
}

const works: Record<string, () => Steps<unknown>> = {
  preparing,
  verifying,
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
