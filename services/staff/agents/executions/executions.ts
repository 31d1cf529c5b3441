import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { ACTION_CLASSES, AUTHORITIES, SAFETY_VERDICTS } from "../../../../config/safety.ts";
import { EFFECTS } from "../../../../config/tools.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { Compartments } from "../../../../core/access/place.ts";
import type { Actor } from "../../../../core/access/access.ts";
import { entity, Figure, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { HELD, Limits, USED } from "../delegations/delegations.ts";
import { ToolChoice } from "../tools/tools.ts";

export const RUN_STATES = ["queued", "running", "waiting", "completed", "stopped", "cancelled", "failed"] as const;
export const OVER: readonly string[] = ["completed", "stopped", "cancelled", "failed"];
/** A `composed` run belongs to another domain: that domain makes the plan, and each act passes the gate here. */
export const RUN_KINDS = ["task", "analysis", "composed"] as const;
export const RUN_METHODS = ["llm", "heuristic", "rules"] as const;

/** What a waiting run waits for: a decision about an act, or its outcome. */
export const WAITS_FOR = ["approval", "settlement"] as const;

/** A run outside all problem sets is visible to its owner alone. */
const barrier = {
  set: "problemSetId",
  compartments: "compartments",
  outside: ({ userId }: Actor) => [{ owner: userId }],
};

/** A tool as it was defined when the run was planned. */
export const Pinned = z.object({ name: ToolChoice, definition: z.string() });

const AnswerFinding = z.object({
  kind: z.enum(["gap", "risk", "overdue", "contradiction"]),
  severity: z.enum(["high", "medium", "low"]),
  text: z.string(),
  evidence: z.array(z.object({ type: z.string(), id: z.string() })),
});
export type AnswerFinding = z.output<typeof AnswerFinding>;
export { AnswerFinding };

export const AgentAnswer = z.object({
  text: z.string(),
  method: z.enum(RUN_METHODS),
  citations: z.array(TextId).describe("The steps whose results it rests on."),
  unsupported: z
    .array(z.string())
    .optional()
    .describe("Figures and dates that a model wrote and that stand in nothing it was given or read."),
  findings: z.array(AnswerFinding).optional().describe("Of an analysis."),
  seen: z.record(z.string(), z.int()).optional().describe("How many records of each kind it rests on."),
  unseen: z
    .array(z.string())
    .optional()
    .describe("Tools that would have read more, but were refused or exceeded the limit."),
});
export type AgentAnswer = z.output<typeof AgentAnswer>;

/** One run of an agent: its record and those of its steps hold its state; jobs drive it. */
export const Execution = entity("agents.executions", {
  title: "execution",
  fields: {
    agentId: TextId,
    agentName: z.string().optional().describe("What the agent was called when it began."),
    agentVersion: z.int(),
    kind: z.enum(RUN_KINDS),
    problemSetId: TextId.optional(),
    compartments: Compartments.describe("Of everything that it has read so far."),
    owner: z.string().optional(),
    delegationId: TextId.optional(),
    by: PersonId.describe("Whom the agent acts for."),
    task: z.string().max(20_000),
    input: z.record(z.string(), z.unknown()).default({}),
    tools: z.array(Pinned),
    limits: Limits,
    ...USED,
    ...HELD,
    plan: z
      .object({ id: z.string(), limits: Limits })
      .optional()
      .describe("The whole it is part of, and the limits that all parts share."),
    isTainted: z.boolean().optional().describe("Whether its input holds texts by others."),
    messageId: z.string().optional().describe("The sender's id of the message that requested it."),
    dryRun: z.boolean().default(false),
    training: z.boolean().default(false).describe("It reads normally; acts that would change something are simulated."),
    status: z.enum(RUN_STATES),
    method: z.enum(RUN_METHODS).optional(),
    waitingFor: z
      .object({ what: z.enum(WAITS_FOR), id: TextId })
      .optional()
      .describe("The approval, or the step for a person to settle, that it waits for."),
    reason: z.string().optional().describe("Why it was stopped, or failed."),
    code: z
      .string()
      .optional()
      .describe(
        "Code of the reason: `MODEL_AWAY` if the model gave no answer, `MODEL_DECLINED` or `MODEL_MALFORMED` if it gave " +
          "one that cannot be used, or the gate's code, such as `BUDGET`.",
      ),
    answer: AgentAnswer.optional().describe("Its result; for a stopped run, the result up to then."),
    steps: z.int().describe("How many there are."),
    startedAt: Instant.optional(),
    endedAt: Instant.optional(),
    /** When it is due to continue. */
    dueAt: Instant.optional(),
    /** Which of the person's slots for unfinished runs it takes. */
    seat: z.string().optional(),
  },
  readonly: ["status"],
  immutable: ["problemSetId"],
  hidden: ["dueAt", "holds", "owner", "seat"],
  filter: ["agentId", "status"],
  barrier,
  lists: [
    { by: ["by"], sort: ["-updatedAt"] },
    { by: ["by", "problemSetId"], sort: ["-updatedAt"] },
  ],
  indexes: [
    { fields: ["dueAt"], sparse: true },
    { fields: ["by", "status"] },
    { fields: ["seat"], unique: true, sparse: true },
    { fields: ["agentId", "-createdAt"] },
    { fields: ["agentId", "problemSetId", "-createdAt"] },
    { fields: ["agentId", "status"] },
    { fields: ["createdBy"] },
    { fields: ["endedAt"], sparse: true },
  ],
});
export type Execution = Item<typeof Execution>;

const ACT_OUTCOMES = ["done", "refused", "failed", "simulated", "unknown"] as const;
export const STEP_STATES = ["waiting", "intended", ...ACT_OUTCOMES] as const;

/** One act of an agent, stored before it is done. */
export const AgentStep = entity("agents.steps", {
  title: "step",
  fields: {
    executionId: TextId,
    agentId: TextId,
    agentVersion: z.int(),
    delegationId: TextId.optional(),
    problemSetId: TextId.optional(),
    compartments: Compartments,
    owner: z.string().optional(),
    by: PersonId,
    seq: z.int().describe("From 1."),
    tool: z.string(),
    class: z.enum(ACTION_CLASSES).optional(),
    effect: z.enum(EFFECTS).optional(),
    given: z.record(z.string(), z.unknown()),
    arguments: z.record(z.string(), z.unknown()).describe("Texts in them are shown as their length and hash."),
    argumentsHash: z.string().describe("SHA-256 over the canonical JSON of the arguments."),
    definitionHash: z.string().optional().describe("Of the tool as it was then."),
    verdict: z.enum(SAFETY_VERDICTS),
    why: z.string(),
    code: z.string().optional().describe("Of what was refused, or failed."),
    retryAfterMs: z.int().optional().describe("How long the failing server asked to wait."),
    autonomy: z
      .int()
      .optional()
      .describe("The autonomy it was judged at: one level higher if texts by others were read."),
    approver: z.enum(AUTHORITIES).optional().describe("The lowest authority that may approve it."),
    approvalId: TextId.optional(),
    approvedBy: PersonId.optional(),
    status: z.enum(STEP_STATES),
    result: z.unknown().optional(),
    isElsewhere: z.boolean().optional(),
    tokens: z.int().describe("Of the turn of the model that proposed it."),
    cost: Figure.optional(),
    ms: z.int().optional(),
    key: z.string().optional(),
    again: z.literal(true).optional(),
    settledBy: PersonId.optional().describe("Who reported the outcome when it could not be determined."),
  },
  immutable: ["problemSetId"],
  readonly: ["status"],
  hidden: ["given", "result", "isElsewhere", "key", "again", "owner"],
  barrier,
  lists: [
    { by: ["problemSetId", "agentId"], sort: ["-createdAt"], filter: [] },
    { by: ["owner", "agentId"], sort: ["-createdAt"], filter: [] },
  ],
  indexes: [{ fields: ["executionId", "seq"], unique: true }, { fields: ["createdBy"] }],
});
export type AgentStep = Item<typeof AgentStep>;
export const StepView = AgentStep.view
  .extend({ result: z.unknown().optional().describe("The tool's answer, shortened if long.") })
  .meta({ id: "AgentStep" });

const MOST_SHOWN = 4_000;
/** A step for display: a long answer of its tool is shortened. */
export function shownStep(step: AgentStep): z.input<typeof StepView> {
  if (step.result === undefined) return step;
  const text = JSON.stringify(step.result);
  return text.length <= MOST_SHOWN ? step : { ...step, result: `${upTo(MOST_SHOWN, text)}…` };
}

/** A tool's answer that is too long for the step's record. */
export const Output = entity("agents.outputs", {
  fields: {
    problemSetId: TextId.optional(),
    compartments: Compartments,
    owner: z.string().optional(),
    value: z.unknown(),
  },
  immutable: ["problemSetId"],
  barrier,
});
