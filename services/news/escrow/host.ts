import { holds, type Actor } from "../../../core/access/access.ts";
import type { Caller, Ctx } from "../../../core/access/caller.ts";
import type { Collection } from "../../../core/records/documents.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { notConfigured, upstream, upstreamAway } from "../../../core/problem.ts";
import { operationalOnly, simulates } from "../../../core/access/training-mode.ts";
import type { Shelf } from "./context.ts";
import type { Escrow } from "./escrow.ts";
import type { Fundable } from "./ledger/funding.ts";
import { isWalletFault } from "./zcash/wallet-port.ts";

/** What the escrow's actions have as `this`, beside what every domain has. */
export interface EscrowHost extends Host {
  /** Absent where no wallet is configured. */
  escrow?: Escrow;
  shelves: Record<Shelf, Collection>;
  /** The wallet's last logged error, so that an outage is logged once. */
  complaint?: string;
}

/** The settings of a wallet: without all of them there is no escrow. */
export const WALLET_SETTINGS = [
  "SHIELDED_RPC_URL",
  "SHIELDED_RPC_USER",
  "SHIELDED_RPC_PASS",
  "SHIELDED_T_ADDRESS",
  "SHIELDED_Z_ADDRESS",
] as const;

/** The wallet's settings that are absent. */
export const missingSettings = ({ world: { env } }: Host): string[] => WALLET_SETTINGS.filter((name) => !env[name]);

/**
 * Runs a call on the escrow on behalf of a caller. In training the escrow is not called: the answer is what `pretended`
 * makes, or 409 `OPERATIONAL_ONLY`, because the ledger is about real money. Throws 503 NOT_CONFIGURED without a wallet;
 * a failing wallet is 502, or 504 where its answer was lost.
 */
export async function withEscrow<T>(
  host: Host,
  caller: Pick<Caller, "meta">,
  ask: (escrow: Escrow) => Promise<T>,
  pretended?: () => T,
): Promise<T> {
  const { escrow } = host as EscrowHost;
  if (!escrow) throw notConfigured(`The escrow has no wallet: set ${missingSettings(host).join(", ")}.`);
  if (simulates(caller)) {
    if (pretended) return pretended();
    throw operationalOnly("the escrow's books hold real money");
  }
  try {
    return await ask(escrow);
  } catch (error) {
    if (!isWalletFault(error)) throw error;
    if (error.kind === "timeout") throw upstreamAway(504, "UPSTREAM_TIMEOUT", error.message);
    throw (error.kind === "unreachable" ? upstreamAway : upstream)(502, "UPSTREAM_UNREACHABLE", error.message);
  }
}

/** Where to pay in for a bounty or a subscription, how much, and how far that is. */
export function depositFor(host: Host, caller: Pick<Caller, "meta">, record: Fundable) {
  const { due: amount, stage } = record;
  const instructions = () => ({ address: host.world.env.SHIELDED_T_ADDRESS!, amount, stage });
  return withEscrow(
    host,
    caller,
    async (escrow) => ({ ...instructions(), ...(await escrow.progress(record)) }),
    () => ({ ...instructions(), progress: "Training: nothing is paid in." }),
  );
}

/** Whether the caller administers the escrow: by role, and by the credential used. */
export const administers = ({ permits, limits }: Actor): boolean =>
  holds(permits, "escrow:administer") && (!limits || holds(limits, "escrow:administer"));

/** Names the written record to the audit, after the write: a refused order must not be logged as done. */
export function auditWritten<T extends { id: string }>(
  { locals: { trail } }: Ctx<unknown>,
  type: string,
  record: T,
): T {
  trail?.({ type, id: record.id });
  return record;
}

/** Errors of actions that need the wallet's settings, for the docs. */
export const NO_WALLET = { 503: "The installation names no wallet (`NOT_CONFIGURED`)." };
/** Errors of actions that ask the wallet. */
export const WALLET_ERRORS = {
  ...NO_WALLET,
  502: "The wallet cannot be reached.",
  504: "The wallet's answer was lost.",
};
/** What a life cycle refuses. */
export const WRONG_STATE = { 409: "It is not in a state for that (`INVALID_TRANSITION`), or changed meanwhile." };
