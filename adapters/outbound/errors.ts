/** What stopped a request: each kind is handled differently (retried, told to the user, counted against the source). */
export type OutboundFailure =
  | "blocked"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "too-large"
  | "redirects"
  | "protocol"
  | "aborted";

/** A request that got no whole answer. The message is for people; an HTTP error status is an answer, not an error. */
export class OutboundError extends Error {
  readonly kind: OutboundFailure;
  constructor(kind: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OutboundError";
    this.kind = kind;
  }
}

const resolution = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ENODATA",
  "ESERVFAIL",
  "ENODOMAIN",
]);
const timeouts = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);
const certificates =
  /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;

const sentences: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `${host} refuses the connection.`,
  ECONNRESET: (host) => `${host} closed the connection before it had answered.`,
  EPIPE: (host) => `${host} closed the connection before it had answered.`,
  EHOSTUNREACH: (host) => `${host} cannot be reached from here.`,
  ENETUNREACH: (host) => `${host} cannot be reached from here.`,
  EADDRNOTAVAIL: (host) => `${host} cannot be reached from here.`,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => `The certificate of ${host} is self-signed.`,
  SELF_SIGNED_CERT_IN_CHAIN: (host) => `The certificate of ${host} is signed by an unknown authority.`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (host) => `The certificate of ${host} is signed by an unknown authority.`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: (host) => `The certificate of ${host} is signed by an unknown authority.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The certificate of ${host} is made out to another name.`,
  UND_ERR_CONNECT_TIMEOUT: (host) => `${host} does not accept a connection in time.`,
  UND_ERR_HEADERS_TIMEOUT: (host) => `${host} accepted the request and then said nothing.`,
  UND_ERR_BODY_TIMEOUT: (host) => `${host} stopped in the middle of its answer.`,
  UND_ERR_HEADERS_OVERFLOW: (host) => `${host} sends more headers than we read (16 KB).`,
};

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? "");

/** The most informative error: of several failed addresses the first one's, else the innermost with a code. */
function telling(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0];
  const cause = (error as { cause?: unknown } | null)?.cause;
  return codeOf(error) || !cause ? error : telling(cause);
}

function kindOf(code: string): OutboundFailure {
  if (resolution.has(code)) return "dns";
  if (timeouts.has(code)) return "timeout";
  if (certificates.test(code)) return "tls";
  if (/^E[A-Z]+$/.test(code) && !["ECONNRESET", "EPIPE"].includes(code)) return "connect";
  return "protocol";
}

const fallback: Record<OutboundFailure, (host: string) => string> = {
  blocked: (host) => `${host} is not fetched.`,
  dns: (host) => `There is no address for the name ${host}.`,
  connect: (host) => `No connection to ${host}.`,
  tls: (host) => `No safe connection to ${host}: its certificate or its encryption is not accepted.`,
  timeout: (host) => `${host} does not answer in time.`,
  "too-large": (host) => `The answer of ${host} is too large.`,
  redirects: (host) => `${host} redirects too often.`,
  protocol: (host) => `${host} broke off its answer or does not speak proper HTTP.`,
  aborted: () => "The request was cancelled.",
};

/**
 * Turns an error of Node, zlib or undici into words; an OutboundError passes through. `host` is the name in the URL,
 * never an address behind it.
 */
export function outboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const cause = telling(error);
  if (cause instanceof OutboundError) return cause;
  const code = codeOf(cause);
  const kind = kindOf(code);
  return new OutboundError(kind, (sentences[code] ?? fallback[kind])(host), { cause: error });
}
