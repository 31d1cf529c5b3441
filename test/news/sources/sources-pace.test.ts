import fc from "fast-check";
import {
  DAY_MS,
  freshMs,
  GIVE_UP_AFTER,
  waitMs,
  type FetchHistory,
} from "../../../services/news/sources/ingestion/fetch-interval.ts";

const MINUTE = 60_000;
const duration = fc.integer({ min: 0, max: 400 * DAY_MS });
const interval = fc.integer({ min: 600, max: 7 * DAY_MS });
const paces = fc.record<FetchHistory>({
  intervalMs: interval,
  failures: fc.integer({ min: 0, max: 60 }),
  gone: fc.boolean(),
  ttlMs: fc.option(duration, { nil: undefined }),
  retryAfterMs: fc.option(duration, { nil: undefined }),
  freshMs: fc.option(duration, { nil: undefined }),
});
const spread = fc.double({ min: 0, max: 1, noNaN: true });

it("never waits less than the interval, nor more than a day (or the interval, where that is longer)", () => {
  fc.assert(
    fc.property(paces, spread, (pace, chance) => {
      const wait = waitMs(pace, chance);
      expect(wait).toBeGreaterThanOrEqual(pace.intervalMs);
      expect(wait).toBeLessThanOrEqual(Math.max(DAY_MS, pace.intervalMs));
    }),
  );
});

it("after a success waits for the longest of what is asked, up to a day, and at most a tenth longer", () => {
  fc.assert(
    fc.property(paces, spread, ({ gone: _gone, ...pace }, chance) => {
      const asked = Math.min(
        Math.max(pace.intervalMs, pace.ttlMs ?? 0, pace.retryAfterMs ?? 0, pace.freshMs ?? 0),
        Math.max(DAY_MS, pace.intervalMs),
      );
      const wait = waitMs({ ...pace, failures: 0 }, chance);
      expect(wait).toBeGreaterThanOrEqual(asked);
      expect(wait).toBeLessThanOrEqual(Math.round(asked * 1.1));
    }),
  );
});

it("waits longer the longer a source fails, and honours Retry-After", () => {
  fc.assert(
    fc.property(interval, fc.integer({ min: 1, max: 40 }), duration, (intervalMs, failures, retryAfterMs) => {
      const wait = (count: number, retry?: number) => waitMs({ intervalMs, failures: count, retryAfterMs: retry }, 0);
      expect(wait(failures + 1)).toBeGreaterThanOrEqual(wait(failures));
      expect(wait(failures, retryAfterMs)).toBeGreaterThanOrEqual(Math.min(retryAfterMs, DAY_MS));
    }),
  );
});

it("doubles from the interval: 30 minutes, one hour, two hours ...", () => {
  expect([1, 2, 3, 4].map((failures) => waitMs({ intervalMs: 30 * MINUTE, failures }, 0) / MINUTE)).toEqual([
    30, 60, 120, 240,
  ]);
});

it("tries a source that failed too often, or is gone, once a day", () => {
  expect(waitMs({ intervalMs: 600, failures: GIVE_UP_AFTER - 1 }, 0)).toBeLessThan(DAY_MS / 2);
  expect(waitMs({ intervalMs: 600, failures: GIVE_UP_AFTER }, 0)).toBe(DAY_MS);
  expect(waitMs({ intervalMs: 30 * MINUTE, failures: 1, gone: true }, 0)).toBe(DAY_MS);
});

it("spreads sources over a tenth of their wait", () => {
  expect(waitMs({ intervalMs: 1_000_000, failures: 0 }, 0.5)).toBe(1_050_000);
});

describe("how long an answer stays fresh", () => {
  const now = Date.UTC(2026, 0, 1);
  const at = (milliseconds: number) => new Date(milliseconds).toUTCString();

  it.each<[string, Record<string, string>, number | undefined]>([
    ["nothing said", {}, undefined],
    ["max-age", { "cache-control": "public, max-age=600" }, 600_000],
    ["max-age in quotes and capitals", { "cache-control": 'Max-Age="60"' }, 60_000],
    ["less the time it lay in a cache", { "cache-control": "max-age=600", age: "100" }, 500_000],
    ["older than fresh", { "cache-control": "max-age=60", age: "100" }, 0],
    ["no-cache wins", { "cache-control": "no-cache, max-age=600" }, 0],
    ["no-store wins", { "cache-control": "max-age=600, no-store" }, 0],
    ["s-maxage is for shared caches", { "cache-control": "s-maxage=600" }, undefined],
    ["Expires against Date", { expires: at(now + 7_000), date: at(now - 3_000) }, 10_000],
    ["Expires against our clock", { expires: at(now + 7_000) }, 7_000],
    ["Expires in the past", { expires: at(now - 7_000) }, 0],
    ["Expires: 0", { expires: "0", date: at(now) }, 0],
    ["rubbish", { "cache-control": "max-age=soon", expires: "later" }, undefined],
  ])("%s", (_what, headers, expected) => expect(freshMs(headers, now)).toEqual(expected));

  it("is never negative, whatever the headers", () => {
    const header = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom("max-age=", "no-cache", "0", "-1", "max-age=-5", at(now)),
      fc.integer().map((age) => `max-age=${age}`),
    );
    fc.assert(
      fc.property(fc.record({ "cache-control": header, age: header, expires: header, date: header }), (headers) => {
        const fresh = freshMs(headers, now);
        if (fresh !== undefined) expect(fresh).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
