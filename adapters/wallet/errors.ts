/**
 * `timeout`: the request was sent and its answer lost, by time-out or a broken connection. `refused`: not sent, by our
 * own checks.
 */
export type WalletFailure = "unreachable" | "unauthorized" | "rpc" | "timeout" | "malformed" | "refused";

/**
 * Errors of the node (zcashd's rpc/protocol.h) after which the same call may succeed: warming up, downloading, locked,
 * out of funds, busy.
 */
const PASSING_CODES = new Set([-1, -4, -6, -7, -9, -10, -13, -20, -28, -32603]);

/**
 * The only error of the adapter. Its message never contains the user or the password, and the client's own error is not
 * its cause. `outcome` is what matters for money: whether the wallet may have acted on the call.
 */
export class WalletError extends Error {
  readonly kind: WalletFailure;
  readonly outcome: "not-taken" | "unknown";
  /** The node's error code, where it gave one. */
  readonly code?: number;
  constructor(kind: WalletFailure, outcome: "not-taken" | "unknown", message: string, code?: number) {
    super(message);
    this.name = "WalletError";
    this.kind = kind;
    this.outcome = outcome;
    if (code !== undefined) this.code = code;
  }
  /** Whether the same call may succeed later by itself. */
  get passing(): boolean {
    if (this.kind === "rpc") return PASSING_CODES.has(this.code ?? 0);
    return this.kind !== "refused";
  }
}

const LONGEST_WORDS = 300;

/** The node's own words, safe to show: secrets removed, one line, cut. */
export function presentable(words: string, secrets: readonly string[]): string {
  const clean = secrets
    .filter((secret) => secret.length > 0)
    .reduce((text, secret) => text.replaceAll(secret, "[secret]"), words);
  return clean
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST_WORDS);
}
