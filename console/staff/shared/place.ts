import { useSearchParams } from "react-router";
import { useMySets, type MySet } from "../../app/sets.ts";

/** The problem sets of whoever is signed in, and the one that the address names by `?set=`. */
export interface StaffPlace {
  sets: readonly MySet[];
  isKnown: boolean;
  setId: string | undefined;
  set: MySet | undefined;
  nameOf(setId: string | undefined): string;
}

/** `isNeeded`: without one in the address it is the person's main set, or their first. */
export function useStaffPlace({ isNeeded = false } = {}): StaffPlace {
  const [search] = useSearchParams();
  const { data } = useMySets();
  const sets = data?.data ?? [];
  const asked = search.get("set") ?? undefined;
  const setId = asked ?? (isNeeded ? (sets.find(({ primary }) => primary) ?? sets[0])?.id : undefined);
  return {
    sets,
    isKnown: data !== undefined,
    setId,
    set: sets.find(({ id }) => id === setId),
    nameOf: (id) => (id === undefined ? "every problem set" : (sets.find((one) => one.id === id)?.name ?? id)),
  };
}
