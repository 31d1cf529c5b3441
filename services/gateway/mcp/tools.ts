import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { authorize, demandScope, type Actor } from "../../../core/access/access.ts";
import { describeNames } from "../../../core/access/person-reference.ts";
import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { parametersOf } from "../../../core/contract/endpoint.ts";
import type { Steps } from "../../../core/work/turns.ts";
import { problemOf } from "../http/refuse.ts";

export interface ServedTool {
  tool: Tool;
  /** What it answers, whatever that is: revisions before 2026-07-28 take objects alone. */
  answers: Tool["inputSchema"];
  endpoint: PublishedEndpoint;
}

/** Calls an action on behalf of whoever asked. */
export type Perform = (action: string, params: Record<string, unknown>) => Promise<unknown>;

/**
 * What stands at one place of a list is said by `prefixItems`, which draft 7, the dialect of the protocol's own client,
 * does not know: there it may stand at any.
 */
function anywhere(node: { prefixItems?: unknown; items?: unknown }): object {
  const { prefixItems, items, ...rest } = node;
  return Array.isArray(prefixItems) ? { ...rest, items: { anyOf: [...prefixItems, ...(items ? [items] : [])] } } : node;
}

/**
 * JSON Schema as validators of any dialect take it: without `$schema`, the names of shared parts, and what is said of
 * single places of a list.
 */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain);
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(anywhere(node))
      .filter(([key, value]) => key !== "$schema" && key !== "$id" && !(key === "id" && typeof value === "string"))
      .map(([key, value]) => [key, plain(value)]),
  );
}

/**
 * A named schema comes as a reference to its own definition; the protocol wants to see at the root that it is an
 * object.
 */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Tool["inputSchema"] {
  const { $ref, ...rest } = plain(
    z.toJSONSchema(schema, { io, unrepresentable: "any", ...(io === "output" && { override: describeNames }) }),
  ) as Tool["inputSchema"] & {
    $ref?: string;
    $defs?: Record<string, object>;
  };
  return $ref ? { ...rest.$defs![$ref.slice("#/$defs/".length)], ...rest } : rest;
}

/** Whether a call may change anything: a POST that only asks says so. */
const changes = ({ method, contract }: PublishedEndpoint): boolean => method !== "GET" && !contract.reads;

/** A tool as its endpoint's contract describes it. */
function toolOf(name: string, endpoint: PublishedEndpoint): ServedTool {
  const { contract, method } = endpoint;
  const { summary, description, returns } = contract;
  const answers = schemaOf(returns.value, "output");
  const tool = {
    name,
    title: summary,
    description: [`${summary}.`, description].filter(Boolean).join("\n\n"),
    inputSchema: schemaOf(parametersOf(contract), "input"),
    ...(answers.type === "object" && { outputSchema: answers }),
    annotations: {
      readOnlyHint: !changes(endpoint),
      destructiveHint: method === "DELETE",
      idempotentHint: method !== "POST" || !changes(endpoint),
      openWorldHint: false,
    },
  };
  return { tool, answers, endpoint };
}

/**
 * `true` stands for the action's own name, in the form that tools are called: `source-lists.readAll` is
 * `source_lists_read_all`.
 */
const nameOf = ({ action, contract: { tool } }: PublishedEndpoint): string | undefined =>
  tool === true ? action.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[.-]/g, "_") : tool;

/** The tools among these endpoints, by name, a step each. Throws TypeError where two have one name. */
export function* toolsOf(endpoints: readonly PublishedEndpoint[]): Steps<Map<string, ServedTool>> {
  const tools = new Map<string, ServedTool>();
  for (const endpoint of endpoints) {
    const name = nameOf(endpoint);
    if (!name) continue;
    const other = tools.get(name);
    if (other) throw new TypeError(`${other.endpoint.action} and ${endpoint.action} are both called ${name} as tools.`);
    tools.set(name, toolOf(name, endpoint));
    yield;
  }
  return tools;
}

/** Whether somebody may call it at all; the action itself decides of each call. */
export function allowed({ endpoint }: ServedTool, actor: Actor): boolean {
  try {
    const { permit } = endpoint.contract;
    authorize(actor, permit);
    // What asks for no more than a sign-in is within a credential's scopes too.
    if (permit === "signed-in") demandScope(actor, endpoint.service, changes(endpoint));
    return true;
  } catch {
    return false;
  }
}

/** What an action answered, as text for the model and as data for the program around it. */
export function toolResult({ tool }: ServedTool, value: unknown): CallToolResult {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return {
    content: [{ type: "text", text }],
    ...(tool.outputSchema && { structuredContent: value as Record<string, unknown> }),
  };
}

/** A refusal is an answer the model can act on: the code, the words, and the fields that are wrong. */
export function toolRefusal(error: unknown): CallToolResult {
  const { type: code, message, data } = problemOf(error);
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ code, message, details: data?.details }) }],
  };
}
