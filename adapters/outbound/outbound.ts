import { isUtf8 } from "node:buffer";
import type { Dispatcher } from "undici";
import { unprocessable } from "../../core/problem.ts";
import { acceptEncoding, readBody } from "./body.ts";
import { OutboundError, outboundError } from "./errors.ts";
import { AddressGate, hostOf, type Resolver } from "./address-gate.ts";
import { Slots } from "./slots.ts";
import { undici } from "./undici.ts";

export interface OutboundSettings {
  /** Whether loopback and private networks may be fetched. Metadata, link-local and multicast addresses never are. */
  allowPrivate: boolean;
  /** Networks in CIDR form that may be fetched although they are not public. */
  allow?: readonly string[];
  userAgent: string;
  /** Requests to one host name at a time (default 2); the rest wait. */
  perHost?: number;
  /** Milliseconds for name resolution, TCP and TLS together (default 10,000). */
  connectTimeoutMs?: number;
  resolver?: Resolver;
}

interface Bounds {
  headers?: Record<string, string>;
  /** Names of headers that are for this origin only, beside `Authorization` and the like. */
  secretHeaders?: readonly string[];
  /** Most bytes of the body, before and after decompression (default 5 MB). */
  maxBytes?: number;
  /** For all hops together, body included (default 20,000); waiting for a free slot of the host is not counted. */
  timeoutMs?: number;
  signal?: AbortSignal;
}
export interface GetOptions extends Bounds {
  accept?: string;
  /** Default 5. */
  maxRedirects?: number;
  /** Whether a redirect may lead there; by default anywhere that is permitted. */
  leads?: (to: URL) => boolean;
}
export interface PostOptions extends Bounds {
  body: string | Uint8Array;
}

export interface OutboundResponse {
  status: number;
  /** Where the answer came from, after redirects. */
  url: string;
  /**
   * Present where the request was redirected and every redirect was permanent (301 or 308): the address to use from now
   * on.
   */
  permanentUrl?: string;
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>;
  /** Decompressed. */
  body: Buffer;
}

/** The only way to addresses that a user or a document gave: every such request goes through here. */
export interface Outbound {
  /**
   * Follows redirects, each checked like the first address. Throws OutboundError; an HTTP error status is an answer.
   */
  get(url: string, options?: GetOptions): Promise<OutboundResponse>;
  /** Never follows a redirect: the 3xx is the answer. Throws OutboundError. */
  post(url: string, options: PostOptions): Promise<OutboundResponse>;
  /** Throws OutboundError (`blocked`) on an address that is refused before its name is looked up. */
  check(url: string): void;
  /** Works like the platform's `fetch`, for clients that bring their own HTTP layer; the same addresses are blocked. */
  fetch: typeof fetch;
  /** Ends idle and running connections. */
  close(): Promise<void>;
}

/** Why an address is never requested, in a sentence; null where the look-up of its name at each request decides. */
function refusalOf(outbound: Outbound, url: string): string | null {
  try {
    outbound.check(url);
    return null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.message;
  }
}

/** Throws 422, naming the field, on an address that is never requested; `beside` is added to the reason. */
export function demandOpen(outbound: Outbound, url: string, field: string, beside = ""): void {
  const refused = refusalOf(outbound, url);
  if (refused === null) return;
  const message = [refused, beside].filter(Boolean).join(" ");
  throw unprocessable("ADDRESS_REFUSED", `${field}: ${message}`, [{ path: field, message }]);
}

const defaults = {
  maxBytes: 5 * 1024 * 1024,
  timeoutMs: 20_000,
  maxRedirects: 5,
  perHost: 2,
  connectTimeoutMs: 10_000,
};
/** A server may pause this long within its answer. */
const idleMs = 15_000;
const redirects = new Set([301, 302, 303, 307, 308]);
const permanent = new Set([301, 308]);
/** Headers that belong to one origin and must not follow a redirect to another. */
const credentialHeaders = new Set(["authorization", "cookie", "proxy-authorization", "x-api-key"]);
/** Headers that frame the message or name its receiver: set by the client itself. */
const reservedHeaders = new Set(["host", "content-length", "transfer-encoding", "connection", "accept-encoding"]);

/** One request under way: redirects change its URL, use up its time and drop headers. */
interface Hop {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  /** Names, in lower case. */
  secret: ReadonlySet<string>;
  body?: string | Uint8Array;
  maxBytes: number;
  remainingMs: number;
  signal?: AbortSignal;
}

const without = (headers: Record<string, string>, names: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value])
      .filter(([name]) => !names.has(name!)),
  );

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );

