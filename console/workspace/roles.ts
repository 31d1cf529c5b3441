import type { ListRow } from "../api/client.ts";

export type SetRole = ListRow<"GET /problem-sets/{id}/roles">["role"];
export type SetMember = ListRow<"GET /problem-sets/{id}/members">;

/** What each role is for, the highest first; the API's table (settings of a set) says it permit by permit. */
export const ROLE_WORDS: Readonly<Record<SetRole, string>> = {
  commander: "Answers for it all: may do everything, and alone approves intent and archives the set.",
  deputy: "Stands in for the commander: manages members and compartments, decides gates.",
  planner: "Prepares: missions, positions, plans and gates.",
  analyst: "Finds out: adds to picture, graph and plans; submits gates.",
  liaison: "Speaks for another organisation: invites, reports, votes and asks.",
  observer: "Reads, and changes nothing.",
};
export const ROLES = Object.keys(ROLE_WORDS) as SetRole[];

/** Roles that somebody in this one may give: nobody gives one above their own. */
export const rolesUpTo = (own: SetRole): SetRole[] => ROLES.slice(ROLES.indexOf(own));
/** Whether somebody stands above another. */
export const outranks = (one: SetRole, other: SetRole): boolean => ROLES.indexOf(one) < ROLES.indexOf(other);

/** `gates:decide`, `gates:submit` as gates → decide, submit; what holds of every noun is left out. */
export function actsByNoun(permits: readonly string[]): ReadonlyMap<string, string[]> {
  const named = permits.filter((permit) => !permit.startsWith("*"));
  const nouns = Map.groupBy(named, (permit) => permit.split(":")[0]!);
  return new Map([...nouns].map(([noun, all]) => [noun, all.map((permit) => permit.split(":")[1]!)]));
}
