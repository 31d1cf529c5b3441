import { z } from "zod";
import { memberOf } from "../../../../core/access/access.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { placeAsked, placeParameters } from "../../../../core/geo/place-query.ts";
import { derivedId } from "../../../../core/ids.ts";
import { conflict, forbidden, invalid, invalidTransition, notFound, stale } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { FeedbackGiven, LayerAdded, LayerDrawn, LayerMoved } from "../events.ts";
import { holdsFeature } from "../generation/features.ts";
import { featuresOf, PictureFeature } from "../generation/reading.ts";
import {
  Feedback,
  Layer,
  LayerSpec,
  LayerVersion,
  moved,
  MOVES,
  nextStates,
  OPEN_STATES,
  placeOf,
  STATES,
  type State,
} from "./layers.ts";
import { checkedSpec, MOST_SPEC_BYTES, type CheckedSpec } from "./specs.ts";
import { shownAt } from "./staleness.ts";

const set = "problemSetId";
const reading = { set, may: "cop:read" };
const drafting = { set, may: "cop:draft" };
const reviewing = { set, may: "cop:review" };
const publishing = { set, may: "cop:publish" };
const onLayer = { on: Layer } as const;
/** Around a spec the request has little else. */
const BODY_LIMIT = MOST_SPEC_BYTES + 64 * 1_024;

const Warnings = z.array(z.object({ path: z.string(), message: z.string() })).max(200);
const Written = Layer.view
  .extend({ warnings: Warnings.describe("What was mended in the spec: winding, cuts at 180°.") })
  .meta({ id: "LayerWritten" });
const Spec = z.record(z.string(), z.unknown());
const Picture = Layer.view
  .extend({
    at: z.string().describe("The moment that staleness is told for."),
    madeAt: z.string().optional().describe("Of a live layer: when what you see of it last changed."),
    counts: z.object({ fresh: z.int(), stale: z.int(), gone: z.int() }),
    featureCollection: z.object({ type: z.literal("FeatureCollection"), features: z.array(PictureFeature) }),
    missing: z.string().optional().describe("Why a live layer shows nothing: its source is not there."),
  })
  .meta({ id: "LayerPicture" });
const SPEC_REFUSALS = {
  413: "The spec has more than 10 MiB.",
  422: "A geometry is not possible (`INVALID_GEOMETRY`), or a symbol is in no table (`INVALID_SYMBOL`); `details` says where.",
};

