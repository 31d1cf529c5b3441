import { bufferTime, filter, tap, lastValueFrom, type Observable } from "rxjs";
import type { Leases } from "../../../../core/work/schedule.ts";
import type { Fetch } from "./fetches.ts";
import type { Ingestion } from "./ingestion.ts";

const LEASE = "sources.ingestion";
const LEASE_MS = 15_000;
/** A long round tells how far it is this often. */
const PROGRESS_MS = 10_000;

const number = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The progress line: counts and seconds. */
function progressLine(fetches: readonly Fetch[], milliseconds: number): string {
  const count = (outcome: Fetch["outcome"]) => fetches.filter((one) => one.outcome === outcome).length;
  const sum = (field: "created" | "updated") => fetches.reduce((total, one) => total + one[field], 0);
  return (
    `Ingestion: ${number(fetches.length, "source", "sources")} in ${(milliseconds / 1_000).toFixed(1)} s: ` +
    `${number(sum("created"), "new article", "new articles")}, ${sum("updated")} updated, ` +
    `${count("unchanged")} unchanged, ${count("failed")} failed.`
  );
}

/**
 * The rounds of ingestion: one at a time in the whole mesh, under a lease that is taken only when there is work, so
 * that an idle mesh writes nothing.
 */
export class Rounds {
  readonly #ingestion: Ingestion;
  readonly #leases: Leases;
  readonly #say: (line: string) => void;

  constructor(ingestion: Ingestion, leases: Leases, say: (line: string) => void) {
    this.#ingestion = ingestion;
    this.#leases = leases;
    this.#say = say;
  }

  /** Looks for due sources, or such as a dead process left, and, with the lease, fetches until none is left. */
  async turn(): Promise<void> {
    const { due } = this.#ingestion;
    if (!(await due.any()) && !(await due.anyInHand())) return;
    // It is kept until its term ends: to take and give it back for each source that is due would cost two commits.
    await this.#leases.under(LEASE, LEASE_MS, () => this.#round());
  }

  /** Gives the lease back, so that another node goes on at once. */
  async stop(): Promise<void> {
    await this.#leases.release(LEASE);
  }

  /**
   * Rejects once the lease is lost. What is under way then ends before, and stores nothing more: its source is claimed
   * anew, and what was fetched longer ago would come after what was fetched since.
   */
  async #round(): Promise<void> {
    const { due } = this.#ingestion;
    if (await due.anyInHand()) {
      await due.recover();
      due.afresh();
    }
    try {
      await this.#report(this.#ingestion.run());
    } catch (error) {
      await this.#ingestion.settled();
      throw error;
    }
  }

  async #report(fetches: Observable<Fetch>): Promise<void> {
    let since = performance.now();
    const say = (ended: readonly Fetch[]) => {
      this.#say(progressLine(ended, performance.now() - since));
      since = performance.now();
    };
    const lines = fetches.pipe(
      bufferTime(PROGRESS_MS),
      filter((ended) => ended.length > 0),
      tap(say),
    );
    await lastValueFrom(lines, { defaultValue: undefined });
  }
}
