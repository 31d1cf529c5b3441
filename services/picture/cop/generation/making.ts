import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import type { Feature, FeatureCollection } from "../../../../core/geo/positions.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity } from "../../../../core/records/entity.ts";
import { alikeIn, audienceOf, placed, placeOf } from "../../place.ts";
import { CopLayerChanged, MOST_TOLD } from "../events.ts";
import { pictureReach } from "../pictures.ts";
import { Layer, LayerSpec, WATCHED_STATES } from "../layers/layers.ts";
import { saidBy } from "../layers/properties.ts";
import { LiveSpec } from "../layers/specs.ts";
import { LayerActivity } from "./activity.ts";
import {
  byCompartments,
  differenceOf,
  featureOf,
  LayerFeature,
  featureRecord,
  type Difference,
  type NewFeature,
  type WantedFeature,
} from "./features.ts";
import { generated, recordIdOf, recordsOf } from "./sources.ts";
import { track } from "./tracks.ts";

/** Live layers that show nothing, since nobody tells where their source's records are. */
export const Missing = entity("cop_missing", {
  title: "missing source",
  fields: { ...placed, why: z.string().optional() },
  immutable: ["problemSetId", "compartments"],
  barrier: pictureReach,
});

export type Trigger = "watch" | "hand";
const mesh = asSystem("cop");

/** Features of a layer by their ids; all of them without. */
type Only = ReadonlySet<string> | undefined;

/** What a layer is to show now, and why it shows nothing. */
async function wantedBy(host: Host, layer: Layer, only: Only): Promise<{ wanted: WantedFeature[]; missing?: string }> {
  if (layer.version === 0 || !WATCHED_STATES.includes(layer.state)) return { wanted: [] };
  const { spec } = await host.store(LayerSpec).get(mesh, derivedId(`spec of layer ${layer.id}: ${layer.hash}`));
  if (layer.kind === "drawn")
    return {
      wanted: (spec as unknown as FeatureCollection).features.map((feature) => ({ feature, compartments: [] })),
    };
  const asked = LiveSpec.parse(spec);
  if (asked.source === "layers") return { wanted: await ofLayers(host, layer, asked, only) };
  const records = await recordsOf(host, asked.source, {
    ...alikeIn(layer),
    ...(only && { ids: [...only].map(recordIdOf) }),
  });
  return records
    ? { wanted: generated(asked.source, records, asked) }
    : { wanted: [], missing: `Nothing in this installation tells where ${asked.source} are.` };
}

/** A layer of layers: what drawn and live layers on the COP show, of a section or type. */
async function ofLayers(host: Host, layer: Layer, { filter }: LiveSpec, only: Only): Promise<WantedFeature[]> {
  const { section, type, kind, name } = filter;
  const layers = await host.store(Layer).find(mesh, {
    ...alikeIn(layer),
    state: "cop",
    ...(section !== undefined && { section }),
    ...(type !== undefined && { type }),
  });
  // One layer of layers shows no other: they would never come to an end.
  const shown = layers.filter(({ source, id }) => source !== "layers" && id !== layer.id).map(({ id }) => id);
  const among = { ...alikeIn(layer), layerId: { $in: shown } };
  const features = await host
    .store(LayerFeature)
    .find(mesh, only ? { ...among, featureId: { $in: [...only].map(recordIdOf) } } : among, { sort: ["_id"] });
  return features
    .filter(
      ({ properties, layerId, featureId }) =>
        (!only || only.has(`${layerId}:${featureId}`)) &&
        (kind === undefined || properties.kind === kind) &&
        (name === undefined ||
          saidBy(properties.name ?? "")
            .toLowerCase()
            .includes(name.toLowerCase())),
    )
    .map((one) => ({
      compartments: one.compartments,
      feature: { ...(featureOf(one) as Feature), id: `${one.layerId}:${one.featureId}` },
    }));
}

/** Two features of one id are one: the later one counts. */
const single = (records: readonly NewFeature[]): NewFeature[] => [
  ...new Map(records.map((record) => [record.id, record])).values(),
];

async function store(host: Host, { added, updated, removed }: Difference): Promise<void> {
  const features = host.store(LayerFeature);
  if (removed.length) await features.removeAll(mesh, { _id: { $in: removed.map(({ id }) => id) } });
  const stored = added.length ? await features.createEachOnce(mesh, added) : [];
  // Whoever made the layer at the same time, by hand or on another node, may have been first, with what was before.
  const differing = added.filter(({ hash }, at) => stored[at]!.record.hash !== hash);
  const changed = [...updated, ...differing];
  if (changed.length)
    await features.bulk(
      changed.map(({ id, geometry, properties, cell, hash, onCop }) => ({
        update: { _id: id },
        with: {
          $set: { geometry, properties, hash, onCop, ...(cell && { cell }), updatedAt: iso(host.world.clock.now()) },
          $inc: { rev: 1 },
        },
      })),
    );
}

