import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { makeFileSecretly } from "../folder.ts";

/** The file is of another layout. */
export class OtherLayout extends Error {}

export type Synchronous = "full" | "normal" | "off";

/**
 * Page size of a new file, in bytes: stored blocks and texts take several thousand, so that SQLite's usual page of
 * 4,096 would stay half empty. An existing file keeps its own.
 */
const PAGE = 32_768;
/** Log between checkpoints, in bytes. */
const LOG = 16_777_216;

/** One SQLite file as the index uses it: statements kept by their text, rows as arrays, transactions. */
export class IndexFile {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #synchronous: Synchronous | undefined;

  /**
   * `path` may be ":memory:". A new file gets the schema and the number of its layout. Throws what SQLite throws where
   * the file is no database, and OtherLayout.
   */
  constructor(path: string, { schema, layout }: { schema: string; layout: number }) {
    if (path !== ":memory:") makeFileSecretly(path);
    this.#db = new DatabaseSync(path, { timeout: 5_000 });
    try {
      // No memory mapping: mapped pages count as memory of the process, and saved no time (bench/results.md).
      this.exec(
        `pragma page_size = ${PAGE}; pragma journal_mode = wal; pragma cache_size = -4096; pragma temp_store = memory; ` +
          `pragma journal_size_limit = ${LOG}`,
      );
      this.exec(`pragma wal_autocheckpoint = ${LOG / this.pragma("page_size")}`);
      const isNew = this.row("select 1 from sqlite_schema limit 1") === undefined;
      if (!isNew && this.pragma("user_version") !== layout) throw new OtherLayout(`${path} is of another layout.`);
      this.exec(`${schema}; pragma user_version = ${layout}`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /**
   * Whether a commit waits for the disk ("full"), or only a checkpoint does, or nothing; not inside of a transaction.
   */
  setSynchronous(level: Synchronous): void {
    if (level === this.#synchronous) return;
    this.exec(`pragma synchronous = ${level}`);
    this.#synchronous = level;
  }

  /** Rows of a query, each an array of its columns. The text must be made of constants: statements are kept by it. */
  rows(sql: string, ...params: SQLInputValue[]): SQLInputValue[][] {
    return this.#statement(sql).all(...params) as unknown as SQLInputValue[][];
  }
  row(sql: string, ...params: SQLInputValue[]): SQLInputValue[] | undefined {
    return this.#statement(sql).get(...params) as unknown as SQLInputValue[] | undefined;
  }
  /** Answers how many rows were changed. */
  run(sql: string, ...params: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...params).changes);
  }
  pragma(name: "user_version" | "data_version" | "page_size"): number {
    return this.row(`pragma ${name}`)![0] as number;
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** All or nothing. */
  transaction<T>(work: () => T): T {
    this.#db.exec("begin immediate");
    try {
      const result = work();
      this.#db.exec("commit");
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("rollback");
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}
