import { z } from "zod";
import { SET_ROLE_NAMES } from "../../../../config/set-roles.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { invalid } from "../../../../core/problem.ts";
import { personDid } from "../../../../core/access/person-reference.ts";
import { barrier } from "../../../../core/access/place.ts";
import type { Activity } from "../activity/activity.ts";

/** What a rule can watch, and the kinds of activity that say which state it is in (null: it is over). */
const STATES: Readonly<
  Record<
    string,
    { about: About; state: string | null | ((told: Record<string, unknown>) => string | null | undefined) }
  >
> = {
  "gate.created": { about: "gate", state: "open" },
  "gate.configured": {
    about: "gate",
    state: ({ reopened, status }) => (reopened ? ((status as string | undefined) ?? "open") : undefined),
  },
  "gate.submitted": { about: "gate", state: "submitted" },
  "gate.decided": { about: "gate", state: null },
  "gate.escalated": { about: "gate", state: "escalated" },
  "rfi.asked": { about: "rfi", state: "open" },
  "rfi.moved": { about: "rfi", state: ({ status }) => (status === "open" ? "open" : null) },
  "mission.created": { about: "mission", state: "draft" },
  "mission.moved": { about: "mission", state: ({ status }) => (status === "draft" ? "draft" : null) },
  "proposal.submitted": { about: "proposal", state: "submitted" },
  "proposal.opened": { about: "proposal", state: "open" },
  "proposal.closed": { about: "proposal", state: ({ outcome }) => (outcome === "succeeded" ? "closed" : null) },
  "proposal.executed": { about: "proposal", state: null },
  "proposal.cancelled": { about: "proposal", state: null },
  "proposal.expired": { about: "proposal", state: null },
};
export const ABOUT = ["gate", "rfi", "mission", "proposal"] as const;
export type About = (typeof ABOUT)[number];
export const WATCHED = {
  gate: ["open", "submitted", "escalated"],
  rfi: ["open"],
  mission: ["draft"],
  proposal: ["submitted", "open", "closed"],
} as const satisfies Record<About, readonly string[]>;

/**
 * The state that an activity item brings its subject into; undefined where no rule watches for it, null where what was
 * waited for has come.
 */
export function stateAfter(
  { kind }: Pick<Activity, "kind">,
  told: Record<string, unknown>,
): { about: About; state: string | null } | undefined {
  const known = STATES[kind];
  const state = typeof known?.state === "function" ? known.state(told) : known?.state;
  return known && state !== undefined ? { about: known.about, state } : undefined;
}

export const EscalationTarget = z
  .union([
    z.strictObject({ role: z.enum(SET_ROLE_NAMES).describe("Members of this role.") }),
    z.strictObject({
      did: personDid(z.string().min(1).max(500)).describe("One member; once they have left, the commanders."),
    }),
  ])
  .describe("Who is told.");
export type EscalationTarget = z.output<typeof EscalationTarget>;

/** "A gate that is submitted for more than two hours is told to the commander." */
export const Rule = entity("problem-sets.escalation-rules", {
  title: "escalation rule",
  fields: {
    problemSetId: TextId,
    name: z.string().trim().min(1).max(200),
    condition: z.strictObject({
      about: z.enum(ABOUT),
      state: z
        .string()
        .max(40)
        .describe(
          "The state that lasts: gates `open`, `submitted`, `escalated`; requests `open`; missions `draft`; " +
            "proposals `submitted`, `open`, `closed` (passed, and not carried out yet).",
        ),
    }),
    delayMinutes: z.int().min(0).max(525_600).describe("How long it may last."),
    target: EscalationTarget,
  },
  immutable: ["problemSetId"],
  barrier: { set: "problemSetId" },
  most: {
    count: 100,
    per: ["problemSetId"],
    refusal: (count) => invalid([{ path: "name", message: `There are ${count} rules; remove one.` }]),
  },
  lists: [{ by: ["problemSetId"], sort: ["-createdAt"] }],
  indexes: [{ fields: ["problemSetId", "condition.about", "condition.state"] }],
});
export type Rule = Item<typeof Rule>;

/** The state that a watched subject is in, and since when. */
export const Watch = entity("problem-sets.watches", {
  title: "watched state",
  fields: {
    problemSetId: TextId,
    compartments: z.array(TextId),
    about: z.enum(ABOUT),
    subjectId: TextId,
    state: z.string(),
    since: Instant,
    summary: z.string(),
    over: z.boolean(),
  },
  immutable: ["problemSetId"],
  barrier,
  indexes: [{ fields: ["problemSetId", "about", "state", "over"] }],
});
export type Watch = Item<typeof Watch>;

/** When a rule looks at a watched subject: at `dueAt` it fires, unless the state has passed. */
export const Appointment = entity("problem-sets.escalation-appointments", {
  title: "appointment",
  fields: { problemSetId: TextId, ruleId: TextId, watchId: TextId, since: Instant, dueAt: Instant.optional() },
  indexes: [{ fields: ["dueAt"], sparse: true }, { fields: ["ruleId"] }],
});
export type Appointment = Item<typeof Appointment>;

/** What was escalated, to whom and why; kept for good, once for each rule and time that a state lasted. */
export const Escalation = entity("problem-sets.escalations", {
  title: "escalation",
  fields: {
    problemSetId: TextId,
    compartments: z.array(TextId),
    ruleId: TextId.optional(),
    subject: z.strictObject({ type: z.string().max(40), id: TextId }).optional(),
    reason: z.string(),
    target: EscalationTarget,
    firedAt: Instant,
    told: z.int().describe("How many members were notified: those of the target who may see it."),
  },
  immutable: ["problemSetId"],
  barrier,
  lists: [{ by: ["problemSetId"], sort: ["-createdAt"] }],
});
export type Escalation = Item<typeof Escalation>;

export const dueAt = (rule: Pick<Rule, "delayMinutes">, since: string): string =>
  new Date(Date.parse(since) + rule.delayMinutes * 60_000).toISOString();
