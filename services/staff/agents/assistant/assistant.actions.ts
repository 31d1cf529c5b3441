import { onBehalfOf } from "../../../../core/access/caller.ts";
import { z } from "zod";
import {
  ACTION_CLASSES,
  AUTHORITIES,
  decide,
  SAFETY,
  SAFETY_VERDICTS,
  type Authority,
} from "../../../../config/safety.ts";
import type { AccessRights } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import { bare } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Repeatable } from "../../../../core/contract/repeatable.ts";
import { derivedId } from "../../../../core/ids.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Approval } from "../approvals/approvals.ts";
import { Delegation, UNUSED } from "../delegations/delegations.ts";
import { Before } from "../executions/composed.actions.ts";
import { orderRun } from "../executions/executions.actions.ts";
import { MESH } from "../executions/records.ts";
import { toolsNamed } from "../gate/definitions.ts";
import { hashOf } from "../gate/hash.ts";
import { autonomyOf, finalOf, ActRefused } from "../gate/gate.ts";
import { isFrozen } from "../gate/switches.ts";
import { didOf } from "../registry/enrolling.ts";
import { Agent, classOf, pauseOf } from "../registry/agents.ts";
import { ASSISTANT, AUTONOMY, PROPOSED } from "./assistant.ts";

const Arguments = z.record(z.string(), z.unknown());
const DAY_MS = 86_400_000;
const act = { by: z.string(), problemSetId: TextId, tool: z.string().max(100) };

export const Preview = z.object({
  verdict: z.enum(SAFETY_VERDICTS),
  why: z.string(),
  code: z.string().optional(),
  arguments: Arguments,
  argumentsHash: z.string(),
  definitionHash: z.string().optional(),
  agentVersion: z.int(),
  class: z.enum(ACTION_CLASSES).optional(),
  summary: z.string().optional(),
  approver: z.enum(AUTHORITIES).optional(),
  role: z.string().optional().describe("Of the person, in the problem set."),
});

/** The assistant's agent, created on first use; the table of tools decides what it may propose. */
async function assistant(host: Host): Promise<Agent> {
  const store = host.store(Agent);
  const known = await toolsNamed(host, PROPOSED);
  const tools = PROPOSED.filter((name) => known.has(name)).sort();
  const there = await store.one(MESH, { _id: ASSISTANT });
  if (there && String(there.tools) === String(tools)) return there;
  if (there) return store.change(MESH, ASSISTANT, ({ version }) => ({ tools, version: version + 1 }));
  const did = await didOf(host, ASSISTANT, "Assistant");
  const made = { id: ASSISTANT, did, name: "Assistant", tools, autonomy: AUTONOMY, version: 1 };
  return (await store.createOnce(MESH, { ...made, status: "active", circuit: "closed" })).record;
}

/** Why the assistant may do nothing at all; undefined where it may act. */
const pausedBy = async (host: Host, agent: Agent, problemSetId: string): Promise<string | undefined> =>
  pauseOf(agent) ?? ((await isFrozen(host, problemSetId)) ? "FROZEN" : undefined);

