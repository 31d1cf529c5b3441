import { z } from "zod";
import type { ConfigurableLlm } from "../../../../adapters/llm/llm.ts";
import { personOf } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { toolsOf } from "../builder/capabilities.ts";
import { refuseUnpriced } from "../delegations/delegations.actions.ts";
import { AgentDeactivated, AgentRemoved, AuthorityLessened } from "../events.ts";
import { hashOf } from "../gate/hash.ts";
import { administering, changing, onAgent } from "./administering.ts";
import { Agent, MODEL_FIELDS } from "./agents.ts";
import { characterOf, modelOf, ORIGINS, type ModelConfig } from "./effective.ts";
import { demandTools, enrolled, ENROLMENT, refuseAdded, reshaped, agentEvent } from "./enrolling.ts";
import { refuseInUse, usesSeen, UsesView } from "./uses.ts";

const View = data(Agent.view);
const writing = { permit: administering, within: changing, ...onAgent } as const;
const reading = { permit: administering, ...onAgent } as const;
const origin = z.enum(ORIGINS).describe("Whose value it is: the agent's own, its template's, or the platform's.");

const CharacterView = z
  .object({ character: z.string(), source: origin, templateId: z.string().optional(), version: z.int() })
  .meta({ id: "AgentCharacter" });
const shownCharacter = (agent: Agent) => ({
  ...characterOf(agent),
  version: agent.version,
  ...(agent.templateId && { templateId: agent.templateId }),
});

const MODEL_NAMES = Object.keys(MODEL_FIELDS) as (keyof ModelConfig)[];
const ModelView = z
  .object({
    value: z.object(MODEL_FIELDS).describe("The settings of its next run."),
    sources: z.record(z.string(), origin),
    version: z.int(),
  })
  .meta({ id: "AgentModelConfig" });
/** Every field, null where it is absent: a PUT replaces the whole. */
const whole = (given: ModelConfig): Record<string, unknown> =>
  Object.fromEntries(MODEL_NAMES.map((field) => [field, given[field] ?? null]));
const hasOwn = (agent: Agent): boolean => MODEL_NAMES.some((field) => agent[field] !== undefined);

function statusChange(
  ctx: Ctx<unknown>,
  agent: Agent,
  status: Agent["status"] | undefined,
  now: number,
): Record<string, unknown> {
  if (status === undefined || status === agent.status) return {};
  if (status === "active") return { status, deactivatedBy: null, deactivatedAt: null, reason: null };
  return { status, deactivatedBy: personOf(ctx.meta.actor), deactivatedAt: iso(now) };
}

