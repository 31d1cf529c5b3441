import { z } from "zod";
import { ACTION_CLASSES, AUTHORITIES, type ActionClass } from "../../../../config/safety.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

/** After this, an act counts as unanswered: silence is no consent. */
export const ANSWER_MS = 15 * 60_000;

const ACT_STATES = ["proposed", "confirmed", "waiting", "done", "failed", "refused", "unknown"] as const;
export const SETTLED: readonly string[] = ["done", "failed", "refused"];

/** Never done by a preference: these need a person's answer each time. */
const NEVER_TRUSTED: readonly ActionClass[] = ["spend", "change-access", "change-governance", "irreversible"];
export const isTrustable = (safety: ActionClass): boolean => !NEVER_TRUSTED.includes(safety);

/** An act that the assistant proposes, or was refused: at most one for each message. */
export const Action = entity("assistant.actions", {
  title: "action",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    messageId: TextId,
    by: PersonId,
    tool: z.string(),
    summary: z.string().optional(),
    class: z.enum(ACTION_CLASSES).optional(),
    arguments: z.record(z.string(), z.unknown()).describe("Exactly what will be done, every word of it."),
    argumentsHash: z.string().describe("SHA-256 over their canonical JSON: an answer names it."),
    isTainted: z
      .boolean()
      .optional()
      .describe("Whether its arguments may come from foreign text: then no preference applies."),
    definitionHash: z.string().optional(),
    agentVersion: z.int(),
    approver: z.enum(AUTHORITIES).optional().describe("The lowest authority whose approval it needs."),
    why: z.string(),
    code: z.string().optional().describe("Of what was refused, or failed."),
    expiresAt: Instant.describe("If unanswered until then, it is refused."),
    status: z.enum(ACT_STATES),
    answeredAt: Instant.optional(),
    preferenceId: TextId.optional().describe("The trust preference that answered."),
    executionId: TextId.optional().describe("`GET /api/agents/executions/{id}` shows what was done."),
    resultId: TextId.optional().describe("Of what came into being."),
    dueAt: Instant.optional(),
  },
  readonly: ["status"],
  immutable: ["problemSetId"],
  hidden: ["dueAt", "definitionHash", "agentVersion"],
  barrier,
  indexes: [
    { fields: ["by"] },
    { fields: ["dueAt"], sparse: true },
    { fields: ["executionId"], sparse: true },
    { fields: ["messageId"] },
  ],
});
export type Action = Item<typeof Action>;
export const ActionView = Action.view
  .pick({
    id: true,
    messageId: true,
    tool: true,
    summary: true,
    class: true,
    arguments: true,
    argumentsHash: true,
    isTainted: true,
    approver: true,
    why: true,
    code: true,
    expiresAt: true,
    status: true,
    preferenceId: true,
    executionId: true,
    resultId: true,
  })
  .meta({ id: "AssistantAction" });

/** An act as it stands at a moment: silence is a refusal, which nobody has to write down. */
export const standing = (action: Action, now: string): Action =>
  action.status === "proposed" && action.expiresAt <= now
    ? { ...action, status: "refused", code: "EXPIRED", why: "Nobody answered it in time." }
    : action;

/** One act a message, whoever writes the reply, and however often. */
export const actionIdOf = (messageId: string): string => derivedId(`the act of ${messageId}`);

export const ActionChanged = liveType("assistant.action.changed", {
  domain: "assistant",
  summary: "An act that the assistant proposed to you was answered, done, or refused",
  payload: z.object({ id: z.string(), status: z.enum(ACT_STATES) }),
});
