import { isDeepStrictEqual } from "node:util";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Feature } from "../../../../core/geo/positions.ts";
import { inTurns, type Steps } from "../../../../core/work/turns.ts";
import { WATCHED_STATES, type Layer } from "../layers/layers.ts";
import { tell, type ChangedFeatures } from "./making.ts";
import { featuresOf, watchOver } from "./reading.ts";

const mesh = asSystem("cop");

/** Features by their ids that one version of a drawing adds to, changes in and removes from another. */
function* changesOf(before: readonly Feature[], after: readonly Feature[]): Steps<ChangedFeatures> {
  const left = new Map(before.map((one) => [String(one.id), one]));
  const [added, updated]: [string[], string[]] = [[], []];
  for (const feature of after) {
    const id = String(feature.id);
    const was = left.get(id);
    if (!was) added.push(id);
    else if (!isDeepStrictEqual(was, feature)) updated.push(id);
    left.delete(id);
    yield;
  }
  return { added, updated, removed: [...left.keys()] };
}

/** Tells what a new version of a drawn layer changed, unless the watch does: in a draft, and where nobody watches. */
export async function tellDrawn(host: Host, before: Layer, layer: Layer): Promise<void> {
  if (layer.kind !== "drawn") return;
  if (WATCHED_STATES.includes(layer.state) && (await watchOver(host, mesh, layer))?.on) return;
  const [was, is] = await Promise.all([featuresOf(host, mesh, before), featuresOf(host, mesh, layer)]);
  await tell(host, layer, layer.compartments, await inTurns(changesOf(was.features, is.features)));
}
