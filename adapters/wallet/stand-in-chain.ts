import { Dice } from "./stand-in-random.ts";

export interface ShieldedOutput {
  address: string;
  amount: bigint;
  memo: string;
  change: boolean;
}
export interface TransparentOutput {
  address: string;
  amount: bigint;
}

export interface ChainTransaction {
  txid: string;
  /** Made by the wallet itself. */
  own: boolean;
  coinbase: boolean;
  /** Ids of what it spends: `<txid>:z<n>` for notes, `<txid>:<n>` for transparent outputs. */
  spends: string[];
  shielded: ShieldedOutput[];
  transparent: TransparentOutput[];
  /** Height of its block, or null. */
  height: number | null;
  /** Waits in the network's memory pool. */
  waiting: boolean;
  /** Last height at which it can be mined. */
  expiry: number;
  /** The wallet has a record of it. */
  known: boolean;
  time: number;
}

export interface Unspent {
  id: string;
  amount: bigint;
  depth: number;
  coinbase: boolean;
  address: string;
}

/** zcashd's -txexpirydelta. */
export const EXPIRY_BLOCKS = 40;
export const COINBASE_MATURITY = 100;
const EMPTY_MEMO = "f6";

/** Chain and wallet file of the stand-in: what survives a restart of the node. */
export class Chain {
  readonly tAddress: string;
  readonly zAddress: string;
  readonly dice: Dice;
  readonly #transactions = new Map<string, ChainTransaction>();
  readonly #heights = new Map<string, number>();
  #blocks: string[];
  #stuck = new Set<string>();

  constructor(seed: number, startHeight: number) {
    this.dice = new Dice(seed);
    this.tAddress = this.dice.transparentAddress();
    this.zAddress = this.dice.saplingAddress();
    this.#blocks = [];
    for (let height = 0; height <= startHeight; height++) this.#append();
  }

  get height(): number {
    return this.#blocks.length - 1;
  }
  blockAt(height: number): string | undefined {
    return this.#blocks[height];
  }
  heightOf(block: string): number | undefined {
    return this.#heights.get(block);
  }

  #append(): void {
    const hash = this.dice.hex(32);
    this.#heights.set(hash, this.#blocks.length);
    this.#blocks.push(hash);
  }

  add(transaction: Partial<ChainTransaction>): ChainTransaction {
    const added: ChainTransaction = {
      txid: this.dice.hex(32),
      own: false,
      coinbase: false,
      spends: [],
      shielded: [],
      transparent: [],
      height: null,
      waiting: true,
      expiry: this.height + 1 + EXPIRY_BLOCKS,
      known: true,
      time: this.height,
      ...transaction,
    };
    this.#transactions.set(added.txid, added);
    return added;
  }

  /**
   * Mines blocks with all that waits and may still be mined, and is not stuck; a reward is a coinbase to the
   * transparent address.
   */
  mine(blocks = 1, { reward = 0n }: { reward?: bigint } = {}): void {
    for (let mined = 0; mined < blocks; mined++) {
      const height = this.height + 1;
      for (const transaction of this.#waiting()) {
        if (transaction.expiry < height) transaction.waiting = false;
        else if (!this.#stuck.has(transaction.txid))
          Object.assign(transaction, { height, waiting: false, known: true });
      }
      this.#append();
      if (reward > 0n)
        this.add({ coinbase: true, height, waiting: false, transparent: [{ address: this.tAddress, amount: reward }] });
    }
  }

  /** Takes the last blocks away: what they held waits again; their rewards are gone. */
  unmine(blocks: number): void {
    this.#blocks.length -= blocks;
    for (const transaction of this.#transactions.values()) {
      if (transaction.height === null || transaction.height <= this.height) continue;
      Object.assign(transaction, { height: null, waiting: !transaction.coinbase });
    }
  }

  /** No miner takes this transaction: it will expire. */
  stick(txid: string): void {
    this.#stuck.add(txid);
  }
  unstick(): void {
    this.#stuck.clear();
  }

  *#waiting(): Iterable<ChainTransaction> {
    for (const transaction of this.#transactions.values()) if (transaction.waiting) yield transaction;
  }

  /** Confirmations; 0 waiting, -1 neither mined nor waiting. */
  depth({ height, waiting }: ChainTransaction): number {
    if (height !== null) return this.height - height + 1;
    return waiting ? 0 : -1;
  }

  isExpired(transaction: ChainTransaction): boolean {
    return transaction.height === null && !transaction.coinbase && this.height > transaction.expiry;
  }

  isMature(transaction: ChainTransaction): boolean {
    return !transaction.coinbase || this.depth(transaction) > COINBASE_MATURITY;
  }

  /** What the wallet has a record of, oldest first. */
  known(): ChainTransaction[] {
    return [...this.#transactions.values()].filter(({ known }) => known);
  }
  /** What anybody has, oldest first. */
  all(): ChainTransaction[] {
    return [...this.#transactions.values()];
  }
  get(txid: string): ChainTransaction | undefined {
    const transaction = this.#transactions.get(txid);
    return transaction?.known ? transaction : undefined;
  }

  /** Outputs that a mined or waiting transaction spends; to the wallet, only those it knows of. */
  #spent(transactions: readonly ChainTransaction[]): Set<string> {
    return new Set(transactions.filter((transaction) => this.depth(transaction) >= 0).flatMap(({ spends }) => spends));
  }

  /** Whether the network would refuse a transaction because somebody else spends the same. */
  conflicts(spends: readonly string[]): boolean {
    const spent = this.#spent(this.all());
    return spends.some((id) => spent.has(id));
  }

  notes(): Unspent[] {
    const spent = this.#spent(this.known());
    return this.known()
      .filter((transaction) => this.depth(transaction) >= 0)
      .flatMap((transaction) =>
        transaction.shielded
          .map(({ amount, address }, n) => ({
            id: `${transaction.txid}:z${n}`,
            amount,
            depth: this.depth(transaction),
            coinbase: false,
            address,
          }))
          .filter(({ id, address }) => address === this.zAddress && !spent.has(id)),
      );
  }

  coins(): Unspent[] {
    const spent = this.#spent(this.known());
    return this.known()
      .filter((transaction) => this.depth(transaction) >= 0 && this.isMature(transaction))
      .flatMap((transaction) =>
        transaction.transparent
          .map(({ amount, address }, n) => ({
            id: `${transaction.txid}:${n}`,
            amount,
            depth: this.depth(transaction),
            coinbase: transaction.coinbase,
            address,
          }))
          .filter(({ id, address }) => address === this.tAddress && !spent.has(id)),
      );
  }

  /** Amount of an output by its id. */
  amountOf(id: string): bigint {
    const [txid, n] = id.split(":") as [string, string];
    const { shielded, transparent } = this.#transactions.get(txid)!;
    return n.startsWith("z") ? shielded[Number(n.slice(1))]!.amount : transparent[Number(n)]!.amount;
  }
}

/** A memo as wallets show it: hex of all 512 bytes. */
export const paddedMemo = (memo: string | undefined): string => (memo || EMPTY_MEMO).padEnd(1024, "0");
