import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Feature, Geometry } from "../../../../core/geo/positions.ts";
import { derivedId, newId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { z } from "zod";
import { alikeIn, placed, placeOf } from "../../place.ts";
import type { Layer } from "../layers/layers.ts";
import { pictureReach } from "../pictures.ts";
import type { Difference, NewFeature } from "./features.ts";

/** The end of what is shown now: later than any moment that somebody asks about. */
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
    gone: z.literal(true).optional().describe("It was taken away, as was told afterwards: nothing was there."),
    from: Instant,
    until: Instant,
  },
  immutable: ["problemSetId", "compartments"],
  barrier: pictureReach,
  indexes: [
    { fields: ["problemSetId", "layerId", "until"] },
    { fields: ["audience", "layerId", "until"], sparse: true },
    { fields: ["recordId", "until"] },
    { fields: ["recordId", "-from"] },
    { fields: ["createdAt"] },
  ],
});
export type Track = Item<typeof Track>;

const mesh = asSystem("cop");

/**
 * Since when what a layer shows is so: a report holds from when it was made, as far back as the spec by which it is
 * shown; all else from now, when it is seen to be so.
 */
function beginningOf({ properties }: NewFeature, { specAt = "" }: Layer, now: string): string {
  const { entityType, at } = properties;
  if (entityType !== "report" || typeof at !== "string") return now;
  const since = at > specAt ? at : specAt;
  return since < now ? since : now;
}

const trackOf = ({ id, layerId, featureId, geometry, properties, ...place }: NewFeature) => ({
  ...placeOf(place),
  ...{ layerId, recordId: id, featureId, geometry, properties },
});

/**
 * Records what changes before it changes: where a node dies in between, the next generation ends the stretch that it
 * left.
 */
export async function track(host: Host, layer: Layer, { added, updated, removed }: Difference): Promise<void> {
  const now = iso(host.world.clock.now());
  const tracks = host.store(Track);
  const begun = [...added, ...updated].map((one) => ({ one, from: beginningOf(one, layer, now) }));
  const ended = [
    ...begun.map(({ one: { id }, from }) => ({ id, until: from })),
    ...removed.map(({ id }) => ({ id, until: now })),
  ];
  if (ended.length)
    await tracks.bulk(
      ended.map(({ id, until }) => ({ update: { recordId: id, until: STILL }, with: { $set: { until } } })),
    );
  if (begun.length)
    await tracks.createMany(
      mesh,
      begun.map(({ one, from }) => ({ id: newId(), ...trackOf(one), from, until: STILL })),
    );
}

/**
 * Puts what a feature was at a past moment, or that it was gone, into its track: until what it then was ends there,
 * `until` at the latest. What it was later on is there already, and counts from then. Doing it again changes nothing.
 */
export async function trackPast(
  host: Host,
  feature: NewFeature,
  { from, until, gone }: { from: string; until: string; gone: boolean },
): Promise<void> {
  const tracks = host.store(Track);
  const present = { recordId: feature.id, from: { $lte: from }, until: { $gt: from } };
  const [before] = await tracks.find(mesh, present, { sort: ["-from"], limit: 1 });
  if (before?.from === from) return;
  const [next] = before
    ? []
    : await tracks.find(mesh, { recordId: feature.id, from: { $gt: from } }, { sort: ["from"], limit: 1 });
  const end = before?.until ?? next?.from ?? until;
  const id = derivedId(`track of ${feature.id} at ${from}`);
  await tracks.createOnce(mesh, {
    ...{ id, ...trackOf(feature), from, until: end < until ? end : until },
    ...(gone && { gone }),
  });
}

/** What a live layer showed at a moment, as far as the caller sees it: of each feature what it was last until then. */
export async function trackedAt(host: Host, caller: Caller, layer: Layer, at: string): Promise<Feature[]> {
  const tracks = await host
    .store(Track)
    .find(caller, { ...alikeIn(layer), layerId: layer.id, until: { $gt: at }, from: { $lte: at } }, { sort: ["_id"] });
  const last = new Map<string, Track>();
  for (const one of tracks) {
    const other = last.get(one.recordId);
    if (!other || other.from < one.from) last.set(one.recordId, one);
  }
  const there = [...last.values()].filter(({ gone }) => !gone);
  return there.map(({ featureId, geometry, properties }) => ({
    type: "Feature",
    id: featureId,
    geometry: geometry as Geometry | null,
    properties,
  }));
}
