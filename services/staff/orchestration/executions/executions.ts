import { z } from "zod";
import { ACTION_CLASSES } from "../../../../config/safety.ts";
import { EFFECTS } from "../../../../config/tools.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { entity, Figure, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { STEP_KINDS, Limits, STEP_OUTCOMES, type Workflow } from "../workflows/definitions.ts";

export const EXECUTION_STATES = [
  "queued",
  "running",
  "waiting",
  "completed",
  "stopped",
  "failed",
  "cancelled",
  "expired",
] as const;
export type ExecutionState = (typeof EXECUTION_STATES)[number];
export const OVER: readonly string[] = ["completed", "stopped", "failed", "cancelled", "expired"];
export const LONGEST_LIFE_MS = 30 * 86_400_000;

const Pin = z.object({
  agentId: z.string(),
  delegationId: z.string(),
  agentVersion: z.int(),
  tools: z.array(z.object({ name: z.string(), definition: z.string() })),
});

/** One run of a workflow: its record and those of its steps hold its state; jobs drive it. */
export const Execution = entity("orchestration.executions", {
  title: "execution",
  fields: {
    problemSetId: TextId,
    compartments: Compartments.describe("Of everything that it has read so far."),
    /** The compartments that it began with. */
    origin: Compartments,
    by: PersonId.describe("Whom its agents act for."),
    name: z.string(),
    supervisorId: TextId.optional(),
    /** JSON as text: its keys are people's own words, which field names of a record may not be. */
    definition: z.string(),
    input: z.string(),
    pins: z.array(Pin),
    runs: z.array(z.object({ agentId: z.string(), executionId: z.string() })),
    limits: Limits,
    status: z.enum(EXECUTION_STATES),
    waitingFor: z
      .array(z.enum(["approval", "checkpoint", "moment", "settlement"]))
      .optional()
      .describe("`settlement`: a person says what became of an act that was cut off."),
    code: z.string().optional().describe("Of what stopped it, or failed."),
    reason: z.string().optional(),
    output: z.string().optional(),
    startedAt: Instant.optional(),
    endedAt: Instant.optional(),
    expiresAt: Instant.describe("In all, waiting included."),
    ranMs: z.int().describe("Waiting for persons and moments not counted, up to the last wait."),
    tokens: z.int(),
    cost: Figure,
    runningSince: Instant.optional(),
    /** When it is due to continue. */
    dueAt: Instant.optional(),
    /** Which of the person's slots for unfinished runs it takes. */
    seat: z.string().optional(),
    /** It has ended, and work that it began must still be ended. */
    isClosing: z.boolean().optional(),
  },
  readonly: ["status"],
  immutable: ["problemSetId"],
  hidden: ["origin", "definition", "input", "output", "pins", "runs", "runningSince", "dueAt", "seat", "isClosing"],
  filter: ["problemSetId", "status"],
  sort: [],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["dueAt"], sparse: true },
    { fields: ["by", "status"] },
    { fields: ["seat"], unique: true, sparse: true },
    { fields: ["endedAt"], sparse: true },
  ],
});
export type Execution = Item<typeof Execution>;

const read = <T>(text: string): T => JSON.parse(text) as T;
export const definitionOf = ({ definition }: Pick<Execution, "definition">): Workflow => read(definition);
export const inputOf = ({ input }: Pick<Execution, "input">): Record<string, unknown> => read(input);

export const STEP_STATES = [
  "pending",
  "running",
  "waiting",
  "retrying",
  "unknown",
  "completed",
  "failed",
  "skipped",
  "cancelled",
] as const;
export const STEP_OVER: readonly string[] = ["completed", "failed", "skipped", "cancelled"];

const Attempt = z.object({
  n: z.int(),
  at: Instant,
  ms: z.int(),
  code: z.string().optional(),
  why: z.string().optional(),
});

/** One step of a run; each item of a map has steps of its own. */
export const WorkflowStep = entity("orchestration.steps", {
  title: "step",
  fields: {
    executionId: TextId,
    problemSetId: TextId,
    compartments: Compartments,
    by: PersonId,
    path: z.string().describe('Its id in the workflow; within a map "<map>[<item>]/<id>".'),
    kind: z.enum(STEP_KINDS),
    status: z.enum(STEP_STATES),
    outcome: z.enum(STEP_OUTCOMES).optional().describe("The label of the edges that it leads on by."),
    /** As JSON. */
    text: z.string().optional(),
    isElsewhere: z.boolean().optional(),
    code: z.string().optional().describe("Of what failed."),
    why: z.string().optional().describe("The reason for its state."),
    agentId: TextId.optional(),
    tool: z.string().optional(),
    class: z.enum(ACTION_CLASSES).optional(),
    effect: z.enum(EFFECTS).optional(),
    verdict: z.string().optional(),
    argumentsHash: z.string().optional(),
    approvedBy: PersonId.optional(),
    choice: z.record(z.string(), z.unknown()).optional().describe("How a supervisor chose the agent."),
    /** The agent's own run, and its act in it. */
    runId: z.string().optional(),
    actId: z.string().optional(),
    isTainted: z.boolean(),
    attempt: z.int(),
    /** When the attempt began; absent for the first. */
    attemptAt: Instant.optional(),
    attempts: z.array(Attempt).describe("Those that have ended, the last ten."),
    waitedMs: z.int().describe("For persons."),
    waitingSince: Instant.optional(),
    startedAt: Instant,
    endedAt: Instant.optional(),
    ms: z.int().optional().describe("From its beginning to its end, waiting for persons included."),
    tokens: z.int(),
    cost: Figure.optional(),
    dueAt: Instant.optional(),
  },
  readonly: ["status"],
  immutable: ["problemSetId"],
  hidden: ["text", "isElsewhere", "isTainted", "attemptAt", "dueAt", "waitingSince"],
  barrier,
  lists: [{ by: ["problemSetId"], sort: ["-createdAt"], filter: [] }],
  indexes: [
    { fields: ["executionId"] },
    { fields: ["by"] },
    { fields: ["actId"], sparse: true },
    { fields: ["runId"], sparse: true },
  ],
});
export type WorkflowStep = Item<typeof WorkflowStep>;
/** With its output. */
export type FullStep = WorkflowStep & { output?: unknown };
export const StepView = WorkflowStep.view
  .extend({ output: z.unknown().optional().describe("A long one cut.") })
  .meta({ id: "WorkflowStep" });

/** A step's output that is too long for its own record. */
export const Output = entity("orchestration.outputs", {
  fields: { problemSetId: TextId, compartments: Compartments, text: z.string() },
  immutable: ["problemSetId"],
  barrier,
});
