import { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { placeAsked, placeParameters } from "../../../../core/geo/place-query.ts";
import { conflict } from "../../../../core/problem.ts";
import { askedOutside, factsInSet, outsideAlone, placeFor, type Place } from "../../place.ts";
import { LayerAdded, MOST_TOLD } from "../events.ts";
import { holdsFeature } from "../generation/features.ts";
import { featuresOf, watchOver } from "../generation/reading.ts";
import { BODY_LIMIT, Picture, Spec, SPEC_REFUSALS, Written } from "./answers.ts";
import { Layer, MOST_LAYERS } from "./layers.ts";
import { DRAFT, drafting, layerFor, onLayer, reading } from "./permits.ts";
import { checkedField } from "./specs.ts";
import { goneAfterMs, shownAt } from "./staleness.ts";
import { writeVersion } from "./version-writing.ts";

export const layerActions = {
  "layers.create": endpoint({
    rest: "POST /layers",
    summary: "Add a layer to the picture",
    permit: "signed-in",
    within: drafting,
    body: { ...Layer.create, spec: Spec.optional().describe("Its first spec; it may follow later.") },
    bodyLimit: BODY_LIMIT,
    returns: data(Written),
    status: 201,
    errors: SPEC_REFUSALS,
    example: {
      problemSetId: "the problem set",
      name: "Own positions",
      type: "units",
      kind: "live",
      spec: { source: "units" },
    },
    async handler(ctx) {
      const { spec, ...given } = ctx.params;
      const checked = spec && (await checkedField(given.kind, spec, "spec"));
      const actor = ctx.meta.actor!;
      const place = placeFor(actor, given, DRAFT);
      await demandRoom(this, ctx, place);
      const layer = await this.store(Layer).create(
        ctx,
        { ...given, ...place, state: "draft", version: 0, features: 0, moves: [] },
        { facts: (made: Layer) => factsInSet(LayerAdded, made, actor.userId) },
      );
      // A repeated request finds the layer as its first run left it.
      const written = checked && layer.version === 0 ? await writeVersion(this, ctx, layer, checked) : layer;
      return { ...written, warnings: checked?.warnings ?? [] };
    },
  }),

  "layers.list": endpoint({
    rest: "GET /layers",
    summary: "List the layers that you can see, by state, type or section",
    permit: "signed-in",
    within: reading,
    query: { ...Layer.query, ...outsideAlone },
    returns: list(Layer.view),
    tool: "list_layers",
    description: "A layer holds what the picture shows of one subject. What lies in one: `GET /api/cop/layers/{id}`.",
    handler(ctx) {
      const { outside, ...asked } = ctx.params;
      return this.store(Layer).page(ctx, asked, askedOutside(ctx.meta.actor!, { outside, ...asked }));
    },
  }),

  "layers.get": endpoint({
    rest: "GET /layers/:id",
    summary: "Show a layer with its features as they are now",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    query: {
      ...placeParameters,
      features: z
        .array(z.string().max(200))
        .max(MOST_TOLD)
        .optional()
        .describe("Only the features of these ids, as `cop.layer.changed` names them; separated by commas."),
    },
    returns: data(Picture),
    tool: "show_layer",
    description:
      "A feature is `fresh` until its `staleAt`, then `stale`, and gone five minutes later " +
      "(`COP_GONE_SECONDS`) unless it says `keep`. Of a live layer you see what you may see of its " +
      "sources. `bbox`, `near` and `within` keep only features with a position there; `counts` and " +
      "`madeAt` are of all, or of those that `features` names.",
    async handler(ctx, layer) {
      const place = placeAsked(ctx.params);
      const { features: named } = ctx.params;
      const { features, madeAt, missing } = await featuresOf(this, ctx, layer, named && new Set(named));
      const watch = layer.kind === "live" && ((await watchOver(this, ctx, layer)) ?? { on: false });
      const now = this.world.clock.now();
      const { features: all, ...counts } = shownAt(features, now, goneAfterMs(this.world));
      return {
        ...layer,
        at: iso(now),
        ...(madeAt && { madeAt }),
        ...(missing && { missing }),
        ...(watch && { watched: watch.on }),
        counts,
        featureCollection: {
          type: "FeatureCollection" as const,
          features: place ? all.filter((feature) => holdsFeature(place, feature)) : all,
        },
      };
    },
  }),

  "layers.update": endpoint({
    rest: "PATCH /layers/:id",
    summary: "Change a layer's name or description",
    permit: "signed-in",
    within: drafting,
    ...layerFor(DRAFT),
    body: Layer.change,
    returns: data(Layer.view),
    beyond: true,
    handler(ctx, layer) {
      return this.store(Layer).revise(ctx, layer, ctx.params);
    },
  }),
};

/** Throws 409 where a mode has no room for one more layer outside of all problem sets; a set's room the entity holds. */
async function demandRoom(host: Host, ctx: Ctx<unknown>, { problemSetId, audience }: Place): Promise<void> {
  if (problemSetId === undefined && (await host.store(Layer).count(ctx, { audience: audience! })) >= MOST_LAYERS)
    throw conflict(`Outside of all problem sets there are at most ${MOST_LAYERS} layers of a mode.`);
}
