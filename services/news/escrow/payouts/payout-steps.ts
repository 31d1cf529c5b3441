import type { Payout, Policy } from "./payouts.ts";

/** What the wallet showed when it was asked about a payout. */
export type WalletView =
  | { seen: "nothing"; fault: string }
  | { seen: "operation"; opid?: string; txid?: string }
  | {
      seen: "transaction";
      txid: string;
      confirmations: number;
      expired: boolean;
      right: boolean;
      height: number;
      arrived: string;
      fee: string;
    }
  /**
   * Neither an operation nor a transaction of it. `refused`: its operation failed before there was a transaction.
   * `height` was read after the operations.
   */
  | { seen: "absent"; height: number; failure?: string; refused?: boolean };

/** `null` clears a field. */
export type PayoutChange = { [K in Exclude<keyof Payout, "id" | "rev">]?: Payout[K] | null };
/** What to do: call the wallet, book the outcome, remember the change, or nothing more. */
export interface PayoutStep {
  act: "send" | "book" | "keep" | "rest";
  change: PayoutChange;
}

export const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
const delay = (times: number, { firstDelayMs, longestDelayMs }: Policy): number =>
  Math.min(firstDelayMs * 2 ** Math.min(times, 30), longestDelayMs);

const keep = (change: PayoutChange): PayoutStep => ({ act: "keep", change });
/** Checks again later, with growing delays. */
const wait = (payout: Payout, now: number, policy: Policy, change: PayoutChange = {}): PayoutStep =>
  keep({ checks: payout.checks + 1, nextAt: at(now + delay(payout.checks, policy)), ...change });
/** Leaves it to a person. One more look informs its subject. */
const review = (now: number, reason: string, change: PayoutChange = {}): PayoutStep =>
  keep({ state: "manual_review", reason, nextAt: at(now), ...change });

/** Back to the intent: certainly nothing was sent. */
export function again(now: number, delayMs: number, reason: string, change: PayoutChange = {}): PayoutStep {
  const forgotten: PayoutChange = {
    opid: null,
    txid: null,
    sendBy: null,
    absentAt: null,
    expiredAt: null,
    confirmations: null,
    checks: 0,
  };
  return keep({ state: "release_requested", reason, ...forgotten, nextAt: at(now + delayMs), ...change });
}

/**
 * The wallet refused: certainly nothing was sent. A lasting refusal goes to a person at once. A shielding is abandoned
 * instead: its inputs have changed (another deposit arrived), and the next one is ordered with the new ones.
 */
export function refused(payout: Payout, reason: string, passing: boolean, now: number, policy: Policy): PayoutStep {
  if (payout.kind === "shield" || payout.kind === "shield-coinbase")
    return keep({ state: "failed", reason, nextAt: at(now) });
  if (!passing) return review(now, `The wallet refuses it: ${reason}`, { sendBy: null });
  if (payout.refusals >= policy.maxRefusals)
    return review(now, `The wallet refused it ${payout.refusals + 1} times, last: ${reason}`, { sendBy: null });
  return again(now, delay(payout.refusals, policy), reason, { refusals: payout.refusals + 1 });
}

/** What must be known for the next step: nothing, the outcome of a call, or the depth of a transaction. */
export function question({ state, txid }: Payout): "nothing" | "outcome" | "depth" {
  if (state === "submitted" || state === "mined") return txid ? "depth" : "outcome";
  return state === "sending" ? "outcome" : "nothing";
}

/**
 * The next step of a payout, from what is stored and what the wallet shows. One rule governs all others: it is sent
 * again only when no earlier attempt can pay any more. A refusal is certain. A lost answer is not, nor a vanished
 * operation: zcashd may still be working on the request, or have lost a transaction that other nodes have (a restart
 * without its last writes). Then the wallet must have had time to read the request (settleMs), and enough blocks must
 * pass (expiryBlocks) that every transaction made of it is either mined, and found by its memo, or expired.
 */
export function next(payout: Payout, look: WalletView, now: number, policy: Policy): PayoutStep {
  switch (payout.state) {
    case "release_requested":
      return { act: "send", change: {} };
    case "sending":
      return outcome(payout, look, now, policy);
    case "submitted":
    case "mined":
      return payout.txid ? depth(payout, look, now, policy) : outcome(payout, look, now, policy);
    case "confirmed":
      return { act: "book", change: {} };
    default:
      return { act: "rest", change: {} };
  }
}

/** After a call: is there a transaction? */
function outcome(payout: Payout, look: WalletView, now: number, policy: Policy): PayoutStep {
  if (look.seen === "transaction") return found(look, now);
  if (look.seen === "operation" && look.txid) {
    return keep({
      state: "submitted",
      txid: look.txid,
      ...(look.opid && { opid: look.opid }),
      absentAt: null,
      checks: 0,
      nextAt: at(now),
    });
  }
  if (look.seen === "absent" && look.refused)
    return refused(payout, look.failure ?? "its operation failed", true, now, policy);
  if (look.seen === "absent" && isExpired(payout, look.height, now, policy))
    return resend(payout, now, policy, look.failure ?? "the wallet knows nothing of it");
  if (payout.checks >= policy.maxChecks)
    return review(now, `After ${payout.checks} looks it is not known whether the wallet sent it.`);
  if (look.seen === "nothing") return wait(payout, now, policy, { reason: look.fault });
  if (look.seen === "operation")
    return wait(payout, now, policy, { ...(look.opid && { state: "submitted", opid: look.opid }), absentAt: null });
  const settled = settledAt(payout, policy);
  if (now < settled)
    return wait(payout, now, policy, { nextAt: at(Math.min(settled, now + delay(payout.checks, policy))) });
  return wait(payout, now, policy, { absentAt: payout.absentAt ?? look.height });
}

