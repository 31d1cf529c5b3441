import { z } from "zod";
import type { Configured } from "../../../config/configurations.ts";
import { SET_ROLE_NAMES, setPermitsOf, type SetRole } from "../../../config/set-roles.ts";
import { holds } from "../../../core/access/access.ts";
import { iso } from "../../../core/clock.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { PersonId } from "../../../core/access/person-reference.ts";
import { HigherSetId } from "../../../core/access/set-reference.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";

export const GATE_STATES = ["open", "submitted", "approved", "rejected", "overridden", "escalated", "expired"] as const;
export type GateState = (typeof GATE_STATES)[number];

const ENFORCEMENTS = ["hard", "soft"] as const;

/** What may be done with a gate: from which states, and what the role must allow. */
export const GATE_ACTS = {
  submit: { from: ["open", "rejected"], may: "gates:submit" },
  approve: { from: ["submitted"], may: "gates:decide" },
  reject: { from: ["submitted"], may: "gates:decide" },
  override: { from: ["open", "submitted", "rejected", "expired"], may: "gates:override" },
  escalate: { from: ["open", "submitted"], may: "gates:escalate" },
  // A submission is taken back by whoever made it too, an escalation by whoever passed it up alone: `may`.
  reopen: { from: ["submitted", "approved", "overridden", "escalated"], may: "gates:submit" },
  // An expired gate opens again with another deadline: what it guards would otherwise be stopped for good.
  configure: { from: ["open", "submitted", "rejected", "expired"], may: "gates:configure" },
} as const satisfies Record<string, { from: readonly GateState[]; may: string }>;
export type GateAct = keyof typeof GATE_ACTS;

const mayDecide = (role: SetRole): boolean => holds(setPermitsOf(role), GATE_ACTS.approve.may);
/** Decisions that a gate keeps: the latest. */
const MOST_DECISIONS = 500;

/**
 * What a gate guards: a transition of a mission's decision process out of a phase, or another act of another domain.
 */
export const Guarded = z.strictObject({
  kind: z.enum(["mdmp-transition", "design-handoff"]),
  subject: TextId.describe("Id of what is guarded: the mission, or the design, whose id is its problem set's."),
  step: z
    .string()
    .max(100)
    .optional()
    .describe("The guarded step: the phase that is left, such as `receipt-of-mission`. Absent: every step."),
});

const Decision = z.object({
  act: z.string(),
  at: Instant,
  by: PersonId,
  role: z.string().optional(),
  note: z.string().optional(),
  from: z.enum(GATE_STATES),
  to: z.enum(GATE_STATES),
});

export const Gate = entity("gates", {
  title: "gate",
  fields: {
    problemSetId: TextId.describe("The problem set that the gate lies in."),
    compartments: Compartments,
    tab: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,59}$/, "Lower-case words with hyphens.")
      .describe("The workspace tab that it appears on."),
    name: z.string().trim().min(1).max(200),
    description: z.string().max(10_000).optional(),
    enforcement: z
      .enum(ENFORCEMENTS)
      .default("hard")
      .describe("`hard` blocks what it guards; `soft` warns and can be overridden."),
    deadline: Instant.optional().describe("By when it must be decided."),
    onDeadline: z
      .enum(["expire", "escalate"])
      .default("expire")
      .describe("What happens automatically at the deadline; without a parent to escalate to, it expires."),
    approvers: z
      .array(z.enum(SET_ROLE_NAMES))
      .min(1)
      .refine(
        (roles) => roles.some(mayDecide),
        `At least one of them must be able to decide: ${SET_ROLE_NAMES.filter(mayDecide).join(", ")}.`,
      )
      .optional()
      .describe("Restricts approval and rejection to these of the allowed roles; all allowed roles when absent."),
    guards: Guarded.optional(),
    status: z.enum(GATE_STATES),
    submittedBy: PersonId.optional(),
    submittedAt: Instant.optional(),
    decidedBy: PersonId.optional(),
    decidedAt: Instant.optional(),
    softenedBy: PersonId.optional().describe("Who changed it from hard to soft; somebody else must override it."),
    reason: z.string().optional().describe("Why it was rejected, overridden or escalated."),
    escalatedTo: z
      .strictObject({
        problemSetId: HigherSetId.optional().describe("Absent where you are no member of it."),
        gateId: TextId,
      })
      .optional()
      .describe("The gate above that the decision was passed up to."),
    escalatedFrom: z.strictObject({ problemSetId: TextId, gateId: TextId }).optional(),
    decisions: z.array(Decision).describe(`Decisions about it, in order; only the latest ${MOST_DECISIONS}.`),
  },
  readonly: [
    "status",
    "submittedBy",
    "submittedAt",
    "decidedBy",
    "decidedAt",
    "softenedBy",
    "reason",
    "escalatedTo",
    "escalatedFrom",
    "decisions",
  ],
  immutable: ["problemSetId", "compartments", "tab", "guards"],
  filter: ["status", "enforcement"],
  sort: ["deadline", "name"],
  barrier,
  lists: [{ by: ["problemSetId"] }, { by: ["problemSetId", "tab"] }, { by: ["problemSetId"], having: "escalatedFrom" }],
  indexes: [
    { fields: ["status", "deadline"] },
    { fields: ["guards.subject"], sparse: true },
    { fields: ["createdBy"] },
    { fields: ["submittedBy"], sparse: true },
    { fields: ["decidedBy"], sparse: true },
  ],
});
export type Gate = Item<typeof Gate>;

