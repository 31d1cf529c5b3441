import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { EmbeddedDocuments } from "../adapters/documents/embedded.ts";

/**
 * Of a change: `taken` by the hub, it waits to come back in a delta; `withdrawn`, its record may no longer be seen here,
 * and it is kept for its number alone until the hub has answered.
 */
const TABLES = `
  create table if not exists edge_records (
    entity text not null, id text not null, place integer not null, record text not null,
    stale integer not null default 0, primary key (entity, id)) strict, without rowid;
  create index if not exists edge_records_by_place on edge_records (place);
  create table if not exists edge_changes (
    seq integer primary key, entity text not null, id text not null, change text not null,
    taken integer not null default 0, withdrawn integer not null default 0) strict;
  create index if not exists edge_changes_by_record on edge_changes (entity, id, seq);
  create table if not exists edge_rejections (
    seq integer primary key, entity text not null, id text not null, rejection text not null) strict;
  create table if not exists edge_facts (name text primary key, value text not null) strict, without rowid;
`;

/**
 * What a node keeps, in one file of the embedded store. What is done in one `change` is on the disk whole when it
 * resolves, or not at all.
 */
export class EdgeStore {
  readonly #documents: EmbeddedDocuments;
  #rows: Rows | undefined;

  constructor(folder: string) {
    this.#documents = new EmbeddedDocuments(folder);
  }

  async open(): Promise<void> {
    await this.#documents.write((database) => database.exec(TABLES));
  }

  change<T>(work: (rows: Rows) => T): Promise<T> {
    return this.#documents.write((database) => work(this.#rowsOf(database)));
  }

  look<T>(work: (rows: Rows) => T): Promise<T> {
    return this.#documents.read((database) => work(this.#rowsOf(database)));
  }

  /** What is removed is overwritten at once; afterwards nothing of it is elsewhere in the file, nor in its log. */
  rewrite(): Promise<void> {
    return this.#documents.rewrite();
  }

  close(): Promise<void> {
    return this.#documents.close();
  }

  #rowsOf(database: DatabaseSync): Rows {
    return (this.#rows ??= new Rows(database));
  }
}

/** Names one record. */
export interface RecordKey {
  entity: string;
  id: string;
}

/** The tables of a node, within one transaction. Values are JSON; their shapes are their users'. */
export class Rows {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  record<T>({ entity, id }: RecordKey): T | undefined {
    return this.#values<T>("select record from edge_records where entity = ? and id = ?", entity, id)[0];
  }
  /** Ids of what is kept or was made here, in order, behind `after`. */
  idsOf(entity: string, after: string, limit: number): string[] {
    const text = `select id from edge_records where entity = ?1 and id > ?2
      union select id from edge_changes where entity = ?1 and id > ?2 and withdrawn = 0 order by id limit ?3`;
    return this.#all(text, entity, after, limit).map(({ id }) => id as string);
  }
  addressesIn(place: number): RecordKey[] {
    return this.#all("select entity, id from edge_records where place = ?", place) as unknown as RecordKey[];
  }
  keepRecord({ entity, id }: RecordKey, place: number, record: object): void {
    const text = "insert or replace into edge_records (entity, id, place, record) values (?, ?, ?, ?)";
    this.#run(text, entity, id, place, JSON.stringify(record));
  }
  dropRecord({ entity, id }: RecordKey): void {
    this.#run("delete from edge_records where entity = ? and id = ?", entity, id);
  }
  /** The hub tells all anew: what it does not tell again by the end is not to be seen here any longer. */
  markStale(): void {
    this.#run("update edge_records set stale = 1");
  }
  staleAddresses(): RecordKey[] {
    return this.#all("select entity, id from edge_records where stale = 1") as unknown as RecordKey[];
  }
  recordCount(): number {
    return this.#count("select count(*) as n from edge_records");
  }

