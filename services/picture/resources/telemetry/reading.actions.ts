import { z } from "zod";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid, unprocessable } from "../../../../core/problem.ts";
import { CursorMeta, Instant, MOST_ROWS, paging } from "../../../../core/records/entity.ts";
import type { TimedValue } from "../../../../core/records/reading/readings.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { READ, reading } from "../registry/permits.ts";
import { Resource } from "../registry/resources.ts";
import { downsampled, isNumber, summaries, type NumberReading } from "./downsample.ts";
import { isoOf, momentOf } from "./points.ts";
import { SeriesKey } from "./series.ts";
import { ReadingView } from "./telemetry.ts";

/** Readings that are gone through for one answer, and so many at a time. */
const MOST_READ = 200_000;
const SLICE = 10_000;
const HOUR_US = 3_600_000_000;
const END = Number.MAX_SAFE_INTEGER;

const path = { key: SeriesKey.describe("The series: what is measured.") };
const period = {
  from: Instant.optional().describe("Taken then or later; within the last hour, unless said otherwise."),
  to: Instant.optional().describe("Taken before then."),
};
const shown = ({ at, value }: TimedValue) => ({ at: isoOf(at), value });
const Cursor = z
  .string()
  .regex(/^\d{1,16}$/, "What `meta.next` of the answer before gave.")
  .optional()
  .describe("`meta.next` of the answer before.");

/** Microseconds of a period. Throws 400 for one that ends before it begins. */
function spanOf(host: Host, { from, to }: { from?: string | undefined; to?: string | undefined }): [number, number] {
  const until = to === undefined ? host.world.clock.now() * 1_000 + HOUR_US : momentOf(to)!;
  const since = from === undefined ? Math.max(0, until - 2 * HOUR_US) : momentOf(from)!;
  if (since >= until) throw invalid([{ path: "to", message: "A period ends after it begins." }]);
  return [since, until];
}

/** The numbers of a series in a period. Throws 422 where they are too many for one answer. */
async function numbersIn(host: Host, id: string, key: string, [from, to]: [number, number]): Promise<NumberReading[]> {
  const found: NumberReading[] = [];
  let read = 0;
  for (let since = from; ;) {
    const slice = await host.world.readings.range(id, key, { from: since, to, limit: SLICE });
    for (const one of slice) if (isNumber(one)) found.push(one);
    read += slice.length;
    if (slice.length < SLICE) return found;
    if (read >= MOST_READ)
      throw unprocessable("TOO_MANY_READINGS", `There are more than ${MOST_READ} readings: ask for a shorter period.`);
    since = slice.at(-1)!.at + 1;
  }
}

const onResource = { permit: READ, within: reading, on: Resource, beyond: true } as const;
const tooMany = { 422: "The period has too many readings for one answer (`TOO_MANY_READINGS`)." };

export const readingActions = {
  "readings.getLatest": endpoint({
    rest: "GET /:id/telemetry",
    summary: "Show the latest reading of each series of a resource",
    description: "Readings are submitted with `POST /api/resources/telemetry`.",
    ...onResource,
    returns: data(z.array(ReadingView.extend({ key: z.string() }))),
    tool: "show_readings",
    async handler(_ctx, { id }) {
      const found = await this.world.readings.latest(id);
      return found.map(({ key, ...one }) => ({ key, ...shown(one) }));
    },
  }),

  "readings.list": endpoint({
    rest: "GET /:id/telemetry/:key",
    summary: "List the readings of a series, newest first",
    ...onResource,
    path,
    query: { ...period, cursor: Cursor, limit: paging.limit },
    returns: list(ReadingView, CursorMeta),
    async handler(ctx, { id }) {
      const { key, from, to, cursor, limit } = ctx.params;
      const most = Math.min(limit, MOST_ROWS);
      const until = Math.min(to === undefined ? END : momentOf(to)!, cursor === undefined ? END : Number(cursor));
      const range = { from: from === undefined ? 0 : momentOf(from)!, to: until, limit: most + 1, falling: true };
      const found = await this.world.readings.range(id, key, range);
      const rows = found.slice(0, most);
      const next = found.length > most ? String(rows.at(-1)!.at) : null;
      return { data: rows.map(shown), meta: { limit: most, next } };
    },
  }),

  "readings.getPoints": endpoint({
    rest: "GET /:id/telemetry/:key/points",
    summary: "Downsample a series for drawing, keeping its gaps",
    ...onResource,
    path,
    query: {
      ...period,
      points: z
        .int()
        .min(2)
        .max(5_000)
        .default(500)
        .describe("How many points at most are left of it; if these are too few for all gaps, the longest are kept."),
      gapSeconds: z
        .number()
        .gt(0)
        .max(1e8)
        .optional()
        .describe("A longer time without a reading is a gap; five times the usual one, unless said otherwise."),
    },
    returns: data(
      z.object({
        count: z.int().describe("Readings that there are."),
        segments: z.array(z.array(ReadingView)).describe("Lines to draw, with nothing between them."),
      }),
    ),
    errors: tooMany,
    description: "Points are chosen by Largest-Triangle-Three-Buckets, separately for each stretch without a gap.",
    async handler(ctx, { id }) {
      const { key, points, gapSeconds } = ctx.params;
      const found = await numbersIn(this, id, key, spanOf(this, ctx.params));
      const gap = gapSeconds === undefined ? undefined : gapSeconds * 1e6;
      const segments = await inTurns(downsampled(found, points, gap));
      return { count: found.length, segments: segments.map((segment) => segment.map(shown)) };
    },
  }),

  "readings.getAggregates": endpoint({
    rest: "GET /:id/telemetry/:key/aggregates",
    summary: "Aggregate a series by interval",
    ...onResource,
    path,
    query: {
      ...period,
      intervalSeconds: z.int().min(1).max(31_536_000).default(300).describe("How long each interval is."),
      weighted: z.boolean().default(false).describe("In the average each reading counts for as long as it held."),
    },
    returns: data(
      z.array(
        z.object({
          from: z.string(),
          count: z.int(),
          avg: z.number(),
          min: z.number(),
          max: z.number(),
          sum: z.number(),
          last: z.number(),
        }),
      ),
    ),
    errors: tooMany,
    description: "Intervals are aligned to 1970 in UTC; those without a reading are left out. At most 5,000.",
    async handler(ctx, { id }) {
      const { key, intervalSeconds, weighted } = ctx.params;
      const span = spanOf(this, ctx.params);
      if ((span[1] - span[0]) / (intervalSeconds * 1e6) > 5_000)
        throw invalid([{ path: "intervalSeconds", message: "The period has more than 5,000 of these." }]);
      const found = await numbersIn(this, id, key, span);
      return summaries(found, intervalSeconds * 1e6, weighted).map(({ from, ...one }) => ({
        from: isoOf(from),
        ...one,
      }));
    },
  }),
};