export const told = (layer: Layer, by: string) => ({
  id: layer.id,
  ...placeOf(layer),
  name: layer.name,
  by,
});

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
      const checked = spec && (await checkedSpec(given.kind, spec));
      const { userId } = ctx.meta.actor!;
      const layer = await this.store(Layer).create(
        ctx,
        { ...given, state: "draft", version: 0, features: 0, moves: [] },
        { facts: (made: Layer) => [LayerAdded.fact(made.id, told(made, userId))] },
      );
      // A repeated request finds the layer as its first run left it.
      const written = checked && layer.version === 0 ? await write(this, ctx, layer, checked) : layer;
      return { ...written, warnings: checked?.warnings ?? [] };
    },
  }),

  "layers.list": endpoint({
    rest: "GET /layers",
    summary: "List the layers that you see, by state, type or section",
    permit: "signed-in",
    within: reading,
    query: Layer.query,
    returns: list(Layer.view),
    tool: "list_layers",
    handler(ctx) {
      return this.store(Layer).page(ctx, ctx.params);
    },
  }),

  "layers.get": endpoint({
    rest: "GET /layers/:id",
    summary: "Show a layer with its features as they are now",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    query: placeParameters,
    returns: data(Picture),
    tool: "show_layer",
    description:
      "A feature is `fresh` until its `staleAt`, then `stale`, and gone five minutes later, unless it says `keep`. Of a live layer you see what you may see of its sources. `bbox`, `near` and `within` keep what has a position there.",
    async handler(ctx, layer) {
      const place = placeAsked(ctx.params);
      const { features, madeAt, missing } = await featuresOf(this, ctx, layer);
      const now = this.world.clock.now();
      const { features: all, ...counts } = shownAt(features, now);
      return {
        ...layer,
        at: iso(now),
        ...(madeAt && { madeAt }),
        ...(missing && { missing }),
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
    summary: "Rename a layer, or say more about it",
    permit: "signed-in",
    within: drafting,
    ...onLayer,
    body: Layer.change,
    returns: data(Layer.view),
    beyond: true,
    handler(ctx, layer) {
      return this.store(Layer).revise(ctx, layer, ctx.params);
    },
  }),

  "layers.setSpec": endpoint({
    rest: "PUT /layers/:id/spec",
    summary: "Change a layer's spec: a new version, unless nothing changed",
    permit: "signed-in",
    within: drafting,
    ...onLayer,
    mustMatch: true,
    body: Spec,
    bodyLimit: BODY_LIMIT,
    returns: data(Written),
    errors: { ...SPEC_REFUSALS, 409: "The layer is published or on the COP: recall it first." },
    description:
      "Of a drawn layer a GeoJSON FeatureCollection (RFC 7946); of a live one `{source, filter, style}`. What is only unusual is mended, and told in `warnings`.",
    example: { type: "FeatureCollection", features: [] },
    async handler(ctx, layer) {
      if (!OPEN_STATES.includes(layer.state))
        throw conflict(`The layer is ${layer.state}: its spec is changed in ${OPEN_STATES.join(" and ")} only.`);
      const checked = await checkedSpec(layer.kind, ctx.params.body);
      const written = checked.hash === layer.hash ? layer : await write(this, ctx, layer, checked);
      return { ...written, warnings: checked.warnings };
    },
  }),

  "layers.move": endpoint({
    rest: "POST /layers/:id/transition",
    summary: "Take a layer from one state to the next",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    body: {
      to: z.enum(STATES),
      version: z.int().min(1).optional().describe("To publish: the version that was reviewed."),
      reason: z.string().min(3).max(4_000).optional(),
    },
    returns: data(Layer.view),
    description:
      "draft → review (with a spec) → published (by somebody else than who wrote the spec, naming the version reviewed, and no blocking feedback open) → cop. Back: review → draft with feedback on the version; published → review. The COP is left by `recall`.",
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
    summary: "Take a layer off the COP, back into review",
    permit: "signed-in",
    within: publishing,
    ...onLayer,
    body: { reason: z.string().min(3).max(4_000) },
    returns: data(Layer.view),
    example: { reason: "The bridge it shows stands again." },
    handler(ctx, layer) {
      if (layer.state !== "cop") throw invalidTransition("recall", layer.state, ["cop"]);
      return shift(this, ctx, layer, "review", ctx.params.reason);
    },
  }),

  "remarks.give": endpoint({
    rest: "POST /layers/:id/feedback",
    summary: "Remark on a layer as its reviewer",
    permit: "signed-in",
    within: reviewing,
    ...onLayer,
    body: {
      text: Feedback.create.text,
      blocking: Feedback.create.blocking,
      featureId: Feedback.create.featureId,
    },
    returns: data(Feedback.view),
    status: 201,
    errors: { 409: "The layer has no spec yet." },
    example: { text: "The crossing lies 200 m further south.", blocking: true },
    async handler(ctx, layer) {
      if (layer.version === 0) throw conflict("The layer has no spec yet.");
      return this.store(Feedback).create(
        ctx,
        { ...ctx.params, ...placeOf(layer), layerId: layer.id, version: layer.version, status: "open" },
        {
          facts: (made: Feedback) => [
            FeedbackGiven.fact(layer.id, { ...told(layer, actorOf(ctx)), blocking: made.blocking }),
          ],
        },
      );
    },
  }),

  "remarks.list": endpoint({
    rest: "GET /layers/:id/feedback",
    summary: "List what reviewers remarked on a layer",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    query: Feedback.query,
    returns: list(Feedback.view),
    beyond: true,
    handler(ctx, layer) {
      return this.store(Feedback).page(ctx, ctx.params, { problemSetId: layer.problemSetId, layerId: layer.id });
    },
  }),

  "remarks.resolve": endpoint({
    rest: "POST /layers/:id/feedback/:feedbackId/resolve",
    summary: "Declare a remark on a layer dealt with",
    permit: "signed-in",
    within: reviewing,
    ...onLayer,
    path: { feedbackId: TextId },
    returns: data(Feedback.view),
    beyond: true,
    async handler(ctx, layer) {
      const feedback = await this.store(Feedback).get(ctx, ctx.params.feedbackId);
      if (feedback.layerId !== layer.id) throw notFound(Feedback.title, feedback.id);
      if (feedback.status === "resolved") return feedback;
      return this.store(Feedback).revise(ctx, feedback, {
        status: "resolved",
        resolvedBy: actorOf(ctx),
        resolvedAt: iso(this.world.clock.now()),
      });
    },
  }),

  "versions.list": endpoint({
    rest: "GET /layers/:id/versions",
    summary: "List a layer's versions, the newest first",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    query: { ...LayerVersion.query, sort: z.enum(["-version", "version"]).default("-version") },
    returns: list(LayerVersion.view),
    handler(ctx, layer) {
      return this.store(LayerVersion).page(ctx, ctx.params, { problemSetId: layer.problemSetId, layerId: layer.id });
    },
  }),

  "versions.get": endpoint({
    rest: "GET /layers/:id/versions/:version",
    summary: "Show one version of a layer",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    path: { version: z.coerce.number().int().min(1) },
    returns: data(LayerVersion.view),
    handler(ctx, layer) {
      return versionOf(this, ctx, layer, ctx.params.version);
    },
  }),

  "versions.getSpec": endpoint({
    rest: "GET /layers/:id/versions/:version/spec",
    summary: "Read the spec as it was in one version",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    path: { version: z.coerce.number().int().min(1) },
    returns: data(Spec),
    async handler(ctx, layer) {
      const { specId } = await versionOf(this, ctx, layer, ctx.params.version);
      return (await this.store(LayerSpec).get(ctx, specId)).spec;
    },
  }),
};

async function versionOf(host: Host, ctx: Ctx<unknown>, layer: Layer, version: number): Promise<LayerVersion> {
  const found =
    version <= layer.version ? await host.store(LayerVersion).one(ctx, { layerId: layer.id, version }) : null;
  if (!found) throw notFound(LayerVersion.title, version);
  return found;
}

/**
 * Adds a version: its spec first, by hash; then the version, which a unique index gives its number; then the layer, by
 * compare-and-set. Whoever died after the second left a version that the next write takes over before its own.
 */
async function write(host: Host, ctx: Ctx<unknown>, layer: Layer, checked: CheckedSpec): Promise<Layer> {
  const by = actorOf(ctx);
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
    { facts: (made: Layer) => [LayerDrawn.fact(made.id, { ...told(made, record.by), version })] },
  );
  if (record.hash !== hash) throw stale(Layer.title, layer.id);
  return written;
}

const shift = (host: Host, ctx: Ctx<unknown>, layer: Layer, to: State, reason?: string): Promise<Layer> => {
  const by = actorOf(ctx);
  return host.store(Layer).revise(ctx, layer, moved(layer, to, by, iso(host.world.clock.now()), reason), {
    facts: [
      LayerMoved.fact(layer.id, {
        ...told(layer, by),
        from: layer.state,
        to,
        ...(reason !== undefined && { reason }),
      }),
    ],
  });
};

/** Throws 400, 403 or 409 where a layer does not make this move now, or not by this person. */
async function demandMove(
  host: Host,
  ctx: Ctx<unknown>,
  layer: Layer,
  { to, version }: { to: State; version?: number | undefined },
): Promise<void> {
  const move = MOVES.find((one) => one.from === layer.state && one.to === to);
  const sources = MOVES.filter((one) => one.to === to).map(({ from }) => from);
  if (layer.state === "cop") throw conflict("The layer is on the COP: it is left by recall alone.");
  // What is not among the moves is told before who may make it.
  if (!move) throw invalidTransition(`go to ${to}`, layer.state, sources.length ? sources : nextStates(layer.state));
  memberOf(ctx.meta.actor, layer.problemSetId, move.may, { writes: true });
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
