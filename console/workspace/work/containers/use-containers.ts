import type { Data, ListRow } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { useLive } from "../../../live/live.ts";
import { useSet } from "../../set/use-set.tsx";

export type DocumentContainer = ListRow<"GET /strategic/environments/{envId}/containers">;
export type Environment = Data<"GET /strategic/environments/by-problem-set/{problemSetId}">;
export type ContainerCategory = Environment["categories"][number];
/** More than a set has: they are shown under their headings, not in parts. */
const ALL = 100;

/** The categories of the set, and how many documents lie in none of its containers. */
export function useEnvironment() {
  const problemSetId = useSet().set.id;
  useLive({ problemSetId }, ["environment.changed"]);
  return useAnswer("GET /strategic/environments/by-problem-set/{problemSetId}", [{ path: { problemSetId } }]);
}

/** The containers of the set, by name. */
export const useContainers = () =>
  useAnswer("GET /strategic/environments/{envId}/containers", [
    { path: { envId: useSet().set.id }, query: { sort: "name", limit: ALL } },
  ]);
