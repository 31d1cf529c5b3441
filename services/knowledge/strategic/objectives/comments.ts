import { barrier, Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { z } from "zod";

/** A comment on an objective during its review. */
export const Comment = entity("strategic.objective-comments", {
  title: "comment",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    objectiveId: TextId,
    text: z.string().trim().min(1).max(4_000),
  },
  immutable: ["problemSetId", "compartments", "objectiveId"],
  barrier,
  most: {
    count: 1_000,
    per: ["objectiveId"],
    refusal: (count) => conflict(`An objective has at most ${count} comments.`),
  },
  lists: [{ by: ["problemSetId", "objectiveId"] }],
  indexes: [{ fields: ["objectiveId"] }, { fields: ["createdBy"] }],
});
export type Comment = Item<typeof Comment>;
