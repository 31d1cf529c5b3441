import type { UseQueryResult } from "@tanstack/react-query";
import type { Answer, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useOwnDids } from "../../app/own-dids.ts";
import { useSet } from "./use-set.tsx";

export type SetCompartment = ListRow<"GET /problem-sets/{id}/compartments">;
/** More than any set has: no page of the console lists them in parts. */
const ALL = 100;

/** The compartments that this person knows of: all of them as a manager, their own otherwise. */
export const useCompartments = (
  status: SetCompartment["status"],
  enabled = true,
): UseQueryResult<Answer<"GET /problem-sets/{id}/compartments">> =>
  useAnswer("GET /problem-sets/{id}/compartments", [{ path: { id: useSet().set.id }, query: { status, limit: ALL } }], {
    enabled,
  });

type Known = ListRow<"GET /accounts/people">;

/** The people of the set to choose from. */
export function usePeople(): readonly Known[] {
  const people = useAnswer("GET /accounts/people", [{ query: { problemSetId: useSet().set.id, limit: ALL } }]);
  return people.data?.data ?? [];
}

/** Whether this person is read into a compartment. A member keeps the DID that they joined with. */
export function useIsReadIn(): (compartment: SetCompartment) => boolean {
  const dids = new Set(useOwnDids());
  return ({ memberDids }) => memberDids.some((one) => dids.has(one));
}

/** Who is read in, by name. */
export const readersOf = ({ memberDids, memberNames }: SetCompartment): { did: string; name: string }[] =>
  memberDids.map((did, at) => ({ did, name: memberNames?.[at] ?? did }));
