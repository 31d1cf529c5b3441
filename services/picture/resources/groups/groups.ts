import { z } from "zod";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed, reach } from "../../place.ts";

export const MOST_MEMBERS = 1_000;

export const Group = entity("resources.groups", {
  title: "resource group",
  fields: {
    ...placed,
    name: z.string().min(1).max(200),
    description: z.string().max(4_000).optional(),
    /** Each member is seen by its own barrier. */
    memberIds: z.array(z.string()),
  },
  readonly: ["audience", "memberIds"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "memberIds"],
  filter: ["problemSetId"],
  sort: ["name"],
  barrier: reach,
  lists: [{ by: ["problemSetId"] }],
  indexes: outsideIndexes,
});
export type Group = Item<typeof Group>;