  addChange(change: RecordKey & { seq: number }): void {
    const text = "insert into edge_changes (seq, entity, id, change) values (?, ?, ?, ?)";
    this.#run(text, change.seq, change.entity, change.id, JSON.stringify(change));
  }
  /** What the hub was never asked for: another stands in its place. */
  replaceChange(change: { seq: number }): void {
    this.#run("update edge_changes set change = ?, withdrawn = 1 where seq = ?", JSON.stringify(change), change.seq);
  }
  /** Of one record, in order: all that the hub has not yet given back. */
  changesOf<T>({ entity, id }: RecordKey): T[] {
    const text = "select change from edge_changes where entity = ? and id = ? and withdrawn = 0 order by seq";
    return this.#values<T>(text, entity, id);
  }
  /** Unsent ones, in order. */
  waiting<T>(limit: number): T[] {
    return this.#values<T>("select change from edge_changes where taken = 0 order by seq limit ?", limit);
  }
  between<T>(first: number, last: number): T[] {
    return this.#values<T>("select change from edge_changes where seq between ? and ? order by seq", first, last);
  }
  isWithdrawn(seq: number): boolean {
    return this.#count("select count(*) as n from edge_changes where seq = ? and withdrawn = 1", seq) > 0;
  }
  takeChange(seq: number): void {
    this.#run("update edge_changes set taken = 1 where seq = ?", seq);
  }
  /** The hub does not know of them any more: they are sent again. */
  untakeFrom(seq: number): void {
    this.#run("update edge_changes set taken = 0 where seq >= ?", seq);
  }
  dropChange(seq: number): void {
    this.#run("delete from edge_changes where seq = ?", seq);
  }
  /** Those of a record that the hub took, up to a number: it has given them back. */
  dropTaken({ entity, id }: RecordKey, upTo: number): void {
    this.#run("delete from edge_changes where taken = 1 and entity = ? and id = ? and seq <= ?", entity, id, upTo);
  }
  /** What the hub took and has not given back with all that may be seen: its record was taken away meanwhile. */
  dropTakenElsewhere(): boolean {
    return (
      this.#run(
        `delete from edge_changes where taken = 1 and not exists
          (select 1 from edge_records r where r.entity = edge_changes.entity and r.id = edge_changes.id)`,
      ) > 0
    );
  }
  withdrawChanges({ entity, id }: RecordKey): void {
    this.#run("delete from edge_changes where taken = 1 and entity = ? and id = ?", entity, id);
    this.#run("update edge_changes set withdrawn = 1 where entity = ? and id = ?", entity, id);
  }
  /** The number of the first change that is still here; `none` where there is none. */
  firstSeq(none: number): number {
    return (this.#all("select min(seq) as first from edge_changes")[0]!["first"] as number | null) ?? none;
  }
  waitingCount(): number {
    return this.#count("select count(*) as n from edge_changes where taken = 0");
  }

  keepRejection(rejection: RecordKey & { seq: number }): void {
    const { seq, entity, id } = rejection;
    this.#run("insert or replace into edge_rejections values (?, ?, ?, ?)", seq, entity, id, JSON.stringify(rejection));
  }
  isTold(seq: number): boolean {
    return this.#count("select count(*) as n from edge_rejections where seq = ?", seq) > 0;
  }
  rejections<T>(): T[] {
    return this.#values<T>("select rejection from edge_rejections order by seq");
  }
  rejectionsOf<T>({ entity, id }: RecordKey): T[] {
    return this.#values<T>("select rejection from edge_rejections where entity = ? and id = ?", entity, id);
  }
  dropRejection(seq: number): boolean {
    return this.#run("delete from edge_rejections where seq = ?", seq) > 0;
  }

  fact<T>(name: string): T | undefined {
    return this.#values<T>("select value from edge_facts where name = ?", name)[0];
  }
  keepFact(name: string, value: unknown): void {
    if (value === undefined) this.#run("delete from edge_facts where name = ?", name);
    else this.#run("insert or replace into edge_facts values (?, ?)", name, JSON.stringify(value));
  }

  #statement(text: string): StatementSync {
    let statement = this.#prepared.get(text);
    if (!statement) this.#prepared.set(text, (statement = this.#database.prepare(text)));
    return statement;
  }
  #all(text: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#statement(text).all(...values) as Record<string, unknown>[];
  }
  #count(text: string, ...values: SQLInputValue[]): number {
    return this.#all(text, ...values)[0]!["n"] as number;
  }
  #values<T>(text: string, ...values: SQLInputValue[]): T[] {
    return this.#all(text, ...values).map((row) => JSON.parse(Object.values(row)[0] as string) as T);
  }
  #run(text: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(text).run(...values).changes);
  }
}
