import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { Env } from "../../../config/env.ts";
import { isLoopback } from "../../../core/access/origin.ts";
import { forbidden } from "../../../core/problem.ts";
import { fromHere, type Authentication } from "../authentication.ts";

/** A host as in a Host header, without its port; undefined where it is none. */
const nameOf = (host: string | undefined): string | undefined =>
  host && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "") : undefined;

/** By which host names clients reach this gateway: those of the settings, and those of the machine it listens on. */
export function hostNames({ HOST, PUBLIC_URL, ALLOWED_HOSTS }: Env): (host: string | undefined) => boolean {
  const names = new Set([
    HOST.toLowerCase(),
    ...ALLOWED_HOSTS,
    ...(PUBLIC_URL ? [nameOf(new URL(PUBLIC_URL).host)!] : []),
  ]);
  const isEverywhere = HOST === "0.0.0.0" || HOST === "::";
  if (isEverywhere) names.add(hostname().toLowerCase());
  return (host) => {
    const name = nameOf(host);
    if (name === undefined) return false;
    // A page cannot be led here under a bare address: it would be a page of that address.
    return (
      names.has(name) || (isLoopback(name) && (isEverywhere || isLoopback(HOST))) || (isEverywhere && isIP(name) !== 0)
    );
  };
}

/**
 * Throws 403 for a request under a name that is not the gateway's, or from a page that is not of it: a foreign page
 * that DNS leads here (rebinding) would otherwise speak with it (MCP 2025-11-25, Transports, Security Warning).
 */
export function hostGuard(env: Env, at: Pick<Authentication, "origin" | "named">): (req: IncomingMessage) => void {
  const isOurs = hostNames(env);
  return (req) => {
    const { host, origin } = req.headers;
    if (!isOurs(host))
      throw forbidden(
        "This gateway is not reached by the name in Host; PUBLIC_URL and ALLOWED_HOSTS name those it is reached by.",
      );
    const isAllowed =
      origin !== undefined && URL.canParse(origin) && env.ALLOWED_HOSTS.includes(new URL(origin).hostname);
    if (!isAllowed && !fromHere(req, at)) throw forbidden("Requests from pages of another origin are not taken here.");
  };
}
