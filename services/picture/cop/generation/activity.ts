import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";

/** What the picture's agents did, and what came of it. */
export const Activity = entity("cop_activity", {
  title: "activity",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
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
  barrier,
  lists: [{ by: ["problemSetId"], filter: [], sort: ["-createdAt"] }],
  indexes: [{ fields: ["createdAt"] }],
});
export type Activity = Item<typeof Activity>;
