import type { UseQueryResult } from "@tanstack/react-query";
import type { Answer, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useCompartmentsOf, type SetCompartment } from "../../app/compartments.tsx";
import { useSet } from "./use-set.tsx";

/** More than any set has: no page of the console lists them in parts. */
const ALL = 100;

/** The compartments of the set that this person knows of. */
export const useCompartments = (
  status: SetCompartment["status"],
  enabled = true,
): UseQueryResult<Answer<"GET /problem-sets/{id}/compartments">> => useCompartmentsOf(useSet().set.id, status, enabled);

type Known = ListRow<"GET /accounts/people">;

/** The people of the set to choose from. */
export function usePeople(): readonly Known[] {
  const people = useAnswer("GET /accounts/people", [{ query: { problemSetId: useSet().set.id, limit: ALL } }]);
  return people.data?.data ?? [];
}

/** Who is read in, by name. */
export const readersOf = ({ memberDids, memberNames }: SetCompartment): { did: string; name: string }[] =>
  memberDids.map((did, at) => ({ did, name: memberNames?.[at] ?? did }));
