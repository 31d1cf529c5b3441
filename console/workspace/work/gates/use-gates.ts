import { useAnswer } from "../../../api/hooks.ts";
import type { GateStatus } from "./gate-words.ts";

/** Where gates are looked for: in the set, among those that sets below passed up, or with those of the sets below. */
export const GATE_VIEWS = [
  ["", "In this problem set"],
  ["escalated", "Passed up to this one"],
  ["hierarchy", "With the problem sets below"],
] as const;
type GateView = (typeof GATE_VIEWS)[number][0];

interface Wanted {
  problemSetId: string;
  view: GateView;
  tab: string | undefined;
  status: GateStatus | undefined;
  page: number;
}

/** One list of gates: each view is an endpoint of its own, and only the wanted one is asked. */
export function useGates({ problemSetId, view, tab, status, page }: Wanted) {
  const query = { page, sort: "deadline" as const, ...(status && { status }) };
  const path = { problemSetId };
  const keeps = { keepsShown: true };
  const isPlain = view === "" && !tab;
  const all = useAnswer("GET /gates/{problemSetId}", [{ path, query }], { ...keeps, enabled: isPlain });
  const ofTab = useAnswer("GET /gates/{problemSetId}/{tab}", [{ path: { problemSetId, tab: tab ?? "" }, query }], {
    ...keeps,
    enabled: view === "" && Boolean(tab),
  });
  const passedUp = useAnswer("GET /gates/{problemSetId}/escalated", [{ path, query }], {
    ...keeps,
    enabled: view === "escalated",
  });
  const withBelow = useAnswer("GET /gates/{problemSetId}/hierarchy", [{ path, query }], {
    ...keeps,
    enabled: view === "hierarchy",
  });
  if (view === "escalated") return passedUp;
  if (view === "hierarchy") return withBelow;
  return isPlain ? all : ofTab;
}
