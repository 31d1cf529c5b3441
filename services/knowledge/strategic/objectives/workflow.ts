import { setPermitsOf, type SetRole } from "../../../../config/set-roles.ts";
import { holds } from "../../../../core/access/access.ts";
import { MOST_LINES, type Objective, type ObjectiveState } from "./objectives.ts";

/** Acts on an objective: from which states, with which permission of the role, and to which state. */
export const OBJECTIVE_ACTS = {
  edit: { from: ["draft", "rejected"], may: "objectives:edit", to: undefined },
  remove: { from: ["draft", "rejected"], may: "objectives:edit", to: undefined },
  submit: { from: ["draft", "rejected"], may: "objectives:submit", to: "submitted" },
  take: { from: ["submitted", "in_review"], may: "objectives:decide", to: "in_review" },
  approve: { from: ["submitted", "in_review"], may: "objectives:decide", to: "approved" },
  reject: { from: ["submitted", "in_review"], may: "objectives:decide", to: "rejected" },
  escalate: { from: ["submitted", "in_review"], may: "objectives:escalate", to: "in_review" },
} as const satisfies Record<string, { from: readonly ObjectiveState[]; may: string; to: ObjectiveState | undefined }>;
export type ObjectiveAct = keyof typeof OBJECTIVE_ACTS;
export const ACT_NAMES = Object.keys(OBJECTIVE_ACTS) as [ObjectiveAct, ...ObjectiveAct[]];

/** Transitions made by the mesh itself: a decision from above, and being superseded. */
export const OWN_MOVES = {
  "parent-decision": { from: ["in_review"], to: ["approved", "rejected"] },
  supersede: { from: ["approved"], to: ["superseded"] },
} as const satisfies Record<string, { from: readonly ObjectiveState[]; to: readonly ObjectiveState[] }>;

export type WorkflowFields = Pick<Objective, "status" | "submittedBy" | "reviewer" | "escalatedTo" | "escalatedFrom">;

/** Whether the decision was escalated, and is still open. */
export const waitsAbove = ({ status, escalatedTo }: WorkflowFields): boolean => status === "in_review" && !!escalatedTo;

/** Acts that need a person, not a key or an agent. */
export const isVerdict = (act: ObjectiveAct): boolean => act === "take" || act === "approve" || act === "reject";

export type ActRefusal = { because: "state" | "role" | "person"; why: string };

/** Who would act: their role, and the person where one is known. */
export interface Who {
  role: SetRole;
  userId?: string;
  isPerson?: boolean;
}

const CHANGES_IT: readonly ObjectiveAct[] = ["edit", "remove", "submit"];

/** Why somebody may not act on an objective; undefined where they may. */
export function refusal(
  act: ObjectiveAct,
  objective: WorkflowFields,
  { role, userId, isPerson = true }: Who,
): ActRefusal | undefined {
  const { from, may } = OBJECTIVE_ACTS[act];
  if (!(from as readonly ObjectiveState[]).includes(objective.status))
    return { because: "state", why: `It is ${objective.status}; this is possible from: ${from.join(", ")}.` };
  if (waitsAbove(objective))
    return { because: "state", why: "The verdict was passed up to the parent: it waits there." };
  if (objective.escalatedFrom && CHANGES_IT.includes(act))
    return { because: "state", why: "It was passed up by a child, and is changed there." };
  if (!holds(setPermitsOf(role), may)) return { because: "role", why: `The role ${role} does not allow ${may}.` };
  if (!isVerdict(act)) return undefined;
  if (!isPerson) return { because: "person", why: "A verdict is for a person, not for a key." };
  if (userId !== undefined && userId === objective.submittedBy)
    return { because: "person", why: "Whoever put an objective up for review does not review it." };
  if (act !== "take" && objective.status === "in_review" && userId !== undefined && objective.reviewer !== userId)
    return { because: "state", why: "Somebody else took it for review: take it over first." };
  return undefined;
}

/** For every act, whether somebody may do it, and why not. */
export function possibilities(
  objective: WorkflowFields,
  who: Who,
): Record<ObjectiveAct, { allowed: boolean; why: string }> {
  const answers = ACT_NAMES.map((act) => {
    const refused = refusal(act, objective, who);
    return [act, { allowed: !refused, why: refused?.why ?? `The role ${who.role} may.` }] as const;
  });
  return Object.fromEntries(answers) as Record<ObjectiveAct, { allowed: boolean; why: string }>;
}

/** A history with one more line. */
export function withLine(
  { history, status }: Pick<Objective, "history" | "status">,
  act: string,
  to: ObjectiveState,
  { userId, role }: { userId: string; role?: string | undefined },
  at: string,
  note?: string,
): Objective["history"] {
  const line = { act, at, by: userId, ...(role && { role }), ...(note && { note }), from: status, to };
  return [...history, line].slice(-MOST_LINES);
}

/** The changes of a transition. Null clears fields of an earlier round. */
export function movedObjective(
  objective: Pick<Objective, "history" | "status">,
  act: string,
  to: ObjectiveState,
  by: { userId: string; role?: string | undefined },
  at: string,
  note?: string,
): Record<string, unknown> {
  const history = withLine(objective, act, to, by, at, note);
  const change = { status: to, history, ...(note !== undefined && { reason: note }) };
  if (act === "submit")
    return {
      ...change,
      submittedBy: by.userId,
      submittedAt: at,
      ...{ reviewer: null, decidedBy: null, decidedAt: null, escalatedTo: null, reason: null },
    };
  if (act === "take") return { ...change, reviewer: by.userId };
  if (act === "escalate") return { ...change, reviewer: null };
  return { ...change, decidedBy: by.userId, decidedAt: at };
}
