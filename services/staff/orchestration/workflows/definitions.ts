import { z } from "zod";
import { AUTHORITIES } from "../../../../config/safety.ts";
import { TextId } from "../../../../core/records/entity.ts";

export const MOST_STEPS = 200;
export const MOST_RUN_STEPS = 1_000;
export const MOST_ITEMS = 500;
export const MOST_AT_ONCE = 10;
const MOST_NESTING = 3;
export const MOST_BYTES = 262_144;
export const LONGEST_CONDITION = 500;
const DAY_MS = 86_400_000;

/** The result of a step, as the edges after it are labelled. */
export const STEP_OUTCOMES = ["done", "then", "else", "error"] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

const StepId = z
  .string()
  .regex(
    /^[a-z][a-zA-Z0-9_-]{0,39}$/,
    "Begins with a small letter; letters, digits, hyphens and underscores; 40 at most.",
  );
const Value = z.unknown();
const Edge = z.union([
  StepId,
  z.strictObject({
    step: StepId,
    on: z.enum(STEP_OUTCOMES).default("done").describe("Which outcome of it leads here."),
  }),
]);

const common = {
  id: StepId,
  after: z
    .array(Edge)
    .max(50)
    .default([])
    .describe(
      'The steps that lead here: an id, or `{step, on}`, where `on` is "then" or "else" of a condition, or "error".',
    ),
  join: z
    .enum(["all", "first"])
    .default("all")
    .describe("`all` waits until every edge is known; `first` starts with the first edge taken, and cancels the rest."),
  onError: z
    .enum(["fail", "branch", "default"])
    .default("fail")
    .describe("A failure fails the run, follows the `error` edges, or uses `default` as the output."),
  default: Value.optional(),
};
const attempts = {
  timeoutMs: z.int().min(100).max(600_000).optional().describe("For each attempt; 60 seconds without it."),
  retry: z
    .strictObject({
      attempts: z.int().min(1).max(10).default(3),
      firstMs: z
        .int()
        .min(10)
        .max(60_000)
        .default(1_000)
        .describe("Before the second; twice as long before each next."),
    })
    .default({ attempts: 3, firstMs: 1_000 }),
};
const agent = TextId.describe("The agent that does it, by your delegation.");
const Arguments = z.record(z.string().max(100), Value).default({});

const Tool = z
  .strictObject({
    ...common,
    ...attempts,
    kind: z.literal("tool"),
    agent,
    tool: z.string().min(1).max(100),
    arguments: Arguments.describe('Values, or references to whole values: `{"$ref": "/steps/read/output/title"}`.'),
  })
  .describe("An act of an agent through its gate. Its output is what the tool answers.");
const Agent = z
  .strictObject({
    ...common,
    kind: z.literal("agent"),
    agent,
    task: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .describe("The task in your words; results of other steps go into `input`."),
    input: Arguments,
    timeoutMs: z.int().min(1_000).max(600_000).default(600_000).describe("While no person is waited for."),
  })
  .describe(
    "A task that an agent carries out by its tools. Its output is `{text, method, citations, agentId}`, and " +
      "`unsupported` where a model wrote figures that it read nowhere.",
  );
/** One round of a supervisor, which chooses its agent. */
const Round = Agent.omit({ agent: true, kind: true }).extend({ kind: z.literal("round"), round: z.int() });
const Condition = z
  .strictObject({
    ...common,
    kind: z.literal("condition"),
    if: z
      .string()
      .min(1)
      .max(LONGEST_CONDITION)
      .describe(
        "In the Common Expression Language, over `input`, `steps.<id>.output`, `item`, `index`: " +
          "`size(steps.look.output.data) > 1`.",
      ),
  })
  .describe("One of two ways: edges behind it name `then` or `else`. Its output is `{result}`.");
