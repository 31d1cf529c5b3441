import { z } from "zod";
import { AUTHORITIES } from "../../../../config/safety.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { hashOf } from "../gate/hash.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

/** How long before expiry those who may decide are reminded. */
export const WARNING_MS = 3_600_000;

export const Approval = entity("agents.approvals", {
  title: "approval",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    agentId: TextId,
    agentName: z.string().optional().describe("What the agent was called when it asked."),
    agentVersion: z.int(),
    executionId: TextId,
    stepId: TextId,
    tool: z.string(),
    definitionHash: z.string(),
    arguments: z.record(z.string(), z.unknown()).describe("Exactly what will be done, every word of it."),
    approver: z.enum(AUTHORITIES).describe("The authority in the problem set that it takes, at least."),
    why: z.string(),
    hash: z.string().describe("SHA-256 over the canonical JSON of what is approved; the decision must repeat it."),
    expiresAt: Instant,
    for: PersonId.describe("Whom the agent acts for."),
    status: z.enum(["pending", "approved", "rejected", "expired", "used", "cancelled"]),
    decidedBy: PersonId.optional(),
    decidedAt: Instant.optional(),
    reason: z.string().optional(),
    warnedAt: Instant.optional(),
  },
  readonly: ["status"],
  immutable: ["problemSetId"],
  filter: ["problemSetId", "status"],
  sort: ["expiresAt"],
  hidden: ["warnedAt"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["status", "expiresAt"] },
    { fields: ["executionId", "status"] },
    { fields: ["tool", "status"] },
    { fields: ["for"] },
    { fields: ["decidedBy"], sparse: true },
  ],
});
export type Approval = Item<typeof Approval>;

/** What exactly is approved. */
const APPROVED = [
  "tool",
  "definitionHash",
  "arguments",
  "problemSetId",
  "agentId",
  "agentVersion",
  "executionId",
  "stepId",
  "approver",
  "expiresAt",
] as const;
export const approvalHash = (approval: Pick<Approval, (typeof APPROVED)[number]>): string =>
  hashOf(Object.fromEntries(APPROVED.map((field) => [field, approval[field]])));
