import { z } from "zod";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed } from "../../place.ts";
import { pictureReach } from "../pictures.ts";

/** What the picture's agents did, and what came of it. */
export const LayerActivity = entity("cop_activity", {
  title: "activity",
  fields: {
    ...placed,
    agent: z.literal("generator"),
    trigger: z.enum(["watch", "hand"]),
    layerId: TextId.optional(),
    layer: z.string().optional(),
    added: z.int(),
    updated: z.int(),
    removed: z.int(),
    ms: z.int().describe("How long it took."),
    outcome: z.enum(["done", "source-missing", "failed"]),
    reason: z.string().optional(),
  },
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId"],
  hidden: ["audience"],
  barrier: pictureReach,
  lists: [{ by: ["problemSetId"], filter: [], sort: ["-createdAt"] }],
  indexes: [{ fields: ["createdAt"] }, ...outsideIndexes],
});
export type LayerActivity = Item<typeof LayerActivity>;
