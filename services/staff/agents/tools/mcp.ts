import type { Host } from "../../../../core/contract/endpoint.ts";
import { isProblem, unprocessable } from "../../../../core/problem.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { ToolChanged } from "../events.ts";
import { hashOf } from "../gate/hash.ts";
import type { Errand } from "./http.ts";
import { speaking, type ListedTool, type McpTool, type Speaker } from "./mcp-speaking.ts";
import { Tool as Tools, type Tool } from "./tools.ts";
import { upTo } from "../../../../core/text/cutting.ts";

const MOST_PAGES = 10;

/** A server's description of a tool, as far as it is pinned: a different one is a different tool. */
export interface Remote {
  description: string;
  parameters: Record<string, unknown>;
  pinned: string;
}

const remote = ({ name, description = "", inputSchema: parameters }: ListedTool): Remote => ({
  description,
  parameters,
  pinned: hashOf({ name, description, parameters }),
});

async function listed(speaker: Speaker, name: string): Promise<ListedTool | null> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { tools, nextCursor } = await speaker.list(cursor);
    const found = tools.find((one) => one.name === name);
    if (found ?? !nextCursor) return found ?? null;
    cursor = nextCursor;
  }
  return null;
}

/** The server's present description of a tool. Throws 422 where it cannot be reached, or lacks the tool. */
export async function remoteOf(host: Host, tool: McpTool): Promise<Remote> {
  const signal = AbortSignal.timeout(tool.timeoutMs);
  const found = await speaking(host, tool, signal, (speaker) => listed(speaker, tool.mcp.tool)).catch(
    (error: unknown) => {
      throw isProblem(error) && error.code >= 500 ? unprocessable("UNREACHABLE", `mcp.url: ${error.message}`) : error;
    },
  );
  if (!found) throw unprocessable("NO_SUCH_TOOL", `mcp.tool: the server has no tool ${tool.mcp.tool}.`);
  return remote(found);
}

const CHANGED = "The server changed this tool: an administrator looks at it first.";

/** Switches off a tool that differs from its pin, until somebody pins it again. */
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

function isJsonOf(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** Calls a tool of an MCP server, if it is still as pinned. */
export function callMcp(host: Host, tool: Tool, given: Record<string, unknown>, { signal }: Errand): Promise<unknown> {
  const parts = { ...tool, mcp: tool.mcp! };
  return speaking(host, parts, signal, async (speaker) => {
    const found = await listed(speaker, parts.mcp.tool);
    if (!found || remote(found).pinned !== tool.pinned) {
      await switchOff(host, tool);
      throw unprocessable("TOOL_CHANGED", CHANGED);
    }
    const answer = await speaker.call(found, given);
    const text = answer.content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n");
    const { structuredContent: data } = answer;
    // Servers repeat structured content as text for older clients: a model needs it only once.
    const told = data === undefined ? { text } : { data, ...(!isJsonOf(text, data) && { text }) };
    if (JSON.stringify(told).length > tool.resultBytes)
      throw unprocessable("TOO_LARGE", `Its answer is longer than ${tool.resultBytes} bytes.`);
    if (answer.isError) throw unprocessable("TOOL_FAILED", upTo(1_000, text) || "The tool failed.");
    return told;
  });
}