/** The target of a redirect, or undefined. Header bytes arrive as Latin-1, but servers put bare UTF-8 into Location. */
function locationOf({ status, headers }: OutboundResponse): string | undefined {
  const location = headers["location"];
  if (!redirects.has(status) || location === undefined) return undefined;
  const bytes = Buffer.from(location, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : location;
}

/**
 * Settles with the work or, if that is first, rejects with the signal's reason: undici only heeds a signal once it is
 * connected.
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

const late = (host: string, cause?: unknown) =>
  new OutboundError("timeout", `${host} does not answer in time.`, { cause });

/** Makes the function that sends one request through an agent, without redirects: completely or not at all. */
function exchanging(
  request: ReturnType<typeof undici>["request"],
  dispatcher: Dispatcher,
): (hop: Hop) => Promise<OutboundResponse> {
  /**
   * A kept-alive connection may have been closed while it was idle: a GET that got no header back is sent once more.
   */
  async function send(
    { url, method, headers, body, remainingMs }: Hop,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const attempt = () =>
      request(url, { dispatcher, method, headers, body, signal, headersTimeout: remainingMs, bodyTimeout: idleMs });
    try {
      return await attempt();
    } catch (error) {
      const dropped = ["UND_ERR_SOCKET", "ECONNRESET"].includes((error as { code?: string }).code ?? "");
      if (method !== "GET" || signal.aborted || !dropped) throw error;
      return attempt();
    }
  }

  async function receive(hop: Hop, signal: AbortSignal): Promise<OutboundResponse> {
    const answer = await send(hop, signal);
    const response = {
      status: answer.statusCode,
      url: hop.url.href,
      headers: flat(answer.headers),
      body: Buffer.alloc(0),
    };
    if (hop.method === "GET" && locationOf(response) !== undefined) {
      // The body of a redirect is useless and may be endless.
      answer.body.on("error", () => undefined).destroy();
      return response;
    }
    return { ...response, body: await readBody(answer.body, response.headers, hop.maxBytes, hostOf(hop.url.hostname)) };
  }

  /** Subtracts the time used from the hop. */
  return async function exchange(hop) {
    const host = hostOf(hop.url.hostname);
    const limit = AbortSignal.timeout(Math.max(1, Math.round(hop.remainingMs)));
    const from = performance.now();
    try {
      const signal = hop.signal ? AbortSignal.any([hop.signal, limit]) : limit;
      return await unlessAborted(receive(hop, signal), signal);
    } catch (error) {
      if (hop.signal?.aborted) throw new OutboundError("aborted", "The request was cancelled.", { cause: error });
      throw limit.aborted ? late(host, error) : outboundError(error, host);
    } finally {
      hop.remainingMs -= performance.now() - from;
    }
  };
}

/** Makes the guarded HTTP client. Throws a RangeError where `allow` has an invalid network. */
export function outbound(settings: OutboundSettings): Outbound {
  const gate = new AddressGate(settings.allowPrivate, settings.allow, settings.resolver);
  const perHost = settings.perHost ?? defaults.perHost;
  const slots = new Slots(perHost);
  const { Agent, request, fetch: bareFetch } = undici();
  const agent = new Agent({
    connect: gate.connector(settings.connectTimeoutMs ?? defaults.connectTimeoutMs),
    connections: perHost,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
  });

  /** For clients that bound their own requests. */
  const unbound = new Agent({ connect: gate.connector(settings.connectTimeoutMs ?? defaults.connectTimeoutMs) });

  const exchange = exchanging(request, agent);
  const inTurn = (hop: Hop) => slots.run(hop.url.hostname, hop.signal, () => exchange(hop));

  function hopTo(method: Hop["method"], text: string, options: GetOptions & Partial<PostOptions>): Hop {
    const headers = {
      "user-agent": settings.userAgent,
      accept: options.accept ?? "*/*",
      ...without(options.headers ?? {}, reservedHeaders),
      "accept-encoding": acceptEncoding,
    };
    return {
      method,
      url: gate.url(text),
      headers,
      secret: new Set([...credentialHeaders, ...(options.secretHeaders ?? []).map((name) => name.toLowerCase())]),
      body: options.body,
      signal: options.signal,
      maxBytes: options.maxBytes ?? defaults.maxBytes,
      remainingMs: options.timeoutMs ?? defaults.timeoutMs,
    };
  }

  /** Points the hop at the redirect's target, which is checked like any address; credentials stay with their origin. */
  function redirect(hop: Hop, location: string, leads: GetOptions["leads"]): void {
    const next = gate.url(location, hop.url);
    if (leads && !leads(next))
      throw new OutboundError("blocked", `${hop.url.host} redirects to ${next.host}, which is not allowed here.`);
    if (next.origin !== hop.url.origin) hop.headers = without(hop.headers, hop.secret);
    if (hop.remainingMs <= 0) throw late(hop.url.hostname);
    hop.url = next;
  }

  async function get(text: string, options: GetOptions = {}): Promise<OutboundResponse> {
    const hop = hopTo("GET", text, options);
    const maxRedirects = options.maxRedirects ?? defaults.maxRedirects;
    const visited = new Set<string>();
    let moved = true;
    for (;;) {
      visited.add(hop.url.href);
      const response = await inTurn(hop);
      const location = locationOf(response);
      if (location === undefined)
        return visited.size > 1 && moved ? { ...response, permanentUrl: response.url } : response;
      moved &&= permanent.has(response.status);
      redirect(hop, location, options.leads);
      if (visited.has(hop.url.href)) throw new OutboundError("redirects", `${hop.url.host} redirects in a circle.`);
      if (visited.size > maxRedirects)
        throw new OutboundError("redirects", `${hop.url.host} redirects more than ${maxRedirects} times.`);
    }
  }

  return {
    get,
    post: async (text, options) => inTurn(hopTo("POST", text, options)),
    check: (text) => void gate.url(text),
    fetch: async (address, init) =>
      bareFetch(gate.url(String(address)), {
        ...(init as object),
        dispatcher: unbound,
      }) as unknown as Promise<Response>,
    close: async () => void (await Promise.all([agent.destroy(), unbound.destroy()])),
  };
}