const settledAt = ({ sendBy }: Payout, { settleMs }: Policy): number => Date.parse(sendBy!) + settleMs;

/**
 * Whether any transaction of the last attempt must by now be mined, and so have been seen, or be past its expiry
 * height.
 */
const isExpired = (payout: Payout, height: number, now: number, policy: Policy): boolean =>
  now >= settledAt(payout, policy) && payout.absentAt !== undefined && height >= payout.absentAt + policy.expiryBlocks;

/**
 * Whether a payout certainly cannot pay any more, which also limits a person's "not sent". Otherwise from which block
 * on that can be said, and what to remember until then; null while the wallet shows that it was sent, or is being sent.
 */
export function death(
  payout: Payout,
  look: WalletView,
  now: number,
  policy: Policy,
): { dead: true } | { dead: false; fromBlock: number; change: PayoutChange } | null {
  if (look.seen === "absent") {
    if (!payout.sendBy || isExpired(payout, look.height, now, policy)) return { dead: true };
    const absentAt = payout.absentAt ?? look.height;
    return { dead: false, fromBlock: absentAt + policy.expiryBlocks, change: { absentAt } };
  }
  if (look.seen !== "transaction" || !look.expired) return null;
  const expiredAt = payout.expiredAt ?? look.height;
  const fromBlock = expiredAt + policy.reorgBlocks;
  return look.height >= fromBlock ? { dead: true } : { dead: false, fromBlock, change: { expiredAt } };
}

function resend(payout: Payout, now: number, policy: Policy, reason: string, change: PayoutChange = {}): PayoutStep {
  if (payout.resends >= policy.maxResends)
    return review(now, `It was sent ${payout.attempts} times and never arrived, last: ${reason}`);
  return again(now, 0, reason, { resends: payout.resends + 1, ...change });
}

function found({ right, txid }: Extract<WalletView, { seen: "transaction" }>, now: number): PayoutStep {
  if (!right) return review(now, `Transaction ${txid} bears its memo, but pays something else.`, { txid });
  return keep({ state: "submitted", txid, absentAt: null, checks: 0, nextAt: at(now) });
}

/** A transaction is known: how deep is it? */
function depth(payout: Payout, look: WalletView, now: number, policy: Policy): PayoutStep {
  if (look.seen === "nothing") return wait(payout, now, policy, { reason: look.fault });
  if (look.seen === "operation") return wait(payout, now, policy);
  if (look.seen === "absent") return forgotten(payout, look.height, now, policy);
  if (!look.right) return review(now, `Transaction ${look.txid} does not pay what was ordered.`);
  if (look.expired) return expired(payout, look.height, now, policy);
  const { confirmations, txid } = look;
  if (confirmations >= policy.confirmations) {
    const { arrived: amount, fee } = look;
    return keep({
      state: "confirmed",
      txid,
      confirmations,
      amount,
      fee,
      checks: 0,
      absentAt: null,
      expiredAt: null,
      reason: null,
      nextAt: at(now),
    });
  }
  const state = confirmations >= 1 ? "mined" : "submitted";
  const moved = state !== payout.state || confirmations !== payout.confirmations;
  const soon: PayoutChange = moved ? { checks: 0, nextAt: at(now + policy.firstDelayMs) } : {};
  return wait(payout, now, policy, {
    state,
    txid,
    confirmations,
    absentAt: null,
    expiredAt: null,
    reason: null,
    ...soon,
  });
}

/**
 * The wallet lost its record (a crash without its last writes): a transaction not found again by its expiry was never
 * mined.
 */
function forgotten(payout: Payout, height: number, now: number, policy: Policy): PayoutStep {
  const reason = "the wallet no longer knows its transaction";
  if (isExpired(payout, height, now, policy))
    return resend(payout, now, policy, reason, { abandoned: [...(payout.abandoned ?? []), payout.txid!] });
  if (payout.checks >= policy.maxChecks) return review(now, `The wallet no longer knows transaction ${payout.txid}.`);
  return wait(payout, now, policy, { state: "submitted", absentAt: payout.absentAt ?? height, reason });
}

/** Expired unmined: it will not be mined, unless the chain is reorganised below that height. */
function expired(payout: Payout, height: number, now: number, policy: Policy): PayoutStep {
  const reason = "its transaction expired unmined";
  if (payout.expiredAt === undefined)
    return wait(payout, now, policy, { state: "submitted", expiredAt: height, confirmations: 0, checks: 0, reason });
  if (height < payout.expiredAt + policy.reorgBlocks) return wait(payout, now, policy);
  return resend(payout, now, policy, reason, { abandoned: [...(payout.abandoned ?? []), payout.txid!] });
}
