import { memberOf, may, type Actor } from "../../../../core/access/access.ts";
import { sees } from "../../../../core/access/barrier.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isProblem } from "../../../../core/problem.ts";
import type { SeriesValue, SeriesPoint } from "../../../../core/records/reading/readings.ts";
import { placeOf, reach } from "../../place.ts";
import { Resource } from "../registry/resources.ts";
import type { Given } from "./points.ts";
import { AHEAD_US, LONGEST_TEXT, wordsOf, type Code, type RefusedReading } from "./reading-refusals.ts";
import { isMeasurable, isSeriesKey, type Series, type Threshold } from "./series.ts";

const DAY_US = 86_400_000_000;

/** What says where a resource is takes degrees, whatever else its resource says of itself; in no other unit would it move. */
const COORDINATES: ReadonlyMap<unknown, Series> = new Map(
  Object.entries({ latitude: 90, longitude: 180 }).map(([key, most]) => [
    key,
    { key, type: "number", minimum: -most, maximum: most },
  ]),
);

/** Resources that a node remembers, and for how long, where it was not told of a change. */
const MOST_KNOWN = 20_000;
const KNOWN_MS = 5_000;
const MESH = asSystem("resources");

/** What of a resource each of its readings is held against. */
export interface ResourceContext {
  until: number;
  resource: Resource | null;
  /** A name of its place: what is told of one place is told together. */
  place: string;
  series: ReadonlyMap<string, Series>;
  watched: ReadonlyMap<string, readonly Threshold[]>;
}

function knownOf(resource: Resource | null, until: number): ResourceContext {
  const watched = new Map<string, Threshold[]>();
  for (const threshold of resource?.thresholds ?? [])
    watched.set(threshold.key, [...(watched.get(threshold.key) ?? []), threshold]);
  const place = resource ? JSON.stringify(placeOf(resource)) : "";
  return { until, resource, place, series: new Map((resource?.series ?? []).map((one) => [one.key, one])), watched };
}

const valueCode = (value: unknown, declared: Series | undefined, unit: unknown): Code | undefined => {
  const type = typeof value;
  if (
    type === "number"
      ? !isMeasurable(value as number)
      : type === "string"
        ? isTooLong(value as string)
        : type !== "boolean"
  )
    return "BAD_VALUE";
  if (!declared) return undefined;
  if (declared.type !== (type === "string" ? "text" : type)) return "WRONG_TYPE";
  if (unit !== undefined && declared.unit !== undefined && unit !== declared.unit) return "WRONG_UNIT";
  const { minimum = -Infinity, maximum = Infinity } = declared;
  return type === "number" && ((value as number) < minimum || (value as number) > maximum) ? "OUT_OF_RANGE" : undefined;
};
const timeCode = (at: number, now: number, oldest: number): Code | undefined =>
  !Number.isSafeInteger(at) ? "BAD_TIME" : at > now + AHEAD_US ? "AHEAD" : at < oldest ? "TOO_OLD" : undefined;
const isTooLong = (text: string): boolean => text.length > LONGEST_TEXT;

/** Why the caller sends no reading of a resource; undefined where they may. */
function refusal(actor: Actor, resource: Resource | null): Code | undefined {
  if (!resource || !sees(reach, actor, resource)) return "NOT_FOUND";
  if (resource.problemSetId === undefined) return may(actor, "resources:report") ? undefined : "FORBIDDEN";
  try {
    memberOf(actor, resource.problemSetId, "resources:report", { writes: true });
    return undefined;
  } catch (error) {
    return isProblem(error) && error.code === 409 ? "ARCHIVED" : "FORBIDDEN";
  }
}

/** What a node knows of resources, and of each reading, whether it may be one of theirs. */
export class Checking {
  readonly #host: Host;
  readonly #known = new Map<string, ResourceContext>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Of those that were learnt. */
  known(resourceId: string): ResourceContext | undefined {
    return this.#known.get(resourceId);
  }

  /** Forgets what it knows of a resource: it changed, or is gone. */
  forget(resourceId: string): void {
    this.#known.delete(resourceId);
  }

  /** The good ones of what was sent; each of the others goes to `failed`. */
  async good(actor: Actor, given: readonly Given[], failed: RefusedReading[]): Promise<SeriesPoint[]> {
    const { clock, env } = this.#host.world;
    const now = clock.now() * 1_000;
    const oldest = now - env.TELEMETRY_DAYS * DAY_US;
    await this.learn(new Set(given.map(({ resourceId }) => resourceId)));
    const judged = new Map<unknown, { known: ResourceContext | undefined; code: Code | undefined }>();
    const points: SeriesPoint[] = [];
    // What comes of one series comes together: it is judged once.
    let of: unknown, named: unknown, declared: Series | undefined, wrong: Code | undefined;
    for (let index = 0; index < given.length; index++) {
      const { resourceId, key, at = now, value, unit } = given[index]!;
      if (index === 0 || resourceId !== of || key !== named) {
        [of, named] = [resourceId, key];
        let one = judged.get(resourceId);
        if (!one) {
          const known = typeof resourceId === "string" ? this.#known.get(resourceId) : undefined;
          judged.set(resourceId, (one = { known, code: refusal(actor, known?.resource ?? null) }));
        }
        wrong = one.code ?? (isSeriesKey(key) ? undefined : "BAD_KEY");
        declared = wrong ? undefined : (one.known!.series.get(key as string) ?? COORDINATES.get(key));
      }
      const code = wrong ?? timeCode(at, now, oldest) ?? valueCode(value, declared, unit);
      if (code) failed.push({ index, code, message: wordsOf(code, { declared, days: env.TELEMETRY_DAYS }) });
      else points.push({ resource: resourceId as string, key: key as string, at, value: value as SeriesValue });
    }
    return points;
  }

  /** Reads those of the resources that are not known, in one question. */
  async learn(ids: ReadonlySet<unknown>): Promise<void> {
    const now = performance.now();
    const missing = [...ids].filter(
      (id): id is string => typeof id === "string" && id !== "" && (this.#known.get(id)?.until ?? 0) <= now,
    );
    if (!missing.length) return;
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    const found = new Map((await this.#host.store(Resource).many(MESH, missing)).map((one) => [one.id, one]));
    for (const id of missing) this.#known.set(id, knownOf(found.get(id) ?? null, now + KNOWN_MS));
  }
}
