import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { invalid, stale } from "../../../../core/problem.ts";
import { placeOf, factsInSet } from "../../place.ts";
import { LayerDrawn, SourceChanged } from "../events.ts";
import { tellDrawn } from "../generation/drawing.ts";
import { INSIDE } from "../generation/sources.ts";
import { pictureOf } from "../pictures.ts";
import { Layer, LayerSpec, LayerVersion } from "./layers.ts";
import type { CheckedSpec } from "./specs.ts";

/** Throws 400 where a layer outside of all problem sets is to show what lies in problem sets alone. */
function demandSource({ problemSetId }: Layer, { source }: CheckedSpec): void {
  if (problemSetId === undefined && source !== undefined && INSIDE.includes(source))
    throw invalid([{ path: "source", message: `There are no ${source} outside of all problem sets.` }]);
}

/** Layers outside of all problem sets tell no facts, so that the watch is given a hint. */
export function hintOutside(host: Host, layer: Layer): void {
  if (layer.problemSetId === undefined) void SourceChanged.emit(host, { picture: pictureOf(layer), layerId: layer.id });
}

/**
 * Adds a version: its spec first, by hash; then the version, which a unique index gives its number; then the layer, by
 * compare-and-set. Whoever died after the second left a version that the next write takes over before its own.
 */
export async function writeVersion(host: Host, ctx: Ctx<unknown>, layer: Layer, checked: CheckedSpec): Promise<Layer> {
  const by = actorOf(ctx);
  demandSource(layer, checked);
  const { spec, hash, bytes, features, source } = checked;
  const specId = derivedId(`spec of layer ${layer.id}: ${hash}`);
  await host.store(LayerSpec).createOnce(ctx, { id: specId, ...placeOf(layer), layerId: layer.id, spec });
  const version = layer.version + 1;
  const { record } = await host.store(LayerVersion).createOnce(ctx, {
    id: derivedId(`version ${version} of layer ${layer.id}`),
    ...placeOf(layer),
    layerId: layer.id,
    version,
    hash,
    specId,
    features,
    bytes,
    ...(source && { source }),
    by,
    at: iso(host.world.clock.now()),
  });
  const written = await host.store(Layer).revise(
    ctx,
    layer,
    {
      version,
      hash: record.hash,
      features: record.features,
      source: record.source ?? null,
      specBy: record.by,
      specAt: record.at,
    },
    { facts: (made: Layer) => factsInSet(LayerDrawn, made, record.by, { version }) },
  );
  hintOutside(host, written);
  await tellDrawn(host, layer, written);
  if (record.hash !== hash) throw stale(Layer.title, layer.id);
  return written;
}
