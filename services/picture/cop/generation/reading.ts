import { z } from "zod";
import type { Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Feature } from "../../../../core/geo/positions.ts";
import { derivedId } from "../../../../core/ids.ts";
import { alikeIn } from "../../place.ts";
import { LayerSpec, WATCHED_STATES, type Layer } from "../layers/layers.ts";
import { featureOf, LayerFeature } from "./features.ts";
import { pictureOf } from "../pictures.ts";
import { Missing } from "./making.ts";
import { LayerWatch, watchId } from "./watches.ts";

/** A feature as it is answered: with how fresh it is. */
export const PictureFeature = z
  .object({
    type: z.literal("Feature"),
    id: z.union([z.string(), z.number()]).optional(),
    geometry: z.record(z.string(), z.unknown()).nullable(),
    properties: z.record(z.string(), z.unknown()).nullable(),
    staleness: z.object({
      state: z.enum(["fresh", "stale"]),
      ageSeconds: z.int().optional(),
      staleAt: z.string().optional(),
    }),
  })
  .meta({ id: "PictureFeature" });

const NO_SPEC = "It has no spec yet: PUT /api/cop/layers/{id}/spec.";
const DRAFT = "A live layer is made from review on, and this is a draft: POST /api/cop/layers/{id}/transition.";

/** Whether live layers of a picture follow their sources. */
export const watchOver = (host: Host, caller: Caller, place: Pick<Layer, "problemSetId" | "audience">) =>
  host.store(LayerWatch).one(caller, { _id: watchId(pictureOf(place)) });

/**
 * For a drawn layer, what its newest spec says; for a live one, what was last made, as far as the caller may see it; all
 * of it, or the features named.
 */
export async function featuresOf(
  host: Host,
  caller: Caller,
  layer: Layer,
  named?: ReadonlySet<string>,
): Promise<{ features: (Feature & { geometry: any })[]; madeAt?: string; missing?: string }> {
  if (layer.version === 0) return { features: [], ...(layer.kind === "live" && { missing: NO_SPEC }) };
  if (layer.kind === "drawn") {
    const spec = await host.store(LayerSpec).get(caller, derivedId(`spec of layer ${layer.id}: ${layer.hash}`));
    const { features } = spec.spec as { features: Feature[] };
    return { features: named ? features.filter(({ id }) => named.has(String(id))) : features };
  }
  if (!WATCHED_STATES.includes(layer.state)) return { features: [], missing: DRAFT };
  const [features, missing] = await Promise.all([
    host
      .store(LayerFeature)
      .find(
        caller,
        { ...alikeIn(layer), layerId: layer.id, ...(named && { featureId: { $in: [...named] } }) },
        { sort: ["_id"] },
      ),
    host.store(Missing).one(caller, { _id: layer.id }),
  ]);
  // Counts only what the caller sees: when a layer was made for others would tell of their records.
  const madeAt = features
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .at(-1);
  return {
    features: features.map(featureOf),
    ...(madeAt !== undefined && { madeAt }),
    ...(missing?.why && { missing: missing.why }),
  };
}
