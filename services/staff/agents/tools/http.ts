import { setTimeout as delay } from "node:timers/promises";
import { OutboundError } from "../../../../adapters/outbound/errors.ts";
import { retryAfterMs } from "../../../../adapters/outbound/retry-after.ts";
import type { OutboundResponse } from "../../../../adapters/outbound/outbound.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Problem, unprocessable, upstream } from "../../../../core/problem.ts";
import { openHeaders } from "./headers.ts";
import { addressFor, requestBody, hostOf } from "./parameters.ts";
import type { HttpTool, Tool } from "./tools.ts";

/** How one act is sent: `key` identifies it, so that the server can ignore a repetition. */
export interface Errand {
  key: string;
  signal: AbortSignal;
}

const MOST_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;
/** Failures before anything was sent: no effect there. */
const NOTHING_HAPPENED = new Set(["blocked", "dns", "connect", "tls", "redirects"]);

const isText = (type: string): boolean => /^text\/|[/+]json|xml/.test(type);

function answerOf({ status, headers, body }: OutboundResponse): unknown {
  const type = headers["content-type"] ?? "";
  const text = body.toString("utf8");
  if (!isText(type)) return { status, contentType: type, bytes: body.length };
  try {
    return { status, body: /json/.test(type) ? (JSON.parse(text) as unknown) : text };
  } catch {
    return { status, body: text };
  }
}

/** One request. Redirects are followed only to listed hosts, with the tool's own scheme. */
function send(host: Host, tool: Tool, http: HttpTool, given: Record<string, unknown>, errand: Errand) {
  const address = addressFor(http, given);
  if (!address) throw unprocessable("ARGUMENTS", "An argument would lead out of the address's path.");
  const { protocol } = address;
  const bounds = {
    headers: openHeaders(host, tool),
    maxBytes: tool.resultBytes,
    timeoutMs: tool.timeoutMs,
    signal: errand.signal,
  };
  const { outbound } = host.world;
  if (http.method === "GET")
    return outbound.get(address.href, {
      ...bounds,
      accept: "application/json, text/*;q=0.9",
      leads: (to) => to.protocol === protocol && http.hosts.includes(hostOf(to)),
    });
  return outbound.post(address.href, {
    ...bounds,
    headers: {
      ...bounds.headers,
      "content-type": "application/json",
      ...(tool.effect === "keyed" && { "idempotency-key": errand.key }),
    },
    body: requestBody(http, given),
  });
}

/** What a failure says about its effect there. */
function toldBy(error: unknown, { method }: HttpTool): unknown {
  if (!(error instanceof OutboundError)) throw error;
  if (NOTHING_HAPPENED.has(error.kind)) throw unprocessable(`HTTP_${error.kind.toUpperCase()}`, error.message);
  if (error.kind !== "too-large") throw upstream(504, "UPSTREAM_UNREACHABLE", error.message);
  if (method === "GET") throw unprocessable("TOO_LARGE", error.message);
  return { truncated: true };
}

const failedThere = (status: number, pauseMs: number | undefined): Problem =>
  new Problem(502, "UPSTREAM_FAILED", `It answered ${status}.`, {
    ...(pauseMs && { headers: { "Retry-After": String(Math.ceil(pauseMs / 1_000)) } }),
  });

/**
 * Calls an HTTP tool. Throws 4xx where it had no effect there, 502 and 504 where that is unknown. Repeatable calls are
 * tried three times.
 */
export async function callHttp(
  host: Host,
  tool: Tool,
  given: Record<string, unknown>,
  errand: Errand,
): Promise<unknown> {
  const http = tool.http!;
  const attempts = tool.effect === "once" ? 1 : MOST_ATTEMPTS;
  for (let attempt = 1; ; attempt++) {
    const mayRepeat = attempt < attempts && !errand.signal.aborted;
    try {
      const response = await send(host, tool, http, given, errand);
      if (response.status < 300) return answerOf(response);
      if (response.status < 500) throw unprocessable(`HTTP_${response.status}`, `It answered ${response.status}.`);
      const pauseMs = retryAfterMs(response.headers["retry-after"], host.world.clock.now());
      // A server that asks for a longer pause gets it: the run continues later.
      if (!mayRepeat || (pauseMs ?? 0) > FIRST_PAUSE_MS) throw failedThere(response.status, pauseMs);
    } catch (error) {
      const isUnclear = error instanceof OutboundError && ["timeout", "protocol"].includes(error.kind);
      if (!isUnclear || !mayRepeat) return toldBy(error, http);
    }
    await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
}
