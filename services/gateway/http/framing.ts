import type { IncomingMessage } from "node:http";
import { badRequest, Problem } from "../../../core/problem.ts";
import { MOST_HEADERS } from "./connections.ts";

/**
 * Refuses what Node's parser accepts but another reader of the connection could understand differently (RFC 9112, 3.2
 * and 6.1): no Host or several, a transfer coding under HTTP/1.0, a target that is no path (this is no proxy), more
 * headers than are read. Throws 400 or 431; the connection must then be closed.
 */
export function checkFraming({ url, rawHeaders, headers, httpVersionMinor }: IncomingMessage): void {
  if (url?.[0] !== "/") throw badRequest("The target of a request here is a path that begins with a slash.");
  if (rawHeaders.length > MOST_HEADERS * 2)
    throw new Problem(431, "TOO_LARGE", `A request may have ${MOST_HEADERS} headers.`);
  if (httpVersionMinor === 0 && headers["transfer-encoding"] !== undefined)
    throw badRequest("HTTP/1.0 has no transfer codings.");
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === "host") hosts += 1;
  if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) throw badRequest("A request names exactly one Host.");
}
