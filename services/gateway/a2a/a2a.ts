import type { IncomingMessage, ServerResponse } from "node:http";
import type { Verb } from "../../../core/contract/endpoint.ts";
import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { invalid, Problem } from "../../../core/problem.ts";
import { Content } from "../http/content.ts";
import { parseJson, readBody } from "../http/request.ts";
import { etagOf, etagMatches, notedHeaders, type Reply } from "../http/respond.ts";
import type { World } from "../../../core/world.ts";
import type { Page } from "../pages/pages.ts";
import { A2A_PATH, PROTOCOL, publicCard } from "./card.ts";
import {
  cancel,
  card,
  list,
  send,
  sendStreaming,
  show,
  subscribe,
  type A2aDoor,
  type A2aRequest,
} from "./operations.ts";
import { A2A_TYPE, fault, rpcStatus } from "./refusals.ts";
import { noPush, sentIn } from "./requests.ts";
import { CardSigner } from "./signing.ts";

const CARD_PATH = "/.well-known/agent-card.json";
const KEYS_PATH = `${A2A_PATH}/jwks.json`;
const BODY_LIMIT = 1_048_576;
const FRESH = "public, max-age=3600";
const FOLLOWED = "agents.executions.streamChanges";

/** Throws where the client asks for another version; a client that names none means 0.3 (3.6.2). */
function demandVersion(req: IncomingMessage, query: URLSearchParams): void {
  const said = String(req.headers["a2a-version"] ?? query.get("A2A-Version") ?? "").trim();
  // Patches do not count when versions are compared.
  if (/^1\.0(\.\d+)?$/.test(said)) return;
  const heard = said ? said.slice(0, 20) : "0.3, which no A2A-Version means,";
  throw fault("VERSION_NOT_SUPPORTED", `The version ${heard} is not spoken here; ${PROTOCOL} is.`);
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(req, BODY_LIMIT);
  if (!bytes.length) return {};
  const type = (req.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/json" && type !== A2A_TYPE)
    throw new Problem(415, "UNSUPPORTED_MEDIA_TYPE", `Send the body as ${A2A_TYPE}.`, {
      headers: { Accept: A2A_TYPE },
    });
  return parseJson(bytes);
}

/** The agent named by the path or the body. Throws 400 where they name two. */
function tenantOf(asking: A2aRequest, body: unknown): A2aRequest {
  const named = (body as { tenant?: unknown } | null)?.tenant || asking.query.get("tenant") || undefined;
  if (named === undefined) return asking;
  if (typeof named !== "string" || (asking.tenant !== undefined && asking.tenant !== named))
    throw invalid([{ path: "tenant", message: "The path names another agent." }]);
  return { ...asking, tenant: named };
}

interface Speaking {
  signer: CardSigner;
  /** Follows a run. */
  followed: PublishedEndpoint;
}

function answer({ req, res }: A2aRequest, value: object, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(value);
  res.writeHead(200, {
    "Content-Type": A2A_TYPE,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    ...headers,
  });
  res.end(req.method === "HEAD" ? undefined : text);
}

async function showCard(asking: A2aRequest, signer: CardSigner): Promise<void> {
  const signed = signer.signed(await card(asking), asking.origin + KEYS_PATH);
  const etag = etagOf(0, JSON.stringify(signed));
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (etagMatches(asking.req.headers["if-none-match"], etag)) return void asking.res.writeHead(304, headers).end();
  answer(asking, signed, headers);
}

type Operation = (asking: A2aRequest, of: Speaking, id: string) => Promise<void>;
const withBody =
  (act: (asking: A2aRequest, of: Speaking, body: unknown, id: string) => Promise<void>): Operation =>
  async (asking, of, id) => {
    const body = await bodyOf(asking.req);
    return act(tenantOf(asking, body), of, body, id);
  };
const push: Operation = async () => {
  throw noPush();
};
const follow: Operation = (asking, { followed }, id) => subscribe(asking, id, followed);

/** The operations by the path behind the tenant (11.3); `{}` stands for a task's id. */
const OPERATIONS: Readonly<Record<string, Partial<Record<Verb, Operation>>>> = {
  "message:send": { POST: withBody(async (asking, _of, body) => answer(asking, await send(asking, sentIn(body)))) },
  "message:stream": {
    POST: withBody((asking, { followed }, body) => sendStreaming(asking, sentIn(body), followed)),
  },
  tasks: { GET: async (asking) => answer(asking, await list(asking)) },
  "tasks/{}": { GET: async (asking, _of, id) => answer(asking, await show(asking, id)) },
  "tasks/{}:cancel": { POST: withBody(async (asking, _of, _body, id) => answer(asking, await cancel(asking, id))) },
  // The specification's text says POST, its protocol buffers GET.
  "tasks/{}:subscribe": { GET: follow, POST: withBody((asking, of, _body, id) => follow(asking, of, id)) },
  "tasks/{}/pushNotificationConfigs": { GET: push, POST: push },
  "tasks/{}/pushNotificationConfigs/{}": { GET: push, DELETE: push },
  extendedAgentCard: { GET: (asking, { signer }) => showCard(asking, signer) },
};
const HEADS = ["message:send", "message:stream", "tasks", "extendedAgentCard"];

/** The operation that a path names, with its agent and task; undefined where it names none. */
function find(path: string): { tenant: string | undefined; name: string; id: string } | undefined {
  const parts = path.split("/");
  const tenant = HEADS.includes(parts[0]!) ? undefined : parts.shift();
  const [head = "", task, ...rest] = parts;
  if (tenant === "" || parts.some((part) => !part)) return undefined;
  if (task === undefined) return { tenant, name: head, id: "" };
  const [, id, verb = ""] = /^(.*?)(:[a-z]+)?$/i.exec(task)!;
  if (!id) return undefined;
  const [below, config, ...more] = rest;
  const tail = below === undefined ? "" : config === undefined ? `/${below}` : `/${below}/{}`;
  return more.length ? undefined : { tenant, name: `${head}/{}${verb}${tail}`, id };
}

async function serve(asking: A2aRequest, of: Speaking, path: string): Promise<void> {
  const found = find(path);
  const operation = found && Object.hasOwn(OPERATIONS, found.name) ? OPERATIONS[found.name] : undefined;
  if (!found || !operation) throw new Problem(404, "ROUTE_NOT_FOUND", "The protocol has no such address.");
  const verb = asking.req.method === "HEAD" ? "GET" : asking.req.method!;
  const act = operation[verb as Verb];
  if (!act) {
    const allow = Object.keys(operation).join(", ");
    throw new Problem(405, "METHOD_NOT_ALLOWED", `This address takes ${allow}.`, { headers: { Allow: allow } });
  }
  const named = { ...asking, tenant: found.tenant };
  return act(verb === "GET" ? tenantOf(named, null) : named, of, found.id);
}

/**
 * Agent2Agent 1.0 in its HTTP+JSON binding: cards, and tasks, which are runs of agents. Every operation is an action
 * that the caller could also call directly, and runs on their behalf.
 */
export function a2aPages(
  door: A2aDoor,
  endpoints: readonly PublishedEndpoint[],
  origin: () => string,
  { secret, trustedSecrets }: Pick<World, "secret" | "trustedSecrets">,
): Page[] {
  let made: Speaking | undefined;
  const followed = endpoints.find(({ action }) => action === FOLLOWED)!;
  const speaking = (): Speaking => (made ??= { signer: new CardSigner(secret, trustedSecrets), followed });
  const forAll = (path: string, make: () => object): Page => {
    const content = new Content(
      "application/json; charset=utf-8",
      async () => Buffer.from(JSON.stringify(make())),
      FRESH,
    );
    return {
      path,
      serve(req, res) {
        res.setHeader("Access-Control-Allow-Origin", "*");
        return content.send(req, res as Reply);
      },
    };
  };
  const spoken = (method: Verb): Page => ({
    method,
    path: `${A2A_PATH}/*rest`,
    admits: true,
    refusal: { contentType: A2A_TYPE, bodyOf: rpcStatus },
    async serve(req: IncomingMessage, res: ServerResponse, { params, names }) {
      door.guard(req);
      const meta = await door.admit(req, res, "signed-in");
      for (const [name, value] of Object.entries(notedHeaders(res))) res.setHeader(name, value);
      const query = new URL(req.url!, "http://h").searchParams;
      demandVersion(req, query);
      const asking = { door, req, res, meta, names, origin: origin(), tenant: undefined, query };
      return serve(asking, speaking(), params["rest"]!);
    },
  });
  return [
    forAll(CARD_PATH, () => speaking().signer.signed(publicCard(origin()), origin() + KEYS_PATH)),
    forAll(KEYS_PATH, () => speaking().signer.jwks),
    spoken("GET"),
    spoken("POST"),
    spoken("DELETE"),
  ];
}
