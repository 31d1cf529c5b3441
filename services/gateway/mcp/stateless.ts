import type { IncomingHttpHeaders } from "node:http";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "../../../core/access/access.ts";
import { listTools, type ListingChoice } from "./listing.ts";
import {
  isObject,
  toolCallIn,
  toolResult,
  toolRefusal,
  type McpFields,
  type Perform,
  type ServedTool,
} from "./tools.ts";
import { upTo } from "../../../core/text/cutting.ts";

/** The first revision without handshake and sessions: each request carries what it needs. */
const STATELESS = "2026-07-28";
/** Revisions that begin with `initialize`, the newest first; the SDK speaks them. */
export const HANDSHAKES = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";
const INVALID_REQUEST = -32_600;
const NO_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
/** How long a client may cache the list: roles and scopes seldom change, and each call is checked. */
const LISTED_FOR_MS = 60_000;

const paramsOf = (body: unknown): McpFields => (isObject(body) && isObject(body["params"]) ? body["params"] : {});
const metaOf = (body: unknown): McpFields => {
  const { _meta } = paramsOf(body);
  return isObject(_meta) ? _meta : {};
};
const isHandshake = (version: unknown): boolean => (HANDSHAKES as readonly unknown[]).includes(version);

/**
 * Whether a message belongs to a revision without handshake: it says so itself, or its header names a revision that is
 * not among the others (2026-07-28, Versioning, Backward Compatibility).
 */
export function isStateless(headers: IncomingHttpHeaders, body: unknown): boolean {
  const header = headers["mcp-protocol-version"];
  const claimed = metaOf(body)[VERSION_KEY];
  if (claimed !== undefined) return !isHandshake(claimed) || (header !== undefined && !isHandshake(header));
  if (isObject(body) && body["method"] === "initialize") return false;
  return header !== undefined && !isHandshake(header);
}

/** The answer; an accepted notification has none. */
export interface McpReply {
  status: 200 | 202 | 400 | 404;
  body?: McpFields;
}

/** The server's identity, its tools, and how they are called. */
export interface Serving {
  server: { name: string; title: string; version: string };
  instructions: string;
  tools: ReadonlyMap<string, ServedTool>;
  choice: ListingChoice;
  actor: Actor;
  perform: Perform;
}

/** An error of the message itself, which no model can correct. */
class Fault extends Error {
  readonly reply: { status: McpReply["status"]; code: number; data?: McpFields };
  constructor(status: McpReply["status"], code: number, message: string, data?: McpFields) {
    super(message);
    this.reply = { status, code, ...(data && { data }) };
  }
}

/** A header's value: Base64 of UTF-8 where it is not plain ASCII. */
function decoded(header: string): string {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString("utf8");
}

/** Intermediaries route by the headers, so they must agree with the body. */
function demandHeader(headers: IncomingHttpHeaders, name: string, said: string, read = (value: string) => value): void {
  const value = headers[name.toLowerCase()];
  if (value === undefined) throw new Fault(400, HEADER_MISMATCH, `The header ${name} is missing.`);
  if (read(String(value)) !== said)
    throw new Fault(400, HEADER_MISMATCH, `The header ${name} is not what the body says.`);
}

function demandVersion(headers: IncomingHttpHeaders, body: unknown): void {
  const { [VERSION_KEY]: claimed, [CAPABILITIES_KEY]: capabilities } = metaOf(body);
  const header = headers["mcp-protocol-version"];
  const requested = claimed ?? header;
  if (claimed !== undefined) demandHeader(headers, "MCP-Protocol-Version", String(claimed));
  if (requested !== STATELESS)
    throw new Fault(400, UNSUPPORTED_VERSION, "This version of the protocol is not spoken here.", {
      supported: [STATELESS, ...HANDSHAKES],
      requested: upTo(100, String(requested)),
    });
  if (claimed === undefined) throw new Fault(400, INVALID_PARAMS, `params._meta: ${VERSION_KEY} is missing.`);
  if (!isObject(capabilities)) throw new Fault(400, INVALID_PARAMS, `params._meta: ${CAPABILITIES_KEY} is missing.`);
}

/** The tool that is called, with its arguments. */
function callIn(tools: Serving["tools"], headers: IncomingHttpHeaders, params: McpFields): [ServedTool, McpFields] {
  const call = toolCallIn(params);
  if (typeof call === "string") throw new Fault(400, INVALID_PARAMS, call);
  const { name, given } = call;
  demandHeader(headers, "Mcp-Name", name, decoded);
  const served = tools.get(name);
  if (!served) throw new Fault(200, INVALID_PARAMS, `There is no tool ${upTo(128, name)}.`);
  return [served, given];
}

async function callTool(serving: Serving, served: ServedTool, given: McpFields): Promise<CallToolResult> {
  try {
    const value = await serving.perform(served.endpoint.action, given);
    // This revision accepts any JSON value; an endpoint without an answer gives null.
    return { ...toolResult(served, value), structuredContent: (value ?? null) as McpFields };
  } catch (error) {
    return toolRefusal(served, error);
  }
}

function listed(serving: Serving, { cursor }: McpFields): McpFields {
  const page = listTools(serving, cursor, () => true);
  if (!page) throw new Fault(200, INVALID_PARAMS, "params.cursor: not one that this list gave.");
  return { ...page, ttlMs: LISTED_FOR_MS, cacheScope: "private" };
}

async function resultFor(serving: Serving, headers: IncomingHttpHeaders, method: string, params: McpFields) {
  switch (method) {
    case "server/discover":
      return {
        supportedVersions: [STATELESS, ...HANDSHAKES],
        capabilities: { tools: {} },
        instructions: serving.instructions,
        ttlMs: LISTED_FOR_MS,
        cacheScope: "private",
      };
    case "tools/list":
      return listed(serving, params);
    case "tools/call":
      return callTool(serving, ...callIn(serving.tools, headers, params));
    default:
      throw new Fault(404, NO_METHOD, "This server has no such method.");
  }
}

/** Answers one message of the revision without handshake; a notification is accepted without an answer. */
export async function answerStateless(
  serving: Serving,
  headers: IncomingHttpHeaders,
  body: unknown,
): Promise<McpReply> {
  const { id, method, jsonrpc } = isObject(body) ? body : {};
  const isNamed = typeof id === "string" || Number.isSafeInteger(id);
  const named = isNamed ? { id } : {};
  try {
    if (Array.isArray(body)) throw new Fault(400, INVALID_REQUEST, "One message a request: there are no batches.");
    if (jsonrpc !== "2.0" || typeof method !== "string" || (id !== undefined && !isNamed))
      throw new Fault(400, INVALID_REQUEST, "The body is no request of JSON-RPC 2.0 with a string or a number as id.");
    if (id === undefined) return { status: 202 };
    demandVersion(headers, body);
    demandHeader(headers, "Mcp-Method", method);
    const result = await resultFor(serving, headers, method, paramsOf(body));
    const told = { ...result, resultType: "complete", _meta: { [SERVER_KEY]: serving.server } };
    return { status: 200, body: { jsonrpc: "2.0", ...named, result: told } };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    const { status, ...error } = fault.reply;
    return { status, body: { jsonrpc: "2.0", ...named, error: { ...error, message: fault.message } } };
  }
}
