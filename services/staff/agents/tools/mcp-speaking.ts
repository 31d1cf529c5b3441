import { OutboundError } from "../../../../adapters/outbound/errors.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isProblem, unprocessable, upstream } from "../../../../core/problem.ts";
import { openHeaders } from "./headers.ts";
import { handshaken } from "./mcp-handshake.ts";
import { Older, stateless } from "./mcp-stateless.ts";
import type { Tool } from "./tools.ts";
import { upTo } from "../../../../core/text/cutting.ts";

/** The parts of a tool's record that are needed to reach its server. */
export type McpTool = Pick<Tool, "id" | "headers" | "timeoutMs" | "resultBytes"> & { mcp: NonNullable<Tool["mcp"]> };

export interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
}
export interface Called {
  content: { type: string; text?: string | undefined }[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}
/** A connection to a server of tools, in any revision. */
export interface Speaker {
  list(cursor: string | undefined): Promise<{ tools: ListedTool[]; nextCursor?: string | undefined }>;
  call(tool: ListedTool, given: Record<string, unknown>): Promise<Called>;
}
export interface Posted {
  status: number;
  type: string;
  text: string;
}
/** Sends one message to a server, through the platform's outbound port. */
export type Post = (headers: Record<string, string>, body: string) => Promise<Posted>;

function postTo(host: Host, tool: McpTool, signal: AbortSignal): Post {
  const secrets = openHeaders(host, tool);
  return async (headers, body) => {
    const answer = await host.world.outbound.post(tool.mcp.url, {
      headers: { ...secrets, ...headers },
      body,
      // The list of tools is longer than an answer of a tool.
      maxBytes: Math.max(1_048_576, tool.resultBytes),
      timeoutMs: tool.timeoutMs,
      signal,
    });
    const type = answer.headers["content-type"] ?? "application/json";
    return { status: answer.status, type, text: answer.body.toString("utf8") };
  };
}

/** Servers that only know revisions with a handshake, and until when that is assumed. */
const older = new Map<string, number>();
const OLDER_MS = 600_000;
const MOST_OLDER = 500;

/** Speaks to a server in the newest revision that both know. */
async function negotiated<T>(host: Host, tool: McpTool, signal: AbortSignal, work: (speaker: Speaker) => Promise<T>) {
  const { url } = tool.mcp;
  const post = postTo(host, tool, signal);
  const now = host.world.clock.now();
  if ((older.get(url) ?? 0) <= now) {
    try {
      return await work(stateless(post));
    } catch (error) {
      if (!(error instanceof Older)) throw error;
      if (older.size >= MOST_OLDER) older.clear();
      older.set(url, now + OLDER_MS);
    }
  }
  try {
    return await handshaken({ url, timeoutMs: tool.timeoutMs, post, signal }, work);
  } catch (error) {
    // The server may have been upgraded by now.
    older.delete(url);
    throw error;
  }
}

/** Speaks to a server. Throws 422 where it cannot be reached, 504 where the connection broke off. */
export async function speaking<T>(
  host: Host,
  tool: McpTool,
  signal: AbortSignal,
  work: (speaker: Speaker) => Promise<T>,
): Promise<T> {
  try {
    return await negotiated(host, tool, signal, work);
  } catch (error) {
    if (isProblem(error)) throw error;
    const { message } = error as Error;
    if (error instanceof OutboundError && !["timeout", "protocol"].includes(error.kind))
      throw unprocessable("UNREACHABLE", message);
    throw upstream(504, "UPSTREAM_UNREACHABLE", upTo(300, message));
  }
}
