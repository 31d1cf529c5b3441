import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { alikeIn } from "../../place.ts";
import { BODY_LIMIT, Spec, SPEC_REFUSALS, Written } from "./answers.ts";
import { Layer, LayerSpec, LayerVersion, OPEN_STATES } from "./layers.ts";
import { DRAFT, drafting, layerFor, onLayer, reading } from "./permits.ts";
import { patchBetween } from "./patches.ts";
import { checkedSpec } from "./specs.ts";
import { writeVersion } from "./version-writing.ts";

const Version = z.coerce.number().int().min(1).describe("The number of the version.");
const At = z.string().describe("A JSON Pointer (RFC 6901).");
const Difference = z
  .object({
    from: z.int(),
    to: z.int(),
    patch: z.array(
      z.object({
        op: z.enum(["add", "remove", "replace", "move"]),
        path: At,
        from: At.optional(),
        value: z.unknown().optional(),
      }),
    ),
  })
  .meta({ id: "LayerDifference" });

/** A layer's spec, and what it was before. */
export const versionActions = {
  "layers.setSpec": endpoint({
    rest: "PUT /layers/:id/spec",
    summary: "Change a layer's spec, which creates a new version unless nothing changed",
    permit: "signed-in",
    within: drafting,
    ...layerFor(DRAFT),
    mustMatch: true,
    body: Spec,
    bodyLimit: BODY_LIMIT,
    returns: data(Written),
    errors: { ...SPEC_REFUSALS, 409: "The layer is published or on the COP: recall it first." },
    description:
      "For a drawn layer, a GeoJSON FeatureCollection (RFC 7946); for a live one, `{source, filter, " +
      "style}`: the source is `units`, `resources`, `sensors`, `coverage`, `missions`, `reports` or " +
      "`layers`; the filter has `kind`, `status`, `name` (a part of it) and, for `layers`, `section` " +
      "and `type`; the style has `symbol`, `colour` (`#2266cc`) and `staleAfterSeconds`. A live layer " +
      "is generated from the state `review` on. Unusual but acceptable input is corrected and reported " +
      "in `warnings`. `staleness`, as a layer is read with, is left out.",
    example: { type: "FeatureCollection", features: [] },
    async handler(ctx, layer) {
      demandOpen(layer);
      const checked = await checkedSpec(layer.kind, ctx.params.body);
      const written = checked.hash === layer.hash ? layer : await writeVersion(this, ctx, layer, checked);
      return { ...written, warnings: checked.warnings };
    },
  }),

  "versions.list": endpoint({
    rest: "GET /layers/:id/versions",
    summary: "List a layer's versions, newest first",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    query: { ...LayerVersion.query, sort: z.enum(["-version", "version"]).default("-version") },
    returns: list(LayerVersion.view),
    handler(ctx, layer) {
      return this.store(LayerVersion).page(ctx, ctx.params, { ...alikeIn(layer), layerId: layer.id });
    },
  }),

  "versions.get": endpoint({
    rest: "GET /layers/:id/versions/:version",
    summary: "Show one version of a layer",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    path: { version: Version },
    returns: data(LayerVersion.view),
    handler(ctx, layer) {
      return versionOf(this, ctx, layer, ctx.params.version);
    },
  }),

  "versions.getSpec": endpoint({
    rest: "GET /layers/:id/versions/:version/spec",
    summary: "Read one version of a layer's spec",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    path: { version: Version },
    returns: data(Spec),
    async handler(ctx, layer) {
      const { specId } = await versionOf(this, ctx, layer, ctx.params.version);
      return (await this.store(LayerSpec).get(ctx, specId)).spec;
    },
  }),

  "differences.get": endpoint({
    rest: "GET /layers/:id/versions/:version/diff",
    summary: "Compare two versions of a layer's spec",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    path: { version: Version },
    query: { to: z.int().min(1).optional().describe("The newest version without it.") },
    returns: data(Difference),
    beyond: true,
    description: "As JSON Patch (RFC 6902). Features are matched by their ids, wherever they are in the list.",
    async handler(ctx, layer) {
      const { version, to = layer.version } = ctx.params;
      const versions = await Promise.all([version, to].map((one) => versionOf(this, ctx, layer, one)));
      const [before, after] = await Promise.all(
        versions.map(async ({ specId }) => (await this.store(LayerSpec).get(ctx, specId)).spec),
      );
      return { from: version, to, patch: await inTurns(patchBetween(before!, after!)) };
    },
  }),

  "versions.restore": endpoint({
    rest: "POST /layers/:id/versions/:version/restore",
    summary: "Restore an earlier version of a layer's spec",
    permit: "signed-in",
    within: drafting,
    ...layerFor(DRAFT),
    path: { version: Version },
    returns: data(Written),
    beyond: true,
    errors: { 409: "The layer is published or on the COP: recall it first." },
    async handler(ctx, layer) {
      demandOpen(layer);
      const { specId, hash } = await versionOf(this, ctx, layer, ctx.params.version);
      if (hash === layer.hash) return { ...layer, warnings: [] };
      const { spec } = await this.store(LayerSpec).get(ctx, specId);
      const checked = await checkedSpec(layer.kind, spec);
      return { ...(await writeVersion(this, ctx, layer, checked)), warnings: checked.warnings };
    },
  }),
};

/** Throws 409 where the spec is reviewed already. */
function demandOpen({ state }: Layer): void {
  if (!OPEN_STATES.includes(state))
    throw conflict(`The layer is ${state}: its spec is changed in ${OPEN_STATES.join(" and ")} only.`);
}

async function versionOf(host: Host, ctx: Ctx<unknown>, layer: Layer, version: number): Promise<LayerVersion> {
  const found =
    version <= layer.version ? await host.store(LayerVersion).one(ctx, { layerId: layer.id, version }) : null;
  if (!found) throw notFound(LayerVersion.title, version);
  return found;
}
