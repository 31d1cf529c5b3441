import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../../core/problem.ts";

export type CallAction = <T>(action: string, params: object) => Promise<T>;

/**
 * Serves a document of did:web: the platform's own, or that of an identity by its name. 404 where there is none, 410 where
 * it was deactivated. Readable by pages of any origin, as resolvers in browsers need.
 */
export async function serveDidDocument(req: IncomingMessage, res: ServerResponse, call: CallAction, webName?: string): Promise<void> {
  const { document, gone } = await call<{ document: object | null; gone: boolean }>("identity.web.document", webName === undefined ? {} : { webName });
  if (gone) throw new Problem(410, "GONE", "This DID was deactivated.");
  if (!document) throw new Problem(404, "NOT_FOUND", "There is no DID document here.");
  const body = JSON.stringify(document);
  res.writeHead(200, { "Content-Type": "application/did+json", "Content-Length": Buffer.byteLength(body), "Cache-Control": "public, max-age=60", "Access-Control-Allow-Origin": "*" });
  res.end(req.method === "HEAD" ? undefined : body);
}
