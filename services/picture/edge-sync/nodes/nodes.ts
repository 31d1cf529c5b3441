import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { MODES } from "../../../../core/access/training-mode.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

const MOST_NODES = 100;
const MOST_SETS = 200;

/** A device of somebody's that carries a part of the picture with it, and works on while it is cut off. */
export const EdgeNode = entity("edge-sync.nodes", {
  title: "edge node",
  fields: {
    name: z.string().trim().min(1).max(120),
    did: z.string().max(500).describe("A DID of your account, by whose key the node signs what it sends."),
    problemSetIds: z
      .array(TextId)
      .min(1)
      .max(MOST_SETS)
      .optional()
      .describe("The problem sets it carries; without them, everything of the picture that you can see."),
    userId: PersonId.describe("Whose node it is: it acts as them."),
    mode: z.enum(MODES).describe("Operations or training, as your mode was at enrolment."),
    status: z.enum(["active", "revoked"]),
    revokedAt: Instant.optional(),
    lastSeq: z.int().describe("The last of its changes that was answered."),
    syncedAt: Instant.optional().describe("When it last sent or fetched something."),
    /** Its DID, while it is active: one node has it. */
    holds: z.string().optional(),
  },
  readonly: ["userId", "mode", "status", "revokedAt", "lastSeq", "syncedAt", "holds"],
  immutable: ["did"],
  hidden: ["holds"],
  filter: ["status"],
  most: {
    count: MOST_NODES,
    per: ["userId"],
    refusal: (count) => conflict(`An account has at most ${count} edge nodes.`),
  },
  lists: [{ by: ["userId"] }, { by: [] }],
  indexes: [{ fields: ["holds"], unique: true, sparse: true }],
});
export type EdgeNode = Item<typeof EdgeNode>;
