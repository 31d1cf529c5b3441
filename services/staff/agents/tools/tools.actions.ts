import { z } from "zod";
import { bare, data, list, nothing } from "../../../../core/contract/answer.ts";
import { demandMatch, endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Problem, notFound } from "../../../../core/problem.ts";
import { MOST_ROWS, paging } from "../../../../core/records/entity.ts";
import { ToolChanged } from "../events.ts";
import { MESH } from "../executions/records.ts";
import { allTools, definedBy, definitionsFor, type Definition } from "../gate/definitions.ts";
import { administering, changing, onAgent } from "../registry/administering.ts";
import { Agent } from "../registry/agents.ts";
import { refuseForbidden, reshaped } from "../registry/enrolling.ts";
import { refuseInUse, usesSeen, UsesView } from "../registry/uses.ts";
import { CHANGE, changedAdded, changedOwn, stored } from "./changing.ts";
import { draftedTool } from "./drafting.ts";
import { Headers } from "./headers.ts";
import { toolRecord, unknownTools } from "./tool-lookup.ts";
import {
  impliedClass,
  impliedOutside,
  isBuiltIn,
  isLower,
  MOST_TOOLS,
  Tool,
  ToolChoice,
  TOOL_KINDS,
  tooManyTools,
  ToolView,
} from "./tools.ts";

const View = data(ToolView);
const path = { toolId: ToolChoice };
const sealed = { permit: administering, stepUp: true } as const;

/** The lowest class of a tool as it is. */
function leastOf({ endpoint: operation, carries, parameters }: Definition, record: Tool | null | undefined) {
  if (!carries) return impliedClass(operation);
  return record?.kind === "http" ? impliedOutside(record.http!.method, parameters) : ("communicate-outside" as const);
}

function shown(definition: Definition, record: Tool | null | undefined): z.input<typeof ToolView> {
  const { name, summary, description, parameters, effect, timeoutMs, resultBytes, hash, disabled } = definition;
  const own = definition.class;
  const least = leastOf(definition, record);
  return {
    id: name,
    kind: record?.kind ?? "action",
    builtIn: isBuiltIn(name),
    summary,
    description,
    ...(definition.carries ? {} : { action: definition.action }),
    ...(record?.http && { http: record.http }),
    ...(record?.mcp && { mcp: record.mcp }),
    parameters,
    class: own,
    leastClass: isLower(own, least) ? own : least,
    effect,
    timeoutMs,
    resultBytes,
    headers: (record?.headers ?? []).map((one) => ({
      name: one.name,
      set: true as const,
      last4: one.last4,
      updatedAt: one.updatedAt,
    })),
    definition: hash,
    ...(record?.pinned && { pinned: record.pinned }),
    status: disabled === undefined ? "enabled" : "disabled",
    ...(disabled !== undefined && { reason: disabled }),
    rev: record?.rev ?? 0,
    ...(record && { updatedAt: record.updatedAt, updatedBy: record.updatedBy }),
  };
}

/** A tool as it is now. Throws 404. */
async function toolOf(host: Host, name: string): Promise<{ definition: Definition; record: Tool | null }> {
  const record = await toolRecord(host, name);
  const definition = definedBy(host, name, record);
  if (!definition) throw notFound(Tool.title, name);
  return { definition, record };
}

/** One of the installation's own that has no record yet. */
const unsaid = (id: string) => ({ id, rev: 0 });

