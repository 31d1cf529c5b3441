import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../../../core/problem.ts";
import { etagOf, etagMatches } from "../http/respond.ts";

export type CallAction = <T>(action: string, params: object) => Promise<T>;

/**
 * Serves a did:web document: the platform's own, or an identity's by its name. 404 where there is none, 410 where it
 * was deactivated. Pages of any origin may read it, as resolvers in browsers need to.
 */
export async function serveDidDocument(
  req: IncomingMessage,
  res: ServerResponse,
  call: CallAction,
  webName?: string,
): Promise<void> {
  const { document, gone } = await call<{ document: object | null; gone: boolean }>(
    "identity.web.document",
    webName === undefined ? {} : { webName },
  );
  if (gone) throw new Problem(410, "GONE", "This DID was deactivated.");
  if (!document) throw new Problem(404, "NOT_FOUND", "There is no DID document here.");
  const body = JSON.stringify(document),
    etag = etagOf(0, body);
  const headers = { ETag: etag, "Cache-Control": "public, max-age=60", "Access-Control-Allow-Origin": "*" };
  if (etagMatches(req.headers["if-none-match"], etag)) return void res.writeHead(304, headers).end();
  res.writeHead(200, { ...headers, "Content-Type": "application/did+json", "Content-Length": Buffer.byteLength(body) });
  res.end(req.method === "HEAD" ? undefined : body);
}