const Checkpoint = z
  .strictObject({
    ...common,
    kind: z.literal("checkpoint"),
    question: z.string().trim().min(1).max(2_000),
    arguments: Arguments.describe("Exactly what is decided about; with edits, it becomes the step's output."),
    approver: z
      .enum(AUTHORITIES)
      .default("planner")
      .describe("The authority in the problem set that it takes, at least."),
    expiresInMs: z
      .int()
      .min(1_000)
      .max(30 * DAY_MS)
      .default(DAY_MS),
  })
  .describe("A person decides before it goes on. Its output is its arguments, as they were approved.");
const Wait = z
  .strictObject({
    ...common,
    kind: z.literal("wait"),
    ms: z
      .int()
      .min(0)
      .max(30 * DAY_MS),
  })
  .describe("A pause. Its output is `{at}`.");
const End = z
  .strictObject({
    ...common,
    kind: z.literal("end"),
    status: z.enum(["completed", "failed"]).default("completed"),
    reason: z.string().max(500).optional(),
    output: Value.optional(),
  })
  .describe("Ends the run, or the item of a map that it stands in. Its output is the run's.");

interface MapStep extends Omit<z.output<typeof Wait>, "kind" | "ms"> {
  kind: "map";
  over: unknown;
  steps: StepDefinition[];
  output?: unknown;
  atOnce: number;
}
export type ToolStep = z.output<typeof Tool>;
export type AgentStep = z.output<typeof Agent>;
export type RoundStep = z.output<typeof Round>;
export type ConditionStep = z.output<typeof Condition>;
export type CheckpointStep = z.output<typeof Checkpoint>;
export type StepDefinition =
  | ToolStep
  | AgentStep
  | RoundStep
  | ConditionStep
  | CheckpointStep
  | z.output<typeof Wait>
  | z.output<typeof End>
  | MapStep;
export type { MapStep };
export const STEP_KINDS = ["agent", "tool", "condition", "map", "checkpoint", "wait", "end", "round"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

const plain = [Tool, Agent, Condition, Checkpoint, Wait, End] as const;
/** A map contains steps, nested to this depth. */
function stepsAt(level: number): z.ZodType {
  if (level === MOST_NESTING) return z.discriminatedUnion("kind", [...plain]);
  const Map = z
    .strictObject({
      ...common,
      kind: z.literal("map"),
      over: Value.describe("A list, or a reference to one: the steps below are run for each item."),
      steps: z
        .array(stepsAt(level + 1))
        .min(1)
        .max(MOST_STEPS),
      output: Value.optional().describe("The result of each item; without it, the output of its last step."),
      atOnce: z.int().min(1).max(MOST_AT_ONCE).default(MOST_AT_ONCE),
    })
    .describe("The same steps for each item of a list. Its output is the list of what the items come to.");
  return z.discriminatedUnion("kind", [...plain, Map]);
}

export const Limits = z.strictObject({
  calls: z.int().min(1).max(1_000).default(50).describe("Calls of tools, of all agents together."),
  tokens: z.int().min(1).max(200_000).default(200_000).describe("Of the models of all agents together."),
  cost: z.number().positive().max(1_000_000).optional().describe("By the installation's prices."),
  runMs: z.int().min(1_000).max(DAY_MS).default(900_000).describe("While it does not wait for a person or a moment."),
});

const shape = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).optional(),
  output: Value.optional().describe("The run's result; without it, the outputs of its last steps."),
  limits: Limits.default(Limits.parse({})),
};
export const Definition = z.strictObject({
  ...shape,
  steps: z
    .array(stepsAt(0))
    .min(1)
    .max(MOST_STEPS)
    .describe("Of the kinds agent, tool, condition, map, checkpoint, wait and end."),
});
export interface Workflow {
  name: string;
  description?: string | undefined;
  output?: unknown;
  limits: z.output<typeof Limits>;
  steps: StepDefinition[];
}

/** An edge into a step. */
export interface In {
  from: string;
  on: StepOutcome;
}
export const edgesOf = ({ after }: Pick<StepDefinition, "after">): In[] =>
  after.map((edge) => (typeof edge === "string" ? { from: edge, on: "done" } : { from: edge.step, on: edge.on }));
