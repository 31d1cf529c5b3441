import type { Data, ListRow } from "../../../api/client.ts";

export type Gate = ListRow<"GET /gates/{problemSetId}">;
export type GateStatus = Gate["status"];
export type SetRoleName = NonNullable<Gate["approvers"]>[number];

export const GATE_STATUSES = [
  ["submitted", "Waits for a decision"],
  ["open", "Not submitted yet"],
  ["rejected", "Rejected"],
  ["escalated", "Passed up"],
  ["approved", "Approved"],
  ["overridden", "Overridden"],
  ["expired", "Expired"],
] as const satisfies readonly (readonly [GateStatus, string])[];

/** How a gate stands, and what has to happen next. */
export const STANDING: Readonly<Record<GateStatus, string>> = {
  open: "Nobody has put it up for a decision yet.",
  submitted: "It waits for a decision.",
  rejected: "It was rejected. Once the reason is met, it can be submitted again.",
  escalated: "The decision was passed up to the problem set above; what is decided there holds here.",
  approved: "It is approved: what it guards may go on.",
  overridden: "It was passed without approval, with a justification.",
  expired: "Its deadline passed without a decision. With another deadline it opens again.",
};

/** What was done, as a verb in the past. */
const DONE: Readonly<Record<string, string>> = {
  submit: "submitted it",
  approve: "approved it",
  reject: "rejected it",
  override: "let it pass without approval",
  escalate: "passed it up",
  reopen: "took it back",
  withdraw: "took it back from above",
  vote: "let it pass: a vote was won",
  deadline: "closed it: the deadline passed",
  "parent-decision": "decided about it, in the set above",
  "decision-below": "decided about it, in the set below",
  "withdrawn-below": "took it back, in the set below",
};
export const didWords = (act: string): string => DONE[act] ?? act.replaceAll("-", " ");

/** Who did something: a person by name, or the platform. */
export const whoDid = (by: string, name: string | undefined): string =>
  name ?? (by.startsWith("system:") ? "The platform" : by.startsWith("dao:") ? "A vote" : by);

/** "a or b", "a, b or c". */
export const either = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? "nobody");

/** Roles that may decide about a gate. */
export const decidingRoles = (
  { approvers }: Pick<Gate, "approvers">,
  roles: Data<"GET /problem-sets/{id}/roles">,
): SetRoleName[] =>
  roles
    .filter(
      ({ role, permits }) =>
        ["*", "gates:decide"].some((one) => permits.includes(one)) && (!approvers || approvers.includes(role)),
    )
    .map(({ role }) => role);

/** The API's reason, without the names of permits. */
export const whyNot = (why: string): string =>
  why.replace(/^The role (\S+) does not allow \S+?\.$/, "Your role here, $1, does not allow it.");
