import canonicalize from "canonicalize";
import { iso, type Clock } from "../../../../core/clock.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { type Collection, type Doc, isDuplicate } from "../../../../core/records/documents.ts";
import { sha256 } from "../../../../core/ids.ts";
import { after, balanced, EMPTY, type LedgerAccount, type LedgerEntry, type Posting, type Totals } from "./ledger.ts";
import { add } from "../zcash/zatoshi.ts";

/** An entry as it is stored: numbered without gaps, chained by hash, with the totals after it. */
export interface Booked extends LedgerEntry {
  seq: number;
  at: string;
  accounts: LedgerAccount[];
  totals: Totals;
  previous: string;
  hash: string;
}

const GENESIS = "0".repeat(64);
const seal = (entry: Partial<Booked>): string => sha256(canonicalize({ ...entry, hash: undefined }) ?? "");
const toBooked = ({ _id, ...rest }: Doc): Booked => ({ id: _id, ...rest }) as unknown as Booked;

/**
 * The stored ledger: entries are added, never changed. One document an entry, so that an entry is complete or absent;
 * the number is unique, so that two writers cannot follow the same entry; the id names the fact, so that no fact is
 * booked twice.
 */
export class Books {
  readonly #ledger: Collection;
  readonly #clock: Clock;

  constructor(ledger: Collection, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** Books a fact once: booking it again changes nothing. Answers whether it was new. */
  post(entry: LedgerEntry): Promise<boolean> {
    // If another entry took the number, this one follows it.
    return retryOnConflict(
      async () => {
        if (await this.has(entry.id)) return false;
        const { id, ...rest } = this.#following(await this.last(), entry);
        await this.#ledger.insert({ _id: id, ...rest });
        return true;
      },
      { when: isDuplicate },
    );
  }

  #following(last: Booked | null, { id, kind, lines, ...rest }: LedgerEntry): Booked {
    const kept = balanced(lines);
    const accounts = kept.map(({ account }) => account);
    const seq = (last?.seq ?? 0) + 1;
    const totals = after(last?.totals ?? EMPTY, kept);
    const entry = {
      id,
      kind,
      lines: kept,
      ...rest,
      seq,
      at: iso(this.#clock.now()),
      accounts,
      totals,
      previous: last?.hash ?? GENESIS,
    };
    return { ...entry, hash: seal(entry) };
  }

  async last(): Promise<Booked | null> {
    const [doc] = await this.#ledger.find({ sort: ["-seq"], limit: 1 });
    return doc ? toBooked(doc) : null;
  }

  /** Whether a fact is booked. */
  async has(id: string): Promise<boolean> {
    return (await this.#ledger.findById(id)) !== null;
  }

  async totals(): Promise<Totals> {
    return (await this.last())?.totals ?? EMPTY;
  }

  /** Entries that touch an account, oldest first. */
  async entries(account: LedgerAccount): Promise<Booked[]> {
    return (await this.#ledger.find({ query: { accounts: account }, sort: ["seq"] })).map(toBooked);
  }

  /** Balance of a bounty or subscription, from its own entries. */
  async balance(account: LedgerAccount): Promise<string> {
    const entries = await this.entries(account);
    return add(
      "0",
      ...entries.flatMap(({ lines }) => lines.filter((line) => line.account === account).map(({ amount }) => amount)),
    );
  }

  /** Recomputes everything from the entries alone. Answers the first error, or null for a sound ledger. */
  async verify(): Promise<string | null> {
    let totals = EMPTY,
      previous = GENESIS,
      seq = 0;
    for (;;) {
      const page = (await this.#ledger.find({ query: { seq: { $gt: seq } }, sort: ["seq"], limit: 500 })).map(toBooked);
      if (page.length === 0) return null;
      for (const entry of page) {
        const complaint = complaintAbout(entry, seq, previous, totals);
        if (complaint) return `Entry ${entry.id}: ${complaint}.`;
        ({ seq, totals, hash: previous } = entry);
      }
    }
  }
}

function complaintAbout(entry: Booked, seq: number, previous: string, totals: Totals): string | null {
  if (entry.seq !== seq + 1) return `number ${entry.seq} does not follow ${seq}`;
  if (entry.previous !== previous) return "does not follow the entry before it";
  if (seal(entry) !== entry.hash) return "was changed";
  const lines: Posting[] = balanced(entry.lines);
  if (canonicalize(after(totals, lines)) !== canonicalize(entry.totals))
    return "its totals are not what the entries add up to";
  return null;
}
