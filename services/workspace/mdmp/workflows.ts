import { z } from "zod";
import { PersonId } from "../../../core/access/person-reference.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { conflict } from "../../../core/problem.ts";
import { PLACE, missionFields } from "../missions/client.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";
import { PHASES, STAGES, TITLES, type Phase } from "./process/phases.ts";
import type { Guard } from "../gates/client.ts";

const Stay = z.object({
  phase: z.enum(STAGES),
  from: Instant,
  until: Instant.optional(),
  by: PersonId.describe("Who moved the workflow here."),
  note: z.string().optional(),
});
const Done = z.object({ activityId: z.string(), at: Instant, by: PersonId, note: z.string().optional() });

/** One workflow a mission: its id is the mission's. */
export const Workflow = entity("mdmp.workflows", {
  title: "workflow",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    phase: z.enum(STAGES).describe("Where the process stands; `complete` when the orders are out."),
    history: z
      .array(Stay)
      .describe("The stays in phases, the current one last and without an end; only the latest ones."),
    done: z.array(Done).describe("Activities that were done."),
    /**
     * Rises with every obstacle, wherever that is stored: a transition is written only under the count it was judged
     * by.
     */
    obstructions: z.int().optional(),
  },
  readonly: ["phase", "history", "done", "obstructions"],
  hidden: ["obstructions"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "phase"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["problemSetId", "phase"] }, { fields: ["createdBy"] }],
});
export type Workflow = Item<typeof Workflow>;

/** A condition at the end of a phase; it is met by a person. Decision gates of the problem set stand beside it. */
export const PhaseGate = entity("mdmp.gates", {
  title: "phase gate",
  fields: {
    ...missionFields,
    phase: z.enum(PHASES).describe("The phase that cannot be left forward before the gate is satisfied."),
    name: z.string().trim().min(1).max(200),
    criteria: z.string().max(4_000).optional().describe("What must be true."),
    required: z.boolean().default(true).describe("Whether it stops the transition, or is only shown."),
    satisfied: z.boolean(),
    satisfiedAt: Instant.optional(),
    satisfiedBy: PersonId.optional(),
    evidence: z.string().max(4_000).optional(),
  },
  readonly: ["satisfied", "satisfiedAt", "satisfiedBy", "evidence"],
  immutable: [...PLACE],
  barrier,
  most: { count: 200, per: ["missionId"], refusal: (count) => conflict(`A workflow has at most ${count} gates.`) },
  indexes: [{ fields: ["missionId", "phase"] }, { fields: ["satisfiedBy"], sparse: true }],
});
export type PhaseGate = Item<typeof PhaseGate>;

const ASSUMPTION_STATES = ["open", "accepted", "withdrawn"] as const;

/** Where in a design something came from that was handed over. */
const FromDesign = z.object({
  item: z.string().describe("Id of the point in the design."),
  handoff: z.int().describe("Number of the handoff it came with."),
});

export const Assumption = entity("mdmp.assumptions", {
  title: "assumption",
  fields: {
    ...missionFields,
    statement: z.string().trim().min(1).max(2_000),
    rationale: z.string().max(4_000).optional().describe("Why it is logical, necessary and realistic."),
    confirmBy: z.string().max(2_000).optional().describe("How and when it will be confirmed."),
    blocking: z.boolean().default(false).describe("Whether the process waits until it is accepted."),
    phase: z.enum(STAGES).describe("The phase in which it was made."),
    status: z
      .enum(ASSUMPTION_STATES)
      .describe("`withdrawn`: by a person, or the design that it came from was handed over again without it."),
    acceptedAt: Instant.optional(),
    acceptedBy: PersonId.optional(),
    withdrawnAt: Instant.optional(),
    withdrawnBy: PersonId.optional().describe("The person who withdrew it; absent where the design did."),
    reason: z.string().max(4_000).optional().describe("Why it was withdrawn, or its acceptance taken back."),
    fromDesign: FromDesign.optional().describe("Of one that was handed over with the design."),
  },
  readonly: ["phase", "status", "acceptedAt", "acceptedBy", "withdrawnAt", "withdrawnBy", "reason", "fromDesign"],
  immutable: [...PLACE],
  filter: ["status", "blocking"],
  barrier,
  lists: [{ by: ["problemSetId", "missionId"] }],
  indexes: [
    { fields: ["missionId", "status"] },
    { fields: ["createdBy"] },
    { fields: ["acceptedBy"], sparse: true },
    { fields: ["withdrawnBy"], sparse: true },
  ],
});
export type Assumption = Item<typeof Assumption>;

/** What planning must keep to; it comes with the design, and goes with it. */
export const Constraint = entity("mdmp.constraints", {
  title: "constraint",
  fields: {
    ...missionFields,
    statement: z.string().trim().min(1).max(2_000),
    kind: z.enum(["must", "must-not"]).describe("What must, or must not, be done."),
    fromDesign: FromDesign,
  },
  immutable: [...PLACE],
  filter: ["kind"],
  barrier,
  lists: [{ by: ["problemSetId", "missionId"] }],
  indexes: [{ fields: ["missionId"] }],
});
export type Constraint = Item<typeof Constraint>;

/** Something that stands in the way of leaving a phase forward, in words. */
export const Blocker = z.object({
  kind: z.enum(["phase-gate", "assumption", "decision-gate"]),
  id: z.string(),
  message: z.string(),
});
export type Blocker = z.output<typeof Blocker>;

/** Everything that stands in the way of leaving a phase forward; empty when nothing does. */
export function blockers(
  phase: Phase,
  gates: readonly PhaseGate[],
  assumptions: readonly Assumption[],
  guards: readonly Guard[],
): Blocker[] {
  return [
    ...gates
      .filter((gate) => gate.phase === phase && gate.required && !gate.satisfied)
      .map(({ id, name }) => ({
        kind: "phase-gate" as const,
        id,
        message: `The gate "${name}" of ${TITLES[phase]} is not satisfied.`,
      })),
    ...assumptions
      .filter(({ blocking, status }) => blocking && status === "open")
      .map(({ id, statement }) => ({
        kind: "assumption" as const,
        id,
        message: `The blocking assumption "${statement}" is not accepted.`,
      })),
    ...guards.map(({ id, name, status }) => ({
      kind: "decision-gate" as const,
      id,
      message: `The decision gate "${name}" is ${status}.`,
    })),
  ];
}
