import { outbound, type Outbound } from "../../adapters/outbound/outbound.ts";
import { OutboundError } from "../../adapters/outbound/errors.ts";
import { retryAfterMs } from "../../adapters/outbound/retry-after.ts";
import { VERSION } from "../../config/version.ts";

/** What the hub answered. A status of an error is an answer; no answer at all is `Unreachable`. */
export interface HubAnswer {
  status: number;
  /** Parsed JSON; undefined where the body is none. */
  body: any;
  /** The hub's own clock by its Date header, in ms. */
  date: number | undefined;
  retryAfterMs: number | undefined;
}

/** No whole answer came: whether the hub took what was sent is not known. */
export class Unreachable extends Error {}

/** The hub as it is spoken to; tests put a line of their own between. */
export interface HubLink {
  ask(
    method: "GET" | "POST",
    path: string,
    sent?: { body?: string; headers?: Record<string, string> },
  ): Promise<HubAnswer>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** Of one answer, inflated: a page of a thousand records of some kilobytes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Speaks to a hub over HTTP(S): one request at a time, bounded in time and size, never redirected elsewhere. */
export class HttpLink implements HubLink {
  readonly #hub: URL;
  readonly #client: Outbound;

  /** A hub may stand in a private network: its address comes from whoever runs the node. */
  constructor(hub: string) {
    this.#hub = new URL(hub);
    this.#client = outbound({ allowPrivate: true, userAgent: `Signalmesh-edge/${VERSION}`, perHost: 1 });
  }

  async ask(
    method: "GET" | "POST",
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<HubAnswer> {
    const url = new URL(path, this.#hub).href;
    const bounds = { maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS };
    try {
      const answer =
        method === "GET"
          ? await this.#client.get(url, { ...bounds, headers, accept: "application/json", maxRedirects: 0 })
          : await this.#client.post(url, {
              ...bounds,
              body: body ?? "",
              headers: { "content-type": "application/json", ...headers },
            });
      const { date, "retry-after": later } = answer.headers;
      const told = Date.parse(date ?? "");
      return {
        status: answer.status,
        body: parsed(answer.body),
        date: Number.isNaN(told) ? undefined : told,
        retryAfterMs: retryAfterMs(later, Date.now()),
      };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new Unreachable(error.message, { cause: error });
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
