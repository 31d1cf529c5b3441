import canonicalize from "canonicalize";
import { z } from "zod";
import { parse } from "../../../../core/contract/endpoint.ts";
import { readGeoJson } from "../../../../core/geo/geojson.ts";
import type { Feature, FeatureCollection } from "../../../../core/geo/positions.ts";
import { sha256 } from "../../../../core/ids.ts";
import { invalid, Problem, tooLarge, unprocessable, type Detail } from "../../../../core/problem.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { symbolRefusal } from "../symbols/symbols.ts";
import { symbolTables } from "../symbols/tables.ts";
import { LAYER_SOURCES } from "../generation/sources.ts";

export const MOST_SPEC_BYTES = 10 * 1_024 * 1_024;

/** What a live layer shows: which source, which of it, and how it is drawn. */
export const LiveSpec = z.strictObject({
  source: z.enum(LAYER_SOURCES).describe("Whose records are shown where they are."),
  filter: z
    .strictObject({
      kind: z.string().max(80).optional(),
      status: z.string().max(80).optional(),
      name: z.string().max(200).optional().describe("A part of the name, whatever its case."),
      section: z.string().max(80).optional().describe("Of the source `layers`: only layers of this section."),
      type: z.string().max(80).optional().describe("Of the source `layers`: only layers of this type."),
    })
    .default({}),
  style: z
    .strictObject({
      symbol: z.string().max(30).optional().describe("For what has no symbol of its own."),
      colour: z
        .string()
        .regex(/^#[0-9a-f]{6}$/i, "As #2266cc.")
        .optional(),
      staleAfterSeconds: z.int().min(10).max(604_800).optional().describe("So long after its report it is stale."),
    })
    .default({}),
});
export type LiveSpec = z.output<typeof LiveSpec>;

export interface CheckedSpec {
  spec: Record<string, unknown>;
  hash: string;
  bytes: number;
  features: number;
  source?: string;
  /** What was mended in it. */
  warnings: Detail[];
}

/** A spec as it is kept, by its kind. Throws 400 for what is malformed, 413, 422 for what is no geometry or symbol. */
export async function checkedSpec(kind: "drawn" | "live", given: unknown): Promise<CheckedSpec> {
  return kind === "live" ? live(given) : drawn(given);
}

/** The same of a spec that is a field of its request: what is wrong is named from there. */
export const checkedField = (kind: "drawn" | "live", given: unknown, field: string): Promise<CheckedSpec> =>
  checkedSpec(kind, given).catch((error: unknown) => {
    if (!(error instanceof Problem) || !Array.isArray(error.data.details)) throw error;
    const from = (error.data.details as Detail[]).map(({ path, ...rest }) => ({
      ...rest,
      path: path ? `${field}.${path}` : field,
    }));
    throw new Problem(error.status, error.type, error.message, { ...error.data, details: from });
  });

function hashed(spec: Record<string, unknown>): Pick<CheckedSpec, "spec" | "hash" | "bytes"> {
  const text = canonicalize(spec)!;
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_SPEC_BYTES) throw tooLarge(`A spec has at most ${MOST_SPEC_BYTES} bytes.`);
  return { spec, hash: sha256(text), bytes };
}

async function live(given: unknown): Promise<CheckedSpec> {
  const spec = parse(LiveSpec, given);
  const { symbol } = spec.style;
  const wrong = symbol === undefined ? null : symbolRefusal(symbol, null, await symbolTables());
  if (wrong) throw unprocessable("INVALID_SYMBOL", wrong, [{ path: "style.symbol", message: wrong }]);
  return { ...hashed(spec), features: 0, source: spec.source, warnings: [] };
}

async function drawn(given: unknown): Promise<CheckedSpec> {
  const { value, malformed, impossible, warnings } = await inTurns(readGeoJson("features", given));
  if (malformed.length) throw invalid(malformed, "This is no GeoJSON FeatureCollection.");
  if (impossible.length) throw unprocessable("INVALID_GEOMETRY", "A geometry is not possible.", impossible);
  const features = value.features.map(asDrawn).map(named);
  const wrong = [...features.flatMap(timesRefused), ...twice(features)];
  if (wrong.length) throw invalid(wrong);
  await demandSymbols(value);
  return {
    ...hashed({ ...value, features }),
    features: value.features.length,
    warnings: [...warnings, ...features.flatMap(neverHeld).slice(0, MOST_NEVER_HELD)],
  };
}

async function demandSymbols({ features }: FeatureCollection): Promise<void> {
  const carrying = features.flatMap(({ properties, geometry }, at) =>
    properties?.symbol === undefined ? [] : [{ symbol: properties.symbol, geometry, at }],
  );
  if (carrying.length === 0) return;
  const tables = await symbolTables();
  const wrong = carrying.flatMap(({ symbol, geometry, at }) => {
    const message = symbolRefusal(symbol, geometry, tables);
    return message ? [{ path: `features[${at}].properties.symbol`, message }] : [];
  });
  if (wrong.length) throw unprocessable("INVALID_SYMBOL", "A symbol is in no table of its standard.", wrong);
}

const TIMES = ["at", "staleAt"] as const;
const When = z.iso.datetime({ offset: true });

/** `at` and `staleAt` say when something was seen and until when that holds. */
const timesRefused = ({ properties }: Feature, at: number): Detail[] =>
  TIMES.flatMap((name) => {
    const given = properties?.[name];
    return given === undefined || When.safeParse(given).success
      ? []
      : [{ path: `features[${at}].properties.${name}`, message: "A moment, as 2026-01-31T12:00:00Z." }];
  });

/** The answer tells fewer. */
const MOST_NEVER_HELD = 100;

/** It is kept as it was drawn, and never shown: its author is told. */
function neverHeld({ properties }: Feature, at: number): Detail[] {
  const [seen, staleAt] = [properties?.["at"], properties?.["staleAt"]].map((time) => Date.parse(String(time)));
  return staleAt! <= seen!
    ? [{ path: `features[${at}].properties.staleAt`, message: "It is not later than `at`: this is never shown." }]
    : [];
}

/** By its id a feature is told from the others, and from what it was. */
function twice(features: readonly Feature[]): Detail[] {
  const seen = new Set<string>();
  return features.flatMap(({ id }, at) => {
    if (seen.size === seen.add(String(id)).size)
      return [{ path: `features[${at}].id`, message: "Another has this id." }];
    return [];
  });
}

/** Every feature has an id, so that one can be told from another: its place where it brings none. */
const named = (feature: Feature, at: number): Feature =>
  feature.id === undefined ? { ...feature, id: `feature-${at + 1}` } : feature;

/** What a layer's answer adds to its features is not drawn: who sends back what they read changes nothing by it. */
function asDrawn({ staleness: _computed, ...feature }: Feature & { staleness?: unknown }): Feature {
  return feature;
}