export const toolActions = {
  "tools.list": endpoint({
    rest: "GET /admin/tools",
    summary: "List the tools that agents can be given",
    permit: administering,
    query: { ...paging, kind: z.enum(TOOL_KINDS).optional(), status: z.enum(["enabled", "disabled"]).optional() },
    returns: list(ToolView),
    description: "The installation's own and added ones, by name.",
    async handler(ctx) {
      const { page, limit, kind, status } = ctx.params;
      const most = Math.min(limit, MOST_ROWS);
      const all = [...(await allTools(this)).values()]
        .map(({ definition, record }) => shown(definition, record))
        .filter((one) => (!kind || one.kind === kind) && (!status || one.status === status));
      return { data: all.slice((page - 1) * most, page * most), meta: { total: all.length, page, limit: most } };
    },
  }),

  "tools.get": endpoint({
    rest: "GET /admin/tools/:toolId",
    summary: "Show a tool",
    permit: administering,
    path,
    returns: View,
    async handler(ctx) {
      const { definition, record } = await toolOf(this, ctx.params.toolId);
      return shown(definition, record);
    },
  }),

  "tools.create": endpoint({
    ...sealed,
    rest: "POST /admin/tools",
    summary: "Add a tool",
    body: { name: ToolChoice, ...Tool.create, headers: Headers.optional() },
    returns: View,
    status: 201,
    description:
      "`action`: an operation of this platform, by its operationId; its arguments are those of its " +
      "contract. `http`: a request to listed hosts; arguments by `parameters`. `mcp`: a tool of a " +
      "server, pinned to the server's current description. Its class is at least what the contract " +
      "implies: reading observes, writing changes shared data, exporting values communicates outside.",
    example: {
      name: "show_objective",
      kind: "action",
      action: "strategic.objectives.get",
      summary: "Show a strategic objective",
      class: "observe",
      effect: "read",
    },
    errors: {
      409: "A tool of this name exists.",
      422: "`CLASS_TOO_LOW`, `EFFECT`, `NO_SUCH_OPERATION`, `NOT_A_TOOL`, `MASK`, `UNREACHABLE`, `NO_SUCH_TOOL`.",
    },
    async handler(ctx) {
      const { name, headers, ...wanted } = ctx.params;
      if (isBuiltIn(name)) throw new Problem(409, "CONFLICT", `name: ${name} is a tool of the installation's own.`);
      if ((await this.store(Tool).count(MESH)) >= MOST_TOOLS) throw tooManyTools();
      const draft = await draftedTool(this, { id: name, ...wanted }, headers);
      const made = await stored(this, ctx, { ...draft, status: "enabled" });
      return shown(definedBy(this, made.id, made)!, made);
    },
  }),

  "tools.update": endpoint({
    ...sealed,
    rest: "PUT /admin/tools/:toolId",
    summary: "Change a tool, or enable or disable it",
    path,
    body: CHANGE,
    returns: View,
    description:
      "Omitted fields stay unchanged. Any change makes another definition: approvals and preferences " +
      "for the previous one end, and runs planned with it are refused the tool. Another address drops " +
      "the headers. For the installation's own tools the class can be raised, never lowered. A server's " +
      "tool is queried and pinned again.",
    errors: {
      412: "`If-Match` names another revision.",
      422: "As for adding one; `BUILT_IN` for fields of the installation's own tools that cannot be changed.",
    },
    async handler(ctx) {
      const { toolId, ...given } = ctx.params;
      const { definition, record } = await toolOf(this, toolId);
      demandMatch(ctx.locals.ifMatch, Tool.title, record ?? unsaid(toolId));
      const made = isBuiltIn(toolId)
        ? await changedOwn(this, ctx, { definition, record }, given)
        : await changedAdded(this, ctx, record!, given);
      return shown(definedBy(this, made.id, made)!, made);
    },
  }),

  "tools.remove": endpoint({
    ...sealed,
    rest: "DELETE /admin/tools/:toolId",
    summary: "Remove a tool",
    path,
    returns: nothing(),
    status: 204,
    description:
      "For one of the installation's own tools, this removes local changes: it is again as its contract says.",
    errors: {
      412: "`If-Match` names another revision.",
      409: "`IN_USE`: `usedBy` names what you may see of it, `unseen` counts the rest.",
    },
    async handler(ctx) {
      const { definition, record } = await toolOf(this, ctx.params.toolId);
      demandMatch(ctx.locals.ifMatch, Tool.title, record ?? unsaid(definition.name));
      if (!isBuiltIn(definition.name)) await refuseInUse(this, ctx, "tool", definition.name, Tool.title);
      const by = ctx.meta.actor!.userId;
      const left = definitionsFor(this).get(definition.name)?.hash ?? null;
      const facts = [ToolChanged.fact(definition.name, { tool: definition.name, definition: left, by })];
      if (record) await this.store(Tool).remove(ctx, record, { facts });
      return null;
    },
  }),

  "tools.listUses": endpoint({
    rest: "GET /admin/tools/:toolId/uses",
    summary: "Show what uses a tool",
    permit: administering,
    path,
    beyond: true,
    returns: data(UsesView),
    description: "Lists agents, delegations that name it, running workflows, and validation suites.",
    async handler(ctx) {
      const { definition } = await toolOf(this, ctx.params.toolId);
      return usesSeen(this, ctx, "tool", definition.name);
    },
  }),

  /** Called by domains that name tools in plans and assertions. */
  "tools.check": endpoint({
    summary: "What is wrong with names of tools",
    permit: "internal",
    body: { uses: z.array(z.object({ path: z.string(), tool: ToolChoice })) },
    returns: bare(z.array(z.object({ path: z.string(), message: z.string() }))),
    async handler(ctx) {
      const { uses } = ctx.params;
      const names = uses.map(({ tool }) => tool);
      const faults = await unknownTools(this, names, "");
      return faults.map(({ path: at, message }) => ({ path: uses[Number(at.slice(1))]!.path, message }));
    },
  }),

  "assignments.list": endpoint({
    rest: "GET /admin/agents/:agentId/tools",
    summary: "List the tools that an agent may use",
    permit: administering,
    ...onAgent,
    query: paging,
    returns: list(
      ToolView.extend({ class: ToolView.shape.class.describe("Its class for this agent, possibly raised.") }),
    ),
    async handler(ctx, agent) {
      const { page, limit } = ctx.params;
      const most = Math.min(limit, MOST_ROWS);
      const all = await allTools(this);
      const own = agent.tools.flatMap((name) => all.get(name) ?? []);
      const rows = own.slice((page - 1) * most, page * most).map(({ definition, record }) => shown(definition, record));
      return { data: rows, meta: { total: own.length, page, limit: most } };
    },
  }),

  "assignments.create": endpoint({
    rest: "POST /admin/tools/:toolId/assign/:agentId",
    summary: "Assign a tool to an agent",
    permit: administering,
    within: changing,
    ...onAgent,
    path,
    returns: data(Agent.view),
    description: "Assigning it twice is harmless.",
    errors: {
      422: "`FORBIDDEN_CLASS`: at the agent's autonomy the safety matrix allows it to nobody; `TOO_MANY_TOOLS`.",
    },
    async handler(ctx, agent) {
      const { definition } = await toolOf(this, ctx.params.toolId);
      await refuseForbidden(this, agent, new Map([[definition.name, "toolId"]]));
      if (agent.tools.includes(definition.name)) return agent;
      return reshaped(this, ctx, agent, { tools: [...agent.tools, definition.name].sort() });
    },
  }),

  "assignments.remove": endpoint({
    rest: "DELETE /admin/tools/:toolId/assign/:agentId",
    summary: "Remove a tool from an agent",
    permit: administering,
    within: changing,
    ...onAgent,
    path,
    returns: nothing(),
    status: 204,
    description: "Takes effect at the next act, including in running executions.",
    errors: { 404: "It is not assigned." },
    async handler(ctx, agent) {
      const { toolId } = ctx.params;
      if (!agent.tools.includes(toolId)) throw notFound("assignment of the tool", toolId);
      await reshaped(this, ctx, agent, { tools: agent.tools.filter((name) => name !== toolId) });
      return null;
    },
  }),
};
