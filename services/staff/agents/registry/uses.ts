import { z } from "zod";
import { sees } from "../../../../core/access/barrier.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Problem } from "../../../../core/problem.ts";
import { Delegation } from "../delegations/delegations.ts";
import { Execution, OVER, RUN_STATES } from "../executions/executions.ts";
import { MESH } from "../executions/records.ts";
import type { AgentsHost } from "../gate/definitions.ts";
import { Team } from "../teams/teams.ts";
import { Agent, barrier } from "./agents.ts";
import { MOST_USES as MOST, type RecordUse } from "../client.ts";
import { upTo } from "../../../../core/text/cutting.ts";

export type UsedKind = "agent" | "tool" | "team";

/** An action of this name lists a domain's uses of an agent, a tool or a team: `{kind, id}` → uses. */
const USES = "agentUses";
const MOST_NAMED = 100;

const placed = ({ problemSetId, compartments }: Pick<RecordUse, "problemSetId" | "compartments">) => ({
  problemSetId,
  compartments,
});
const running = RUN_STATES.filter((state) => !OVER.includes(state));

async function delegationsWith(host: Host, query: object): Promise<RecordUse[]> {
  const alive = { ...query, status: "live", expiresAt: { $gt: iso(host.world.clock.now()) } };
  const found = await host.store(Delegation).find(MESH, alive, { limit: MOST });
  return found.map((one) => ({
    type: "delegation",
    id: one.id,
    name: `Delegation until ${one.expiresAt}`,
    ...placed(one),
  }));
}

async function ofAgent(host: Host, id: string): Promise<RecordUse[]> {
  const [teams, delegations, runs] = await Promise.all([
    host.store(Team).find(MESH, { members: id }, { limit: MOST }),
    delegationsWith(host, { agentId: id }),
    host.store(Execution).find(MESH, { agentId: id, status: { $in: running } }, { limit: MOST }),
  ]);
  return [
    ...teams.map((one) => ({ type: "team", id: one.id, name: one.name, ...placed(one) })),
    ...delegations,
    ...runs.map((one) => ({
      type: "execution",
      id: one.id,
      name: upTo(80, one.task),
      owner: one.owner,
      ...placed(one),
    })),
  ];
}

async function ofTool(host: Host, id: string): Promise<RecordUse[]> {
  const [agents, delegations] = await Promise.all([
    host.store(Agent).find(MESH, { tools: id }, { limit: MOST }),
    delegationsWith(host, { tools: id }),
  ]);
  return [...agents.map((one) => ({ type: "agent", id: one.id, name: one.name, ...placed(one) })), ...delegations];
}

/** Uses in other domains: every domain with such an action is called. */
async function elsewhere(host: Host, kind: UsedKind, id: string): Promise<RecordUse[]> {
  const asked = (host as AgentsHost)
    .meshServices()
    .filter(({ name, actions }) => name !== host.name && actions && USES in actions);
  return (await Promise.all(asked.map(({ name }) => host.ask<RecordUse[]>(`${name}.${USES}`, { kind, id })))).flat();
}

async function usesOf(host: Host, kind: UsedKind, id: string): Promise<RecordUse[]> {
  const own = kind === "agent" ? ofAgent(host, id) : kind === "tool" ? ofTool(host, id) : [];
  return (await Promise.all([own, elsewhere(host, kind, id)])).flat();
}

export interface Seen {
  usedBy: { type: string; id: string; name: string }[];
  unseen: number;
}
/** Uses of a record: those that the caller may see are named, the rest is counted. */
export async function usesSeen(host: Host, ctx: Ctx<unknown>, kind: UsedKind, id: string): Promise<Seen> {
  const uses = await usesOf(host, kind, id);
  const { actor } = ctx.meta;
  const isSeen = (use: RecordUse): boolean =>
    use.owner !== undefined
      ? use.owner === actor?.userId
      : use.problemSetId === undefined || sees(barrier, actor, { compartments: [], ...use });
  const seen = uses.filter(isSeen);
  const usedBy = seen.map(({ type, id: one, name }) => ({ type, id: one, name }));
  return { usedBy: usedBy.slice(0, MOST_NAMED), unseen: uses.length - Math.min(seen.length, MOST_NAMED) };
}

/** Throws 409 `IN_USE`. */
export async function refuseInUse(
  host: Host,
  ctx: Ctx<unknown>,
  kind: UsedKind,
  id: string,
  title: string,
): Promise<void> {
  const seen = await usesSeen(host, ctx, kind, id);
  const all = seen.usedBy.length + seen.unseen;
  if (!all) return;
  const count = all === 1 ? "one thing" : `${all} things`;
  throw new Problem(409, "IN_USE", `This ${title} is used by ${count}.`, { details: seen });
}

export const UsesView = z
  .object({
    usedBy: z.array(z.object({ type: z.string(), id: z.string(), name: z.string() })),
    unseen: z.int().describe("How many more exist that you may not see, or beyond the first hundred."),
  })
  .meta({ id: "AgentUses" });
