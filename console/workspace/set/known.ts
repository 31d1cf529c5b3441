import type { UseQueryResult } from "@tanstack/react-query";
import type { Answer, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useCompartmentsOf, type SetCompartment } from "../../app/compartments.tsx";
import { apart } from "../../parts/apart.ts";
import { useSet } from "./use-set.tsx";

/** More than any set has: no page of the console lists them in parts. */
const ALL = 100;

/** The compartments of the set that this person knows of. */
export const useCompartments = (
  status: SetCompartment["status"],
  enabled = true,
): UseQueryResult<Answer<"GET /problem-sets/{id}/compartments">> => useCompartmentsOf(useSet().set.id, status, enabled);

type Known = ListRow<"GET /accounts/people">;
type Named = Pick<Known, "did" | "role"> & { userName?: string | undefined };

/** The people of the set to choose from. */
export function usePeople(): readonly Known[] {
  const people = useAnswer("GET /accounts/people", [{ query: { problemSetId: useSet().set.id, limit: ALL } }]);
  return people.data?.data ?? [];
}

/** A person as one chooses them: those of one name are told apart by their role and the end of their DID. */
type Choice = readonly [value: string, words: string];
const { compare } = new Intl.Collator("en", { sensitivity: "base" });

/** People in the order of their names, each as what stands for them in a form and what is read there. */
export function choicesOf<P extends Named>(people: readonly P[], valueOf: (person: P) => string): Choice[] {
  const named = people.map((person) => ({ person, name: person.userName ?? person.did }));
  const bearers = Map.groupBy(named, ({ name }) => name);
  return named
    .toSorted((one, other) => compare(one.name, other.name))
    .map(({ person, name }) => [
      valueOf(person),
      bearers.get(name)!.length > 1 ? `${apart(name)} (${person.role}, ${endOf(person.did)})` : name,
    ]);
}

/** By what two of one name are told apart. */
export const endOf = (did: string): string => `…${did.slice(-4)}`;

/** Who is read in, by name. */
export const readersOf = ({ memberDids, memberNames }: SetCompartment): { did: string; name: string }[] =>
  memberDids.map((did, at) => ({ did, name: memberNames?.[at] ?? did }));
