import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";

/** The agents that may be used in a problem set: its own, and those of every set. */
export function useAgentsIn(setId: string): readonly ListRow<"GET /agents">[] {
  const { data } = useAnswer("GET /agents", [{ query: { limit: 100, sort: "name", status: "active" } }]);
  return (data?.data ?? []).filter((one) => one.problemSetId === undefined || one.problemSetId === setId);
}
