import { z } from "zod";
import { PictureFeature } from "../generation/reading.ts";
import { Layer } from "./layers.ts";
import { MOST_SPEC_BYTES } from "./specs.ts";

/** Bytes of a request: its spec, and little beside. */
export const BODY_LIMIT = MOST_SPEC_BYTES + 64 * 1_024;

const Warnings = z.array(z.object({ path: z.string(), message: z.string() })).max(200);
export const Written = Layer.view
  .extend({
    warnings: Warnings.describe(
      "What was corrected in the spec: winding, cuts at 180°; and what of it is never shown.",
    ),
  })
  .meta({ id: "LayerWritten" });
export const Spec = z.record(z.string(), z.unknown());
export const Picture = Layer.view
  .extend({
    at: z.string().describe("The moment for which staleness is given."),
    madeAt: z.string().optional().describe("Of a live layer: when what you see of it last changed."),
    counts: z.object({ fresh: z.int(), stale: z.int(), gone: z.int() }),
    featureCollection: z.object({ type: z.literal("FeatureCollection"), features: z.array(PictureFeature) }),
    missing: z
      .string()
      .optional()
      .describe("Why a live layer shows nothing: it is a draft, or its source is not there."),
    watched: z
      .boolean()
      .optional()
      .describe("Whether a live layer follows its source now: `POST /api/cop/agents/polling/start` lets it."),
  })
  .meta({ id: "LayerPicture" });
export const SPEC_REFUSALS = {
  413: "The spec has more than 10 MiB.",
  422: "A geometry is invalid (`INVALID_GEOMETRY`), or a symbol is unknown (`INVALID_SYMBOL`); `details` says where.",
};
