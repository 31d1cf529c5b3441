import { VERSION } from "../../../../config/version.ts";
import type { Post, Speaker } from "./mcp-speaking.ts";

/** The SDK takes a sixth of a second to load: only installations with such tools load it. */
async function loadSdk() {
  const [{ Client }, { StreamableHTTPClientTransport }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const { CallToolResultSchema, ListToolsResultSchema } = types;
  return { Client, StreamableHTTPClientTransport, CallToolResultSchema, ListToolsResultSchema };
}

/** It opens no stream of its own and ends no session. */
const fetchBy =
  (post: Post): typeof fetch =>
  async (_address, init) => {
    if ((init?.method ?? "GET") !== "POST") return new Response(null, { status: 405 });
    const { status, type, text } = await post(Object.fromEntries(new Headers(init!.headers)), String(init!.body));
    return new Response(status === 204 || status === 202 ? null : text, { status, headers: { "content-type": type } });
  };

interface Line {
  url: string;
  timeoutMs: number;
  post: Post;
  signal: AbortSignal;
}
/** Speaks a revision that begins with a handshake, up to 2025-11-25. */
export async function handshaken<T>(
  { url, timeoutMs, post, signal }: Line,
  work: (speaker: Speaker) => Promise<T>,
): Promise<T> {
  const { Client, StreamableHTTPClientTransport, CallToolResultSchema, ListToolsResultSchema } = await loadSdk();
  const client = new Client({ name: "signalmesh", version: VERSION });
  const bounds = { signal, timeout: timeoutMs };
  try {
    const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: fetchBy(post) as never });
    await client.connect(transport as Parameters<typeof client.connect>[0], { timeout: timeoutMs });
    return await work({
      // Plain requests: the client's own methods would compile the schemas of all tools.
      list: (cursor) =>
        client.request({ method: "tools/list", params: cursor ? { cursor } : {} }, ListToolsResultSchema),
      call: ({ name }, given) =>
        client.request({ method: "tools/call", params: { name, arguments: given } }, CallToolResultSchema, bounds),
    });
  } finally {
    await client.close().catch(() => undefined);
  }
}
