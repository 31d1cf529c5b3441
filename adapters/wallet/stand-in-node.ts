import { Chain, paddedMemo, type ChainTransaction } from "./stand-in-chain.ts";
import {
  buildTransaction,
  CODES,
  planSendMany,
  planShieldCoinbase,
  RpcFault,
  type OperationPlan,
} from "./stand-in-operations.ts";
import { formOf } from "./stand-in-random.ts";

interface Work {
  id: string;
  status: "queued" | "executing" | "success" | "failed";
  plan: OperationPlan;
  created: number;
  txid?: string;
  error?: { code: number; message: string };
}

/**
 * How an operation goes wrong: before it has made a transaction, or after the wallet recorded one that the network did
 * not take.
 */
export type OperationFault = { at: "building" | "committing"; code: number; message: string };

type Method = (params: readonly unknown[]) => unknown;

const number = (amount: bigint): number => Number(amount) / 1e8;
/** An amount as most answers have it: in ZEC and in zatoshi. */
const both = (amount: bigint) => ({ amount: number(amount), amountZat: Number(amount) });
/** As zcashd's FormatMoney: two decimals at least. */
const money = (amount: bigint): string =>
  `${amount / 100_000_000n}.${String(amount % 100_000_000n)
    .padStart(8, "0")
    .replace(/0{1,6}$/, "")}`;
const sum = (amounts: readonly { amount: bigint }[]): bigint =>
  amounts.reduce((total, { amount }) => total + amount, 0n);

/** The node: answers calls from its chain and wallet, and works off its operations one step at a time. */
export class Node {
  readonly chain: Chain;
  /** -28 until it is done starting. */
  warming = false;
  readonly #methods: ReadonlyMap<string, Method>;
  #work = new Map<string, Work>();
  #locked = new Set<string>();
  #faults: OperationFault[] = [];

