import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isProblem, Problem } from "../core/problem.ts";

/** Names under which this machine itself asks; any other in `Host` is a page elsewhere that was led here. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;
const MOST_BYTES = 1024 * 1024;

/** One request at the face, read. */
export interface LocalRequest {
  /** Parts of the path that the route names. */
  path: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** `If-Match`: the record as it was read. */
  match: string | undefined;
}
export interface LocalAnswer {
  status?: number;
  data: unknown;
  meta?: object;
  etag?: string;
}
export type Routes = Readonly<Record<string, (request: LocalRequest) => Promise<LocalAnswer>>>;

interface Route {
  method: string;
  parts: string[];
  act: Routes[string];
}

/**
 * The node's HTTP face for whoever sits at it: on loopback alone, and for who holds the token of this start. It works
 * without a hub.
 */
export class Face {
  readonly token = randomBytes(24).toString("base64url");
  readonly #routes: Route[];
  readonly #server: Server;

  constructor(routes: Routes) {
    this.#routes = Object.entries(routes).map(([line, act]) => {
      const [method, path] = line.split(" ");
      return { method: method!, parts: path!.slice(1).split("/"), act };
    });
    this.#server = createServer({ requestTimeout: 10_000 }, (req, res) => void this.#serve(req, res));
  }

  /** Answers the address. Another process of this machine can connect, and gets nothing without the token. */
  async listen(port: number): Promise<string> {
    await once(this.#server.listen(port, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeIdleConnections();
    await once(this.#server, "close");
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const { status = 200, data, meta, etag } = await this.#answer(req);
      send(res, status, { data, ...(meta && { meta }) }, etag);
    } catch (error) {
      const problem = isProblem(error)
        ? error
        : new Problem(500, "INTERNAL", "The node made a mistake; its log tells.");
      // Whoever asked has gone away.
      if (req.destroyed && !req.complete) return;
      if (!isProblem(error)) console.error(error);
      const { status, type: code, message, data } = problem;
      send(res, status, { error: { code, message, ...(data?.details !== undefined && { details: data.details }) } });
    }
  }

  async #answer(req: IncomingMessage): Promise<LocalAnswer> {
    if (!LOOPBACK.test(req.headers.host ?? "")) throw new Problem(421, "MISDIRECTED", "Ask 127.0.0.1 or localhost.");
    if (!this.#admits(req.headers.authorization))
      throw new Problem(401, "UNAUTHENTICATED", "Send the token that the node printed: Authorization: Bearer …");
    const url = new URL(req.url!, "http://127.0.0.1");
    const { act, path } = this.#find(req.method!, url.pathname);
    const body = req.method === "GET" ? {} : await bodyOf(req);
    return act({ path, query: url.searchParams, body, match: req.headers["if-match"] });
  }

  /** In the same time for every wrong token. */
  #admits(authorization: string | undefined): boolean {
    const given = authorization?.startsWith("Bearer ") ? authorization.slice(7) : "";
    return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", this.token, "buffer"));
  }

  #find(method: string, pathname: string): { act: Routes[string]; path: Record<string, string> } {
    const parts = pathname.slice(1).split("/").map(decoded);
    const found = this.#routes.flatMap((route) => {
      const path = matched(route.parts, parts);
      return path ? [{ ...route, path }] : [];
    });
    // What is written out goes before what is left open.
    const [best] = found
      .filter((route) => route.method === method)
      .sort((one, other) => Object.keys(one.path).length - Object.keys(other.path).length);
    if (best) return best;
    if (found.length) throw new Problem(405, "METHOD_NOT_ALLOWED", `There is no ${method} here.`);
    throw new Problem(404, "NOT_FOUND", "There is nothing at this path; GET /status tells what is.");
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Problem(400, "BAD_REQUEST", "The path is not percent-encoded as it should be.");
  }
}

/** The open parts by their names; undefined where the path is another. */
function matched(route: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (route.length !== parts.length) return undefined;
  const path: Record<string, string> = {};
  for (const [at, part] of route.entries())
    if (part.startsWith(":")) path[part.slice(1)] = parts[at]!;
    else if (part !== parts[at]) return undefined;
  return path;
}

async function bodyOf(req: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Problem(413, "TOO_LARGE", "A request has at most 1 MiB.");
    chunks.push(chunk);
  }
  if (size === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Problem(400, "BAD_REQUEST", "The body is no JSON.");
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new Problem(400, "BAD_REQUEST", "The body is a JSON object.");
  return value as Record<string, unknown>;
}

function send(res: ServerResponse, status: number, body: object, etag?: string): void {
  res
    .writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...(etag !== undefined && { ETag: etag }),
    })
    .end(JSON.stringify(body));
}
