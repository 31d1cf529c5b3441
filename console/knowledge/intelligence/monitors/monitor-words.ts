import type { ListRow } from "../../../api/client.ts";
import { many } from "../../../parts/texts.tsx";

export type WatchOfNews = ListRow<"GET /strategic-agents/threats/monitors">;
export type NewsAlert = ListRow<"GET /strategic-agents/threats/alerts">;
export type WatchKind = WatchOfNews["kind"];

export const KINDS: readonly (readonly [WatchKind, string])[] = [
  ["keyword", "each story that fits"],
  ["rule", "each story that fits and is reported well enough"],
  ["rate", "more articles than usual"],
];

/** Lengths of a window, in minutes. */
export const WINDOWS: readonly (readonly [string, string])[] = [
  ["60", "an hour"],
  ["360", "6 hours"],
  ["1440", "a day"],
  ["10080", "a week"],
];
const windowWords = (minutes: number): string =>
  WINDOWS.find(([value]) => Number(value) === minutes)?.[1] ?? many(minutes, "minute");

/** What a monitor tells of, in a sentence without its query. */
export function watchWords({ kind, windowMinutes, rule, rate }: WatchOfNews): string {
  const every = `in ${windowWords(windowMinutes)}`;
  if (kind === "rate") return `unusually many articles ${every}, at least ${rate?.least ?? 5}`;
  const conditions = [
    rule?.minReports && `with at least ${many(rule.minReports, "independent report")}`,
    rule?.minConfidence && `with a confidence of at least ${Math.round(rule.minConfidence * 100)}`,
    rule?.domains && `in ${rule.domains.join(" or ")}`,
    rule?.verified && "that was checked",
  ].filter(Boolean);
  return ["each story", ...conditions, `(one alert ${every})`].join(" ");
}