  constructor(chain: Chain) {
    this.chain = chain;
    this.#methods = new Map<string, Method>([
      [
        "getinfo",
        () => ({
          version: 6_120_050,
          subversion: "/MagicBean:6.12.0/",
          testnet: true,
          blocks: chain.height,
          connections: 8,
          errors: "",
        }),
      ],
      ["z_gettotalbalance", ([minconf]) => this.#totalBalance(Number(minconf ?? 1))],
      [
        "listunspent",
        ([minconf, maxconf, addresses = []]) =>
          this.#unspent(Number(minconf ?? 1), Number(maxconf ?? 9_999_999), addresses as string[]),
      ],
      ["listsinceblock", ([since, target]) => this.#since(String(since ?? ""), Number(target ?? 1))],
      ["z_listreceivedbyaddress", ([address, minconf]) => this.#received(String(address), Number(minconf ?? 1))],
      ["gettransaction", ([txid]) => this.#transaction(this.#mine(txid))],
      ["z_viewtransaction", ([txid]) => this.#view(this.#mine(txid))],
      ["z_getoperationstatus", ([ids]) => this.#operations(ids as string[] | undefined)],
      ["z_getoperationresult", ([ids]) => this.#takeResults(ids as string[] | undefined)],
      ["z_validateaddress", ([address]) => this.#validate(String(address))],
      ["z_sendmany", (params) => this.#begin(planSendMany(params, chain))],
      ["z_shieldcoinbase", (params) => this.#shieldCoinbase(params)],
    ]);
  }

  call(method: string, params: readonly unknown[]): unknown {
    if (this.warming) throw new RpcFault(CODES.warmup, "Loading block index...");
    const act = this.#methods.get(method);
    if (!act) throw new RpcFault(CODES.unknownMethod, "Method not found");
    return act(params);
  }

  /** The next operations to be worked on go wrong so, one each. */
  failOperation(fault: OperationFault): void {
    this.#faults.push(fault);
  }

  /** Works one step: what was under way is finished, then the next begins. Answers the transaction that was made. */
  work(): ChainTransaction | null {
    const underway = [...this.#work.values()].find(({ status }) => status === "executing");
    const made = underway ? this.#finish(underway) : null;
    const next = [...this.#work.values()].find(({ status }) => status === "queued");
    if (next) next.status = "executing";
    return made;
  }

  get busy(): boolean {
    return [...this.#work.values()].some(({ status }) => status === "queued" || status === "executing");
  }

  /**
   * Forgets operations and locks. After a loss of power the records of waiting transactions are gone too, though not
   * from the network.
   */
  restart({ powerLoss = false }: { powerLoss?: boolean } = {}): void {
    this.#work.clear();
    this.#locked.clear();
    this.#faults = [];
    if (powerLoss)
      for (const transaction of this.chain.all()) if (transaction.own && transaction.waiting) transaction.known = false;
  }

  #begin(plan: OperationPlan): string {
    const id = `opid-${this.chain.dice.uuid()}`;
    this.#work.set(id, { id, status: "queued", plan, created: this.chain.height });
    return id;
  }

  #shieldCoinbase(params: readonly unknown[]): object {
    const { remaining, ...plan } = planShieldCoinbase(params, this.chain, this.#locked);
    for (const { id } of plan.coins) this.#locked.add(id);
    const opid = this.#begin(plan);
    const left = { remainingUTXOs: remaining.length, remainingValue: number(sum(remaining)) };
    return { ...left, shieldingUTXOs: plan.coins.length, shieldingValue: number(sum(plan.coins)), opid };
  }

  #finish(work: Work): ChainTransaction | null {
    const fault = this.#faults.shift();
    for (const { id } of work.plan.coins ?? []) this.#locked.delete(id);
    try {
      if (fault?.at === "building") throw new RpcFault(fault.code, fault.message);
      const built = buildTransaction(work.plan, this.chain, this.#locked);
      const isTaken = fault === undefined && !this.chain.conflicts(built.spends);
      const transaction = this.chain.add({ ...built, own: true, waiting: isTaken });
      if (!isTaken)
        throw new RpcFault(
          fault?.code ?? CODES.wallet,
          fault?.message ?? "SendTransaction: Transaction commit failed:: bad-txns-nullifier-conflict",
        );
      Object.assign(work, { status: "success", txid: transaction.txid });
      return transaction;
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      Object.assign(work, { status: "failed", error: { code: error.code, message: error.message } });
      return null;
    }
  }

  #show({ id, status, plan, created, txid, error }: Work): object {
    const outcome = { ...(txid && { result: { txid }, execution_secs: 1.5 }), ...(error && { error }) };
    return { id, status, creation_time: created, method: plan.method, params: plan.params, ...outcome };
  }

  #operations(ids: string[] | undefined): object[] {
    return [...this.#work.values()]
      .filter(({ id }) => !ids?.length || ids.includes(id))
      .map((work) => this.#show(work));
  }

  #takeResults(ids: string[] | undefined): object[] {
    const done = [...this.#work.values()].filter(
      ({ id, status }) => (!ids?.length || ids.includes(id)) && (status === "success" || status === "failed"),
    );
    for (const { id } of done) this.#work.delete(id);
    return done.map((work) => this.#show(work));
  }

  #totalBalance(minconf: number): object {
    const coins = sum(this.chain.coins().filter(({ id, depth }) => depth >= minconf && !this.#locked.has(id)));
    const notes = sum(this.chain.notes().filter(({ depth }) => depth >= minconf));
    return { transparent: money(coins), private: money(notes), total: money(coins + notes) };
  }

  #unspent(minconf: number, maxconf: number, addresses: readonly string[]): object[] {
    const isWanted = (address: string): boolean => addresses.length === 0 || addresses.includes(address);
    const matching = this.chain
      .coins()
      .filter(
        ({ id, depth, address }) => depth >= minconf && depth <= maxconf && !this.#locked.has(id) && isWanted(address),
      );
    return matching.map(({ id, amount, depth, coinbase, address }) => {
      const [txid, vout] = id.split(":") as [string, string];
      return {
        txid,
        vout: Number(vout),
        generated: coinbase,
        address,
        ...both(amount),
        confirmations: depth,
        spendable: true,
      };
    });
  }

  #since(since: string, target: number): object {
    if (target < 1) throw new RpcFault(CODES.parameter, "Invalid parameter");
    const from = this.chain.heightOf(since);
    const below = from === undefined ? Infinity : 1 + this.chain.height - from;
    const recent = this.chain.known().filter((transaction) => this.chain.depth(transaction) < below);
    const lastblock = this.chain.blockAt(this.chain.height + 1 - target) ?? "0".repeat(64);
    return { transactions: recent.flatMap((transaction) => this.#entries(transaction)), removed: [], lastblock };
  }

  #entries(transaction: ChainTransaction): object[] {
    const depth = this.chain.depth(transaction);
    const mined = depth < 1 ? "orphan" : this.chain.isMature(transaction) ? "generate" : "immature";
    const category = transaction.coinbase ? mined : "receive";
    return transaction.transparent
      .map(({ address, amount }, vout) => ({
        address,
        category,
        ...both(amount),
        vout,
        confirmations: depth,
        txid: transaction.txid,
      }))
      .filter(({ address }) => address === this.chain.tAddress);
  }

  #received(address: string, minconf: number): object[] {
    if (address !== this.chain.zAddress)
      throw new RpcFault(CODES.address, "From address does not belong to this node, zaddr spending key not found.");
    const deep = this.chain.known().filter((transaction) => this.chain.depth(transaction) >= minconf);
    return deep.flatMap((transaction) =>
      transaction.shielded.flatMap(({ address: to, amount, memo, change }, outindex) => {
        const confirmations = this.chain.depth(transaction);
        const note = {
          pool: "sapling",
          txid: transaction.txid,
          ...both(amount),
          memo: paddedMemo(memo),
          outindex,
          confirmations,
          change,
        };
        return to === address ? [note] : [];
      }),
    );
  }

  #mine(txid: unknown): ChainTransaction {
    const transaction = this.chain.get(String(txid));
    if (!transaction) throw new RpcFault(CODES.address, "Invalid or non-wallet transaction id");
    return transaction;
  }

  #transaction(transaction: ChainTransaction): object {
    const confirmations = this.chain.depth(transaction);
    const status = confirmations > 0 ? "mined" : this.chain.isExpired(transaction) ? "expired" : "waiting";
    const coins = transaction.spends
      .filter((id) => !id.includes(":z"))
      .reduce((total, id) => total + this.chain.amountOf(id), 0n);
    const out = sum(transaction.transparent) + (coins > 0n ? sum(transaction.shielded) : 0n);
    const fee = transaction.own && { fee: coins > 0n ? number(out - coins) : 0 };
    return {
      txid: transaction.txid,
      confirmations,
      status,
      time: transaction.time,
      details: this.#entries(transaction),
      ...fee,
    };
  }

  #view({ txid, spends, shielded }: ChainTransaction): object {
    const home = this.chain.zAddress;
    const value = (amount: bigint) => ({ value: number(amount), valueZat: Number(amount) });
    const notes = spends.filter((id) => id.includes(":z"));
    return {
      txid,
      spends: notes.map((id, spend) => ({
        pool: "sapling",
        spend,
        txidPrev: id.slice(0, 64),
        address: home,
        ...value(this.chain.amountOf(id)),
      })),
      outputs: shielded.map(({ address, amount, memo }, output) => ({
        pool: "sapling",
        output,
        outgoing: address !== home,
        walletInternal: false,
        address,
        ...value(amount),
        memo: paddedMemo(memo),
      })),
    };
  }

  #validate(address: string): object {
    const form = formOf(address);
    if (!form) return { isvalid: false };
    const ismine = address === this.chain.zAddress || address === this.chain.tAddress;
    return { isvalid: true, address, address_type: form === "shielded" ? "sapling" : "p2pkh", ismine };
  }
}
