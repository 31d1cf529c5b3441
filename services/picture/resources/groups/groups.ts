import { z } from "zod";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed, reach } from "../../place.ts";

export const MOST_MEMBERS = 1_000;

export const Group = entity("resources.groups", {
  title: "resource group",
  fields: {
    ...placed,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(4_000).optional(),
  },
  readonly: ["audience"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience"],
  filter: ["problemSetId"],
  sort: ["name"],
  barrier: reach,
  lists: [{ by: ["problemSetId"] }, { by: ["audience"], having: "audience" }],
  indexes: outsideIndexes,
});
export type Group = Item<typeof Group>;

/**
 * What a group has, under its id; each member is seen by its own barrier. Beside the record and not in it, so that no
 * revision of the group tells of members that its reader does not see.
 */
export const Membership = entity("resources.groups.members", {
  title: "members of a resource group",
  fields: { memberIds: z.array(z.string()) },
  indexes: [{ fields: ["memberIds"] }],
});
