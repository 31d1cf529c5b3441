import { VERSION } from "../../../../config/version.ts";
import { OutboundError } from "../../../../adapters/outbound/errors.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isProblem, unprocessable, upstream } from "../../../../core/problem.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { ToolChanged } from "../events.ts";
import { hashOf } from "../gate/hash.ts";
import { openHeaders } from "./headers.ts";
import type { Errand } from "./http.ts";
import { Tool as Tools, type Tool } from "./tools.ts";

const MOST_PAGES = 10;

/** What a server says of a tool, as far as it is pinned: another one is another tool. */
export interface Remote {
  description: string;
  parameters: Record<string, unknown>;
  pinned: string;
}

/** The SDK takes a sixth of a second to load: it is for installations that have such tools. */
async function loadSdk() {
  const [{ Client }, { StreamableHTTPClientTransport }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const { CallToolResultSchema, ListToolsResultSchema } = types;
  return { Client, StreamableHTTPClientTransport, CallToolResultSchema, ListToolsResultSchema };
}

type Parts = Pick<Tool, "id" | "headers" | "timeoutMs" | "resultBytes"> & { mcp: NonNullable<Tool["mcp"]> };

/** The protocol's requests by the one way out of the house; it opens no stream of its own and ends no session. */
function fetchOver(host: Host, tool: Parts, signal: AbortSignal): typeof fetch {
  const secrets = openHeaders(host, tool);
  return async (address, init) => {
    if ((init?.method ?? "GET") !== "POST") return new Response(null, { status: 405 });
    const { status, headers, body } = await host.world.outbound.post(String(address), {
      headers: { ...Object.fromEntries(new Headers(init!.headers)), ...secrets },
      body: String(init!.body),
      // The list of tools is longer than an answer.
      maxBytes: Math.max(1_048_576, tool.resultBytes),
      timeoutMs: tool.timeoutMs,
      signal,
    });
    return new Response(status === 204 || status === 202 ? null : new Uint8Array(body), {
      status,
      headers: { "content-type": headers["content-type"] ?? "application/json" },
    });
  };
}

/** Speaks with a server. Throws 422 where it cannot be reached, 504 where it broke off. */
async function speaking<T>(
  host: Host,
  tool: Parts,
  signal: AbortSignal,
  work: (client: Speaker) => Promise<T>,
): Promise<T> {
  const { Client, StreamableHTTPClientTransport } = await loadSdk();
  const client = new Client({ name: "signalmesh", version: VERSION });
  try {
    const transport = new StreamableHTTPClientTransport(new URL(tool.mcp.url), {
      fetch: fetchOver(host, tool, signal) as never,
    });
    await client.connect(transport as Parameters<typeof client.connect>[0], { timeout: tool.timeoutMs });
    return await work(client);
  } catch (error) {
    if (isProblem(error)) throw error;
    const { message } = error as Error;
    if (error instanceof OutboundError && !["timeout", "protocol"].includes(error.kind))
      throw unprocessable("UNREACHABLE", message);
    throw upstream(504, "UPSTREAM_UNREACHABLE", message.slice(0, 300));
  } finally {
    await client.close().catch(() => undefined);
  }
}
type Speaker = InstanceType<Awaited<ReturnType<typeof loadSdk>>["Client"]>;

/** Asked by a bare request: the client's own method compiles the schemas of all tools to code. */
async function listed(client: Speaker, name: string): Promise<Remote | null> {
  const { ListToolsResultSchema } = await loadSdk();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { tools, nextCursor } = await client.request(
      { method: "tools/list", params: cursor ? { cursor } : {} },
      ListToolsResultSchema,
    );
    const found = tools.find((one) => one.name === name);
    if (found) {
      const { description = "", inputSchema } = found;
      const parameters = inputSchema as Record<string, unknown>;
      return { description, parameters, pinned: hashOf({ name, description, parameters }) };
    }
    if (!nextCursor) return null;
    cursor = nextCursor;
  }
  return null;
}

/** What the server says of a tool now. Throws 422 where it cannot be reached, or has no such tool. */
export async function remoteOf(host: Host, tool: Parts): Promise<Remote> {
  const signal = AbortSignal.timeout(tool.timeoutMs);
  const found = await speaking(host, tool, signal, (client) => listed(client, tool.mcp.tool)).catch(
    (error: unknown) => {
      throw isProblem(error) && error.code >= 500 ? unprocessable("UNREACHABLE", `mcp.url: ${error.message}`) : error;
    },
  );
  if (!found) throw unprocessable("NO_SUCH_TOOL", `mcp.tool: the server has no tool ${tool.mcp.tool}.`);
  return found;
}

const CHANGED = "The server changed this tool: an administrator looks at it first.";

/** A tool that is not what was pinned is nobody's, until somebody pins it anew. */
async function switchOff(host: Host, tool: Tool): Promise<void> {
  const fact = ToolChanged.fact(tool.id, { tool: tool.id, definition: null, by: "system:agents" });
  await host
    .store(Tools)
    .amend(
      asSystem("agents"),
      tool.id,
      ({ rev, status }) => (rev === tool.rev && status === "enabled" ? { status: "disabled", reason: CHANGED } : null),
      { facts: [fact] },
    );
}

/** Calls a tool of an MCP server, when it is still what was pinned. */
export function callMcp(host: Host, tool: Tool, given: Record<string, unknown>, { signal }: Errand): Promise<unknown> {
  const parts = { ...tool, mcp: tool.mcp! };
  return speaking(host, parts, signal, async (client) => {
    if ((await listed(client, parts.mcp.tool))?.pinned !== tool.pinned) {
      await switchOff(host, tool);
      throw unprocessable("TOOL_CHANGED", CHANGED);
    }
    const { CallToolResultSchema } = await loadSdk();
    const params = { name: parts.mcp.tool, arguments: given };
    const bounds = { signal, timeout: tool.timeoutMs };
    const answer = await client.request({ method: "tools/call", params }, CallToolResultSchema, bounds);
    const texts = answer.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const told = { ...(answer.structuredContent && { data: answer.structuredContent }), text: texts.join("\n") };
    if (JSON.stringify(told).length > tool.resultBytes)
      throw unprocessable("TOO_LARGE", `Its answer is longer than ${tool.resultBytes} bytes.`);
    if (answer.isError) throw unprocessable("TOOL_FAILED", told.text.slice(0, 1_000) || "The tool failed.");
    return told;
  });
}
