import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed, reach } from "../../place.ts";
import { Did } from "../registry/resources.ts";

export const STATUSES = ["available", "assigned", "on-leave", "unfit", "missing"] as const;

export const Personnel = entity("resources.personnel", {
  title: "person",
  fields: {
    ...placed,
    name: z.string().trim().min(1).max(200),
    rank: z.string().max(80).optional(),
    position: z.string().max(200).optional().describe("What they do: `driver`, `surgeon`, `S3`."),
    status: z.enum(STATUSES).default("available"),
    skills: z
      .array(z.string().min(1).max(80))
      .max(50)
      .default([])
      .overwrite((skills) => [...new Set(skills)].sort()),
    unitId: TextId.optional().describe("A unit of the same problem set."),
    email: z.email().max(320).optional(),
    phone: z.string().max(60).optional(),
    note: z.string().max(2_000).optional(),
    did: Did.optional().describe("Of an account that is a member of the problem set: the person's own."),
    externalId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("What another system calls them; once in a set and its compartments."),
    userId: PersonId.optional(),
    external: z.string().optional(),
  },
  readonly: ["audience", "userId", "external"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "external"],
  filter: ["problemSetId", "status", "unitId"],
  sort: ["name"],
  barrier: reach,
  lists: [
    { by: ["problemSetId"], few: ["unitId"] },
    { by: ["audience"], having: "audience", few: ["unitId"] },
  ],
  indexes: [
    ...outsideIndexes,
    { fields: ["external"], unique: true, sparse: true },
    { fields: ["userId"], sparse: true },
  ],
});
export type Personnel = Item<typeof Personnel>;
