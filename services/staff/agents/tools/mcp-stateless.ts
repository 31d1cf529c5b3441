import { z } from "zod";
import { VERSION } from "../../../../config/version.ts";
import { isMirrorable, mirrored, headerValue } from "./mcp-mirroring.ts";
import type { ListedTool, Post, Posted, Speaker } from "./mcp-speaking.ts";

/** The revision without handshake and sessions: each request carries what it needs. */
const REVISION = "2026-07-28";
const KEY = "io.modelcontextprotocol";
const UNSUPPORTED_VERSION = -32_022;
const NO_METHOD = -32_601;
/** Error codes of this revision: contradicting headers, a missing capability, an unsupported version. */
const MODERN = new Set([-32_020, -32_021, UNSUPPORTED_VERSION]);
const HANDSHAKES = new Set(["2025-11-25", "2025-06-18", "2025-03-26"]);

/** The server only knows revisions with a handshake. */
export class Older extends Error {}

const Tools = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  nextCursor: z.string().optional(),
});
const Answer = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
const Fault = z.object({
  code: z.number(),
  message: z.string().default(""),
  data: z
    .object({ supported: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});
const Message = z.object({
  id: z.unknown().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: Fault.optional(),
});
type Message = z.output<typeof Message>;

function messageOf(text: string): Message | undefined {
  try {
    return Message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The answer in a response: its single message, or the one in its event stream that is no notification. */
export function answerIn({ type, text }: Pick<Posted, "type" | "text">): Message | undefined {
  if (!type.startsWith("text/event-stream")) return messageOf(text);
  const events = text.split(/(?:\r\n|\r|\n){2}/).map((event) =>
    event
      .split(/\r\n|\r|\n/)
      .flatMap((line) => /^data: ?(.*)$/s.exec(line)?.[1] ?? [])
      .join("\n"),
  );
  return events.map(messageOf).find((one) => one?.result || one?.error);
}

/** Throws Older where the answer shows that the server expects a handshake. */
function resultIn(posted: Posted, isFirst: boolean): Record<string, unknown> {
  const { result, error } = answerIn(posted) ?? {};
  if (result && posted.status < 300) {
    if ((result["resultType"] ?? "complete") === "complete") return result;
    throw new Error("The server asks for more before it answers, which nobody is there to give.");
  }
  if (error?.code === UNSUPPORTED_VERSION && error.data?.supported?.some((one) => HANDSHAKES.has(one)))
    throw new Older(error.message);
  const isModern = error && (MODERN.has(error.code) || (posted.status === 404 && error.code === NO_METHOD));
  if (isFirst && !isModern && posted.status < 500) throw new Older(error?.message);
  throw new Error(error?.message || `The server answered ${posted.status}.`);
}

/** Speaks the revision without handshake. The first request shows whether the server knows it: throws Older. */
export function stateless(post: Post): Speaker {
  let asked = 0;
  async function ask(method: string, params: Record<string, unknown>, further: Record<string, string> = {}) {
    const _meta = {
      [`${KEY}/protocolVersion`]: REVISION,
      [`${KEY}/clientInfo`]: { name: "signalmesh", version: VERSION },
      [`${KEY}/clientCapabilities`]: {},
    };
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...further,
    };
    const id = ++asked;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
    return resultIn(await post(headers, body), id === 1);
  }
  return {
    async list(cursor) {
      const { tools, nextCursor } = Tools.parse(await ask("tools/list", cursor ? { cursor } : {}));
      return { tools: tools.filter(({ inputSchema }) => isMirrorable(inputSchema)), nextCursor };
    },
    async call({ name, inputSchema }: ListedTool, given) {
      const further = { "mcp-name": headerValue(name), ...mirrored(inputSchema, given) };
      return Answer.parse(await ask("tools/call", { name, arguments: given }, further));
    },
  };
}
