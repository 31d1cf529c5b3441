import type { Index } from "../../../core/records/documents.ts";
import type { Table } from "./table.ts";

/** From so many records on a collection is named: its columns and indexes take seconds. */
const MANY = 10_000;

/**
 * Says that collections with records in them get columns or indexes, as they do when a newer version opens the store
 * for the first time: meanwhile nothing but its health is answered.
 */
export class MakingLog {
  readonly #tell: () => ((line: string) => void) | undefined;
  #underWay = 0;
  #since: number | undefined;
  #isSaid = false;

  constructor(tell: () => ((line: string) => void) | undefined) {
    this.#tell = tell;
  }

  /** Has made what a table lacks of these indexes, and says so where it has records. */
  async make(table: Table, indexes: readonly Index[], write: (step: () => void) => Promise<void>): Promise<void> {
    if (!table.missing(indexes)) return;
    const { name, records } = table;
    if (records) this.#begin(name, records);
    try {
      for (const step of table.making(indexes)) await write(step);
    } finally {
      if (records && --this.#underWay === 0) this.#say(`The store has them after ${this.#seconds()} s.`);
    }
  }

  #begin(name: string, records: number): void {
    this.#underWay++;
    this.#since ??= performance.now();
    // Collections come in several rounds, as the services that read by them start; the first before there is a log.
    if (!this.#isSaid)
      this.#isSaid = this.#say(
        "The store was written by another version: it gets the columns and indexes that this one reads by. This " +
          "happens once, and nothing but its health is answered until it is done.",
      );
    if (records >= MANY) this.#say(`Columns and indexes of ${name}, which has ${records} records …`);
  }

  #seconds(): string {
    return ((performance.now() - this.#since!) / 1_000).toFixed(1);
  }

  /** Whether somebody heard it. */
  #say(line: string): boolean {
    const tell = this.#tell();
    tell?.(line);
    return tell !== undefined;
  }
}
