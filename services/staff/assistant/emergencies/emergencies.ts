import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

export const EMERGENCY_ACTIONS = [
  "freeze-agents",
  "freeze-set",
  "cancel-runs",
  "revoke-delegations",
  "resume",
] as const;

/** An emergency action: ordered before anything is done, so that there is a record whatever happens then. */
export const Emergency = entity("assistant.emergencies", {
  title: "emergency action",
  fields: {
    problemSetId: TextId.describe("Where it was ordered."),
    action: z.enum(EMERGENCY_ACTIONS),
    scope: z.enum(["set", "all"]).describe("Whether it applies to the problem set, or everywhere."),
    reason: z.string().trim().min(3).max(2_000),
    by: PersonId,
    status: z.enum(["ordered", "done"]),
    count: z.int().optional().describe("How many runs and workflows were ended, or delegations withdrawn."),
    doneAt: Instant.optional(),
    dueAt: Instant.optional(),
  },
  readonly: ["status", "count", "doneAt"],
  immutable: ["problemSetId"],
  hidden: ["dueAt"],
  indexes: [{ fields: ["by"] }, { fields: ["dueAt"], sparse: true }],
});
export type Emergency = Item<typeof Emergency>;
type Ordered = Pick<Emergency, "action">;

/** The scope of an order: fixed for some actions, given by the caller for the others. */
export const emergencyScope = ({ action }: Ordered, wanted: "set" | "all" | undefined): "set" | "all" =>
  action === "freeze-agents" ? "all" : action === "freeze-set" ? "set" : (wanted ?? "set");
