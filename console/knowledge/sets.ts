import { useAnswer } from "../api/hooks.ts";

/** Titles of a set's documents by their ids, for citations. */
export function useTitles(setId: string | undefined): (documentId: string) => string {
  const { data } = useAnswer("GET /documents", [{ query: { limit: 100, ...(setId && { problemSetId: setId }) } }], {
    enabled: setId !== undefined,
    stays: true,
  });
  const titles = new Map(data?.data.map(({ id, title }) => [id, title]));
  return (documentId) => titles.get(documentId) ?? "a document";
}
