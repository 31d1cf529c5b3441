import type { CommonPicture, LayerPicture, PictureFeature } from "../../api/operations.d.ts";
import type { Fix } from "./fixes.ts";
import { keyOf, type LayerType, type MapFeature } from "./feature-words.ts";

/** A layer as the page shows it, wherever it was read. */
export interface ShownLayer {
  id: string;
  name: string;
  type: LayerType;
  features: readonly PictureFeature[];
}

/** What a live event says of a layer. */
export interface LayerChange {
  layerId: string;
  version: number;
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
  more: boolean;
}

/** Several changes of one layer as one; a feature that went and came back is there. */
export function together(before: LayerChange | undefined, after: LayerChange): LayerChange {
  if (!before) return after;
  const came = [...after.added, ...after.updated];
  const asked = new Set([...before.added, ...before.updated, ...came].filter((id) => !after.removed.includes(id)));
  const removed = new Set([...before.removed, ...after.removed].filter((id) => !asked.has(id)));
  return { ...after, added: [], updated: [...asked], removed: [...removed], more: before.more || after.more };
}

/** More ids than this would make too long an address: the whole layer is read then. */
const MOST_NAMED = 100;
/** The features that are to be read, or undefined for the whole layer. */
export function namedBy({ added, updated, more }: LayerChange): string[] | undefined {
  const ids = [...added, ...updated];
  // Ids stand in the address between commas.
  return more || ids.length > MOST_NAMED || ids.some((id) => id.includes(",")) ? undefined : ids;
}

/** Features after a change of some: what was read in place of what was. */
export function changedFeatures(
  before: readonly PictureFeature[],
  read: readonly PictureFeature[],
  { removed, updated, added }: LayerChange,
): PictureFeature[] {
  const gone = new Set([...removed, ...updated, ...added]);
  return [...before.filter(({ id }) => !gone.has(String(id))), ...read];
}

/** The picture with one of its layers changed; the same where it has no such layer. */
export function withLayer(picture: CommonPicture, layer: LayerPicture, change: LayerChange | undefined): CommonPicture {
  const { featureCollection, version, counts, at } = layer;
  return {
    ...picture,
    at,
    layers: picture.layers.map((one) => {
      if (one.id !== layer.id) return one;
      const features = change
        ? changedFeatures(one.featureCollection.features, featureCollection.features, change)
        : featureCollection.features;
      return { ...one, version, counts, featureCollection: { type: "FeatureCollection", features } };
    }),
  };
}

/** The picture with resources where their readings say; the same one where these say nothing newer. */
export function withFixes(picture: CommonPicture, fixes: ReadonlyMap<string, Fix>): CommonPicture {
  if (!fixes.size) return picture;
  let isChanged = false;
  const layers = picture.layers.map((layer) => {
    const before = layer.featureCollection.features;
    const features = before.map((feature) => {
      const { entityType, entityId, at } = feature.properties ?? {};
      const fix = entityType === "resource" ? fixes.get(String(entityId)) : undefined;
      // Both coordinates are newer than the place before.
      if (!fix || Date.parse(String(at ?? "")) >= fix.since) return feature;
      const geometry = { type: "Point", coordinates: [fix.longitude, fix.latitude] };
      return { ...feature, geometry, properties: { ...feature.properties, at: new Date(fix.at).toISOString() } };
    });
    if (features.every((feature, at) => feature === before[at])) return layer;
    isChanged = true;
    return { ...layer, featureCollection: { ...layer.featureCollection, features } };
  });
  return isChanged ? { ...picture, layers } : picture;
}

/** How fresh a feature is some time after it was read: what nobody reports any more grows old by itself. */
export function aged(feature: PictureFeature, now: number): PictureFeature {
  const { state, staleAt } = feature.staleness;
  const seen = Date.parse(String(feature.properties?.at ?? ""));
  const isStale = state === "stale" || (staleAt !== undefined && Date.parse(staleAt) <= now);
  return {
    ...feature,
    staleness: {
      ...feature.staleness,
      state: isStale ? "stale" : "fresh",
      ...(!Number.isNaN(seen) && { ageSeconds: Math.max(0, Math.floor((now - seen) / 1_000)) }),
    },
  };
}

/** The features of layers as the map takes them. */
export const mapFeatures = (layers: readonly ShownLayer[], now: number | undefined): MapFeature[] =>
  layers.flatMap(({ id, name, type, features }) =>
    features.map((feature) => ({
      key: keyOf(id, feature.id),
      layerId: id,
      layer: name,
      type,
      feature: now === undefined ? feature : aged(feature, now),
    })),
  );

/** The age of the newest report among features, in seconds. */
export function newestAge(features: readonly PictureFeature[]): number | undefined {
  const ages = features.flatMap(({ staleness: { ageSeconds } }) => (ageSeconds === undefined ? [] : [ageSeconds]));
  return ages.length ? Math.min(...ages) : undefined;
}
