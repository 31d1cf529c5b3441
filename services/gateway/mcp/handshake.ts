import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Serving } from "./stateless.ts";
import { listTools } from "./listing.ts";
import { toolCallIn, toolRefusal, toolResult, type McpFields, type ServedTool } from "./tools.ts";
import { upTo } from "../../../core/text/cutting.ts";

/** The SDK takes a sixth of a second to load: only clients of its revisions cause that. */
async function loadSdk() {
  const [{ Server }, { StreamableHTTPServerTransport }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/streamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  return { Server, StreamableHTTPServerTransport, ...types };
}
type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** These revisions accept only objects as structured answers. */
const answersObject = ({ answers }: ServedTool): boolean => answers.type === "object";

function serverFor(
  { Server, ErrorCode, McpError }: Sdk,
  about: Serving["server"],
  instructions: string,
  given: Given,
): Server {
  const server = new Server(about, { capabilities: { tools: {} }, instructions });
  const { tools, perform } = given;
  const listed = ({ cursor }: McpFields): object => {
    const page = listTools(given, cursor, answersObject);
    if (!page) throw new McpError(ErrorCode.InvalidParams, "params.cursor: not one that this list gave.");
    return page;
  };
  const called = async (params: McpFields): Promise<object> => {
    const call = toolCallIn(params);
    if (typeof call === "string") throw new McpError(ErrorCode.InvalidParams, call);
    const served = tools.get(call.name);
    if (!served) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${upTo(128, call.name)}.`);
    try {
      return toolResult(served, await perform(served.endpoint.action, call.given));
    } catch (error) {
      return toolRefusal(served, error);
    }
  };
  // Handlers by schema would answer malformed parameters as if the server had failed.
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    if (method === "tools/list") return { ...listed(params) };
    if (method === "tools/call") return { ...(await called(params)) };
    throw new McpError(ErrorCode.MethodNotFound, "This server has no such method.");
  };
  return server;
}

/** Speaks the revisions that begin with a handshake, one request at a time: nothing is kept between two. */
export function speakerOf({ server: about, instructions }: Pick<Serving, "server" | "instructions">) {
  let sdk: Promise<Sdk> | undefined;
  return async (req: IncomingMessage, res: ServerResponse, body: unknown, given: Given): Promise<void> => {
    const loaded = await (sdk ??= loadSdk());
    const server = serverFor(loaded, about, instructions, given);
    const transport = new loaded.StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    res.once("close", () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(req, res, body);
  };
}
type Given = Pick<Serving, "tools" | "choice" | "actor" | "perform">;

/** The first revision of the protocol without batches. */
const UNBATCHED = "2025-06-18";
/** The most messages in one request of older revisions. */
const MOST_MESSAGES = 20;

/** Why a batch is refused; each message of an accepted batch counts as a request of its own. */
export function refusalOfMany(messages: readonly unknown[], version: string): string | undefined {
  if (version >= UNBATCHED)
    return `Version ${version.slice(0, 10)} of the protocol has no batches: send one message a request.`;
  if (!messages.length || messages.length > MOST_MESSAGES) return `A batch has 1 to ${MOST_MESSAGES} messages.`;
  const ids = messages.flatMap((message) => (message as { id?: unknown } | null)?.id ?? []);
  return new Set(ids).size < ids.length ? "Two messages of a batch have the same id." : undefined;
}