/** Path segments below `/gates/:id` that are endpoints. A tab of such a name would hide its own list of gates. */
const NOT_TABS = [
  ...["approve", "config", "escalate", "escalated", "hierarchy"],
  ...["override", "reject", "reopen", "submit"],
];

/** The body of a new gate. */
export const newGate = {
  ...Gate.create,
  tab: Gate.create.tab
    .refine((tab) => !NOT_TABS.includes(tab), `A tab is called otherwise than ${NOT_TABS.join(", ")}.`)
    .describe(`The workspace tab that it appears on; not ${NOT_TABS.join(", ")}, which are paths of other endpoints.`),
  enforcement: Gate.record.shape.enforcement
    .unwrap()
    .optional()
    .describe("`hard` blocks what it guards; `soft` warns and can be overridden. Absent: the platform's default."),
  onDeadline: Gate.record.shape.onDeadline
    .unwrap()
    .optional()
    .describe("What happens automatically at the deadline. Absent: the platform's default."),
};

const HOUR_MS = 3_600_000;

/** What a new gate takes from the platform's configuration where its body leaves it out. */
export const leftOpen = (
  { gateEnforcement, gateOnDeadline, gateDeadlineHours }: Configured<"workflow">,
  now: number,
): Pick<Gate, "enforcement" | "onDeadline" | "deadline"> => ({
  enforcement: gateEnforcement,
  onDeadline: gateOnDeadline,
  ...(gateDeadlineHours !== undefined && { deadline: iso(now + gateDeadlineHours * HOUR_MS) }),
});

/** What a gate above says last where whoever had passed it up took it back. */
export const WITHDRAWN = "withdrawn-below";
const isWithdrawn = ({ decisions }: Pick<Gate, "decisions">): boolean => decisions.at(-1)?.act === WITHDRAWN;

/** How a gate that waits above got there: by whom, and from which state. */
export const passingUp = ({ decisions }: Pick<Gate, "decisions">) =>
  decisions.findLast(({ act }) => act === "escalate");

/** Whether somebody may do something with a gate, and why (not). */
export interface GatePermission {
  allowed: boolean;
  why: string;
}

/**
 * The answer for a role, and for a person where one is named: the submitter does not decide about their own submission.
 */
export function may(act: GateAct, gate: Gate, role: SetRole, userId?: string): GatePermission {
  const { from, may: permit } = GATE_ACTS[act];
  if (!holds(setPermitsOf(role), permit)) return { allowed: false, why: `The role ${role} does not allow ${permit}.` };
  if (!(from as readonly GateState[]).includes(gate.status))
    return { allowed: false, why: `The gate is ${gate.status}; this is possible from: ${from.join(", ")}.` };
  if (isWithdrawn(gate)) return { allowed: false, why: "It was taken back below: nobody decides about it any longer." };
  if (act === "reopen" && gate.status === "escalated") {
    if (userId !== undefined && userId === passingUp(gate)?.by) return { allowed: true, why: "You passed it up." };
    return { allowed: false, why: "Whoever passed it up takes it back, until it is decided above." };
  }
  if (act === "reopen") {
    const isOwn = gate.status === "submitted" && userId !== undefined && userId === gate.submittedBy;
    if (!isOwn && !mayDecide(role))
      return { allowed: false, why: "Whoever submitted it takes a submission back; the rest, a role that decides." };
  }
  if (act === "override" && gate.enforcement === "hard")
    return { allowed: false, why: "A hard gate cannot be overridden; only a gate that warns can." };
  const decides = act === "approve" || act === "reject" || (act === "reopen" && gate.status !== "submitted");
  if (decides && gate.approvers && !gate.approvers.includes(role))
    return { allowed: false, why: `Only ${gate.approvers.join(", ")} decide about this gate.` };
  if ((act === "approve" || act === "override") && userId !== undefined && userId === gate.submittedBy)
    return { allowed: false, why: "Whoever submitted the gate cannot let it pass themself." };
  if (act === "override" && userId !== undefined && userId === gate.softenedBy)
    return { allowed: false, why: "Whoever made a hard gate soft does not override it themself." };
  return {
    allowed: true,
    why:
      act === "approve" && userId === undefined
        ? "The role may, unless it is the submitter's."
        : `The role ${role} may.`,
  };
}

/** The changes that a decision makes to the record: state, who decided and when, and an entry in its history. */
export function decided(
  gate: Gate,
  act: string,
  to: GateState,
  by: { userId: string; role?: string | undefined },
  at: string,
  note?: string,
) {
  const line = {
    act,
    at,
    by: by.userId,
    ...(by.role && { role: by.role }),
    ...(note && { note }),
    from: gate.status,
    to,
  };
  return {
    status: to,
    decisions: [...gate.decisions, line].slice(-MOST_DECISIONS),
    // Put up again it is undecided: who turned it down, and why, is in its history.
    ...(act === "submit"
      ? { submittedBy: by.userId, submittedAt: at, decidedBy: null, decidedAt: null, reason: null }
      : { decidedBy: by.userId, decidedAt: at, ...(note && { reason: note }) }),
  };
}

/** A gate that stops what it guards until it was approved. */
export const stops = ({ enforcement, status }: Pick<Gate, "enforcement" | "status">): boolean =>
  enforcement === "hard" && status !== "approved";
