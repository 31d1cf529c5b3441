import type { ListRow } from "../api/client.ts";
import { useAnswer } from "../api/hooks.ts";
import { allows } from "../app/session.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Answer } from "../api/client.ts";

export type MySet = ListRow<"GET /problem-sets/me">;

/** The problem sets whose graphs the person can see. */
export const useMySets = (): UseQueryResult<Answer<"GET /problem-sets/me">> =>
  useAnswer("GET /problem-sets/me", [{ query: { limit: 100, sort: "name" } }], { stays: true });

/** Whether the person may do something in a problem set, by their role there; in an archived one nobody changes anything. */
export function useMayIn(setId: string | undefined): (permit: string) => boolean {
  const { data: sets } = useMySets();
  const mine = sets?.data.find(({ id }) => id === setId);
  const { data: roles } = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: setId ?? "" } }], {
    enabled: mine !== undefined,
    stays: true,
  });
  const permits = roles?.data.find(({ role }) => role === mine?.role)?.permits ?? [];
  return (permit) => mine?.status === "active" && allows(permits, permit);
}

/** Titles of a set's documents by their ids, for citations. */
export function useTitles(setId: string | undefined): (documentId: string) => string {
  const { data } = useAnswer("GET /documents", [{ query: { limit: 100, ...(setId && { problemSetId: setId }) } }], {
    enabled: setId !== undefined,
    stays: true,
  });
  const titles = new Map(data?.data.map(({ id, title }) => [id, title]));
  return (documentId) => titles.get(documentId) ?? "a document";
}
