import { z } from "zod";
import { toolRow, type ToolName } from "../../../../config/tools.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { ToolChanged } from "../events.ts";
import { madeFrom, type Definition } from "../gate/definitions.ts";
import { draftedTool, type ToolDraft } from "./drafting.ts";
import { Headers } from "./headers.ts";
import { isLower, Tool } from "./tools.ts";

/** The fields of a change to a tool. */
export const CHANGE = {
  ...Tool.change,
  headers: Headers.optional(),
  status: z.enum(["enabled", "disabled"]).optional(),
  reason: z.string().trim().min(3).max(500).optional().describe("Why it is disabled."),
};
type Given = z.output<z.ZodObject<typeof CHANGE>>;

const toldBy = (host: Host, by: string) => (made: Tool) => [
  ToolChanged.fact(made.id, { tool: made.id, definition: madeFrom(host, made)?.hash ?? null, by }),
];

/** Stores the first record about a tool, and announces it. */
export function stored(host: Host, ctx: Ctx<unknown>, draft: Record<string, unknown>): Promise<Tool> {
  const by = ctx.meta.actor!.userId;
  return host.store(Tool).create(ctx, { ...draft, updatedBy: by }, { facts: toldBy(host, by) });
}

function revised(host: Host, ctx: Ctx<unknown>, tool: Tool, change: Record<string, unknown>): Promise<Tool> {
  const by = ctx.meta.actor!.userId;
  return host.store(Tool).revise(ctx, tool, { ...change, updatedBy: by }, { facts: toldBy(host, by) });
}

/** A tool that is switched on again keeps no reason. */
const stateOf = ({ status, reason }: Given): Record<string, unknown> =>
  status === "enabled" ? { status, reason: null } : { status, reason };

const FIXED = ["summary", "description", "action", "http", "mcp", "parameters", "effect", "headers"] as const;

/** The installation's own tools may only be switched off, or given a higher class and tighter limits. */
export function changedOwn(
  host: Host,
  ctx: Ctx<unknown>,
  { definition, record }: { definition: Definition; record: Tool | null },
  given: Given,
): Promise<Tool> {
  const named = FIXED.find((field) => given[field] !== undefined);
  if (named) throw unprocessable("BUILT_IN", `${named}: the installation's own tools are as their contract says.`);
  const own = toolRow(definition.name as ToolName).class;
  if (given.class && isLower(given.class, own))
    throw unprocessable("CLASS_TOO_LOW", `class: its own is ${own}.`, { least: own });
  const { class: safety = definition.class, timeoutMs = definition.timeoutMs } = given;
  const { resultBytes = definition.resultBytes } = given;
  const change = { class: safety, timeoutMs, resultBytes, ...stateOf(given) };
  if (record) return revised(host, ctx, record, change);
  const { name, summary, description, action, effect } = definition;
  const base = { id: name, kind: "action", builtIn: true, action, effect, description };
  const { reason, ...fresh } = change as typeof change & { reason?: string | null };
  const made = { ...base, summary: summary.slice(0, 200), ...fresh, ...(reason && { reason }) };
  return stored(host, ctx, { ...made, status: given.status ?? "enabled" });
}

/** Absent leaves a field unchanged, null removes it. */
const over = <T extends object>(before: T, given: object): T =>
  Object.fromEntries(
    Object.entries({
      ...before,
      ...Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)),
    }).map(([key, value]) => [key, value === null ? undefined : value]),
  ) as T;

/** Changes an added tool, with the checks of a new one. */
export async function changedAdded(host: Host, ctx: Ctx<unknown>, tool: Tool, given: Given): Promise<Tool> {
  const { id, kind, summary, description, action, http, mcp, class: safety, effect, timeoutMs, resultBytes } = tool;
  const own = kind === "http" ? { parameters: tool.parameters } : {};
  const before: ToolDraft = {
    id,
    kind,
    summary,
    description,
    action,
    http,
    mcp,
    class: safety,
    effect,
    timeoutMs,
    resultBytes,
    ...own,
  };
  const { headers, status: _status, reason: _reason, ...fields } = given;
  const draft = await draftedTool(host, over(before, fields), headers, tool);
  return revised(host, ctx, tool, { ...draft, id: undefined, kind: undefined, ...stateOf(given) });
}
