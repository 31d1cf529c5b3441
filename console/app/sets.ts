import type { UseQueryResult } from "@tanstack/react-query";
import type { Answer, ListRow } from "../api/client.ts";
import { useAnswer } from "../api/hooks.ts";
import { allows, useWho } from "./session.tsx";

/** A problem set of which whoever is here is a member. */
export type MySet = ListRow<"GET /problem-sets/me">;

/** The first hundred by name: for choosing one, and for their names. */
export const useMySets = (): UseQueryResult<Answer<"GET /problem-sets/me">> =>
  useAnswer("GET /problem-sets/me", [{ query: { limit: 100, sort: "name" } }], { stays: true });

/** Whether something may be done in a set by what one's role allows; in an archived one everybody may only read. */
export const mayInSet =
  (status: MySet["status"], permits: readonly string[]) =>
  (permit: string): boolean =>
    (status === "active" || permit.endsWith(":read")) && allows(permits, permit);

/** What the person may do in a problem set of theirs; nothing until that is known. */
export function useMayIn(setId: string | undefined): (permit: string) => boolean {
  const { user } = useWho();
  const { data: sets } = useMySets();
  const set = sets?.data.find(({ id }) => id === setId);
  const { data: roles } = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: setId ?? "" } }], {
    enabled: set !== undefined,
    stays: true,
  });
  // Without accounts (AUTH=off) nobody is a member, and everybody may do everything.
  if (!user) return () => true;
  return set ? mayInSet(set.status, roles?.data.find(({ role }) => role === set.role)?.permits ?? []) : () => false;
}
