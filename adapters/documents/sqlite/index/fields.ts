import type { Doc } from "../../../../core/records/documents.ts";
import { querySegments } from "../../paths.ts";
import type { FieldFacts } from "../query/narrowing.ts";
import { ARRAY, elementKey, elementsAt, kindsAt, NOTHING } from "../query/kinds.ts";
import { quoted } from "../query/sql.ts";
import type { Statements } from "../statements.ts";
import type { Finding } from "./survey.ts";

/** The role of a field in the indexes: anywhere, first (its elements need a table), or alone in a unique one. */
export const INSIDE = 0;
export const LEADING = 1;
export const LEADING_UNIQUE = 2;
export type Role = typeof INSIDE | typeof LEADING | typeof LEADING_UNIQUE;

interface Field extends FieldFacts {
  readonly path: string;
  readonly segments: readonly string[];
  kinds: number;
  role: Role;
}

export const FIELDS_TABLE = `create table if not exists _fields (
  collection text not null, path text not null, kinds integer not null, role integer not null,
  kept integer not null default 0, primary key (collection, path)
) strict, without rowid`;
/** What that table lacks in a file of the first layout. */
export const FIELDS_KEPT = "alter table _fields add column kept integer not null default 0";

const elementsTable = (collection: string, path: string): string => `${collection}|elements|${path}`;

/**
 * The indexed fields of one collection: the kinds of values that each has had, updated with every write, whether it has
 * a column, and for arrays that lead an index the table of their elements (value, n), which MongoDB calls a multikey
 * index. Everything except `known` runs inside a write transaction.
 */
export class Fields {
  readonly #collection: string;
  readonly #statements: Statements;
  #fields = new Map<string, Field>();
  #listed: Field[] = [];
  #columns: Field[] = [];
  #version = 0;

  constructor(collection: string, statements: Statements) {
    this.#collection = collection;
    this.#statements = statements;
  }

  /** Changes with every change of what is known. */
  get version(): number {
    return this.#version;
  }

  readonly known = (path: string): FieldFacts | undefined => this.#fields.get(path);

  /** Fields that have a column each, in a fixed order; another list after each change of them. */
  get columns(): readonly { readonly path: string; readonly segments: readonly string[] }[] {
    return this.#columns;
  }

  /** Of these paths, those to be given a column. SQLite's names ignore case: a namesake stays without. */
  withoutColumn(paths: Iterable<string>): Set<string> {
    const taken = new Set(this.#columns.map(({ path }) => path.toLowerCase()));
    const found = new Set<string>();
    for (const path of paths) {
      if (path === "_id" || taken.has(path.toLowerCase())) continue;
      taken.add(path.toLowerCase());
      found.add(path);
    }
    return found;
  }

  /** Whether a write may consist of several statements, the last of which may be refused. */
  get isManifold(): boolean {
    return this.#listed.some(({ elements, role }) => elements !== undefined || role === LEADING_UNIQUE);
  }

  /** Whether documents may lack an indexed field at this name, or below it, as far as is known. */
  maybeMissing(name: string): boolean {
    return this.#listed.every(({ segments, kinds }) => segments[0] !== name || (kinds & NOTHING) !== 0);
  }

  /** Whether an index has a field of this name, or below it. */
  isIndexed(name: string): boolean {
    return this.#listed.some(({ segments }) => segments[0] === name);
  }

  get hasElements(): boolean {
    return this.#listed.some(({ elements }) => elements !== undefined);
  }

  /** Takes over the file's state; answers whether it differed. */
  load(rows: readonly { path: string; kinds: number; role: Role; kept: boolean }[]): boolean {
    const before = JSON.stringify(this.#listed);
    this.#fields = new Map(
      rows.map((row) => [row.path, { ...row, segments: querySegments(row.path), elements: undefined }]),
    );
    this.#listed = [...this.#fields.values()];
    for (const field of this.#listed) field.elements = this.#elementsOf(field);
    this.#listColumns();
    return JSON.stringify(this.#listed) !== before;
  }

  #listColumns(): void {
    this.#columns = this.#listed.filter(({ kept }) => kept);
    this.#version++;
  }

  /** Starts to record a field of an index; a new one requires reading all documents once, unless that was done. */
  declare(path: string, role: Role, kept: boolean, found?: Finding): void {
    if (path === "_id") return;
    const held = this.#fields.get(path);
    if (held && held.role >= role && held.kept >= kept) return;
    const isRaised = !held || held.role < role;
    const field: Field = held ?? {
      path,
      segments: querySegments(path),
      kinds: found?.kinds ?? this.#kindsInAll(path),
      role,
      elements: undefined,
      kept,
    };
    if (!held) {
      this.#fields.set(path, field);
      this.#listed.push(field);
    }
    field.role = Math.max(field.role, role) as Role;
    field.kept ||= kept;
    this.#listColumns();
    this.#statements.run(
      "insert into _fields (collection, path, kinds, role, kept) values (?, ?, ?, ?, ?) on conflict do update set " +
        "role = excluded.role, kept = excluded.kept",
      this.#collection,
      path,
      field.kinds,
      field.role,
      Number(field.kept),
    );
    if (!isRaised) return;
    if (found?.isBuilt) this.#useElements(field);
    else this.#buildElements(field);
  }

  /** Whether a field of this role needs a table of its elements that is not there. */
  lacksElements(path: string, role: Role, found: Finding | undefined): boolean {
    const held = this.#fields.get(path);
    const kinds = (held?.kinds ?? 0) | (found?.kinds ?? 0);
    return role !== INSIDE && (kinds & ARRAY) !== 0 && (!held || held.role < role);
  }

  /** Before a document is written: records new kinds, and creates a table of elements at the first array. */
  learn(doc: Doc): void {
    for (const field of this.#listed) {
      const kinds = field.kinds | kindsAt(doc, field.segments);
      if (kinds === field.kinds) continue;
      field.kinds = kinds;
      this.#version++;
      this.#statements.run(
        "update _fields set kinds = ? where collection = ? and path = ?",
        kinds,
        this.#collection,
        field.path,
      );
      if (!field.elements) this.#buildElements(field);
    }
  }

