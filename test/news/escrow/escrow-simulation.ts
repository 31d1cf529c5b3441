import { openDocuments } from "../../../adapters/documents/index.ts";
import { Dice } from "../../../adapters/wallet/stand-in-random.ts";
import { walletStandIn, type Fault, type StandIn } from "../../../adapters/wallet/stand-in.ts";
import { wallet, WalletError, type Wallet } from "../../../adapters/wallet/wallet.ts";
import type { Collection, Documents } from "../../../core/records/documents.ts";
import { isProblem } from "../../../core/problem.ts";
import { readAddress } from "../../../services/news/escrow/zcash/addresses.ts";
import { openEscrow, type Escrow } from "../../../services/news/escrow/escrow.ts";
import { readMemo } from "../../../services/news/escrow/zcash/memo.ts";
import type { Payout, Policy } from "../../../services/news/escrow/payouts/payouts.ts";
import { isWalletFault, type EscrowWallet } from "../../../services/news/escrow/zcash/wallet-port.ts";
import { Killed, Scheduler, throughScheduler, type Life } from "./escrow-scheduler.ts";
import { HandClock, Impatience, MEMO_KEY, MINUTE } from "./escrow-setup.ts";

/** Rounds of misfortune; then rounds of calm, at most. */
const ROUNDS = 10;
const CALM_ROUNDS = 60;
const CLIENT_TIMEOUT_MS = 30_000;
const DAY = 24 * 60 * MINUTE;

const READS = [
  "getinfo",
  "z_getoperationstatus",
  "z_listreceivedbyaddress",
  "gettransaction",
  "z_viewtransaction",
  "listsinceblock",
  "listunspent",
  "z_validateaddress",
];
const FAULTS: readonly Fault[] = [
  "unauthorized",
  "warming-up",
  "reset-before",
  "reset-after",
  "silence-before",
  "silence-after",
  "busy-before",
  "busy-after",
  "garbage-before",
  "garbage-after",
  "late",
  { code: -10, message: "Zcash is downloading blocks..." },
  { code: -4, message: "The wallet is busy." },
];
/** Those after which nobody knows whether it was sent. */
const LOST: readonly Fault[] = ["reset-after", "silence-after", "garbage-after", "busy-after", "late", "late"];

const OPERATION_FAULTS = [
  { at: "building", code: -8, message: "Insufficient funds: have 0.00, need 0.7001" },
  { at: "committing", code: -4, message: "SendTransaction: Transaction commit failed:: tx-expiring-soon" },
] as const;

/** Protections taken away, to see whether their lack is noticed. */
export interface Lacking {
  policy?: Partial<Policy>;
  /** Nothing is found by its memo. */
  blind?: boolean;
}

/** How a world ended. The trace is what the node was asked, and the last hash of the ledger. */
export interface Verdict {
  problems: string[];
  trace: string;
  sends: number;
  kills: number;
  reviews: number;
  payouts: number;
}

/**
 * One world of one seed: nodes that die, a wallet that fails, a chain that forgets, and people who try again until it
 * is done.
 */
export class Simulation {
  readonly #dice: Dice;
  readonly #scheduler: Scheduler;
  readonly #clock = new HandClock();
  readonly #ids: Dice;
  #node!: StandIn;
  #client!: Wallet;
  #documents!: Documents;
  readonly #collections = new Map<string, Promise<Collection>>();
  #sleeping: Life[] = [];
  readonly #trace: string[] = [];
  readonly #problems: string[] = [];
  #kills = 0;
  #reviews = 0;
  #payees: Record<string, string> = {};

  readonly #lacking: Lacking;

  constructor(seed: number, lacking: Lacking) {
    this.#lacking = lacking;
    this.#dice = new Dice(seed);
    this.#ids = new Dice(seed ^ 0x5eed);
    this.#scheduler = new Scheduler(new Dice(seed ^ 0xca11));
  }

