import type { DatabaseSync, StatementSync } from "node:sqlite";
import type {
  SeriesValue,
  SeriesPoint,
  Put,
  Range,
  TimedValue,
  Readings,
} from "../../core/records/reading/readings.ts";
import type { EmbeddedDocuments } from "../documents/embedded.ts";

const TABLES = `
  create table if not exists _series (id integer primary key, resource text not null, key text not null,
    at integer, value any, unique (resource, key)) strict;
  create table if not exists _readings (series integer not null, at integer not null, value any,
    primary key (series, at)) strict, without rowid`;
/** Rows in one transaction. */
const SLICE = 10_000;
const SERIES_AT_ONCE = 200;
/** How many series' numbers are cached. */
const MOST_KNOWN = 200_000;

/** Rows in one statement: a call for each row would cost more than the row. */
const ROWS = 32;

interface Statements {
  find: StatementSync;
  begin: StatementSync;
  add: StatementSync;
  addRows: StatementSync;
  replace: StatementSync;
  advance: StatementSync;
}

/** An SQLite integer is a boolean here, since numbers are bound as reals. */
const bound = (value: SeriesValue): number | bigint | string =>
  typeof value === "boolean" ? (value ? 1n : 0n) : value;
type Row = [at: number, value: number | string, type: string];
const readingOf = ([at, value, type]: Row): TimedValue => ({ at, value: type === "integer" ? value === 1 : value });

/**
 * Adds rows of series, moment and value. Where some exist already, all replace what differs, in order: rows just added
 * are unchanged by that, and so are counted once.
 */
function enter(
  { replace }: Statements,
  add: StatementSync,
  rows: readonly (number | bigint | string)[],
  put: Put,
): void {
  const added = Number(add.run(...rows).changes);
  put.added += added;
  const known = rows.length / 3 - added;
  if (!known) return;
  let replaced = 0;
  for (let at = 0; at < rows.length; at += 3)
    replaced += Number(replace.run(rows[at + 2]!, rows[at]!, rows[at + 1]!, rows[at + 2]!).changes);
  put.replaced += replaced;
  put.duplicates += known - replaced;
}

/**
 * Readings as rows (series, at, value) in the file of the embedded documents, in the group commit of their writes: a
 * batch is one statement for each 32 rows, inside a shared transaction.
 */
export class TableReadings implements Readings {
  readonly kind = "table";
  readonly #documents: EmbeddedDocuments;
  /** By resource and key; only durable ones. */
  readonly #known = new Map<string, number>();
  #statements: Statements | undefined;
  #made: Promise<void> | undefined;

  constructor(documents: EmbeddedDocuments) {
    this.#documents = documents;
  }

  async put(points: readonly SeriesPoint[]): Promise<Put> {
    await this.#tables();
    const begun = new Map<string, number>();
    const put = await this.#documents.write((database) => this.#write(this.#prepared(database), points, begun));
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    for (const [name, id] of begun) this.#known.set(name, id);
    return put;
  }

