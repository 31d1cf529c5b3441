/** Codes of the gate by which a run has lost what it acts by: whoever it acts for, the agent, the right, or the leave. */
export const WITHDRAWN: readonly string[] = [
  "PERSON_GONE",
  "NOT_A_MEMBER",
  "FROZEN",
  "AGENT_DEACTIVATED",
  "CIRCUIT_OPEN",
  "AGENT_CHANGED",
  "DELEGATION_ENDED",
];

/** Codes after which nothing else of a run would pass either: it was stopped, it did not fail. */
export const STOPPING: ReadonlySet<string> = new Set([...WITHDRAWN, "BUDGET"]);
