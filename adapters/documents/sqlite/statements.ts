import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Bound, Sql } from "./query/sql.ts";

const KEPT = 500;
export type Row = (string | number | bigint | null | Uint8Array)[];

/**
 * The prepared statements of a connection, the 500 most recently used. Rows are arrays, which are faster than objects.
 */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  all(query: Sql): Row[] {
    return this.#statement(query.text).all(...query.args) as unknown as Row[];
  }

  /** The first rows, and whether there are more. */
  some(query: Sql, most: number): [rows: Row[], isMore: boolean] {
    const rows: Row[] = [];
    for (const row of this.#statement(query.text).iterate(...query.args)) {
      if (rows.length === most) return [rows, true];
      rows.push(row as unknown as Row);
    }
    return [rows, false];
  }

  /**
   * Row by row, for results that may be too large for memory; it uses a statement of its own, so that others may run
   * meanwhile.
   */
  each(text: string, visit: (row: Row) => void): void {
    const statement = this.#database.prepare(text);
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) visit(row as unknown as Row);
  }

  first(text: string, ...args: Bound[]): Row | undefined {
    return this.#statement(text).get(...args) as unknown as Row | undefined;
  }

  /** Answers how many rows changed and the rowid of the last inserted one. */
  run(text: string, ...args: Bound[]): { changes: number; rowid: number } {
    const { changes, lastInsertRowid } = this.#statement(text).run(...args);
    return { changes: Number(changes), rowid: Number(lastInsertRowid) };
  }

  /** @throws Error where the connection is closed */
  #statement(text: string): StatementSync {
    if (!this.#database.isOpen) throw new Error("The document store is closed.");
    let statement = this.#prepared.get(text);
    // The order of use matters only when some must soon be dropped.
    if (statement && this.#prepared.size < KEPT) return statement;
    if (statement) {
      this.#prepared.delete(text);
    } else {
      statement = this.#database.prepare(text);
      statement.setReturnArrays(true);
      if (this.#prepared.size >= KEPT) this.#prepared.delete(this.#prepared.keys().next().value!);
    }
    this.#prepared.set(text, statement);
    return statement;
  }
}

/** Conditions for which texts are kept. */
const MOST_TEXTS = 500;

/**
 * Texts of statements, assembled once for each condition: a new string is hashed whole when its statement is looked up,
 * while that of a condition compiled before is known.
 */
export class StatementTexts {
  readonly #byKind = new Map<string, Map<string, string>>();
  #count = 0;

  /** `kind`: a short text for everything else that the statement depends on. */
  of(kind: string, condition: string, assemble: () => string): string {
    let texts = this.#byKind.get(kind);
    const text = texts?.get(condition);
    if (text !== undefined) return text;
    if (this.#count++ >= MOST_TEXTS) {
      this.#byKind.clear();
      this.#count = 1;
      texts = undefined;
    }
    if (!texts) this.#byKind.set(kind, (texts = new Map()));
    const assembled = assemble();
    texts.set(condition, assembled);
    return assembled;
  }
}
