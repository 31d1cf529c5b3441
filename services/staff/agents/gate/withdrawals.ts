/** Codes of the gate for a run that lost its person, its agent, its right or its delegation. */
export const WITHDRAWN: readonly string[] = [
  "PERSON_GONE",
  "NOT_A_MEMBER",
  "FROZEN",
  "AGENT_DEACTIVATED",
  "CIRCUIT_OPEN",
  "AGENT_CHANGED",
  "DELEGATION_ENDED",
];

/** Codes after which nothing else of a run would pass either: the run was stopped, it did not fail. */
export const STOPPING: ReadonlySet<string> = new Set([...WITHDRAWN, "BUDGET"]);