  #write(to: Statements, points: readonly SeriesPoint[], begun: Map<string, number>): Put {
    const put: Put = { added: 0, duplicates: 0, replaced: 0 };
    const latest = new Map<number, SeriesPoint>();
    let resource: string | undefined,
      key = "",
      series = 0;
    let newest: SeriesPoint | undefined;
    const settle = (): void => {
      const last = newest && latest.get(series);
      if (newest && (!last || last.at <= newest.at)) latest.set(series, newest);
      newest = undefined;
    };
    begun.clear();
    let rows: (number | bigint | string)[] = [];
    for (const point of points) {
      if (point.resource !== resource || point.key !== key) {
        settle();
        ({ resource, key } = point);
        const name = `${resource} ${key}`;
        series = this.#known.get(name) ?? begun.get(name) ?? this.#begun(to, point, begun);
      }
      rows.push(series, point.at, bound(point.value));
      if (rows.length === 3 * ROWS) {
        enter(to, to.addRows, rows, put);
        rows = [];
      }
      if (!newest || newest.at <= point.at) newest = point;
    }
    settle();
    for (let at = 0; at < rows.length; at += 3) enter(to, to.add, rows.slice(at, at + 3), put);
    for (const [id, { at, value }] of latest) to.advance.run(at, bound(value), id, at);
    return put;
  }

  #begun(to: Statements, { resource, key }: SeriesPoint, begun: Map<string, number>): number {
    to.begin.run(resource, key);
    const { id } = to.find.get(resource, key) as { id: number };
    begun.set(`${resource} ${key}`, id);
    return id;
  }

  async latest(resource: string): Promise<({ key: string } & TimedValue)[]> {
    await this.#tables();
    const rows = await this.#read<[string, ...Row]>(
      "select key, at, value, typeof(value) from _series where resource = ? and at is not null order by key",
      resource,
    );
    return rows.map(([key, ...row]) => ({ key, ...readingOf(row) }));
  }

  async latestOf(key: string, { after, limit }: { after: string; limit: number }) {
    await this.#tables();
    const rows = await this.#read<[string, number]>(
      "select resource, at from _series where resource > ? and key = ? and at is not null order by resource limit ?",
      after,
      key,
      limit,
    );
    return rows.map(([resource, at]) => ({ resource, at }));
  }

  async range(resource: string, key: string, { from, to, limit, falling = false }: Range): Promise<TimedValue[]> {
    await this.#tables();
    const rows = await this.#read<Row>(
      `select at, value, typeof(value) from _readings
       where series = (select id from _series where resource = ? and key = ?) and at >= ? and at < ?
       order by at ${falling ? "desc" : "asc"} limit ?`,
      resource,
      key,
      from,
      to,
      limit,
    );
    return rows.map(readingOf);
  }

  async remove(resource: string): Promise<void> {
    await this.#tables();
    for (const [name] of this.#known) if (name.startsWith(`${resource} `)) this.#known.delete(name);
    const ids = await this.#read<[number]>("select id from _series where resource = ?", resource);
    for (const [id] of ids) {
      await this.#emptied(id, Number.MAX_SAFE_INTEGER);
      await this.#documents.write((database) => database.prepare("delete from _series where id = ?").run(id));
    }
  }

  async removeBefore(at: number): Promise<number> {
    await this.#tables();
    let removed = 0;
    for (let after = 0; ;) {
      const ids = await this.#read<[number]>(
        "select id from _series where id > ? order by id limit ?",
        after,
        SERIES_AT_ONCE,
      );
      for (const [id] of ids) removed += await this.#emptied(id, at);
      if (ids.length < SERIES_AT_ONCE) return removed;
      after = ids.at(-1)![0];
    }
  }

  /** Removes a series' readings before a moment, slice by slice, so that others can write in between. */
  async #emptied(series: number, before: number): Promise<number> {
    for (let removed = 0; ;) {
      const found = await this.#read<[number]>(
        "select at from _readings where series = ? and at < ? order by at limit 1 offset ?",
        series,
        before,
        SLICE,
      );
      const until = found[0]?.[0] ?? before;
      const first = await this.#read<[number]>(
        "select at from _readings where series = ? and at < ? limit 1",
        series,
        until,
      );
      if (!first.length) return removed;
      removed += await this.#documents.write((database) =>
        Number(database.prepare("delete from _readings where series = ? and at < ?").run(series, until).changes),
      );
      if (!found.length) return removed;
    }
  }

  #read<R>(text: string, ...given: (string | number)[]): Promise<R[]> {
    return this.#documents.read((database) => {
      const statement = database.prepare(text);
      statement.setReturnArrays(true);
      return statement.all(...given) as unknown as R[];
    });
  }

  #prepared(database: DatabaseSync): Statements {
    return (this.#statements ??= {
      find: database.prepare("select id from _series where resource = ? and key = ?"),
      begin: database.prepare("insert into _series (resource, key) values (?, ?) on conflict do nothing"),
      add: database.prepare("insert into _readings (series, at, value) values (?, ?, ?) on conflict do nothing"),
      addRows: database.prepare(
        `insert into _readings (series, at, value) values ${Array(ROWS).fill("(?, ?, ?)").join()} on conflict do ` +
          "nothing",
      ),
      replace: database.prepare("update _readings set value = ? where series = ? and at = ? and value is not ?"),
      advance: database.prepare("update _series set at = ?, value = ? where id = ? and (at is null or at <= ?)"),
    });
  }

  #tables(): Promise<void> {
    if (!this.#made) {
      this.#made = this.#documents.write((database) => database.exec(TABLES));
      // A failure, such as a full disk, is retried on the next use.
      this.#made.catch(() => {
        this.#made = undefined;
      });
    }
    return this.#made;
  }
}

/** Whether a store has ever had a reading. */
export const hasReadings = (database: DatabaseSync): boolean =>
  database.prepare("select 1 from sqlite_schema where name = '_series'").get() !== undefined;

function* pointsOf(database: DatabaseSync, text: string): Generator<SeriesPoint> {
  const statement = database.prepare(text);
  statement.setReturnArrays(true);
  for (const row of statement.iterate() as unknown as Iterable<[string, string, ...Row]>) {
    const [resource, key, ...reading] = row;
    yield { resource, key, ...readingOf(reading) };
  }
}

/** All readings of a store, series by series. */
export const storedReadings = (database: DatabaseSync): Iterable<SeriesPoint> =>
  pointsOf(
    database,
    `select s.resource, s.key, r.at, r.value, typeof(r.value) from _series s join _readings r on r.series = s.id
     order by s.id, r.at`,
  );

/** The latest point of each series; the reading itself may be gone by now. */
export const latestReadings = (database: DatabaseSync): Iterable<SeriesPoint> =>
  pointsOf(database, "select resource, key, at, value, typeof(value) from _series where at is not null order by id");