export const enrolmentActions = {
  "enrolments.list": endpoint({
    rest: "GET /admin/agents",
    summary: "List the agents for administration",
    permit: administering,
    query: Agent.query,
    returns: list(Agent.view),
    description: "The same agents as in `GET /api/agents`: those of all problem sets, and those of your own.",
    handler(ctx) {
      return this.store(Agent).page(ctx, ctx.params);
    },
  }),

  "enrolments.get": endpoint({
    ...reading,
    rest: "GET /admin/agents/:agentId",
    summary: "Show an agent for administration",
    returns: View,
    handler: (_ctx, agent) => agent,
  }),

  "enrolments.create": endpoint({
    rest: "POST /admin/agents",
    summary: "Add an agent",
    permit: administering,
    within: changing,
    body: ENROLMENT,
    returns: View,
    status: 201,
    description:
      "As `POST /api/agents`. Its DID is created first, and repeated requests with the same " +
      "`Idempotency-Key` create only one agent. A template supplies character, capabilities and phases " +
      "where the agent defines none itself.",
    example: { name: "News analyst", templateId: "news-analyst" },
    errors: { 422: "`TOO_MANY_TOOLS`, with those of its capabilities." },
    handler(ctx) {
      return enrolled(this, ctx, ctx.params);
    },
  }),

  "enrolments.update": endpoint({
    ...writing,
    rest: "PUT /admin/agents/:agentId",
    summary: "Change an agent",
    body: {
      ...Agent.change,
      status: z.enum(["active", "deactivated"]).optional().describe("Deactivates or reactivates it."),
    },
    returns: View,
    description:
      "Omitted fields stay unchanged; null clears. `version` rises with every change to what the agent " +
      "is: started runs keep what they started with, except for tools that were removed. Adding a " +
      "capability assigns its tools.",
    errors: {
      422:
        "`FORBIDDEN_CLASS`: at its autonomy the safety matrix allows a tool that is added to nobody; " +
        "`TOO_MANY_TOOLS`, with those of its capabilities.",
    },
    async handler(ctx, agent) {
      const { status, ...wanted } = ctx.params;
      const now = this.world.clock.now();
      const gained = toolsOf((wanted.capabilities ?? []).filter((one) => !agent.capabilities?.includes(one)));
      const tools =
        wanted.tools || gained.length ? [...new Set([...(wanted.tools ?? agent.tools), ...gained])] : undefined;
      await demandTools(this, { ...wanted, tools, raised: wanted.raised ?? undefined });
      await refuseAdded(this, agent, wanted);
      const change = { ...wanted, ...(tools && { tools: tools.sort() }) };
      const facts =
        status === "deactivated" && agent.status === "active" && agent.problemSetId
          ? [AgentDeactivated.fact(agent.id, agentEvent(agent, ctx.meta.actor!.userId))]
          : [];
      const isReshaped = Object.values(change).some((value) => value !== undefined);
      const off = statusChange(ctx, agent, status, now);
      if (!isReshaped && !Object.keys(off).length) return agent;
      const changed = isReshaped
        ? await reshaped(this, ctx, agent, { ...change, ...off }, { facts })
        : await this.store(Agent).revise(ctx, agent, off, { facts });
      if (off["status"] === "deactivated") await AuthorityLessened.emit(this, { agentId: agent.id });
      return changed;
    },
  }),

  "enrolments.remove": endpoint({
    ...writing,
    rest: "DELETE /admin/agents/:agentId",
    summary: "Remove an agent",
    returns: nothing(),
    status: 204,
    description:
      "Its record of acts is kept. Only its DID is removed with it: what uses the agent must be changed first.",
    errors: { 409: "`IN_USE`: `usedBy` names what you may see of it, `unseen` counts the rest." },
    async handler(ctx, agent) {
      await refuseInUse(this, ctx, "agent", agent.id, Agent.title);
      const facts = [AgentRemoved.fact(agent.id, { agentId: agent.id, did: agent.did })];
      await this.store(Agent).remove(ctx, agent, { facts });
      await AuthorityLessened.emit(this, { agentId: agent.id });
      return null;
    },
  }),

  "enrolments.listUses": endpoint({
    ...reading,
    rest: "GET /admin/agents/:agentId/uses",
    summary: "Show what uses an agent",
    beyond: true,
    returns: data(UsesView),
    description:
      "Lists teams, delegations, runs, running workflows, supervisors, tabs and validations: what would " +
      "stop if it were deactivated, and prevents its removal.",
    handler(ctx, agent) {
      return usesSeen(this, ctx, "agent", agent.id);
    },
  }),

  "identifiers.get": endpoint({
    ...reading,
    rest: "GET /admin/agents/:agentId/did",
    summary: "Show an agent's DID",
    returns: data(
      z.object({
        agentId: z.string(),
        did: z.string(),
        entityType: z.literal("agent"),
        didDocument: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
    async handler(_ctx, { id, did }) {
      const { didDocument } = await this.ask<{ didDocument: Record<string, unknown> | null }>("identity.dids.resolve", {
        did,
      });
      return { agentId: id, did, entityType: "agent" as const, didDocument };
    },
  }),

  "characters.get": endpoint({
    ...reading,
    rest: "GET /admin/agents/:agentId/character",
    summary: "Show an agent's character and where it comes from",
    returns: data(CharacterView),
    handler: (_ctx, agent) => shownCharacter(agent),
  }),

  "characters.set": endpoint({
    ...writing,
    rest: "PUT /admin/agents/:agentId/character",
    summary: "Set an agent's own character",
    body: { character: z.string().trim().min(1).max(8_000) },
    returns: data(CharacterView),
    example: { character: "You watch the river. You say what you do not know." },
    async handler(ctx, agent) {
      const { character } = ctx.params;
      return shownCharacter(character === agent.character ? agent : await reshaped(this, ctx, agent, { character }));
    },
  }),

  "characters.clear": endpoint({
    ...writing,
    rest: "DELETE /admin/agents/:agentId/character",
    summary: "Reset an agent's character to its template's",
    returns: nothing(),
    status: 204,
    description: "Or to the platform's, if it has no template. Repeating it is harmless.",
    async handler(ctx, agent) {
      if (agent.character) await reshaped(this, ctx, agent, { character: "" });
      return null;
    },
  }),

  "modelConfigs.get": endpoint({
    ...reading,
    rest: "GET /admin/agents/:agentId/model-config",
    summary: "Show an agent's model settings and where they come from",
    returns: data(ModelView),
    handler(_ctx, agent) {
      return { ...modelOf(agent, platformOf(this.world.llm)), version: agent.version };
    },
  }),

  "modelConfigs.set": endpoint({
    ...writing,
    rest: "PUT /admin/agents/:agentId/model-config",
    summary: "Set an agent's model and its settings",
    body: MODEL_FIELDS,
    returns: data(ModelView),
    description: "Send it whole: omitted fields return to the template's or the platform's values.",
    errors: { 422: "`NO_PRICES`: a cost limit is set, but neither the agent nor this installation has prices." },
    async handler(ctx, agent) {
      const isSame = MODEL_NAMES.every((name) => hashOf(agent[name] ?? null) === hashOf(ctx.params[name] ?? null));
      refuseUnpriced(this, ctx.params.budget?.cost, { ...ctx.params, templateId: agent.templateId });
      const changed = isSame ? agent : await reshaped(this, ctx, agent, whole(ctx.params));
      return { ...modelOf(changed, platformOf(this.world.llm)), version: changed.version };
    },
  }),

  "modelConfigs.clear": endpoint({
    ...writing,
    rest: "DELETE /admin/agents/:agentId/model-config",
    summary: "Reset an agent's model settings to its template's",
    returns: nothing(),
    status: 204,
    description: "Or to the platform's, if it has no template. Repeating it is harmless.",
    async handler(ctx, agent) {
      if (hasOwn(agent)) await reshaped(this, ctx, agent, whole({}));
      return null;
    },
  }),
};

/** The installation's settings, which apply where neither agent nor template has any. */
const platformOf = ({ model, prices }: Pick<ConfigurableLlm, "model" | "prices">): ModelConfig => ({
  ...(model !== undefined && { model }),
  ...prices,
});
