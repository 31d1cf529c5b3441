import { z } from "zod";
import { Compartments } from "../../../../core/access/place.ts";
import { bare, data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { reading } from "../workspaces/workspaces.actions.ts";
import { exportBundle, importBundle } from "./exchange.ts";

const MOST_OBJECTS = 5_000;
const Json = z.record(z.string(), z.unknown());

const Came = z
  .object({
    imported: z.int().describe("Objects that were not here, or in an earlier version."),
    unchanged: z.int(),
    entities: z.int().describe("Objects about an entity of the graph."),
    relations: z.int().describe("Objects that relate two."),
    refused: z.array(z.object({ index: z.int(), code: z.string(), message: z.string() })),
    missing: z
      .array(z.object({ object: z.string(), property: z.string(), ref: z.string() }))
      .describe("References to objects that are neither in the bundle nor here; they resolve once these arrive."),
  })
  .meta({ id: "StixImport" });

export const stixActions = {
  "bundles.export": endpoint({
    rest: "GET /stix",
    summary: "Export the graph as a STIX 2.1 bundle",
    permit: "signed-in",
    within: reading,
    beyond: true,
    query: { problemSetId: TextId.describe("Whose graph is wanted.") },
    returns: bare(
      z.object({ type: z.literal("bundle"), id: z.string(), objects: z.array(Json) }).meta({ id: "StixBundle" }),
    ),
    description:
      "What you can see, in a fixed order and with derived ids: the same graph gives the same bytes. A " +
      "document becomes a report with what it names; compartments become markings; what STIX has no " +
      "type for is in an extension. Imported objects are exported as they came.",
    handler(ctx) {
      return exportBundle(this, ctx, ctx.params.problemSetId) as never;
    },
  }),

  "bundles.import": endpoint({
    rest: "POST /stix",
    summary: "Import a STIX 2.1 bundle into the graph",
    permit: "signed-in",
    within: { set: "problemSetId", may: "graph:edit" },
    beyond: true,
    bodyLimit: 10 * 1024 * 1024,
    body: {
      problemSetId: TextId,
      compartments: Compartments,
      bundle: z.object({
        type: z.literal("bundle"),
        id: z.string().max(200).optional(),
        objects: z.array(Json).max(MOST_OBJECTS),
      }),
    },
    returns: data(Came),
    description:
      "Bundles can come in any order and be sent again: an object with a later `modified` replaces the " +
      "earlier one. Objects and properties that are not understood are kept and exported again. " +
      "Markings of the bundle are kept unchanged; `compartments` determines who sees it.",
    example: {
      problemSetId: "a problem set's id",
      bundle: {
        type: "bundle",
        objects: [
          {
            ...{ type: "identity", spec_version: "2.1", id: "identity--c78cb6e5-0c4b-4611-8297-d1b8b55e40b5" },
            ...{ created: "2026-01-01T00:00:00.000Z", modified: "2026-01-01T00:00:00.000Z" },
            ...{ name: "Harbour Authority", identity_class: "organization" },
          },
        ],
      },
    },
    handler(ctx) {
      const { problemSetId, compartments, bundle } = ctx.params;
      return importBundle(this, ctx, { problemSetId, compartments }, bundle as never);
    },
  }),
};
