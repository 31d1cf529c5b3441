import { z } from "zod";
import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import type { Feature } from "../../../../core/geo/positions.ts";
import { invalid } from "../../../../core/problem.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { PictureFeature, watchOver } from "../generation/reading.ts";
import { trackedAt } from "../generation/tracks.ts";
import { askedPicture } from "../pictures.ts";
import { Layer, LayerSpec, LayerVersion, stateAt, TYPES } from "./layers.ts";
import { goneAfterMs, shownAt } from "./staleness.ts";

/** A picture of more layers is looked at layer by layer. */
const MOST_LAYERS = 100;

const Picture = z
  .object({
    at: Instant,
    watched: z
      .boolean()
      .describe("Whether live layers follow their sources now: `POST /api/cop/agents/polling/start` lets them."),
    layers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.enum(TYPES),
        version: z.int(),
        counts: z.object({ fresh: z.int(), stale: z.int(), gone: z.int() }),
        featureCollection: z.object({ type: z.literal("FeatureCollection"), features: z.array(PictureFeature) }),
      }),
    ),
  })
  .meta({ id: "CommonPicture" });

export const pictureActions = {
  "pictures.get": endpoint({
    rest: "GET /picture",
    summary: "Show a COP, as it is or as it was",
    permit: "signed-in",
    within: { set: "problemSetId", may: "cop:read" },
    query: {
      problemSetId: TextId.optional().describe(
        "The problem set whose COP it is; without it, the one for everybody in your mode.",
      ),
      at: Instant.optional().describe("A moment that has passed; now without it."),
    },
    returns: data(Picture),
    beyond: true,
    tool: "show_cop",
    description:
      `What was on the COP at that time, in the versions then in force, with staleness calculated for ` +
      `that moment; the first ${MOST_LAYERS} layers by name. The content of a live layer is known since ` +
      `it was first generated, for fourteen days. You see what you may see today.`,
    async handler(ctx) {
      const now = iso(this.world.clock.now());
      const { problemSetId, at = now } = ctx.params;
      if (at > now) throw invalid([{ path: "at", message: "The picture of a moment to come is not known." }]);
      const picture = askedPicture(ctx.meta.actor!, problemSetId);
      const layers = await this.store(Layer).find(ctx, { ...picture, createdAt: { $lte: at } }, { sort: ["name"] });
      const watch = await watchOver(this, ctx, picture);
      const shown = layers.filter((layer) => stateAt(layer, at) === "cop").slice(0, MOST_LAYERS);
      return {
        at,
        watched: watch?.on === true,
        layers: await Promise.all(shown.map((layer) => layerAt(this, ctx, layer, at))),
      };
    },
  }),
};

async function layerAt(host: Host, caller: Caller, layer: Layer, at: string) {
  const [version] = await host
    .store(LayerVersion)
    .find(caller, { layerId: layer.id, at: { $lte: at } }, { sort: ["-version"], limit: 1 });
  const { features, ...counts } = shownAt(
    await featuresAt(host, caller, layer, version, at),
    Date.parse(at),
    goneAfterMs(host.world),
  );
  const { id, name, type } = layer;
  return {
    ...{ id, name, type, counts },
    version: version?.version ?? 0,
    featureCollection: { type: "FeatureCollection" as const, features },
  };
}

async function featuresAt(
  host: Host,
  caller: Caller,
  layer: Layer,
  version: LayerVersion | undefined,
  at: string,
): Promise<(Feature & { geometry: any })[]> {
  if (!version) return [];
  if (layer.kind === "live") return trackedAt(host, caller, layer, at);
  const { spec } = await host.store(LayerSpec).get(caller, version.specId);
  return (spec as { features: Feature[] }).features;
}
