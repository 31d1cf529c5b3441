import { statfsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { StartRefused } from "../../../core/start-refused.ts";
import { makeFileSecretly, makeFolder } from "../../folder.ts";
import { Fields, FIELDS_KEPT, FIELDS_TABLE, type Role } from "./index/fields.ts";
import { defineFunctions } from "./query/functions.ts";
import { bind, sql, type Sql } from "./query/sql.ts";
import { GroupCommit, resultCode } from "./group-commit.ts";
import { LogSync } from "./log-sync.ts";
import { Statements } from "./statements.ts";

/**
 * Layout of the file; a file of a newer layout is left untouched. In the second, indexed fields have columns (record
 * 131): each collection of an older file gets them when it is opened.
 */
const LAYOUT = 2;
const MEMORY = ":memory:";
/**
 * While opening, another process may hold the file for its whole recovery; later, the group commit does the waiting.
 */
const OPENING_PATIENCE_MS = 10_000;
const PATIENCE_MS = 20;
/** With less than this left a disk counts as full: a transaction's pages would not fit. */
const LEAST_ROOM_BYTES = 1_048_576;
const ALL_PAGES = 2 ** 31 - 1;

/**
 * One open file: a write-ahead log that is synced after each group of writes, one connection for reads and writes.
 * Several processes may have the same file open.
 */
export class Connection {
  readonly database: DatabaseSync;
  readonly statements: Statements;
  readonly #commit: GroupCommit;
  readonly #log: LogSync;
  readonly #file: string;
  readonly #shared: boolean;
  readonly #fields = new Map<string, Fields>();
  #schema: { version: number; tables: ReadonlyMap<string, ReadonlyMap<string, string>> } | undefined;
  #version = 0;
  #undone = false;
  /** How often fields had gained kinds when the transaction began. */
  #learnedBefore = 0;
  /** The same when they were last known to be right inside it. */
  #reloadedAt = 0;
  #rollbacks = 0;
  #hasStatistics = false;
  #closing: Promise<void> | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#shared = file !== MEMORY;
    this.#log = new LogSync(file);
    if (this.#shared) makeFolder(dirname(file));
    if (this.#shared) makeFileSecretly(file);
    this.database = new DatabaseSync(file, { timeout: OPENING_PATIENCE_MS });
    this.statements = new Statements(this.database);
    this.#commit = new GroupCommit(this.database, {
      began: () => {
        this.refreshed();
        this.#learnedBefore = this.#reloadedAt = this.#learned();
      },
      undone: () => this.forget(),
      hasRoom: () => this.#hasRoom(),
      sync: () => (this.#shared ? this.#log.sync() : undefined),
      mend: () => this.#mend(),
    });
    try {
      this.#configure();
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  #configure(): void {
    this.database.exec(
      // The log is ours to sync (LogSync); at a checkpoint SQLite syncs both before it relies on them.
      "pragma journal_mode = wal; pragma synchronous = normal; pragma fullfsync = on; pragma checkpoint_fullfsync = on",
    );
    this.database.exec("pragma cache_size = -8192; pragma temp_store = memory; pragma trusted_schema = off");
    // What was removed or changed is nowhere in the file: erasing a person is no mere unlinking of pages (ADR 177).
    this.database.exec("pragma secure_delete = on");
    // 16 MiB of log between checkpoints: pages that change often are then written back once for many changes.
    this.database.exec("pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 67108864");
    if (this.#shared && this.pragma("journal_mode") !== "wal")
      throw new StartRefused(`The file system of ${this.#file} cannot hold a write-ahead log.`);
    defineFunctions(this.database);
    const layout = Number(this.pragma("user_version"));
    if (layout > LAYOUT)
      throw new StartRefused(
        `${this.#file} was written by a newer version (layout ${layout}, this one knows ${LAYOUT}): ` +
          "start that version, or restore the backup that was made before the upgrade.",
      );
    if (layout < LAYOUT) this.#layOut();
    this.#forgetStatistics();
    this.database.exec(`pragma busy_timeout = ${PATIENCE_MS}`);
    this.#version = this.#dataVersion();
  }

  #layOut(): void {
    this.database.exec(`begin immediate; ${FIELDS_TABLE}`);
    if (!this.statements.first("select 1 from pragma_table_info('_fields') where name = 'kept'"))
      this.database.exec(FIELDS_KEPT);
    this.database.exec(`create table if not exists _pings (id integer primary key, pings integer not null) strict;
      insert or ignore into _pings (id, pings) values (1, 0); pragma user_version = ${LAYOUT}; commit`);
  }

  /** Plans depend on queries and indexes alone: sampled statistics are soon outdated. */
  #forgetStatistics(): void {
    const there = this.statements.first("select 1 from sqlite_schema where name = 'sqlite_stat1'");
    // Dropping the table would keep the loaded statistics in force; reloading the emptied table does not.
    if (there && this.statements.first("select 1 from sqlite_stat1"))
      this.database.exec("delete from sqlite_stat1; analyze sqlite_schema");
    this.#hasStatistics = false;
  }

  /** Another process may have gathered statistics: they are removed as soon as the file is free. */
  #forgetNewStatistics(): void {
    try {
      this.#forgetStatistics();
    } catch (error) {
      if (resultCode(error) === undefined) throw error;
      this.#hasStatistics = true;
    }
  }

  pragma(name: string): string | number {
    return this.statements.first(`pragma ${name}`)![0] as string | number;
  }

  /**
   * The statements that created a table and its indexes, by name; undefined where there is no such table. All tables
   * are read at once, since a start needs several hundred; after any change, each is read by itself.
   */
  schemaOf(table: string): ReadonlyMap<string, string> | undefined {
    const version = Number(this.pragma("schema_version"));
    this.#schema ??= { version, tables: this.#readSchema(sql`true`) };
    const isKnown = this.#schema.version === version;
    return (isKnown ? this.#schema.tables : this.#readSchema(sql`tbl_name = ${bind(table)}`)).get(table);
  }

  #readSchema(which: Sql): Map<string, Map<string, string>> {
    const tables = new Map<string, Map<string, string>>();
    const rows = this.statements.all(sql`select tbl_name, name, sql from sqlite_schema where ${which}`);
    for (const [table, name, statement] of rows as [string, string, string | null][]) {
      if (!tables.has(table)) tables.set(table, new Map());
      tables.get(table)!.set(name, String(statement));
    }
    return tables;
  }

  /** The indexed fields of a collection, as the file knows them now. */
  fieldsOf(collection: string): Fields {
    let fields = this.#fields.get(collection);
    if (!fields) {
      fields = new Fields(collection, this.statements);
      this.#fields.set(collection, fields);
      this.#load(collection, fields);
    }
    return fields;
  }

  /**
   * Whether another process changed what is known of fields, which is then reloaded: queries compiled before must run
   * again. After a rollback everything is reloaded.
   */
  refreshed(): boolean {
    const version = this.#dataVersion();
    if (version !== this.#version || this.#hasStatistics) this.#forgetNewStatistics();
    if (version === this.#version && !this.#undone) return false;
    this.#version = version;
    this.#undone = false;
    return [...this.#fields].map(([collection, fields]) => this.#load(collection, fields)).includes(true);
  }

  /** After a rollback: kinds and columns learned since the transaction began may be wrong, for its other writes too. */
  forget(): void {
    this.#schema = undefined;
    const learned = this.#learned();
    this.#undone ||= learned !== this.#learnedBefore;
    this.#rollbacks++;
    if (!this.database.isTransaction || learned === this.#reloadedAt) return;
    this.refreshed();
    this.#reloadedAt = this.#learned();
  }

  #learned(): number {
    let learned = 0;
    for (const { version } of this.#fields.values()) learned += version;
    return learned;
  }

  /** Changes after each commit of another process, and after each rollback. */
  stamp(): string {
    return `${this.#dataVersion()} ${this.#rollbacks}`;
  }

  /** Before compiling a query: reloads what a rollback may have made wrong. */
  settle(): void {
    if (this.#undone) this.refreshed();
  }

  /** As in GroupCommit. */
  write<T>(work: () => T, manifold: () => boolean): Promise<T> {
    if (this.#closing) return Promise.reject(new Error("The document store is closed."));
    return this.#commit.write(work, manifold);
  }

  /** As in GroupCommit. */
  get settled(): Promise<void> | undefined {
    return this.#commit.settled;
  }

  /**
   * Copies the whole file, consistent at one moment, while it stays in use. The copy appears under its name when it is
   * complete. A separate connection reads it in one step, off the main thread: with several steps, each write in
   * between would restart it.
   */
  async backup(path: string): Promise<void> {
    const partial = `${path}.partial`;
    const source = this.#shared
      ? new DatabaseSync(this.#file, { readOnly: true, timeout: OPENING_PATIENCE_MS })
      : this.database;
    try {
      await backup(source, partial, { rate: ALL_PAGES });
    } finally {
      if (this.#shared) source.close();
    }
    await rename(partial, path);
  }

  /**
   * Rewrites the file without removed data, and empties its log: neither contains a byte of it any more. Freed blocks
   * of the disk are up to the file system. @throws where another process keeps the log in use
   */
  async rewrite(): Promise<void> {
    await this.#commit.drained();
    this.database.exec("vacuum");
    if (!this.#mend()) throw new Error(`The log of ${this.#file} is in use by another process, and was not emptied.`);
  }

  /** Finishes what was queued, then closes. */
  close(): Promise<void> {
    this.#closing ??= this.#closed();
    return this.#closing;
  }

  async #closed(): Promise<void> {
    await this.#commit.drained();
    await this.#log.close();
    this.database.close();
  }

  #load(collection: string, fields: Fields): boolean {
    const rows = this.statements.all({
      text: "select path, kinds, role, kept from _fields where collection = ? order by path",
      args: [collection],
    });
    return fields.load(
      rows.map(([path, kinds, role, kept]) => ({
        path: path as string,
        kinds: kinds as number,
        role: role as Role,
        kept: kept === 1,
      })),
    );
  }

  /**
   * A log whose pages the system may have dropped (on Linux a second fsync succeeds regardless) is read once more while
   * the system still has it, and checkpointed into the database, which is synced; then the log restarts.
   */
  #mend(): boolean {
    try {
      const [busy] = this.statements.first("pragma wal_checkpoint(truncate)")!;
      return busy === 0;
    } catch (error) {
      if (resultCode(error) === undefined) throw error;
      return false;
    }
  }

  #hasRoom(): boolean {
    if (!this.#shared) return true;
    const { bavail, bsize } = statfsSync(dirname(this.#file));
    return bavail * bsize >= LEAST_ROOM_BYTES;
  }

  /** Changes when another connection has committed. */
  #dataVersion(): number {
    return this.#shared ? Number(this.pragma("data_version")) : 0;
  }
}
