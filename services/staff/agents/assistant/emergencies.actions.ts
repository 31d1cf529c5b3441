import { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import { bare } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Delegation } from "../delegations/delegations.ts";
import { AuthorityLessened, DelegationRevoked } from "../events.ts";
import { close } from "../executions/composing.ts";
import { Execution, OVER } from "../executions/executions.ts";
import { MESH } from "../executions/records.ts";

const scope = { problemSetId: TextId.optional().describe("Everywhere without it.") };
const Count = bare(z.object({ count: z.int() }));
const inScope = (problemSetId: string | undefined) => (problemSetId === undefined ? {} : { problemSetId });

/** Ends a run under way and withdraws its requests to people; answers whether there was one. */
async function cancel(host: Host, id: string, reason: string): Promise<boolean> {
  const execution = await host.store(Execution).one(MESH, { _id: id });
  if (!execution || OVER.includes(execution.status)) return false;
  await close(host, id, { status: "stopped", reason });
  const { status, reason: why } = await host.store(Execution).get(MESH, id);
  return status === "stopped" && why === reason;
}

/** For emergencies: every action may be repeated after a kill. */
export const emergencyActions = {
  "emergencies.cancelRuns": endpoint({
    summary: "End all runs of agents that have not ended",
    permit: "internal",
    body: { ...scope, reason: z.string().max(2_000) },
    returns: Count,
    async handler(ctx) {
      const { problemSetId, reason } = ctx.params;
      const open = { ...inScope(problemSetId), status: { $nin: OVER } };
      let count = 0;
      for await (const slice of this.store(Execution).slices(MESH, open, { fields: ["status"] }))
        for (const { id } of slice) if (await cancel(this, id, reason)) count += 1;
      return { count };
    },
  }),

  "emergencies.revokeDelegations": endpoint({
    summary: "Withdraw all delegations to agents",
    permit: "internal",
    body: { ...scope, by: z.string() },
    returns: Count,
    async handler(ctx) {
      const { problemSetId, by } = ctx.params;
      const change = { status: "revoked", revokedBy: by, revokedAt: iso(this.world.clock.now()) };
      let count = 0;
      const live = { ...inScope(problemSetId), status: "live" };
      for await (const slice of this.store(Delegation).slices(MESH, live, { fields: ["status"] }))
        for (const { id } of slice) {
          const told = ({ agentId, problemSetId: set, compartments }: Delegation) => [
            DelegationRevoked.fact(id, { id, agentId, problemSetId: set, compartments, by }),
          ];
          const decide = ({ status }: Delegation) => (status === "live" ? change : null);
          if (await this.store(Delegation).amend(MESH, id, decide, { facts: told })) count += 1;
        }
      await AuthorityLessened.emit(this, inScope(problemSetId));
      return { count };
    },
  }),
};