export const assistantActions = {
  "assistant.tools": endpoint({
    summary: "What the assistant may propose",
    permit: "internal",
    returns: bare(
      z.array(z.object({ name: z.string(), summary: z.string(), description: z.string(), parameters: Arguments })),
    ),
    async handler() {
      const known = [...(await toolsNamed(this, PROPOSED)).values()];
      return known.filter(({ disabled }) => disabled === undefined);
    },
  }),

  "assistant.preview": endpoint({
    summary: "What the gate would say of an act, before anybody is asked; nothing is stored",
    permit: "internal",
    body: { ...act, arguments: Arguments, before: Before },
    returns: bare(Preview),
    async handler(ctx) {
      const { by, problemSetId, tool, arguments: given, before } = ctx.params;
      const [agent, account] = await Promise.all([
        assistant(this),
        this.ask<AccessRights | null>("auth.actor", { userId: by }),
      ]);
      const definition = (await toolsNamed(this, [tool])).get(tool);
      const role = account?.memberships?.[problemSetId]?.role;
      const refused = (code: string, why: string) => ({
        verdict: "forbid" as const,
        code,
        why,
        arguments: given,
        argumentsHash: hashOf(given),
        agentVersion: agent.version,
      });
      const pause = await pausedBy(this, agent, problemSetId);
      if (pause) return refused(pause, "The assistant does nothing at the moment.");
      if (!role) return refused("NOT_A_MEMBER", "The person is no member of the problem set any longer.");
      if (!definition || definition.disabled !== undefined || !agent.tools.includes(definition.name))
        return refused("TOOL_NOT_ASSIGNED", "This is no tool of the assistant.");
      let final: Record<string, unknown>;
      try {
        final = finalOf(definition, { problemSetId, compartments: before.compartments }, given);
      } catch (error) {
        if (error instanceof ActRefused) return refused(error.code, error.message);
        throw error;
      }
      const safety = classOf(definition, agent);
      const authority = AUTHORITIES.includes(role as Authority) ? (role as Authority) : "observer";
      const { verdict, why } = decide(safety, authority, autonomyOf(agent, before.isTainted));
      return {
        verdict: verdict === "forbid" ? ("forbid" as const) : ("approve" as const),
        why,
        ...(verdict === "forbid" && { code: "SAFETY_MATRIX" }),
        arguments: final,
        argumentsHash: hashOf(final),
        definitionHash: definition.hash,
        agentVersion: agent.version,
        class: safety,
        summary: definition.summary,
        approver: SAFETY[safety].approver,
        role,
      };
    },
  }),

  "assistant.open": endpoint({
    summary: "Open the run of one act of the assistant's, with a delegation for it alone",
    permit: "internal",
    description: "Known by the act's id: asked for again, it answers the same run.",
    body: { ...act, actionId: TextId },
    returns: bare(z.object({ executionId: TextId })),
    async handler(ctx) {
      const { by, problemSetId, tool, actionId } = ctx.params;
      const agent = await assistant(this);
      const account = await this.ask<AccessRights | null>("auth.actor", { userId: by });
      const grants = [...(account?.memberships?.[problemSetId]?.compartments ?? [])].sort();
      const caller = { ...onBehalfOf("agents", by), locals: { repeatable: new Repeatable(`assistant/${actionId}`) } };
      const delegationId = derivedId(`delegation of the assistant's act ${actionId}`);
      const lent = {
        id: delegationId,
        agentId: agent.id,
        problemSetId,
        compartments: grants,
        grants,
        tools: [tool],
        limits: { calls: 1, tokens: 1 },
        expiresAt: iso(this.world.clock.now() + 2 * DAY_MS),
        by,
        depth: 1,
        chain: [agent.id],
        status: "live",
        ...UNUSED,
      };
      // For one act only: it does not count towards the delegations that a person may give.
      await this.store(Delegation).createOnce(caller, lent, { beyondMost: true });
      const wanted = { kind: "composed" as const, task: "An act that the assistant was asked for", problemSetId };
      return orderRun(this, caller, agent, { ...wanted, delegationId, tools: [tool] }, by);
    },
  }),

  "assistant.approval": endpoint({
    summary: "What is to be decided of a step",
    permit: "internal",
    body: { stepId: TextId },
    returns: bare(z.object({ id: TextId, hash: z.string(), status: z.string(), agentVersion: z.int() }).nullable()),
    handler(ctx) {
      return this.store(Approval).one(MESH, { _id: ctx.params.stepId });
    },
  }),

  "assistant.paused": endpoint({
    summary: "Whether all agents are stopped, everywhere or in a problem set",
    permit: "internal",
    body: { problemSetId: TextId.optional(), agentId: TextId.optional() },
    returns: bare(z.string().nullable()),
    async handler(ctx) {
      const { problemSetId, agentId } = ctx.params;
      if (await isFrozen(this, problemSetId)) return "FROZEN";
      const agent = agentId === undefined ? null : await this.store(Agent).one(MESH, { _id: agentId });
      return agentId === undefined ? null : agent ? (pauseOf(agent) ?? null) : "AGENT_GONE";
    },
  }),

  "assistant.character": endpoint({
    summary: "What an agent is told of itself, where it may be used in a problem set; null where it may not",
    permit: "internal",
    body: { problemSetId: TextId, agentId: TextId },
    returns: bare(z.object({ name: z.string(), character: z.string() }).nullable()),
    async handler(ctx) {
      const { problemSetId, agentId } = ctx.params;
      const agent = await this.store(Agent).one(MESH, { _id: agentId });
      const isHere = agent && (agent.scope !== undefined || agent.problemSetId === problemSetId);
      return isHere && !pauseOf(agent) ? agent : null;
    },
  }),
};
