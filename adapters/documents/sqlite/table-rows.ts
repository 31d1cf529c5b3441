import type { Doc } from "../../../core/records/documents.ts";
import type { Fields } from "./index/fields.ts";
import { isObject } from "../values.ts";
import { extracted, keptColumn } from "./query/columns.ts";
import { quoted } from "./query/sql.ts";
import type { Statements } from "./statements.ts";

/** A field's value before a change; an object or array as JSON. */
type Value = string | number | boolean | null | undefined;

/**
 * The rows of a collection's table: (n, id, doc), doc as JSONB, and a column for each indexed field. SQLite changes an
 * index only where one of its columns is set: an index on an expression over `doc` would be rewritten with each change
 * of a document. Everything runs inside a write transaction.
 */
export class TableRows {
  /** In quotes. */
  readonly #table: string;
  readonly #fields: Fields;
  readonly #statements: Statements;
  /** Assembled once: a new string would be hashed each time its statement is looked up. */
  #insert = "";
  readonly #updates = new Map<string, string>();
  #columns: Fields["columns"] | undefined;

  constructor(table: string, fields: Fields, statements: Statements) {
    this.#table = table;
    this.#fields = fields;
    this.#statements = statements;
  }

  /**
   * Makes the table, or gives the one there is these columns too; `held`: its statements, by name. `areFilled`: they are
   * there, and hold what they should.
   */
  make(paths: ReadonlySet<string>, held: ReadonlyMap<string, string> | undefined, areFilled: boolean): void {
    if (held && (paths.size === 0 || areFilled)) return;
    if (held && this.#statements.first(`select 1 from ${this.#table} limit 1`)) {
      this.addColumns(paths);
      return this.fill(paths);
    }
    if (held) this.#statements.run(`drop table ${this.#table}`);
    const columns = [...this.#fields.columns.map(({ path }) => path), ...paths];
    this.#statements.run(
      `create table ${this.#table} (n integer primary key, id any not null unique, ` +
        `${columns.map((path) => `${keptColumn(path)} any, `).join("")}doc blob not null) strict`,
    );
    for (const statement of held?.values() ?? [])
      if (/^create (unique )?index/i.test(statement)) this.#statements.run(statement);
  }

  /** Those that a start which was broken off has made are there already. */
  addColumns(paths: ReadonlySet<string>): void {
    const rows = this.#statements.all({ text: `pragma table_info(${this.#table})`, args: [] });
    const there = new Set(rows.map(([, name]) => quoted(name as string).toLowerCase()));
    for (const path of paths)
      if (!there.has(keptColumn(path).toLowerCase()))
        this.#statements.run(`alter table ${this.#table} add column ${keptColumn(path)} any`);
  }

  /** Sets these columns, in all rows or from one number to another. */
  fill(paths: ReadonlySet<string>, from?: number, to?: number): void {
    const sets = [...paths].map((path) => setting(path, "doc")).join(", ");
    if (from === undefined || to === undefined) this.#statements.run(`update ${this.#table} set ${sets}`);
    else this.#statements.run(`update ${this.#table} set ${sets} where n between ? and ?`, from, to);
  }

  /** Answers the number of the row. @throws SQLite's error where a unique index refuses */
  insert(doc: Doc): number {
    this.#refresh();
    return this.#statements.run(this.#insert, doc._id, JSON.stringify(doc)).rowid;
  }

  /** What the columns hold of a document. */
  valuesOf(doc: Doc): Value[] {
    return this.#fields.columns.map(({ segments }) => valueAt(doc, segments));
  }

  /** Sets the columns alone whose values changed; `before` as `valuesOf` had them. */
  update(n: number, before: readonly Value[], doc: Doc): void {
    this.#refresh();
    const paths: string[] = [];
    for (const [at, { path, segments }] of this.#fields.columns.entries())
      if (before[at] !== valueAt(doc, segments)) paths.push(path);
    const key = paths.join();
    let text = this.#updates.get(key);
    if (text === undefined) {
      const columns = paths.map((path) => `, ${setting(path, "?1")}`).join("");
      text = `update ${this.#table} set doc = jsonb(?1)${columns} where n = ?2`;
      this.#updates.set(key, text);
    }
    this.#statements.run(text, JSON.stringify(doc), n);
  }

  /** The columns of these top-level fields, and of what is below them, set to nothing: goes on after `set doc = ...`. */
  without(names: readonly string[]): string {
    return this.#fields.columns
      .filter(({ segments }) => names.includes(segments[0]!))
      .map(({ path }) => `, ${keptColumn(path)} = null`)
      .join("");
  }

  #refresh(): void {
    const { columns } = this.#fields;
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#updates.clear();
    const names = columns.map(({ path }) => `, ${keptColumn(path)}`).join("");
    const values = columns.map(({ path }) => `, ${extracted("?2", path)}`).join("");
    this.#insert = `insert into ${this.#table} (id, doc${names}) values (?1, jsonb(?2)${values})`;
  }
}

const setting = (path: string, doc: string): string => `${keptColumn(path)} = ${extracted(doc, path)}`;

/** The value at a path, which leads through no array, as SQLite's `->>` takes it. */
function valueAt(doc: Doc, segments: readonly string[]): Value {
  let value: unknown = doc;
  for (const name of segments) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Value);
}
