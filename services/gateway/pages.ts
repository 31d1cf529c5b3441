import type { IncomingMessage, ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Env } from "../../config/env.ts";
import type { MeshService, Verb } from "../../core/endpoint.ts";
import { asyncapi } from "../../core/asyncapi.ts";
import { openapi } from "../../core/openapi.ts";
import { originOf } from "../../core/origin.ts";
import { Problem } from "../../core/problem.ts";
import { VERSION } from "../../config/version.ts";
import { serveDidDocument, type CallAction } from "./did-documents.ts";
import type { RequestNames } from "./request.ts";
import { etagOf } from "./respond.ts";
import type { Health } from "./health.ts";
import { LINK_PAGE } from "./link-page.ts";
import { OIDC_PAGE } from "./oidc-page.ts";
import { SETUP_PAGE } from "./setup-page.ts";

/** What the gateway serves besides endpoints: health, the API description, its docs page, the first set-up. */
export interface Page {
  /** GET by default. */
  method?: Verb;
  path: string;
  serve(req: IncomingMessage, res: ServerResponse, at: { params: Record<string, string>; health: Health; names: RequestNames; call: CallAction }): Promise<void> | void;
}

const CSP = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'";

function send(req: IncomingMessage, res: ServerResponse, status: number, type: string, body: string | Buffer, cache = "no-cache"): void {
  const etag = etagOf(0, body);
  res.setHeader("Cache-Control", cache);
  res.setHeader("ETag", etag);
  res.setHeader("Content-Security-Policy", CSP);
  res.setHeader("X-Frame-Options", "DENY");
  res.setHeader("Referrer-Policy", "no-referrer");
  if (status === 200 && req.headers["if-none-match"] === etag) return void res.writeHead(304).end();
  res.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  res.end(req.method === "HEAD" ? undefined : body);
}

const JSON_TYPE = "application/json; charset=utf-8";
const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Signalmesh API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css"><link rel="icon" href="data:,"></head>
<body><div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body></html>
`;

const DOCS_START = `SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#docs", deepLinking: true, filter: true, docExpansion: "none", persistAuthorization: true, validatorUrl: null, tryItOutEnabled: true });\n`;

const ASSETS: Record<string, string> = { "swagger-ui.css": "text/css; charset=utf-8", "swagger-ui-bundle.js": SCRIPT };

async function asset(req: IncomingMessage, res: ServerResponse, name: string): Promise<void> {
  if (name === "start.js") return send(req, res, 200, SCRIPT, DOCS_START);
  const type = ASSETS[name];
  if (!type) throw new Problem(404, "ROUTE_NOT_FOUND", "There is no such file.");
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  send(req, res, 200, type, await readFile(join(folder, name)), "public, max-age=3600");
}

export function pages(services: readonly MeshService[], env: Env): Page[] {
  let document: string | undefined;
  const description = (): string => (document ??= JSON.stringify(openapi(services, { version: VERSION, url: env.PUBLIC_URL ?? "/" })));
  return [
    { path: "/", serve: (_req, res) => void res.writeHead(302, { Location: "/api/docs" }).end() },
    { path: "/health/live", serve: (req, res) => send(req, res, 200, JSON_TYPE, JSON.stringify({ status: "live" }), "no-store") },
    {
      path: "/health/ready",
      async serve(req, res, { health }) {
        const readiness = await health.readiness();
        if (readiness.status !== "ready") res.setHeader("Retry-After", "2");
        send(req, res, readiness.status === "ready" ? 200 : 503, JSON_TYPE, JSON.stringify(readiness), "no-store");
      },
    },
    { path: "/api/asyncapi.json", serve: (req, res) => send(req, res, 200, JSON_TYPE, JSON.stringify(asyncapi(services, { version: VERSION, url: env.PUBLIC_URL ?? originOf(env, env.PORT) }))) },
    { path: "/api/openapi.json", serve: (req, res) => send(req, res, 200, JSON_TYPE, description()) },
    { path: "/api/docs", serve: (req, res) => send(req, res, 200, HTML, DOCS_PAGE) },
    { path: "/api/docs/:file", serve: (req, res, { params }) => asset(req, res, params["file"]!) },
    { path: "/.well-known/did.json", serve: (req, res, { call }) => serveDidDocument(req, res, call) },
    { path: "/identities/:webName/did.json", serve: (req, res, { call, params }) => serveDidDocument(req, res, call, params["webName"]) },
    ...[LINK_PAGE, OIDC_PAGE, SETUP_PAGE].flatMap(({ name, html, script }): Page[] => [
      { path: `/${name}`, serve: (req, res) => send(req, res, 200, HTML, html) },
      { path: `/${name}.js`, serve: (req, res) => send(req, res, 200, SCRIPT, script) },
    ]),
  ];
}
