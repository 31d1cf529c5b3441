import { personOf } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { EmergencyOrdered } from "../events.ts";
import { Emergency, emergencyScope } from "./emergencies.ts";

const MESH = asSystem("assistant");
const LOOK_MS = 30_000;
/** The switch of all agents of all problem sets. */
const EVERYWHERE = "all";

/** Carries out an order, repeatably after a kill; answers how much it changed. */
async function carryOut(
  host: Host,
  { action, scope, problemSetId, reason, by }: Emergency,
): Promise<number | undefined> {
  const place = scope === "set" ? { problemSetId } : {};
  const counted = async (what: string, how: object): Promise<number> =>
    (await host.ask<{ count: number }>(what, { ...place, ...how })).count;
  if (action === "revoke-delegations") return counted("agents.emergencies.revokeDelegations", { by });
  if (action === "cancel-runs") {
    // Workflows first: they end the runs of their own steps.
    const workflows = await counted("orchestration.emergencies.cancelRuns", { reason });
    return workflows + (await counted("agents.emergencies.cancelRuns", { reason }));
  }
  const frozen = action !== "resume";
  await host.ask("agents.freeze", { scope: scope === "all" ? EVERYWHERE : problemSetId, frozen, reason, by });
  return undefined;
}

async function finish(host: Host, ordered: Emergency): Promise<Emergency> {
  const count = await carryOut(host, ordered);
  const change = {
    status: "done",
    dueAt: null,
    doneAt: iso(host.world.clock.now()),
    ...(count !== undefined && { count }),
  };
  return host.store(Emergency).revise(MESH, ordered, change);
}

/** Completes orders that a kill cut off. */
export async function sweepEmergencies(host: Host): Promise<void> {
  const due = { dueAt: { $lte: iso(host.world.clock.now()) } };
  for (const ordered of await host.store(Emergency).find(MESH, due, { sort: ["dueAt"], limit: 20 }))
    await finish(host, ordered);
}

export const emergencyActions = {
  "emergencies.order": endpoint({
    rest: "POST /:problemSetId/emergency",
    summary: "Stop agents in an emergency, or let them work again",
    permit: "assistant:emergency",
    stepUp: true,
    path: { problemSetId: TextId },
    body: {
      action: Emergency.create.action,
      scope: Emergency.create.scope.optional(),
      reason: Emergency.create.reason,
    },
    returns: data(Emergency.view),
    description:
      "Requires a system administrator with a proof of identity at most five minutes old. `freeze-agents` stops " +
      "every agent everywhere, `freeze-set` those working in this problem set; `cancel-runs` ends running agents and " +
      "workflows, and `revoke-delegations` withdraws what agents may do, both in this problem set or, with " +
      '`scope: "all"`, everywhere, and they return how many; `resume` lifts a freeze (that of the problem set, or with ' +
      '`scope: "all"` the global one) but restarts nothing. It is in force on every node when the answer arrives, ' +
      "since each act consults the store. The order is recorded before it is carried out.",
    example: { action: "freeze-set", reason: "The scout repeats itself" },
    errors: {
      403: "`STEP_UP_REQUIRED`, or you are no system administrator.",
      404: "There is no such problem set.",
      422: "`SCOPE`: it does not fit this action.",
    },
    async handler(ctx) {
      const by = personOf(ctx.meta.actor);
      const { problemSetId, action, reason, scope: wanted } = ctx.params;
      const scope = emergencyScope({ action }, wanted);
      if (wanted !== undefined && wanted !== scope)
        throw unprocessable(
          "SCOPE",
          `scope: ${action} holds ${scope === "all" ? "everywhere" : "in the problem set"}.`,
        );
      // 404 where there is no such problem set.
      await this.ask("problem-sets.lineage", { problemSetId });
      const dueAt = iso(this.world.clock.now() + LOOK_MS);
      const order = { problemSetId, action, scope, reason, by, status: "ordered", dueAt };
      const facts = ({ id }: Emergency) => [
        EmergencyOrdered.fact(id, { id, problemSetId, compartments: [], by, action, scope, reason }),
      ];
      return finish(this, await this.store(Emergency).create(ctx, order, { facts }));
    },
  }),
};