  /** Runs one world to its end and says what was wrong. */
  static async run(seed: number, lacking: Lacking = {}): Promise<Verdict> {
    const simulation = new Simulation(seed, lacking);
    await simulation.#open(seed);
    try {
      // Half of the worlds begin with money in the pool, so that misfortune meets the payouts; the others are unlucky
      // from the first deposit.
      if (simulation.#dice.chance(0.5)) await simulation.#prosper();
      for (let round = 0; round < ROUNDS; round++) await simulation.#round();
      await simulation.#calm();
      await simulation.#judge();
    } finally {
      await simulation.#client.close();
      await simulation.#node.close();
      await simulation.#documents.close();
    }
    const { calls } = simulation.#node;
    return {
      problems: simulation.#problems,
      trace: `${calls.join()}|${simulation.#trace.join()}`,
      sends: calls.filter((method) => method === "z_sendmany").length,
      kills: simulation.#kills,
      reviews: simulation.#reviews,
      payouts: simulation.#node.payments().length,
    };
  }

  async #open(seed: number): Promise<void> {
    this.#node = await walletStandIn({ seed });
    const impatience = new Impatience();
    this.#node.onSilence(impatience.giveUp);
    const { url, user, pass, tAddress, zAddress } = this.#node;
    this.#client = wallet(
      { url, user, pass, tAddress, zAddress, minConfirmations: 1 },
      readAddress,
      impatience.deadline,
    );
    this.#documents = openDocuments({ dataDir: ":memory:" });
    for (const name of ["source", "creator"]) this.#payees[name] = this.#node.chain.dice.saplingAddress();
    // Money to spare, in several notes: what is sent twice shall not fail for want of funds.
    for (let note = 0; note < 4; note++) this.#node.sendNote("100000000", "");
    this.#node.mine(1);
    await this.#finish((escrow) => escrow.adjust("float", "pool", "400000000", "operator", "a float for fees"));
  }

  /** The wallet as a process sees it: a call that slept longer than the client's patience is given up unsent. */
  #walletOf(life: Life): EscrowWallet {
    const wrapped = throughScheduler(this.#client, this.#scheduler, life);
    return {
      ...wrapped,
      tAddress: this.#client.tAddress,
      zAddress: this.#client.zAddress,
      ...(this.#lacking.blind && {
        notes: async () => [],
        operations: async (opids?: readonly string[]) => (opids ? wrapped.operations(opids) : []),
      }),
      send: (transfer) => {
        const began = this.#clock.now();
        return this.#scheduler.call(life, async () => {
          if (this.#clock.now() - began > CLIENT_TIMEOUT_MS) throw new WalletError("timeout", "unknown", "slept");
          return this.#client.send(transfer);
        });
      },
    };
  }

  async #process(life: Life): Promise<Escrow> {
    const collection: Documents["collection"] = async (...given) =>
      throughScheduler(await this.#collection(...given), this.#scheduler, life);
    const policy = { maxChecks: 80, maxResends: 3, confirmations: 2, ...this.#lacking.policy };
    const chance = { newId: () => this.#ids.uuid(), random: (limit: number) => this.#ids.below(limit) };
    return openEscrow({
      documents: { collection },
      wallet: this.#walletOf(life),
      clock: this.#clock,
      memoKey: MEMO_KEY,
      policy,
      ...chance,
    });
  }

  #collection(...given: Parameters<Documents["collection"]>): Promise<Collection> {
    const opened = this.#collections.get(given[0]) ?? this.#documents.collection(...given);
    this.#collections.set(given[0], opened);
    return opened;
  }

  /** Starts a process and what it is to do. What people order is refused or fails as it may: they try again. */
  #start(mortal: boolean, act: (escrow: Escrow) => Promise<unknown>): Promise<void> {
    const callsLeft = mortal && this.#dice.chance(0.6) ? 1 + this.#dice.below(60) : Infinity;
    const life: Life = { dead: false, callsLeft, diesAfterActing: this.#dice.chance(0.6), asleep: false };
    if (mortal && this.#dice.chance(0.15)) this.#sleepLater(life);
    return this.#process(life)
      .then(act)
      .then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof Killed) this.#kills += 1;
          else if (!isProblem(error) && !isWalletFault(error))
            this.#problems.push(`unexpected: ${(error as Error).stack}`);
        },
      );
  }

  /** The process falls asleep in the middle of some call, and wakes rounds later with what it had read before. */
  #sleepLater(life: Life): void {
    const wakeful = life.callsLeft;
    let counted = this.#dice.below(25);
    Object.defineProperty(life, "callsLeft", {
      configurable: true,
      get: () => wakeful,
      set: () => {
        counted -= 1;
        if (counted === 0) {
          life.asleep = true;
          this.#sleeping.push(life);
        }
      },
    });
  }

  /** What the people of this world want, in the order they want it; each may be repeated. */
  async #people(escrow: Escrow): Promise<void> {
    const { bounties, subscriptions } = escrow;
    const { source, creator } = this.#payees as { source: string; creator: string };
    const wish = async (act: () => Promise<unknown>): Promise<void> => {
      await act().catch((error: unknown) => {
        if (!isProblem(error)) throw error;
      });
    };
    for (const [id, amount] of [
      ["paid", "70000000"],
      ["returned", "30000000"],
    ] as const) {
      const bounty = await bounties.create({ title: id, amount, refundAddress: creator }, "creator", id);
      this.#payIn(id, bounty.due);
      if (bounty.stage !== "funded" && bounty.status !== "submitted") continue;
      if (bounty.status === "open" && id === "paid")
        await wish(() => bounties.submit(id, { payee: source, evidence: "found it" }, "source"));
      if (bounty.status === "open" && id === "returned") await wish(() => escrow.requestRefund(id, "admin"));
      if (bounty.status === "submitted" && !bounty.verdict)
        await wish(() => bounties.accept(id, { basis: "creator" }, "creator"));
      if (bounty.verdict?.accepted) await wish(() => escrow.requestRelease(id, "admin"));
      if (bounty.status === "failed" && id === "returned") await wish(() => escrow.requestRefund(id, "admin"));
    }
    const monthly = await subscriptions.create(
      { payee: source, amount: "11000000", refundAddress: creator },
      "reader",
      "monthly",
    );
    if (monthly.period === 1) this.#payIn("monthly", monthly.due);
    if (monthly.status === "active") await wish(() => subscriptions.cancel("monthly"));
    if (monthly.status === "due" && monthly.stage === "funded")
      await wish(() => subscriptions.release("monthly", "admin"));
    await escrow.shield("admin");
  }

  readonly #paidIn = new Set<string>();
  #payIn(id: string, due: string | undefined): void {
    if (!due || this.#paidIn.has(id)) return;
    this.#paidIn.add(id);
    this.#node.deposit(due);
  }

  /** Everything is paid in, and in the pool. */
  async #prosper(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await this.#finish((escrow) => this.#people(escrow));
      this.#node.settle();
      this.#node.mine(3);
      this.#clock.advance(MINUTE);
      await this.#finish((escrow) => escrow.tick());
    }
  }

  /** Misfortunes, time, and two processes at once. */
  async #round(): Promise<void> {
    const dice = this.#dice;
    const node = this.#node;
    this.#misfortune();
    if (dice.chance(0.15)) for (const life of this.#sleeping.splice(0)) life.asleep = false;
    const isDown = dice.chance(0.08);
    if (isDown) await node.down();
    const running = [
      this.#start(true, (escrow) => escrow.tick()),
      this.#start(true, (escrow) => (dice.chance(0.5) ? this.#people(escrow) : escrow.tick())),
    ];
    for (const done of running) done.catch(() => undefined);
    await this.#scheduler.run();
    if (isDown) await node.up();
    for (let steps = dice.below(4); steps > 0; steps--) {
      const made = node.work();
      if (made && dice.chance(0.12)) node.chain.stick(made.txid);
    }
    if (dice.chance(0.6)) node.mine(1 + dice.below(4), { reward: dice.chance(0.1) ? 312_500_000n : 0n });
    if (dice.chance(0.05)) node.deposit("12345678");
    this.#clock.advance(dice.pick([1_000, 5_000, 20_000, MINUTE, 4 * MINUTE, 10 * MINUTE, 2 * DAY]));
    this.#neverTwice();
  }

  #misfortune(): void {
    const dice = this.#dice;
    const node = this.#node;
    if (dice.chance(0.5)) node.fail("z_sendmany", dice.pick(dice.chance(0.6) ? LOST : FAULTS));
    if (dice.chance(0.15)) node.fail(dice.pick(READS), dice.pick(FAULTS));
    if (dice.chance(0.1)) node.fail("*", dice.pick(FAULTS));
    if (dice.chance(0.08)) node.failOperation(dice.pick(OPERATION_FAULTS));
    if (dice.chance(0.12)) node.deliver();
    if (dice.chance(0.1)) node.restart({ powerLoss: dice.chance(0.4) });
    if (dice.chance(0.06)) {
      node.chain.unmine(1);
      node.mine(2);
    }
  }

  /** At no moment may two transactions that count pay for the same payout. */
  #neverTwice(): void {
    const counted = new Map<string, number>();
    for (const { memo } of this.#node.payments()) {
      const found = readMemo(MEMO_KEY, memo);
      if (!found) this.#problems.push("a payment without our memo");
      else counted.set(found.payoutId, (counted.get(found.payoutId) ?? 0) + 1);
    }
    for (const [payoutId, times] of counted)
      if (times > 1) this.#problems.push(`payout ${payoutId} was paid ${times} times`);
  }

  /** Nothing fails any more; time goes by, and a person decides what the escrow leaves to one. */
  async #calm(): Promise<void> {
    this.#node.fail("*");
    this.#node.deliver();
    for (let round = 0; round < CALM_ROUNDS && !(await this.#isDone()); round++) {
      for (const life of this.#sleeping.splice(0)) life.asleep = false;
      await this.#finish(async (escrow) => {
        await this.#people(escrow);
        await escrow.tick();
        await this.#person(escrow);
      });
      this.#node.settle();
      this.#node.mine(20);
      this.#clock.advance(round % 3 === 0 ? 12 * DAY : 20 * MINUTE);
      this.#neverTwice();
    }
  }

  async #rows<T>(collection: string): Promise<T[]> {
    return (await (await this.#collection(collection)).find({ sort: ["_id"] })) as unknown as T[];
  }

  async #isDone(): Promise<boolean> {
    const bounties = await this.#rows<{ stage: string }>("escrow_bounties");
    const subscriptions = await this.#rows<{ stage: string }>("escrow_subscriptions");
    const payouts = await this.#rows<Payout>("escrow_payouts");
    const isOver =
      [...bounties, ...subscriptions].every(({ stage }) => stage === "closed") &&
      payouts.every(({ inFlight }) => !inFlight);
    return bounties.length === 2 && subscriptions.length === 1 && isOver;
  }

  /** Decides by what is true, as somebody who looks at the chain would. */
  async #person(escrow: Escrow): Promise<void> {
    const { chain } = this.#node;
    for (const { _id: id, state } of await this.#rows<{ _id: string; state: string }>("escrow_payouts")) {
      if (state !== "manual_review") continue;
      const isIts = (memo: string) => readMemo(MEMO_KEY, memo)?.payoutId === id;
      const sent = chain
        .all()
        .find(
          (transaction) =>
            transaction.own && chain.depth(transaction) >= 0 && transaction.shielded.some(({ memo }) => isIts(memo)),
        );
      if (sent && !sent.known) continue;
      this.#reviews += 1;
      const decided = escrow.resolve(
        id,
        sent ? { txid: sent.txid } : { notSent: true },
        "operator",
        "looked at the chain",
      );
      await decided.catch((error: unknown) => {
        if (!isProblem(error)) throw error;
      });
    }
  }

  async #judge(): Promise<void> {
    const node = this.#node;
    const complain = (complaint: string) => this.#problems.push(complaint);
    const left = async () => [
      await this.#rows("escrow_bounties"),
      await this.#rows("escrow_subscriptions"),
      await this.#rows("escrow_payouts"),
    ];
    if (!(await this.#isDone())) complain(`not done: ${JSON.stringify(await left())}`);
    const paid = node
      .payments()
      .map(({ address, amount }) => `${address === this.#payees["source"] ? "source" : "creator"} ${amount}`)
      .sort();
    if (paid.join() !== "creator 30000000,source 11000000,source 70000000") complain(`paid: ${paid.join()}`);
    if (node.chain.all().some(({ own, transparent }) => own && transparent.length > 0))
      complain("a transaction of ours pays somebody in the open");
    await this.#finish(async (escrow) => {
      const unsound = await escrow.books.verify();
      if (unsound) complain(unsound);
      await escrow.collect();
      const { alert, drift, steady } = await escrow.reconcile();
      if (alert || !steady || drift.transparent !== "0" || drift.shielded !== "0")
        complain(`drift: ${JSON.stringify({ alert, drift, steady })}`);
      const last = await escrow.books.last();
      if (last?.totals.held !== "0") complain(`still held: ${last?.totals.held}`);
      this.#trace.push(String(last?.hash));
    });
  }

  /** Runs a process that nothing happens to, to its end. */
  async #finish(act: (escrow: Escrow) => Promise<unknown>): Promise<void> {
    const done = this.#start(false, act);
    await this.#scheduler.run();
    await done;
  }
}
