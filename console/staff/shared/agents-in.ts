import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";

/** The teams that may be used in a problem set: its own, and those of every set. */
export function useTeamsIn(setId: string): readonly ListRow<"GET /problem-sets/teams/list">[] {
  const { data } = useAnswer("GET /problem-sets/teams/list", [{ query: { problemSetId: setId } }]);
  return data?.data ?? [];
}

/** The agents that may be used in a problem set: its own, and those of every set. */
export function useAgentsIn(setId: string): readonly ListRow<"GET /agents">[] {
  const { data } = useAnswer("GET /agents", [{ query: { limit: 100, sort: "name", status: "active" } }]);
  return (data?.data ?? []).filter((one) => one.problemSetId === undefined || one.problemSetId === setId);
}
