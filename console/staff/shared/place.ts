import { useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { allows, useWho } from "../../app/session.tsx";

export type OwnSet = ListRow<"GET /problem-sets/me">;

/** The problem sets of whoever is signed in, and the one that the address names by `?set=`. */
export interface StaffPlace {
  sets: readonly OwnSet[];
  isKnown: boolean;
  setId: string | undefined;
  set: OwnSet | undefined;
  nameOf(setId: string | undefined): string;
}

/** `isNeeded`: without one in the address it is the person's main set, or their first. */
export function useStaffPlace({ isNeeded = false } = {}): StaffPlace {
  const [search] = useSearchParams();
  const { data } = useAnswer("GET /problem-sets/me", [{ query: { limit: 100, sort: "name" } }], { stays: true });
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

/** What the person's role in a problem set allows them there; nothing until that is known. */
export function useMayIn(setId: string | undefined): (permit: string) => boolean {
  const { user } = useWho();
  const { sets } = useStaffPlace();
  const set = sets.find(({ id }) => id === setId);
  const roles = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: setId ?? "" } }], {
    enabled: set !== undefined,
    stays: true,
  });
  const permits = roles.data?.data.find(({ role }) => role === set?.role)?.permits ?? [];
  // Without accounts (AUTH=off) nobody is a member, and everybody may do everything.
  if (!user) return () => true;
  return (permit) => set?.status === "active" && allows(permits, permit);
}
