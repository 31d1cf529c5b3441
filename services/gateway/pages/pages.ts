import type { IncomingMessage, ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Env } from "../../../config/env.ts";
import { lexiconFile } from "../../../core/text/lexicon.ts";
import type { MeshService, Verb } from "../../../core/contract/endpoint.ts";
import { asyncapiInSteps } from "../../../core/contract/documents/asyncapi.ts";
import { openapiInSteps } from "../../../core/contract/documents/openapi.ts";
import { originOf } from "../../../core/access/origin.ts";
import { Problem } from "../../../core/problem.ts";
import { VERSION } from "../../../config/version.ts";
import { serveDidDocument, type CallAction } from "./did-documents.ts";
import { Content, json, PAGE_HEADERS } from "../http/content.ts";
import type { RequestNames } from "../http/request.ts";
import type { ErrorShape } from "../http/refuse.ts";
import type { Reply } from "../http/respond.ts";
import { DOCS_PAGE, DOCS_SCRIPT } from "./docs-page.ts";
import type { NodeHealth } from "./health.ts";
import { consolePages } from "./console-pages.ts";
import { LINK_PAGE } from "./link-page.ts";
import { OIDC_PAGE } from "./oidc-page.ts";
import { SETUP_PAGE } from "./setup-page.ts";

/** What the gateway serves beside endpoints: health, the API description, its docs page, the first set-up. */
export interface Page {
  /** GET by default. */
  method?: Verb;
  path: string;
  /** It checks the credential itself, and counts the request against it; other pages are counted by address. */
  admits?: true;
  /**
   * Neither counted nor kept waiting: its answer costs no more than a refusal, and an orchestrator whose probe is
   * refused would end the node.
   */
  isProbe?: true;
  /** The format of its refusals, where another protocol prescribes one. */
  refusal?: ErrorShape;
  serve(
    req: IncomingMessage,
    res: ServerResponse,
    at: { params: Record<string, string>; health: NodeHealth; names: RequestNames; call: CallAction },
  ): Promise<void> | void;
}

/** A text that is made for each request. */
function send(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  type: string,
  body: string,
  cache: string,
): void {
  res.writeHead(status, [
    ...PAGE_HEADERS,
    "Cache-Control",
    cache,
    "Content-Type",
    type,
    "Content-Length",
    String(Buffer.byteLength(body)),
  ]);
  res.end(req.method === "HEAD" ? undefined : body);
}

const LIVE = JSON.stringify({ status: "live" });
const JSON_TYPE = "application/json; charset=utf-8";
const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

const LASTING = "public, max-age=3600";
const fromSwagger = (name: string, type: string): Content =>
  new Content(
    type,
    () => readFile(join(dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json")), name)),
    LASTING,
  );

/** A redirect from an address that people try to the right one. */
const leading = (path: string, to: string): Page => ({
  path,
  serve: (_req, res) => void res.writeHead(302, { Location: to }).end(),
});

export function pages(services: readonly MeshService[], env: Env): Page[] {
  const files: Readonly<Record<string, Content>> = {
    "start.js": new Content(SCRIPT, DOCS_SCRIPT),
    "asked.tsv": new Content(
      "text/tab-separated-values; charset=utf-8",
      async () => Buffer.from(lexiconFile("asked.tsv")),
      LASTING,
    ),
    "swagger-ui.css": fromSwagger("swagger-ui.css", "text/css; charset=utf-8"),
    "swagger-ui-bundle.js": fromSwagger("swagger-ui-bundle.js", SCRIPT),
  };
  const rest = new Content(JSON_TYPE, function* () {
    return yield* json(yield* openapiInSteps(services, { version: VERSION, url: env.PUBLIC_URL ?? "/" }));
  });
  const pushed = new Content(JSON_TYPE, function* () {
    const url = env.PUBLIC_URL ?? originOf(env, env.PORT);
    return yield* json(yield* asyncapiInSteps(services, { version: VERSION, url }));
  });
  const kept = (path: string, content: Content): Page => ({
    path,
    serve: (req, res) => content.send(req, res as Reply),
  });
  return [
    leading("/home", "/"),
    leading("/api", "/api/docs"),
    leading("/docs", "/api/docs"),
    { path: "/health/live", isProbe: true, serve: (req, res) => send(req, res, 200, JSON_TYPE, LIVE, "no-store") },
    {
      path: "/health/ready",
      isProbe: true,
      async serve(req, res, { health }) {
        const readiness = await health.readiness();
        if (readiness.status !== "ready") res.setHeader("Retry-After", "2");
        send(req, res, readiness.status === "ready" ? 200 : 503, JSON_TYPE, JSON.stringify(readiness), "no-store");
      },
    },
    kept("/api/asyncapi.json", pushed),
    kept("/api/openapi.json", rest),
    kept("/api/docs", new Content(HTML, DOCS_PAGE)),
    {
      path: "/api/docs/:file",
      serve(req, res, { params: { file } }) {
        if (!Object.hasOwn(files, file!)) throw new Problem(404, "ROUTE_NOT_FOUND", "There is no such file.");
        return files[file!]!.send(req, res as Reply);
      },
    },
    { path: "/.well-known/did.json", serve: (req, res, { call }) => serveDidDocument(req, res, call) },
    {
      path: "/identities/:webName/did.json",
      serve: (req, res, { call, params }) => serveDidDocument(req, res, call, params["webName"]),
    },
    ...consolePages(env),
    ...[LINK_PAGE, OIDC_PAGE, SETUP_PAGE].flatMap(({ name, html, script }) => [
      kept(`/${name}`, new Content(HTML, html)),
      kept(`/${name}.js`, new Content(SCRIPT, script)),
    ]),
  ];
}
