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
  /** Puts refusals in the words of tools. */
  told: Told;
  endpoint: PublishedEndpoint;
}

/** Calls an action on behalf of whoever asked. */
export type Perform = (action: string, params: Record<string, unknown>) => Promise<unknown>;

/** Gives a text of the API the words in which clients of tools read it. */
type Told = (text: string) => string;

/**
 * What stands at one place of a list is said by `prefixItems`, which draft 7, the dialect of the protocol's own client,
 * does not know: there it may stand at any.
 */
function anywhere(node: { prefixItems?: unknown; items?: unknown }): object {
  const { prefixItems, items, ...rest } = node;
  return Array.isArray(prefixItems) ? { ...rest, items: { anyOf: [...prefixItems, ...(items ? [items] : [])] } } : node;
}

/** Formats that say all that the pattern beside them says, in a hundredth of its length. */
const FORMATTED = new Set<unknown>(["date", "date-time"]);

/** Whether a keyword tells a reader nothing: what the format says already, and that an integer is one of JavaScript's. */
const saysNothing = (key: string, value: unknown, { format }: { format?: unknown }): boolean =>
  key === "$schema" ||
  key === "$id" ||
  (key === "id" && typeof value === "string") ||
  (key === "pattern" && FORMATTED.has(format)) ||
  (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER);

/**
 * JSON Schema as validators of any dialect take it: without `$schema`, the names of shared parts, what is said of single
 * places of a list, and what only takes a model's room. `told` gives the words that stand for a description.
 */
function plain(node: unknown, told: Told): unknown {
  if (Array.isArray(node)) return node.map((one) => plain(one, told));
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(anywhere(node))
      .filter(([key, value]) => !saysNothing(key, value, node))
      .map(([key, value]) => [
        key,
        key === "description" && typeof value === "string" ? told(value) : plain(value, told),
      ]),
  );
}

/**
 * A named schema comes as a reference to its own definition; the protocol wants to see at the root that it is an
 * object.
 */
function schemaOf(schema: z.ZodType, io: "input" | "output", told: Told): Tool["inputSchema"] {
  const { $ref, ...rest } = plain(
    z.toJSONSchema(schema, { io, unrepresentable: "any", ...(io === "output" && { override: describeNames }) }),
    told,
  ) as Tool["inputSchema"] & {
    $ref?: string;
    $defs?: Record<string, object>;
  };
  return $ref ? { ...rest.$defs![$ref.slice("#/$defs/".length)], ...rest } : rest;
}

/** Whether a call may change anything: a POST that only asks says so. */
const changes = ({ method, contract }: PublishedEndpoint): boolean => method !== "GET" && !contract.reads;

/** Clients ask their person before what may replace or remove something; what only reads needs no further word. */
function annotationsOf(endpoint: PublishedEndpoint): Tool["annotations"] {
  const { method, contract } = endpoint;
  const openWorldHint = contract.reachesOut === true;
  if (!changes(endpoint)) return { readOnlyHint: true, openWorldHint };
  return { readOnlyHint: false, destructiveHint: method !== "POST", idempotentHint: method !== "POST", openWorldHint };
}

/** A tool as its endpoint's contract describes it. */
function toolOf(name: string, endpoint: PublishedEndpoint, told: Told): ServedTool {
  const { contract } = endpoint;
  const { summary, description, returns } = contract;
  const tool = {
    name,
    title: summary,
    description: told([`${summary}.`, description].filter(Boolean).join("\n\n")),
    inputSchema: schemaOf(parametersOf(contract), "input", told),
    annotations: annotationsOf(endpoint),
  };
  return { tool, answers: schemaOf(returns.value, "output", told), told, endpoint };
}

/**
 * `true` stands for the action's own name, in the form that tools are called: `source-lists.readAll` is
 * `source_lists_read_all`.
 */
const nameOf = ({ action, contract: { tool } }: PublishedEndpoint): string | undefined =>
  tool === true ? action.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[.-]/g, "_") : tool;

const OPERATION = /`?\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/{}-]+)(?:\?[^\s`]*)?`?/g;
const operationKey = (method: string, path: string): string => `${method} ${path.replace(/:\w+|\{\w+\}/g, "{}")}`;

/** A model cannot call `GET /api/briefings/{id}`: where that is a tool, texts name the tool. */
function namingTools(named: readonly (readonly [string, PublishedEndpoint])[]): Told {
  const names = new Map(named.map(([name, { method, path }]) => [operationKey(method, path), name]));
  return (text) =>
    text.replace(OPERATION, (whole, method: string, path: string) => {
      const name = names.get(operationKey(method, path));
      return name ? `\`${name}\`` : whole;
    });
}

/** The tools among these endpoints, by name, a step each. Throws TypeError where two have one name. */
export function* toolsOf(endpoints: readonly PublishedEndpoint[]): Steps<Map<string, ServedTool>> {
  const named = endpoints.flatMap((endpoint) => {
    const name = nameOf(endpoint);
    return name ? [[name, endpoint] as const] : [];
  });
  const told = namingTools(named);
  const tools = new Map<string, ServedTool>();
  for (const [name, endpoint] of named) {
    const other = tools.get(name);
    if (other) throw new TypeError(`${other.endpoint.action} and ${endpoint.action} are both called ${name} as tools.`);
    tools.set(name, toolOf(name, endpoint, told));
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
export function toolResult({ answers }: ServedTool, value: unknown): CallToolResult {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return {
    content: [{ type: "text", text }],
    ...(answers.type === "object" && { structuredContent: value as Record<string, unknown> }),
  };
}

/** A refusal is an answer the model can act on: the code, the words, and the fields that are wrong. */
export function toolRefusal({ told }: ServedTool, error: unknown): CallToolResult {
  const { type: code, message, data } = problemOf(error);
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ code, message: told(message), details: data?.details }) }],
  };
}
