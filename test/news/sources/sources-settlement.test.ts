import fc from "fast-check";
import type { ParsedFeed } from "../../../adapters/feeds/feed.ts";
import { DAY_MS } from "../../../services/news/sources/ingestion/fetch-interval.ts";
import { movedFeed, settlement } from "../../../services/news/sources/ingestion/settlement.ts";
import { changed, draftedSource, Source } from "../../../services/news/sources/sources.ts";
import type { Visit } from "../../../services/news/sources/ingestion/fetcher.ts";

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const circumstances = { now: NOW, intervalMs: HOUR, spread: 0 };

const source = (fields: Partial<Source> = {}): Source =>
  Source.record.parse({
    id: 1,
    rev: 1,
    createdAt: new Date(NOW).toISOString(),
    updatedAt: new Date(NOW).toISOString(),
    createdBy: "test",
    ...draftedSource({ name: "S", url: "https://example.org/feed", domain: "energy" }, new Date(NOW).toISOString()),
    ...fields,
  });
const answer = { url: "https://example.org/feed", bytes: 10, notes: [], status: 200 };
const feed: ParsedFeed = { format: "rss", title: "T", items: [], warnings: [] };
const fetched = (fields: object = {}): Visit =>
  ({ ...answer, outcome: "fetched", feedUrl: answer.url, discovered: false, feed, bodyHash: "h", ...fields }) as Visit;
const unchanged: Visit = { ...answer, status: 304, outcome: "unchanged", feedUrl: answer.url, discovered: false };
const failed = (gone = false): Visit => ({
  ...answer,
  outcome: "failed",
  gone,
  refusal: { kind: "x", message: "It failed." },
});

/** What the record becomes. */
function after(before: Source, visit: Visit, stored = { created: 0, updated: 0 }, under = circumstances): Source {
  const { $set = {}, $unset = {}, $inc = {} } = settlement(before, visit, stored, under);
  const next: Record<string, unknown> = { ...before, ...$set };
  for (const name of Object.keys($unset)) delete next[name];
  for (const [name, by] of Object.entries($inc)) next[name] = Number(next[name] ?? 0) + by;
  return Source.record.parse(next);
}

it("keeps validators of a document that was read, drops those it no longer has, and leaves them alone otherwise", () => {
  const first = after(source(), fetched({ etag: '"1"', lastModified: "yesterday" }));
  expect(first).toMatchObject({ etag: '"1"', lastModified: "yesterday", bodyHash: "h", lastError: null });
  expect(after(first, unchanged)).toMatchObject({ etag: '"1"', lastModified: "yesterday" });
  expect(after(first, failed())).toMatchObject({ etag: '"1"', lastModified: "yesterday", lastError: "It failed." });
  const second = after(first, fetched({ etag: '"2"' }));
  expect([second.etag, second.lastModified]).toEqual(['"2"', undefined]);
});

it("remembers the feed's own pace over answers without a body", () => {
  const slow = after(source(), fetched({ feed: { ...feed, ttlMinutes: 180 } }));
  expect(Date.parse(slow.nextFetch!) - NOW).toBe(3 * HOUR);
  expect(Date.parse(after(slow, unchanged).nextFetch!) - NOW).toBe(3 * HOUR);
});

it("a redirect for good takes the source's own address along; a discovery leaves it; a failure moves nothing", () => {
  const to = "https://example.net/new";
  expect(movedFeed(source(), fetched({ feedUrl: to }))).toMatchObject({
    url: to,
    feedUrl: to,
    feedKey: "example.net/new",
    urlKey: "example.net/new",
    host: "example.net",
  });
  const discovered = movedFeed(source(), fetched({ feedUrl: to, discovered: true }));
  expect(discovered).toEqual({ feedUrl: to, feedKey: "example.net/new", host: "example.net" });
  const site = source({ ...discovered });
  expect(movedFeed(site, fetched({ feedUrl: "https://example.com/newer" }))).not.toHaveProperty("url");
  expect(movedFeed(source(), failed())).toEqual({});
});

it("adds articles up, or takes a fresh count, never both", () => {
  expect(after(source({ articleCount: 5 }), fetched(), { created: 3, updated: 1 }).articleCount).toBe(8);
  expect(after(source({ articleCount: 5 }), fetched(), { created: 3, updated: 1, counted: 7 } as never)).toMatchObject({
    articleCount: 7,
    countedAt: new Date(NOW).toISOString(),
  });
});

it("one that is gone has failed at once and is tried daily; it recovers by itself", () => {
  const gone = after(source(), failed(true));
  expect([gone.health, Date.parse(gone.nextFetch!) - NOW, gone.fetchErrors]).toEqual(["failed", DAY_MS, 1]);
  expect(after(gone, fetched())).toMatchObject({ health: "degraded", failures: 0, lastError: null, fetchErrors: 1 });
});

it("whatever happens, a source that was settled is due again, unclaimed, and its counts agree with its course", () => {
  const visits = fc.array(fc.constantFrom("fetched", "unchanged", "failed", "gone"), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(visits, fc.double({ min: 0, max: 1, noNaN: true }), (course, spread) => {
      const end = course.reduce((before, kind) => {
        const claimed = source({ ...before, claim: "c", claimedBy: "n", claims: before.claims + 1 });
        const visit = kind === "fetched" ? fetched() : kind === "unchanged" ? unchanged : failed(kind === "gone");
        return after(claimed, visit, { created: kind === "fetched" ? 2 : 0, updated: 0 }, { ...circumstances, spread });
      }, source());
      const bad = course.filter((kind) => kind === "failed" || kind === "gone").length;
      const streak = course.length - 1 - course.findLastIndex((kind) => kind === "fetched" || kind === "unchanged");
      expect(end).toMatchObject({
        claims: 0,
        fetchErrors: bad,
        failures: streak,
        articleCount: course.filter((kind) => kind === "fetched").length * 2,
        recent: course.slice(-10).map((kind) => kind !== "failed" && kind !== "gone"),
      });
      expect([end.claim, end.claimedBy]).toEqual([undefined, undefined]);
      expect(end.dueAt).toBe(end.nextFetch);
      expect(Date.parse(end.dueAt!)).toBeGreaterThanOrEqual(NOW + HOUR);
      expect(end.lastError === null).toBe(streak === 0);
    }),
  );
});

it("an analyst's change resets what it makes untrue, and nothing else", () => {
  const known = source({
    etag: '"1"',
    failures: 4,
    health: "degraded",
    lastError: "It failed.",
    recent: [true, false],
    claim: "c",
  });
  const at = "2026-02-01T00:00:00.000Z";
  expect(changed(known, { name: "N" }, at)).toEqual({ name: "N", words: ["n"] });
  expect(changed(known, { active: true, url: known.url }, at)).toEqual({ active: true, url: known.url });
  expect(changed(known, { active: false }, at)).toEqual({
    active: false,
    claim: null,
    claimedBy: null,
    nextFetch: null,
    dueAt: null,
  });
  expect(changed({ ...known, active: false }, { active: true }, at)).toEqual({
    active: true,
    claim: null,
    claimedBy: null,
    failures: 0,
    nextFetch: at,
    dueAt: at,
  });
  expect(changed(known, { url: "https://example.net/" }, at)).toMatchObject({
    etag: null,
    failures: 0,
    recent: [],
    health: "active",
    lastError: null,
    claim: null,
    dueAt: at,
    feedUrl: "https://example.net/",
  });
  expect(changed({ ...known, active: false }, { url: "https://example.net/" }, at)).toMatchObject({
    dueAt: null,
    nextFetch: null,
  });
});
