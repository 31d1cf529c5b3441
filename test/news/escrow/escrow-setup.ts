import { createSecretKey, randomUUID } from "node:crypto";
import { openDocuments } from "../../../adapters/documents/index.ts";
import { walletStandIn, type StandIn, type StandInSettings } from "../../../adapters/wallet/stand-in.ts";
import { wallet, type Wallet } from "../../../adapters/wallet/wallet.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Documents } from "../../../core/records/documents.ts";
import { readAddress } from "../../../services/news/escrow/zcash/addresses.ts";
import type { Bounty } from "../../../services/news/escrow/bounties/bounties.ts";
import { openEscrow, type Escrow } from "../../../services/news/escrow/escrow.ts";
import type { Policy } from "../../../services/news/escrow/payouts/payouts.ts";

export const START = Date.parse("2026-01-15T12:00:00.000Z");
export const MINUTE = 60_000;
export const MEMO_KEY = createSecretKey(new Uint8Array(32).fill(42));

/** A clock that only tests move. */
export class HandClock implements Clock {
  #now = START;
  now(): number {
    return this.#now;
  }
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Signals that abort when the stand-in meets a call with silence, in place of time going by. */
export class Impatience {
  #waiting: AbortController[] = [];
  readonly deadline = (): AbortSignal => {
    const controller = new AbortController();
    this.#waiting.push(controller);
    return controller.signal;
  };
  readonly giveUp = (): void => {
    for (const controller of this.#waiting.splice(0)) controller.abort();
  };
}

export interface Bench {
  node: StandIn;
  wallet: Wallet;
  clock: HandClock;
  documents: Documents;
  escrow: Escrow;
  /** Somewhere to pay to, new each time. */
  payee(): string;
  close(): Promise<void>;
}

/** An empty store: embedded, or a database of its own on the server that the environment names. */
export function freshDocuments(): Documents {
  const server = process.env["MONGO_URL"]?.replace(/\/[^/]*$/, "");
  return openDocuments({ dataDir: ":memory:", ...(server && { mongoUrl: `${server}/t${randomUUID().slice(0, 8)}` }) });
}

/** An escrow on fresh stores, over the wallet's client and its stand-in. */
export async function bench(settings: StandInSettings = {}, policy: Partial<Policy> = {}): Promise<Bench> {
  const node = await walletStandIn(settings);
  const impatience = new Impatience();
  node.onSilence(impatience.giveUp);
  const { url, user, pass, tAddress, zAddress } = node;
  const client = wallet({ url, user, pass, tAddress, zAddress, minConfirmations: 1 }, readAddress, impatience.deadline);
  const documents = freshDocuments();
  const clock = new HandClock();
  const escrow = await openEscrow({ documents, wallet: client, clock, memoKey: MEMO_KEY, policy });
  const close = async () => {
    await client.close();
    await node.close();
    await documents.close();
  };
  return { node, wallet: client, clock, documents, escrow, payee: () => node.chain.dice.saplingAddress(), close };
}

/** Pays in for a bounty or a subscription and sees it into the pool. */
export async function fund({ node, escrow, clock }: Bench, due: string): Promise<void> {
  node.deposit(due);
  node.mine(3);
  await escrow.shield("admin");
  await carry({ node, escrow, clock });
}

/** Lets wallet, chain and clock go on until nothing is left to do. */
export async function carry(
  { node, escrow, clock }: Pick<Bench, "node" | "escrow" | "clock">,
  rounds = 12,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    node.settle();
    node.mine(1);
    clock.advance(6 * MINUTE);
    await escrow.tick();
  }
}

/** An open bounty. */
export async function openBounty(on: Bench, amount = "50000000", creator = "creator"): Promise<Bounty> {
  const bounty = await on.escrow.bounties.create(
    { title: "Who owns the mine?", amount, refundAddress: on.payee() },
    creator,
  );
  await fund(on, bounty.due!);
  return on.escrow.bounties.get(bounty.id);
}

/** A bounty whose answer the creator accepted. */
export async function acceptedBounty(on: Bench, payee: string, amount?: string): Promise<Bounty> {
  const { id } = await openBounty(on, amount);
  await on.escrow.bounties.submit(id, { payee, evidence: "https://example.org/register" }, "source");
  return on.escrow.bounties.accept(id, { basis: "creator" }, "creator");
}
