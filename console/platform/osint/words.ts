import type { ListRow } from "../../api/client.ts";

/** The Admiralty code of a source, in its own words. */
export const RELIABILITY: Record<ListRow<"GET /admin/osint-sources">["reliability"], string> = {
  A: "completely reliable",
  B: "usually reliable",
  C: "fairly reliable",
  D: "not usually reliable",
  E: "unreliable",
  F: "cannot be judged",
};

/** How often, as cron has it. */
export const SCHEDULES: readonly (readonly [cron: string, words: string])[] = [
  ["0 * * * *", "every hour"],
  ["*/15 * * * *", "every quarter of an hour"],
  ["0 */6 * * *", "every six hours"],
  ["0 6 * * *", "every day at six"],
  ["0 6 * * 1", "every Monday at six"],
];
