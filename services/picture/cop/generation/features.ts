import canonicalize from "canonicalize";
import { z } from "zod";
import { cellOf } from "../../../../core/geo/cells.ts";
import type { PlaceQuery } from "../../../../core/geo/place-query.ts";
import { positionsOf, type Feature, type Geometry } from "../../../../core/geo/positions.ts";
import { derivedId, sha256 } from "../../../../core/ids.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { placed, placeOf } from "../../place.ts";
import type { Layer } from "../layers/layers.ts";
import { pictureReach } from "../pictures.ts";

/**
 * What a layer shows, feature by feature, as the watch last made it: each lies where the layer and the record it was
 * made from lie together.
 */
export const LayerFeature = entity("cop_features", {
  title: "feature",
  fields: {
    ...placed,
    layerId: TextId,
    featureId: z.string(),
    onCop: z.boolean(),
    geometry: z.record(z.string(), z.unknown()).nullable(),
    properties: z.record(z.string(), z.unknown()),
    /** Quadkey, of what is one position. */
    cell: z.string().optional(),
    hash: z.string(),
  },
  immutable: ["problemSetId", "compartments"],
  barrier: pictureReach,
  indexes: [
    { fields: ["problemSetId", "layerId", "featureId"] },
    { fields: ["problemSetId", "onCop"] },
    { fields: ["audience", "layerId", "featureId"], sparse: true },
  ],
});
export type LayerFeature = Item<typeof LayerFeature>;

/** A feature that is to be shown, and the compartments of what it was made from. */
export interface WantedFeature {
  feature: Feature;
  compartments: readonly string[];
}

export type NewFeature = Omit<LayerFeature, "rev" | "createdAt" | "updatedAt" | "createdBy">;

/** A record of a feature: its id follows from layer, feature and compartments, so that making it twice makes it once. */
export function featureRecord(layer: Layer, { feature, compartments }: WantedFeature): NewFeature {
  const featureId = String(feature.id);
  const inside = [...new Set([...layer.compartments, ...compartments])].sort();
  const { geometry } = feature;
  const shown = { geometry: geometry as Record<string, unknown> | null, properties: feature.properties ?? {} };
  return {
    id: derivedId(`feature of layer ${layer.id} ${JSON.stringify([featureId, inside])}`),
    ...placeOf(layer),
    compartments: inside,
    layerId: layer.id,
    featureId,
    onCop: layer.state === "cop",
    ...shown,
    ...(geometry?.type === "Point" && { cell: cellOf(geometry.coordinates) }),
    hash: sha256(canonicalize({ ...shown, onCop: layer.state === "cop" })!),
  };
}

export const featureOf = ({ featureId, geometry, properties }: LayerFeature): Feature => ({
  type: "Feature",
  id: featureId,
  geometry: geometry as Geometry | null,
  properties,
});

/** Whether a feature has a position in what is asked for. */
export function holdsFeature(place: PlaceQuery, { geometry }: { geometry: unknown }): boolean {
  if (!geometry) return false;
  for (const position of positionsOf(geometry as Geometry)) if (place.holds(position)) return true;
  return false;
}

export interface Difference {
  added: NewFeature[];
  updated: NewFeature[];
  removed: { id: string; featureId: string; compartments: string[] }[];
}

/** What has to be done for a layer to show what is wanted. */
export function differenceOf(
  wanted: readonly NewFeature[],
  present: readonly Pick<LayerFeature, "id" | "hash" | "featureId" | "compartments">[],
): Difference {
  const before = new Map(present.map((one) => [one.id, one]));
  const after = new Set(wanted.map(({ id }) => id));
  return {
    added: wanted.filter(({ id }) => !before.has(id)),
    updated: wanted.filter(({ id, hash }) => before.has(id) && before.get(id)!.hash !== hash),
    removed: present.filter(({ id }) => !after.has(id)),
  };
}

/** A difference by the compartments it lies in: who is not read into them learns nothing of it, its size included. */
export function byCompartments(
  difference: Difference,
): (Record<keyof Difference, string[]> & { compartments: string[] })[] {
  const groups = new Map<string, Record<keyof Difference, string[]> & { compartments: string[] }>();
  for (const kind of ["added", "updated", "removed"] as const)
    for (const { featureId, compartments } of difference[kind]) {
      const key = JSON.stringify(compartments);
      if (!groups.has(key)) groups.set(key, { compartments, added: [], updated: [], removed: [] });
      groups.get(key)![kind].push(featureId);
    }
  return [...groups.values()];
}
