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
  /** The schema of its answers; revisions before 2026-07-28 accept only objects. */
  answers: Tool["inputSchema"];
  /** Rewrites texts of the API so that they name tools. */
  told: Told;
  endpoint: PublishedEndpoint;
}

export type McpFields = Record<string, unknown>;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is McpFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The tool and the arguments that the parameters of a call name, or what is wrong with them. */
export function toolCallIn({ name, arguments: given = {} }: McpFields): { name: string; given: McpFields } | string {
  if (typeof name !== "string") return "params.name: the name of a tool is missing.";
  return isObject(given) ? { name, given } : "params.arguments: not an object.";
}

/** Calls an action on behalf of the caller. */
export type Perform = (action: string, params: Record<string, unknown>) => Promise<unknown>;

/** Rewrites a text of the API so that it names tools. */
type Told = (text: string) => string;

/**
 * `prefixItems` describes single places of a list; draft 7, the dialect of the protocol's own client, lacks it: there
 * each of these schemas may stand at any place.
 */
function anywhere(node: { prefixItems?: unknown; items?: unknown }): object {
  const { prefixItems, items, ...rest } = node;
  return Array.isArray(prefixItems) ? { ...rest, items: { anyOf: [...prefixItems, ...(items ? [items] : [])] } } : node;
}

/** Formats that say the same as the pattern beside them, in a hundredth of its length. */
const FORMATTED = new Set<unknown>(["date", "date-time"]);

/** Whether a keyword adds nothing for a reader: it repeats the format, or gives JavaScript's bounds of integers. */
const saysNothing = (key: string, value: unknown, { format }: { format?: unknown }): boolean =>
  key === "$schema" ||
  key === "$id" ||
  (key === "id" && typeof value === "string") ||
  (key === "pattern" && FORMATTED.has(format)) ||
  (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER);

/**
 * JSON Schema that validators of any dialect accept: without `$schema`, names of shared parts, schemas of single places
 * of a list, and whatever only fills a model's context. `told` rewrites descriptions.
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

/** A named schema is a reference to its own definition; the protocol requires `type: object` at the root. */
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

/** Whether a call may change anything: a POST that only reads says so. */
const changes = ({ method, contract }: PublishedEndpoint): boolean => method !== "GET" && !contract.reads;

/** Clients ask their user before a call that may replace or remove something; a reading call needs no other hint. */
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

/** `true` means the action's own name, spelled as tools are: `source-lists.readAll` becomes `source_lists_read_all`. */
const nameOf = ({ action, contract: { tool } }: PublishedEndpoint): string | undefined =>
  tool === true ? action.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[.-]/g, "_") : tool;

const OPERATION = /`?\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/{}-]+)(?:\?[^\s`]*)?`?/g;
const operationKey = (method: string, path: string): string => `${method} ${path.replace(/:\w+|\{\w+\}/g, "{}")}`;

/** A model cannot call `GET /api/briefings/{id}`: where that endpoint is a tool, texts name the tool. */
function namingTools(named: readonly (readonly [string, PublishedEndpoint])[]): Told {
  const names = new Map(named.map(([name, { method, path }]) => [operationKey(method, path), name]));
  return (text) =>
    text.replace(OPERATION, (whole, method: string, path: string) => {
      const name = names.get(operationKey(method, path));
      return name ? `\`${name}\`` : whole;
    });
}

/** The tools among these endpoints, by name, in steps. Throws TypeError where two have the same name. */
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

/** Whether somebody may call the tool at all; the action itself decides about each call. */
export function allowed({ endpoint }: ServedTool, actor: Actor): boolean {
  try {
    const { permit } = endpoint.contract;
    authorize(actor, permit);
    // A `signed-in` permit still requires the credential's scopes.
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

/** A refusal is an answer that the model can act on: the code, the message, and the wrong fields. */
export function toolRefusal({ told }: ServedTool, error: unknown): CallToolResult {
  const { type: code, message, data } = problemOf(error);
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ code, message: told(message), details: data?.details }) }],
  };
}
