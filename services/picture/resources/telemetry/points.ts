import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { badRequest, invalid, tooLarge } from "../../../../core/problem.ts";
import { Measurable, SeriesKey } from "./series.ts";

/** Points that one request brings at most. */
export const MOST_POINTS = 10_000;
const MOST_NESTED = 1_000;
/** RFC 8428 §4.5.3: a smaller time is one before or after now. */
const SENML_RELATIVE = 2 ** 28;

/** One reading as it came: nothing of it is sure yet. */
export interface Given {
  resourceId: unknown;
  key: unknown;
  /** Microseconds since 1970; NaN for what is no moment, undefined for now. */
  at: number | undefined;
  value: unknown;
  /** The unit that it says it is in. */
  unit?: unknown;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(?:Z|[+-]\d\d:\d\d)$/;

/** Microseconds since 1970 of an ISO 8601 text, or of milliseconds; NaN for neither. */
export function momentOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "number") return Math.round(given * 1_000);
  const fraction = typeof given === "string" ? ISO.exec(given) : null;
  if (!fraction) return NaN;
  const milliseconds = Date.parse(given as string);
  const micros = Number((fraction[1] ?? "").padEnd(6, "0").slice(3, 6));
  return milliseconds * 1_000 + micros;
}

export const isoOf = (at: number): string => {
  const text = new Date(Math.floor(at / 1_000)).toISOString();
  const micros = at % 1_000;
  return micros ? `${text.slice(0, -1)}${String(micros).padStart(3, "0")}Z` : text;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A record of SenML: names of its fields alone, one of them such as no reading has. */
const isSenml = (one: unknown): one is Record<string, unknown> =>
  isObject(one) && !("resourceId" in one) && ("n" in one || "bn" in one || "v" in one);

/**
 * Every reading of a body, in its order, whichever of the forms it has. Throws 400 for none of them or no reading, 413
 * for too many.
 */
export function pointsOf(body: unknown, nowMs: number): Given[] {
  const parts = Array.isArray(body) ? body : [body];
  if (parts.length > MOST_POINTS) throw tooMany(parts.length);
  const isPack = isSenml(parts[0]);
  const points: Given[] = isPack ? fromSenml(parts, nowMs) : [];
  if (!isPack)
    for (const [at, part] of parts.entries()) {
      if (!isObject(part)) throw badRequest(`Reading ${at} is no object.`);
      const strange = Object.keys(part).find((name) => !FIELDS.has(name));
      if (strange !== undefined)
        throw badRequest(`Reading ${at} has the field ${upTo(60, strange)}, which none has; ${READING}.`);
      const path = Array.isArray(body) ? `${at}.resourceId` : "resourceId";
      if (part["resourceId"] === undefined) throw invalid([{ path, message: "A reading is one of a resource." }]);
      if (part["series"] === undefined)
        points.push({
          resourceId: part["resourceId"],
          key: part["key"],
          at: momentOf(part["at"]),
          value: part["value"],
        });
      else fromSeries(part, at, points);
      if (points.length > MOST_POINTS) throw tooMany(points.length);
    }
  if (!points.length) throw badRequest("The body has no reading.");
  return points;
}

const READING = "one is {resourceId, key, at, value}, or {resourceId, series: {key: [[at, value], …]}} for many";
const FIELDS = new Set(["resourceId", "key", "at", "value", "series"]);
const tooMany = (count: number) => tooLarge(`The body has ${count} readings; send at most ${MOST_POINTS} at a time.`);

function fromSeries({ resourceId, series }: Record<string, unknown>, at: number, points: Given[]): void {
  if (!isObject(series)) throw badRequest(`\`series\` of reading ${at} is no object.`);
  const keys = Object.keys(series);
  if (keys.length > MOST_NESTED) throw tooMany(keys.length);
  for (const key of keys) {
    const pairs = series[key];
    if (!Array.isArray(pairs)) throw badRequest(`Series ${upTo(60, key)} of reading ${at} is no list.`);
    if (points.length + pairs.length > MOST_POINTS) throw tooMany(points.length + pairs.length);
    for (const pair of pairs as unknown[]) {
      if (!Array.isArray(pair) || pair.length !== 2)
        throw badRequest(`A reading of series ${upTo(60, key)} is a moment and a value: [at, value].`);
      points.push({ resourceId, key, at: momentOf(pair[0]), value: pair[1] });
    }
  }
}

/** Whether a record of SenML only sets base fields for those that follow. */
const isBase = (one: Record<string, unknown>): boolean =>
  Object.keys(one).every((name) => /^b(n|t|u|v|s|ver)$/.test(name));

/**
 * RFC 8428: base fields hold from their record on; a name is `<resource>/<key>` or `<resource>:<key>`. What is measured
 * by a sum or as bytes is a reading too, of a value that is refused.
 */
function fromSenml(records: readonly unknown[], nowMs: number): Given[] {
  let base = "",
    time = 0,
    value = 0,
    unit: unknown;
  const points: Given[] = [];
  for (const [at, one] of records.entries()) {
    if (!isObject(one)) throw badRequest(`Record ${at} is no object.`);
    if (one["bver"] !== undefined && one["bver"] !== 10) throw badRequest(`Record ${at} is of another version.`);
    base = typeof one["bn"] === "string" ? one["bn"] : base;
    time = typeof one["bt"] === "number" ? one["bt"] : time;
    value = typeof one["bv"] === "number" ? one["bv"] : value;
    unit = one["bu"] ?? unit;
    const strange = Object.keys(one).find((name) => name.endsWith("_"));
    if (strange !== undefined)
      throw badRequest(`Record ${at} has the field ${upTo(60, strange)}, which must be understood, and is not here.`);
    if (isBase(one)) continue;
    const name = base + (typeof one["n"] === "string" ? one["n"] : "");
    const cut = Math.max(name.lastIndexOf("/"), name.lastIndexOf(":"));
    const moment = time + (typeof one["t"] === "number" ? one["t"] : 0);
    const seconds = moment < SENML_RELATIVE ? nowMs / 1_000 + moment : moment;
    points.push({
      resourceId: name.slice(0, Math.max(0, cut)),
      key: name.slice(cut + 1),
      at: Math.round(seconds * 1e6),
      value: typeof one["v"] === "number" ? one["v"] + value : (one["vb"] ?? one["vs"] ?? one["v"]),
      unit: one["u"] ?? unit,
    });
  }
  return points;
}

const At = z
  .union([z.iso.datetime({ offset: true }), z.number()])
  .describe("ISO 8601 to the microsecond, or milliseconds since 1970.");
const Value = z.union([Measurable, z.boolean(), z.string().max(200)]);
const One = z.strictObject({
  resourceId: z.string(),
  key: SeriesKey,
  at: At.optional().describe("When it was taken; now, unless said otherwise."),
  value: Value,
});
const BySeries = z.strictObject({
  resourceId: z.string(),
  series: z.record(z.string(), z.array(z.tuple([At, Value]))).describe("By key, pairs of moment and value."),
});
const Senml = z
  .array(
    z
      .object({
        bn: z.string().optional(),
        bt: z.number().optional(),
        bu: z.string().optional(),
        n: z.string().optional().describe("With `bn`: `<resource id>/<key>`."),
        t: z.number().optional(),
        u: z.string().optional(),
        v: z.number().optional(),
        vb: z.boolean().optional(),
        vs: z.string().optional(),
        resourceId: z.never().optional(),
      })
      .describe("RFC 8428."),
  )
  .min(1);

/** The forms that a body may have, for its description: none has two of them. */
export const FORMS = [One, z.array(z.union([One, BySeries])).max(MOST_POINTS), BySeries, Senml];
