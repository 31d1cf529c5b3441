import type { Data, ListRow } from "../../../../api/client.ts";
import { ask, Refusal } from "../../../../api/client.ts";
import type { Assumption } from "../planning/assumptions.tsx";
import type { Mission } from "../mission-words.ts";
import type { WorkflowShown } from "../phase-words.ts";

/** All that a plan says, as far as its reader may see it. */
export interface PlanParts {
  mission: Mission;
  /** Absent where the planning has not begun. */
  workflow: WorkflowShown | undefined;
  assumptions: readonly Assumption[];
  constraints: readonly ListRow<"GET /mdmp/workflows/{missionId}/constraints">[];
  participants: readonly ListRow<"GET /missions/{id}/participants">[];
  command: Data<"GET /command/hierarchy/{missionId}">;
  /** Of the set above, and of the mission's own set. */
  inherited: Data<"GET /inheritance/{id}/inherited-context">;
  directions: readonly ListRow<"GET /inheritance/directions">[];
}

const ROWS = 100;
/** All rows of a list: an order that leaves something out is wrong. */
async function whole<R>(
  read: (page: number) => Promise<{ data: readonly R[]; meta: { total: number } }>,
): Promise<readonly R[]> {
  const rows: R[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await read(page);
    rows.push(...data);
    if (!data.length || rows.length >= meta.total) return rows;
  }
}

const orNone = (error: unknown): undefined => {
  if (error instanceof Refusal && error.status === 404) return undefined;
  throw error;
};

/** Reads a plan whole. */
export async function readPlan(id: string, signal: AbortSignal): Promise<PlanParts> {
  const { data: mission } = await ask("GET /missions/{id}", { path: { id } }, { signal });
  const path = { missionId: id };
  const { problemSetId } = mission;
  const [begun, participants, command, inherited, directions] = await Promise.all([
    ask("GET /mdmp/workflows/{missionId}", { path }, { signal }).catch(orNone),
    whole((page) => ask("GET /missions/{id}/participants", { path: { id }, query: { page, limit: ROWS } }, { signal })),
    ask("GET /command/hierarchy/{missionId}", { path }, { signal }),
    ask("GET /inheritance/{id}/inherited-context", { path: { id: problemSetId } }, { signal }),
    whole((page) => ask("GET /inheritance/directions", { query: { problemSetId, page, limit: ROWS } }, { signal })),
  ]);
  const [assumptions, constraints] = begun
    ? await Promise.all([
        whole((page) =>
          ask("GET /mdmp/workflows/{missionId}/assumptions", { path, query: { page, limit: ROWS } }, { signal }),
        ),
        whole((page) =>
          ask("GET /mdmp/workflows/{missionId}/constraints", { path, query: { page, limit: ROWS } }, { signal }),
        ),
      ])
    : [[], []];
  return {
    mission,
    workflow: begun?.data,
    assumptions,
    constraints,
    participants,
    command: command.data,
    inherited: inherited.data,
    directions,
  };
}
