import { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Geometry } from "../../../../core/geo/positions.ts";
import { MOST_PLACES, PlacedRecord, type PlacesAsked } from "../../../../core/geo/placed.ts";
import type { LiveSpec } from "../layers/specs.ts";
import type { WantedFeature } from "./features.ts";

/** Whose records a live layer shows. */
export const LAYER_SOURCES = ["units", "resources", "sensors", "coverage", "missions", "reports", "layers"] as const;
export type LayerSource = (typeof LAYER_SOURCES)[number];

/**
 * Who tells where records are: an internal action of their domain, which answers those that have a place; with `since`
 * those that changed then or later, with `ids` those of them.
 */
export const TELLS = {
  units: "command.placed",
  resources: "resources.placed",
  sensors: "sensors.placed",
  coverage: "sensors.covered",
  missions: "missions.placed",
  reports: "cop.reports.placed",
  /** Sources in the graph: no layer shows them, as they have no place; features are linked with them. */
  actors: "graph.actors.linkable",
} as const satisfies Record<Exclude<LayerSource, "layers"> | "actors", string>;
/** What has records of its own. */
export type SourceWithRecords = keyof typeof TELLS;

/** What the records of a source are, in the picture's words. */
export const ENTITY_TYPES: Readonly<Record<LayerSource, string>> = {
  units: "unit",
  resources: "resource",
  sensors: "sensor",
  coverage: "sensor",
  missions: "mission",
  reports: "report",
  layers: "feature",
};

/** Sources whose records lie in problem sets, never outside of all. */
export const INSIDE: readonly string[] = ["units", "missions", "actors"] satisfies SourceWithRecords[];

/** The records of a source in a picture, all or some; null where nobody in this mesh tells them. */
export async function recordsOf(
  host: Host,
  source: SourceWithRecords,
  asked: PlacesAsked,
): Promise<PlacedRecord[] | null> {
  if (asked.problemSetId === undefined && INSIDE.includes(source)) return [];
  const { ids } = asked;
  if (ids && ids.length > MOST_PLACES) {
    const first = await recordsOf(host, source, { ...asked, ids: ids.slice(0, MOST_PLACES) });
    const rest = first && (await recordsOf(host, source, { ...asked, ids: ids.slice(MOST_PLACES) }));
    return rest && [...first!, ...rest];
  }
  try {
    return z.array(PlacedRecord).parse(await host.ask(TELLS[source], asked));
  } catch (error) {
    // The area that has it does not run here, or does not tell places.
    if ((error as { type?: string }).type === "SERVICE_NOT_FOUND") return null;
    throw error;
  }
}

/** Sources of which each record is one feature by itself: one that changed is made anew without the others. */
export const isSingle = (source: string | undefined): boolean => source !== "coverage";

/** What a record is called as a feature. */
export const featureIdOf = (source: LayerSource, id: string): string => `${ENTITY_TYPES[source]}:${id}`;
/** The record that a feature of that name was made from. */
export const recordIdOf = (featureId: string): string => featureId.slice(featureId.indexOf(":") + 1);

const fits = (record: PlacedRecord, { kind, status, name }: LiveSpec["filter"]): boolean =>
  (kind === undefined || record.kind === kind) &&
  (status === undefined || record.status === status) &&
  (name === undefined || record.name.toLowerCase().includes(name.toLowerCase()));

/** What a live layer shows of the records of its source: a pure function of them and its spec. */
export function generated(
  source: LayerSource,
  records: readonly PlacedRecord[],
  { filter, style }: LiveSpec,
): WantedFeature[] {
  return records
    .filter((record) => fits(record, filter))
    .map((record) => ({
      compartments: record.compartments,
      feature: {
        type: "Feature",
        id: featureIdOf(source, record.id),
        geometry: record.geometry as unknown as Geometry,
        properties: propertiesOf(source, record, style),
      },
    }));
}

function propertiesOf(source: LayerSource, record: PlacedRecord, style: LiveSpec["style"]): Record<string, unknown> {
  const { id, name, kind, status, did, uid, at, ce, missions } = record;
  const symbol = record.symbol ?? style.symbol;
  const staleAt =
    record.staleAt ??
    (at !== undefined && style.staleAfterSeconds !== undefined
      ? iso(Date.parse(at) + style.staleAfterSeconds * 1_000)
      : undefined);
  const all = {
    name,
    kind,
    // Whether covered ground was planned or measured says nothing of the sensor's own status.
    [source === "coverage" ? "basis" : "status"]: status,
    symbol,
    did,
    uid,
    at,
    staleAt,
    ce,
    missions,
    colour: style.colour,
    entityType: ENTITY_TYPES[source],
    entityId: id,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
