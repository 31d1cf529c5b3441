import { z } from "zod";
import { memberOf, personOf, type Actor } from "../../../../core/access/access.ts";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { forbidden, invalid, notFound, Problem, unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import type { Caller, Ctx } from "../../../../core/access/caller.ts";
import { isPriced } from "../../model-questions.ts";
import { AuthorityLessened, DelegationGiven, DelegationRevoked } from "../events.ts";
import { MESH } from "../executions/records.ts";
import { allTools, toolsNamed } from "../gate/definitions.ts";
import { delegationChain } from "../gate/gate.ts";
import { demandKnown } from "../tools/tool-lookup.ts";
import { onAgent } from "../registry/administering.ts";
import { pauseOf, type Agent } from "../registry/agents.ts";
import { pricesOf } from "../registry/effective.ts";
import { Delegation, handedOn, isValidAt, MOST_DEPTH, coveredByAll, UNUSED } from "./delegations.ts";

const set = "problemSetId";
const DAY_MS = 86_400_000;

const told = ({ id, agentId, problemSetId, compartments }: Delegation, by: string) => ({
  id,
  agentId,
  problemSetId,
  compartments,
  by,
});

/** Cost limits need an installation that knows prices, or an agent whose own model has some. */
export function refuseUnpriced(host: Host, cost: number | undefined, agent?: Parameters<typeof pricesOf>[0]): void {
  if (cost !== undefined && !isPriced(host) && !(agent && pricesOf(agent, host.world.llm.prices)))
    throw unprocessable("NO_PRICES", "limits.cost: this installation has no prices of the model.");
}

/**
 * Throws 422 for an agent that belongs elsewhere, or is switched off, and 503 for one whose circuit validation opened.
 */
export function demandUsable(agent: Agent, problemSetId: string | undefined, how: { training?: boolean } = {}): void {
  if (agent.problemSetId !== undefined && agent.problemSetId !== problemSetId) {
    const whose = problemSetId === undefined ? "a problem set: name it" : "another problem set";
    const message = `This agent belongs to ${whose}.`;
    throw unprocessable("OTHER_SET", message, [{ path: "problemSetId", message }]);
  }
  const pause = pauseOf(agent, how);
  if (pause === "CIRCUIT_OPEN")
    throw new Problem(503, pause, "Validation has stopped this agent; its circuit events say why.");
  if (pause) throw unprocessable(pause, "This agent is switched off.");
}

/** Throws 400 for tools that the agent does not have, 422 where it has none of those delegated. */
async function demandAssigned(host: Host, agent: Agent, given: Pick<Delegation, "tools" | "classes">): Promise<void> {
  const lacking = given.tools.flatMap((tool, at) =>
    agent.tools.includes(tool)
      ? []
      : [
          {
            path: `tools.${at}`,
            message: `${agent.name} has no tool ${tool}; \`GET /api/agents/${agent.id}\` lists its own.`,
          },
        ],
  );
  if (lacking.length) throw invalid(lacking);
  const own = [...(await toolsNamed(host, agent.tools)).values()];
  if (coveredByAll(own, given).length) return;
  const has = [...new Set(own.map((tool) => tool.class))];
  const message = `${agent.name} has no tool of these classes; its tools are of ${has.join(", ") || "none"}.`;
  throw unprocessable("NOTHING_DELEGATED", message, [{ path: "classes", message }]);
}

/** The delegation to hand on: the caller's own, valid, and not one that came through this agent before. */
async function source(host: Host, ctx: Ctx<unknown>, id: string, agent: Agent, by: string): Promise<Delegation> {
  const from = await host.store(Delegation).get(ctx, id);
  if (from.by !== by) throw notFound(Delegation.title, id);
  const now = iso(host.world.clock.now());
  if (!(await delegationChain(host, id)).every((one) => isValidAt(one, now)))
    throw unprocessable("DELEGATION_ENDED", "fromId: this delegation was revoked, or has run out.");
  if (from.depth >= MOST_DEPTH)
    throw unprocessable("TOO_DEEP", `fromId: a delegation is handed on to a depth of ${MOST_DEPTH} at the most.`);
  if (from.chain.includes(agent.id))
    throw unprocessable("CYCLE", "fromId: this delegation came through the same agent already.");
  return from;
}

const used = { usedCalls: true, usedTokens: true, usedCost: true } as const;
const Shown = Delegation.view
  .partial(used)
  .extend({
    inForce: z.boolean().describe("Whether an agent can act by it now: it, and all that it was derived from."),
  })
  .meta({ id: "AgentDelegationSeen" });

/** Which of these delegations are in force now, with all that they came from. */
async function inForceOf(host: Host, rows: readonly Delegation[]): Promise<(one: Delegation) => boolean> {
  const known = new Map(rows.map((one) => [one.id, one]));
  for (let depth = 1; depth < MOST_DEPTH; depth++) {
    const missing = [...known.values()].flatMap(({ fromId }) => (fromId && !known.has(fromId) ? [fromId] : []));
    for (const one of await host.store(Delegation).many(MESH, missing)) known.set(one.id, one);
  }
  const now = iso(host.world.clock.now());
  const isInForce = (one: Delegation | undefined): boolean =>
    one !== undefined && isValidAt(one, now) && (one.fromId === undefined || isInForce(known.get(one.fromId)));
  return isInForce;
}

/** Acts may lie in more compartments than their delegation: its counters would reveal them to others. */
function shownTo(actor: Actor | undefined, delegation: Delegation & { inForce: boolean }): z.input<typeof Shown> {
  if (actor?.omniscient || delegation.by === actor?.userId) return delegation;
  const { usedCalls: _calls, usedTokens: _tokens, usedCost: _cost, ...shown } = delegation;
  return shown;
}

export const delegationActions = {
  "delegations.revoke": endpoint({
    rest: "DELETE /agents/delegations/:delegationId",
    summary: "Withdraw a delegation",
    permit: "signed-in",
    on: Delegation,
    by: "delegationId",
    within: { set, may: "agents:delegate", own: true },
    returns: nothing(),
    status: 204,
    description:
      "Allowed to whoever gave it, and to deputies and commanders. Afterwards nothing can be done under " +
      "it, nor under delegations derived from it. Repeating it is harmless.",
    errors: { 403: "It is not yours, and your role does not allow it." },
    async handler(ctx, delegation) {
      const by = personOf(ctx.meta.actor);
      if (delegation.by !== by) memberOf(ctx.meta.actor, delegation.problemSetId, "agents:manage");
      if (delegation.status === "revoked") return null;
      await this.store(Delegation).revise(
        ctx,
        delegation,
        { status: "revoked", revokedBy: by, revokedAt: iso(this.world.clock.now()) },
        { facts: [DelegationRevoked.fact(delegation.id, told(delegation, by))] },
      );
      // Including delegations that were handed on from it.
      await AuthorityLessened.emit(this, { problemSetId: delegation.problemSetId });
      return null;
    },
  }),

  "delegations.list": endpoint({
    rest: "GET /agents/:agentId/delegations",
    summary: "List the delegations that concern an agent",
    permit: "signed-in",
    ...onAgent,
    within: { set, may: "agents:read" },
    query: Delegation.query,
    returns: list(Shown),
    description:
      "Lists those in your problem sets whose compartments you are read into. What was used under one is told to " +
      "whoever gave it alone.",
    async handler(ctx, agent) {
      const { data: rows, meta } = await this.store(Delegation).page(ctx, ctx.params as never, { agentId: agent.id });
      const isInForce = await inForceOf(this, rows);
      return { data: rows.map((row) => shownTo(ctx.meta.actor, { ...row, inForce: isInForce(row) })), meta };
    },
  }),

  "delegations.give": endpoint({
    rest: "POST /agents/:agentId/delegations",
    summary: "Delegate to an agent: what it may do for you, where, and within which limits",
    permit: "signed-in",
    ...onAgent,
    within: { set, may: "agents:delegate" },
    body: {
      ...Delegation.create,
      fromId: TextId.optional().describe("A delegation of yours that the new one is derived from."),
    },
    returns: data(Delegation.view),
    status: 201,
    description:
      "In one problem set, by `tools`, by `classes` of the safety matrix, or both. The agent acts with " +
      "your rights at that moment, never with more. A delegation derived from another (`fromId`) is the " +
      "intersection of both, at most three deep. Tools that the agent does not have are refused, as is " +
      "a delegation that covers none of its tools.",
    example: { problemSetId: "the problem set's id", classes: ["observe"], expiresAt: "2026-12-01T00:00:00Z" },
    errors: {
      422:
        "`AGENT_DEACTIVATED`, `OTHER_SET`, `NOTHING_DELEGATED`, `NO_PRICES`, `DELEGATION_ENDED`, `TOO_DEEP`, " +
        "`CYCLE`.",
      503: "`CIRCUIT_OPEN`: validation has stopped the agent.",
    },
    async handler(ctx, agent) {
      const by = personOf(ctx.meta.actor);
      const { fromId, agentId: _agent, ...wanted } = ctx.params as typeof ctx.params & { agentId?: string };
      const now = this.world.clock.now();
      const days = this.world.configurations.agents.delegationDays;
      await demandKnown(this, wanted.tools, "tools");
      demandUsable(agent, wanted.problemSetId);
      refuseUnpriced(this, wanted.limits.cost, agent);
      if (wanted.expiresAt <= iso(now) || wanted.expiresAt > iso(now + days * DAY_MS))
        throw invalid([{ path: "expiresAt", message: `A delegation ends in the future, at most ${days} days ahead.` }]);
      const from = fromId === undefined ? undefined : await source(this, ctx, fromId, agent, by);
      if (from && from.problemSetId !== wanted.problemSetId)
        throw forbidden("fromId: a delegation is handed on within its problem set.");
      const known = from ? [...(await allTools(this)).values()].map(({ definition }) => definition) : [];
      const given = { ...wanted, ...(from && handedOn(from, wanted, known)) };
      if (!given.tools.length && !given.classes.length)
        throw unprocessable("NOTHING_DELEGATED", "tools: a delegation names at least one tool or class.");
      await demandAssigned(this, agent, wanted);
      return this.store(Delegation).create(
        ctx,
        {
          ...given,
          agentId: agent.id,
          by,
          ...(fromId && { fromId }),
          compartments: unionOfCompartments([agent, { compartments: given.grants }, from ?? {}]),
          depth: (from?.depth ?? 0) + 1,
          chain: [...(from?.chain ?? []), agent.id],
          status: "live",
          ...UNUSED,
        },
        {
          facts: (made: Delegation) => [DelegationGiven.fact(made.id, { ...told(made, by), name: agent.name })],
        },
      );
    },
  }),
};

/** A person's newest delegation to an agent in a problem set. */
export async function ownDelegation(
  host: Host,
  ctx: Caller,
  { agentId, problemSetId, by }: { agentId: string; problemSetId: string; by: string },
  id: string | undefined,
): Promise<Delegation> {
  const now = iso(host.world.clock.now());
  const query = { agentId, problemSetId, by, status: "live", expiresAt: { $gt: now }, ...(id && { _id: id }) };
  const [found] = await host.store(Delegation).find(ctx, query, { sort: ["-createdAt"], limit: 1 });
  if (!found)
    throw unprocessable(
      "NO_DELEGATION",
      `You have delegated nothing to this agent here that holds: do so first, by POST /api/agents/${agentId}/delegations.`,
    );
  return found;
}
