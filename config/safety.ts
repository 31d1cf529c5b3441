/**
 * Who may have what done, at how much autonomy: one piece of data. It answers the planner who asks, and it decides for
 * agents at run time. A machine's autonomy never adds to the authority of the person it acts for.
 */
export const AUTHORITIES = ["observer", "liaison", "analyst", "planner", "deputy", "commander"] as const;
export type Authority = (typeof AUTHORITIES)[number];

/**
 * How much is left to a machine: 0 a person does it; 1 it proposes; 2 it acts and a person watches; 3 it acts within
 * limits; 4 it acts alone.
 */
export const AUTONOMY = [0, 1, 2, 3, 4] as const;
export type Autonomy = (typeof AUTONOMY)[number];

export const SAFETY_VERDICTS = ["allow", "approve", "forbid"] as const;
export type SafetyVerdict = (typeof SAFETY_VERDICTS)[number];

interface Row {
  meaning: string;
  /** The least authority for whom it may be done at all. */
  least: Authority;
  /** Who approves, where approval is asked for. */
  approver: Authority;
  /** By autonomy 0..4, for somebody of at least `least`. */
  verdicts: readonly [SafetyVerdict, SafetyVerdict, SafetyVerdict, SafetyVerdict, SafetyVerdict];
}

/** Rows in rising order of what can go wrong. What cannot be undone is never left to a machine alone. */
export const SAFETY = {
  observe: {
    meaning: "Read what the person may read",
    least: "observer",
    approver: "planner",
    verdicts: ["allow", "allow", "allow", "allow", "allow"],
  },
  analyse: {
    meaning: "Compute, compare, summarise what was read",
    least: "observer",
    approver: "planner",
    verdicts: ["allow", "allow", "allow", "allow", "allow"],
  },
  draft: {
    meaning: "Write a draft that only its author sees as final",
    least: "liaison",
    approver: "planner",
    verdicts: ["allow", "allow", "allow", "allow", "approve"],
  },
  annotate: {
    meaning: "Comment on, mark or link shared records",
    least: "analyst",
    approver: "planner",
    verdicts: ["allow", "allow", "allow", "approve", "approve"],
  },
  "modify-shared": {
    meaning: "Change documents, objectives, graph or picture that others rely on",
    least: "analyst",
    approver: "planner",
    verdicts: ["allow", "approve", "approve", "approve", "forbid"],
  },
  "communicate-inside": {
    meaning: "Send messages to members",
    least: "liaison",
    approver: "planner",
    verdicts: ["allow", "allow", "approve", "approve", "approve"],
  },
  "communicate-outside": {
    meaning: "Send anything beyond the workspace",
    least: "liaison",
    approver: "deputy",
    verdicts: ["allow", "approve", "approve", "approve", "forbid"],
  },
  "task-collection": {
    meaning: "Task sensors and collectors",
    least: "planner",
    approver: "deputy",
    verdicts: ["allow", "approve", "approve", "approve", "forbid"],
  },
  "allocate-resources": {
    meaning: "Commit people, equipment, supplies",
    least: "planner",
    approver: "deputy",
    verdicts: ["allow", "approve", "approve", "forbid", "forbid"],
  },
  "task-units": {
    meaning: "Give units tasks",
    least: "planner",
    approver: "commander",
    verdicts: ["allow", "approve", "approve", "forbid", "forbid"],
  },
  spend: {
    meaning: "Pay, or promise to",
    least: "deputy",
    approver: "commander",
    verdicts: ["approve", "approve", "approve", "forbid", "forbid"],
  },
  "change-access": {
    meaning: "Change roles, compartments, credentials",
    least: "deputy",
    approver: "commander",
    verdicts: ["allow", "approve", "forbid", "forbid", "forbid"],
  },
  "change-governance": {
    meaning: "Change gates, votes, rules of escalation",
    least: "deputy",
    approver: "commander",
    verdicts: ["approve", "approve", "forbid", "forbid", "forbid"],
  },
  irreversible: {
    meaning: "Whatever cannot be undone, and any use of force",
    least: "commander",
    approver: "commander",
    verdicts: ["approve", "forbid", "forbid", "forbid", "forbid"],
  },
} as const satisfies Record<string, Row>;

export type ActionClass = keyof typeof SAFETY;
export const ACTION_CLASSES = Object.keys(SAFETY) as [ActionClass, ...ActionClass[]];

export interface SafetyDecision {
  verdict: SafetyVerdict;
  approver: Authority | null;
  why: string;
}

const rank = (authority: Authority): number => AUTHORITIES.indexOf(authority);

/** Whether a role in a problem set has at least an authority; who has none has not. */
export const hasAuthority = (role: string | undefined, least: Authority): boolean =>
  rank(role as Authority) >= rank(least);

/** What the matrix says of one act: allowed, to be approved (and by whom), or forbidden, and why. */
export function decide(action: ActionClass, authority: Authority, autonomy: Autonomy): SafetyDecision {
  const { least, approver, verdicts, meaning }: Row = SAFETY[action];
  if (rank(authority) < rank(least))
    return {
      verdict: "forbid",
      approver: null,
      why: `${meaning}: needs at least the authority of ${article(least)}; this is ${article(authority)}.`,
    };
  const verdict = verdicts[autonomy];
  if (verdict === "forbid") return { verdict, approver: null, why: `${meaning}: never at autonomy ${autonomy}.` };
  if (verdict === "approve")
    return {
      verdict,
      approver,
      why: `${meaning}: at autonomy ${autonomy}, ${article(approver)} or above approves first.`,
    };
  return {
    verdict,
    approver: null,
    why: `${meaning}: ${article(authority)} may have it done at autonomy ${autonomy}.`,
  };
}

const article = (authority: Authority): string => `${/^[aeiou]/.test(authority) ? "an" : "a"} ${authority}`;
