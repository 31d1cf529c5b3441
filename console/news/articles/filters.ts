import { DOMAINS, type NewsDomain } from "../domains.ts";

/** What the address of the stream says. */
export interface StreamFilters {
  q: string;
  domain: NewsDomain | undefined;
  sourceId: number | undefined;
  when: string;
  from: string;
  to: string;
  trust: string;
  sort: StreamSort;
  /** Of what a search found. */
  order: SearchOrder;
  storyId: string;
}
type StreamSort = "-publishedAt" | "-ingestedAt" | "-confidence" | "publishedAt";
type SearchOrder = "-relevance" | "-publishedAt" | "publishedAt";

const HOUR_MS = 3_600_000;
export const WHEN: readonly (readonly [value: string, words: string, hours: number])[] = [
  ["", "any time", 0],
  ["24h", "last 24 hours", 24],
  ["7d", "last 7 days", 168],
  ["30d", "last 30 days", 720],
];
export const BETWEEN = "between";
export const TRUST: readonly (readonly [value: string, words: string])[] = [
  ["", "any"],
  ["verified", "verified"],
  ["unverified", "not verified yet"],
  ["high", "high confidence"],
  ["medium", "medium or high"],
];
export const SORTS: readonly (readonly [value: StreamSort, words: string])[] = [
  ["-publishedAt", "newest first"],
  ["-ingestedAt", "latest to come in"],
  ["-confidence", "best supported"],
  ["publishedAt", "oldest first"],
];
/** How the status of a search says it, and how its form does. */
export const ORDERS: readonly (readonly [value: SearchOrder, words: string])[] = [
  ["-relevance", "best matches first"],
  ["-publishedAt", "newest first"],
  ["publishedAt", "oldest first"],
];

export function filtersOf(search: URLSearchParams): StreamFilters {
  const text = (name: string): string => search.get(name)?.trim() ?? "";
  const among = <T extends string>(name: string, all: readonly (readonly [T, ...unknown[]])[]): T =>
    all.find(([value]) => value === text(name))?.[0] ?? all[0]![0];
  const when = text("when") === BETWEEN ? BETWEEN : among("when", WHEN);
  return {
    q: text("q"),
    domain: DOMAINS.find((one) => one === text("domain")),
    sourceId: Number(text("source")) || undefined,
    when,
    from: when === BETWEEN ? text("from") : "",
    to: when === BETWEEN ? text("to") : "",
    trust: among("trust", TRUST),
    sort: among("sort", SORTS),
    order: among("order", ORDERS),
    storyId: text("story"),
  };
}

/** The period as the API takes it. A moving one begins at a full hour, so that what is shown is not asked for twice. */
export function periodOf({ when, from, to }: StreamFilters, now: number): { from?: string; to?: string } {
  const hours = WHEN.find(([value]) => value === when)?.[2];
  if (hours) return { from: new Date(Math.floor(now / HOUR_MS - hours) * HOUR_MS).toISOString() };
  return { ...(from && { from }), ...(to && { to }) };
}

/** How far articles must be trusted, as the API takes it. */
export function trustOf({ trust }: StreamFilters): { verified?: boolean; minConfidence?: number } {
  if (trust === "verified" || trust === "unverified") return { verified: trust === "verified" };
  if (trust === "high" || trust === "medium") return { minConfidence: trust === "high" ? 0.75 : 0.5 };
  return {};
}

/** The words asked for, within one source where one is chosen: the search takes a source's name as a word of its language. */
export const queryWords = (q: string, sourceName: string | undefined): string =>
  sourceName ? `source:"${sourceName.replaceAll(/["\\]/g, "\\$&")}" ${q}` : q;

/** The address with other values; empty ones leave it, and so does the page. */
export function withFilters(search: URLSearchParams, changes: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("page");
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value);
    else next.delete(name);
  return next;
}