/**
 * Makes what a layer shows anew, all of it or the features named by `only`, and tells those who look on what changed.
 * Bears to be done again: ids are derived, and what is there already is left.
 */
export async function make(
  host: Host,
  layerId: string,
  trigger: Trigger,
  only?: ReadonlySet<string>,
): Promise<(Difference & { layer: Layer }) | null> {
  const began = performance.now();
  const layer = await host.store(Layer).one(mesh, { _id: layerId });
  if (!layer) return null;
  const { wanted, missing } = await wantedBy(host, layer, only);
  const present = await host
    .store(LayerFeature)
    .find(
      mesh,
      { ...alikeIn(layer), layerId, ...(only && { featureId: { $in: [...only] } }) },
      { fields: ["hash", "featureId", "compartments"] },
    );
  const difference = differenceOf(single(wanted.map((one) => featureRecord(layer, one))), present);
  // What a drawn layer showed stands in its versions.
  if (layer.kind === "live") await track(host, layer, difference);
  await store(host, difference);
  const isNew = await noteMissing(host, layer, missing);
  // Nothing is noted where nothing changed: readers need not learn that it was looked at for others.
  for (const { compartments, ...changed } of byCompartments(difference)) {
    await tell(host, layer, compartments, changed);
    await note(host, layer, compartments, { ...changed, trigger, ms: performance.now() - began });
  }
  if (isNew) {
    const none = { added: [], updated: [], removed: [] };
    await note(host, layer, layer.compartments, { ...none, trigger, ms: performance.now() - began, missing });
  }
  return { ...difference, layer };
}

/** Writes into the activity that a layer could not be made; what happened stands in the log. */
export async function noteFailure(host: Host, layerId: string, trigger: Trigger): Promise<void> {
  const layer = await host.store(Layer).one(mesh, { _id: layerId });
  if (!layer) return;
  const nothing = { added: 0, updated: 0, removed: 0, ms: 0 };
  await host.store(LayerActivity).create(mesh, {
    ...placeOf(layer),
    agent: "generator",
    trigger,
    layerId,
    layer: layer.name,
    ...nothing,
    outcome: "failed",
    reason: "It failed inside; the next look tries again.",
  });
}

/** Answers whether the source is missing since now. */
async function noteMissing(host: Host, layer: Layer, why: string | undefined): Promise<boolean> {
  const store = host.store(Missing);
  const before = await store.one(mesh, { _id: layer.id });
  if (before?.why === why) return false;
  const { id } = layer;
  if (before) await store.amend(mesh, id, () => ({ why: why ?? null }));
  else await store.createOnce(mesh, { id, ...placeOf(layer), why });
  return why !== undefined;
}

/** Ids of features that were added, changed and removed. */
export type ChangedFeatures = Record<keyof Difference, string[]>;

/** Tells those who look on, and are read into these compartments, what a layer shows otherwise than before. */
export const tell = (host: Host, layer: Layer, compartments: string[], changed: ChangedFeatures): Promise<unknown> =>
  live(host, {
    event: CopLayerChanged,
    to: audienceOf("cop", { ...placeOf(layer), compartments }),
    data: {
      layerId: layer.id,
      version: layer.version,
      added: changed.added.slice(0, MOST_TOLD),
      updated: changed.updated.slice(0, MOST_TOLD),
      removed: changed.removed.slice(0, MOST_TOLD),
      more: Object.values(changed).some((ids) => ids.length > MOST_TOLD),
    },
  });

const note = (
  host: Host,
  layer: Layer,
  compartments: string[],
  {
    added,
    updated,
    removed,
    trigger,
    ms,
    missing,
  }: ChangedFeatures & { trigger: Trigger; ms: number; missing?: string | undefined },
): Promise<unknown> =>
  host.store(LayerActivity).create(mesh, {
    ...placeOf(layer),
    compartments,
    agent: "generator",
    trigger,
    layerId: layer.id,
    layer: layer.name,
    added: added.length,
    updated: updated.length,
    removed: removed.length,
    ms: Math.round(ms),
    outcome: missing === undefined ? "done" : "source-missing",
    ...(missing !== undefined && { reason: missing }),
  });