  /** Updates the tables of elements from one state of document `n` to the next; undefined where there is none. */
  replace(n: number, before: Doc | undefined, after: Doc | undefined): void {
    for (const { elements, segments } of this.#listed) {
      if (!elements) continue;
      const old = elementsAt(before, segments);
      const next = elementsAt(after, segments);
      for (const value of old)
        if (!next.has(value))
          this.#statements.run(`delete from ${quoted(elements)} where value = ? and n = ?`, elementKey(value), n);
      this.#insertElements(
        elements,
        n,
        [...next].filter((value) => !old.has(value)),
      );
    }
  }

  /** In one statement, where JSON represents the values exactly. */
  #insertElements(elements: string, n: number, values: readonly (string | number | boolean)[]): void {
    if (values.length > 1 && values.every((value) => typeof value === "string" && value.isWellFormed())) {
      this.#statements.run(
        `insert into ${quoted(elements)} (value, n) select value, ? from json_each(?)`,
        n,
        JSON.stringify(values),
      );
    } else {
      for (const value of values)
        this.#statements.run(`insert into ${quoted(elements)} (value, n) values (?, ?)`, elementKey(value), n);
    }
  }

  clear(): void {
    for (const { elements } of this.#listed) if (elements) this.#statements.run(`delete from ${quoted(elements)}`);
  }

  #elementsOf({ path, kinds, role }: Field): string | undefined {
    return role !== INSIDE && kinds & ARRAY ? elementsTable(this.#collection, path) : undefined;
  }

  #kindsInAll(path: string): number {
    const segments = querySegments(path);
    let kinds = 0;
    this.#statements.each(`select json(doc) from ${quoted(this.#collection)}`, ([doc]) => {
      kinds |= kindsAt(JSON.parse(doc as string), segments);
    });
    return kinds;
  }

  #buildElements(field: Field): void {
    if (!this.#elementsOf(field)) return;
    this.makeElements(field.path, field.role);
    this.#useElements(field);
    this.#statements.each(`select n, json(doc) from ${quoted(this.#collection)}`, ([n, doc]) =>
      this.fillElements(field.path, [[n as number, JSON.parse(doc as string) as Doc]]),
    );
  }

  #useElements(field: Field): void {
    field.elements = this.#elementsOf(field);
    this.#version++;
  }

  /** Makes the table of a field's elements anew, without any. */
  makeElements(path: string, role: Role): void {
    const elements = quoted(elementsTable(this.#collection, path));
    const key = role === LEADING_UNIQUE ? "value" : "value, n";
    this.#statements.run(`drop table if exists ${elements}`);
    this.#statements.run(
      `create table ${elements} (value any not null, n integer not null, primary key (${key})) strict, without rowid`,
    );
  }

  fillElements(path: string, docs: readonly [number, Doc][]): void {
    const insert = `insert into ${quoted(elementsTable(this.#collection, path))} (value, n) values (?, ?)`;
    const segments = querySegments(path);
    for (const [n, doc] of docs)
      for (const value of elementsAt(doc, segments)) this.#statements.run(insert, elementKey(value), n);
  }
}
