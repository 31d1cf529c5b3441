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

/** The host names of this gateway: those of the settings, and those of the machine it listens on. */
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
    // DNS cannot lead a page here under a bare IP address: the page would have to come from that address.
    return (
      names.has(name) || (isLoopback(name) && (isEverywhere || isLoopback(HOST))) || (isEverywhere && isIP(name) !== 0)
    );
  };
}

/**
 * Throws 403 for a request under a host name that is not the gateway's, or from a page of another site: otherwise a
 * foreign page whose name resolves to this machine (DNS rebinding) could talk to it (MCP 2025-11-25, Transports,
 * Security Warning).
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
