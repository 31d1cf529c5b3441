import { z } from "zod";
import { memberOf } from "../../../../core/access/access.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, forbidden, invalid, invalidTransition, Problem } from "../../../../core/problem.ts";
import { demandOutside, factsInSet } from "../../place.ts";
import { LayerMoved } from "../events.ts";
import { Feedback, Layer, movedLayer, LAYER_MOVES, nextStates, LAYER_STATES, type LayerState } from "./layers.ts";
import { layerFor, onLayer, PUBLISH, publishing, reading } from "./permits.ts";
import { hintOutside } from "./version-writing.ts";

/** How a layer goes from draft to the COP, and back. */
export const transitionActions = {
  "layers.move": endpoint({
    rest: "POST /layers/:id/transition",
    summary: "Move a layer to another state",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    body: {
      to: z.enum(LAYER_STATES),
      version: z.int().min(1).optional().describe("To publish: the version that was reviewed."),
      reason: z.string().trim().min(3).max(4_000).optional(),
    },
    returns: data(Layer.view),
    description:
      "draft → review (with a spec) → published (by somebody other than the author of the spec, naming " +
      "the version reviewed, with no blocking feedback open) → cop. Back: review → draft with feedback " +
      "on the version; published → review. A layer leaves the COP by `recall`.",
    errors: {
      403: "Your role does not allow this move, or the spec is yours.",
      409: "Not from this state, or not yet.",
    },
    example: { to: "review" },
    async handler(ctx, layer) {
      const { to, reason } = ctx.params;
      await demandMove(this, ctx, layer, ctx.params);
      return shift(this, ctx, layer, to, reason);
    },
  }),

  "layers.recall": endpoint({
    rest: "POST /layers/:id/recall",
    summary: "Recall a layer from the COP to review",
    permit: "signed-in",
    within: publishing,
    ...layerFor(PUBLISH),
    body: { reason: z.string().trim().min(3).max(4_000) },
    returns: data(Layer.view),
    example: { reason: "The bridge it shows stands again." },
    handler(ctx, layer) {
      if (layer.state !== "cop") throw invalidTransition("recall", layer.state, ["cop"]);
      return shift(this, ctx, layer, "review", ctx.params.reason);
    },
  }),
};

async function shift(host: Host, ctx: Ctx<unknown>, layer: Layer, to: LayerState, reason?: string): Promise<Layer> {
  const by = actorOf(ctx);
  const more = { from: layer.state, to, ...(reason !== undefined && { reason }) };
  const made = await host
    .store(Layer)
    .revise(ctx, layer, movedLayer(layer, to, by, iso(host.world.clock.now()), reason), {
      facts: factsInSet(LayerMoved, layer, by, more),
    });
  hintOutside(host, made);
  return made;
}

/** Throws 400, 403 or 409 where a layer does not make this move now, or not by this person. */
async function demandMove(
  host: Host,
  ctx: Ctx<unknown>,
  layer: Layer,
  { to, version }: { to: LayerState; version?: number | undefined },
): Promise<void> {
  const move = LAYER_MOVES.find((one) => one.from === layer.state && one.to === to);
  const sources = LAYER_MOVES.filter((one) => one.to === to).map(({ from }) => from);
  if (layer.state === "cop" && to !== "cop")
    throw new Problem(409, "INVALID_TRANSITION", "The layer is on the COP: it is left by recall alone.", {
      details: { state: layer.state, move: `go to ${to}`, allowed: [] },
    });
  // What is not among the moves is told before who may make it.
  if (!move) throw invalidTransition(`go to ${to}`, layer.state, sources.length ? sources : nextStates(layer.state));
  if (layer.problemSetId === undefined) demandOutside(ctx.meta.actor!, move.may);
  else memberOf(ctx.meta.actor, layer.problemSetId, move.may, { writes: true });
  if (to === "review" && layer.state === "draft" && isEmpty(layer)) throw conflict("The layer has no spec yet.");
  const open = { layerId: layer.id, status: "open" };
  if (to === "draft" && !(await host.store(Feedback).one(ctx, { layerId: layer.id, version: layer.version })))
    throw conflict("Say first, by feedback on this version, why it goes back.");
  if (to === "published") demandReviewed(ctx, layer, version);
  if ((to === "published" || to === "cop") && (await host.store(Feedback).one(ctx, { ...open, blocking: true })))
    throw conflict("Blocking feedback on the layer is open.");
}

const isEmpty = ({ kind, version, features }: Layer): boolean => version === 0 || (kind === "drawn" && features === 0);

function demandReviewed(ctx: Ctx<unknown>, layer: Layer, version: number | undefined): void {
  if (version === undefined) throw invalid([{ path: "version", message: "Name the version that was reviewed." }]);
  if (version !== layer.version)
    throw conflict(`The version reviewed, ${version}, is not the newest one, ${layer.version}.`);
  if (layer.specBy === actorOf(ctx)) throw forbidden("Whoever wrote the spec does not publish it: somebody else does.");
}
