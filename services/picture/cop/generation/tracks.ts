import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Feature, Geometry } from "../../../../core/geo/positions.ts";
import { newId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { z } from "zod";
import { alikeIn, placed, placeOf } from "../../place.ts";
import type { Layer } from "../layers/layers.ts";
import { reach } from "../pictures.ts";
import type { Difference } from "./features.ts";

/** Until when what is shown now is shown: in no end of time that somebody asks about. */
export const STILL = "9999-12-31T23:59:59.999Z";

/** What a feature of a live layer was, from when until when: the picture of an hour ago is made of these. */
export const Track = entity("cop_tracks", {
  title: "track",
  fields: {
    ...placed,
    layerId: TextId,
    recordId: TextId,
    featureId: z.string(),
    geometry: z.record(z.string(), z.unknown()).nullable(),
    properties: z.record(z.string(), z.unknown()),
    from: Instant,
    until: Instant,
  },
  immutable: ["problemSetId", "compartments"],
  barrier: reach,
  indexes: [
    { fields: ["problemSetId", "layerId", "until"] },
    { fields: ["audience", "layerId", "until"], sparse: true },
    { fields: ["recordId", "until"] },
    { fields: ["createdAt"] },
  ],
});
export type Track = Item<typeof Track>;

const mesh = asSystem("cop");

/**
 * Writes down what changes, before it does: whoever dies between the two leaves a stretch that the next making ends.
 */
export async function track(host: Host, { added, updated, removed }: Difference): Promise<void> {
  const now = iso(host.world.clock.now());
  const tracks = host.store(Track);
  const ended = [...added, ...updated, ...removed].map(({ id }) => ({
    update: { recordId: id, until: STILL },
    with: { $set: { until: now } },
  }));
  if (ended.length) await tracks.bulk(ended);
  const begun = [...added, ...updated].map(({ id, layerId, featureId, geometry, properties, ...place }) => ({
    id: newId(),
    ...placeOf(place),
    ...{ layerId, recordId: id, featureId, geometry, properties },
    from: now,
    until: STILL,
  }));
  if (begun.length) await tracks.createMany(mesh, begun);
}

/** What a live layer showed at a moment, as far as the caller may see it. */
export async function trackedAt(host: Host, caller: Caller, layer: Layer, at: string): Promise<Feature[]> {
  const tracks = await host
    .store(Track)
    .find(caller, { ...alikeIn(layer), layerId: layer.id, until: { $gt: at }, from: { $lte: at } }, { sort: ["_id"] });
  return tracks.map(({ featureId, geometry, properties }) => ({
    type: "Feature",
    id: featureId,
    geometry: geometry as Geometry | null,
    properties,
  }));
}
