import { iso } from "../../../../core/clock.ts";
import type { Update } from "../../../../core/records/documents.ts";
import { feedKey } from "../addresses.ts";
import { healthOf, remembered } from "../health.ts";
import { waitMs } from "./fetch-interval.ts";
import { addressed, type Source } from "../sources.ts";
import type { Visit } from "./fetcher.ts";

export interface Circumstances {
  /** Milliseconds since the epoch. */
  now: number;
  intervalMs: number;
  /** Chance, 0..1. */
  spread: number;
}

/** What the store of articles made of a visit; `counted` where the source's articles were counted anew. */
export interface Yield {
  created: number;
  updated: number;
  counted?: number;
}

const MINUTE_MS = 60_000;
const RELEASED = { claim: 1, claimedBy: 1 } as const;

/**
 * Where the feed is from now on. The source's own address goes along with a redirect, but stays the site's after a
 * discovery.
 */
export function movedFeed(source: Source, visit: Visit): Record<string, unknown> {
  if (visit.outcome === "failed" || visit.feedUrl === source.feedUrl) return {};
  const { feedUrl, discovered } = visit;
  return {
    ...addressed(feedUrl),
    ...(!discovered && source.url === source.feedUrl && { url: feedUrl, urlKey: feedKey(feedUrl) }),
  };
}

const definite = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const missing = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [[name, 1 as const]] : [])),
  );

/**
 * What the source's record becomes after a visit whose articles are durable. The validators stand here and nowhere
 * earlier: a kill before this write means that the same document is fetched and stored again, which changes nothing.
 */
export function settlement(
  source: Source,
  visit: Visit,
  { created, counted }: Yield,
  { now, intervalMs, spread }: Circumstances,
): Update {
  const success = visit.outcome !== "failed";
  const failures = success ? 0 : source.failures + 1;
  const gone = visit.outcome === "failed" && visit.gone;
  const recent = remembered(source.recent, success);
  const ttlMinutes = visit.outcome === "fetched" ? visit.feed.ttlMinutes : source.ttlMinutes;
  const { retryAfterMs, freshMs } = visit;
  const next = iso(
    now + waitMs({ intervalMs, failures, gone, ttlMs: (ttlMinutes ?? 0) * MINUTE_MS, retryAfterMs, freshMs }, spread),
  );
  const learnt =
    visit.outcome === "fetched"
      ? { etag: visit.etag, lastModified: visit.lastModified, bodyHash: visit.bodyHash, ttlMinutes }
      : {};
  return {
    $set: {
      lastFetch: iso(now),
      health: healthOf(recent, gone),
      recent,
      failures,
      claims: 0,
      nextFetch: next,
      dueAt: next,
      ...(counted !== undefined && { articleCount: counted, countedAt: iso(now) }),
      ...(visit.outcome === "failed" && { lastError: visit.refusal.message }),
      ...movedFeed(source, visit),
      ...definite(learnt),
    },
    $unset: { ...RELEASED, ...missing(learnt), ...(success && { lastError: 1 as const }) },
    $inc: { fetchErrors: success ? 0 : 1, ...(counted === undefined && { articleCount: created }) },
  };
}

/** Gives a source back unsettled, to be taken again after so many milliseconds: the fault was ours, not the feed's. */
export const releasing = (now: number, afterMs: number): Update => ({
  $set: { dueAt: iso(now + afterMs) },
  $unset: RELEASED,
});
