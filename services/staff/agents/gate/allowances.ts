import { DAILY } from "../../../../config/agent-budgets.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { entity } from "../../../../core/records/entity.ts";
import { HELD, USED, UNUSED, type Limits } from "../delegations/delegations.ts";

const MESH = asSystem("agents");

/** What a day has used of an agent's or a problem set's budget; or what a workflow's agents have used together. */
export const Allowance = entity("agents.allowances", { title: "allowance", fields: { ...USED, ...HELD } });

/** What a run is charged to beside itself and its delegations. */
interface Charged {
  /** Absent where a plan asks for itself. */
  agentId?: string;
  problemSetId?: string | undefined;
  plan?: { id: string; limits: Limits } | undefined;
}
interface Entry {
  id: string;
  limits: Limits;
}
export function allowancesOf({ agentId, problemSetId, plan }: Charged, now: number): Entry[] {
  const day = iso(now).slice(0, 10);
  return [
    ...(plan ? [{ id: `plan:${plan.id}`, limits: plan.limits }] : []),
    ...(agentId === undefined ? [] : [{ id: `agent:${agentId}:${day}`, limits: DAILY.agent }]),
    ...(problemSetId === undefined ? [] : [{ id: `set:${problemSetId}:${day}`, limits: DAILY.set }]),
  ];
}

/** Creates the record of an allowance on first use. */
export const beginAllowance = async (host: Host, id: string): Promise<void> =>
  void (await host.store(Allowance).createOnce(MESH, { id, ...UNUSED }));
