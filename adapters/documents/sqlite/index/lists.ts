import { CompoundCondition } from "@ucast/core";
import type { SortField } from "../../paths.ts";
import { column, orderBy } from "../query/columns.ts";
import { compiled } from "../query/compile.ts";
import type { Knowledge } from "../query/narrowing.ts";
import type { ListPlan, IndexStep } from "./plans.ts";
import { bind, joinSql, limited, quoted, sql, type Sql } from "../query/sql.ts";
import type { Row, Statements } from "../statements.ts";

/** The most ranges of an index that are read for one list, and the most rows that are sorted for a page. */
const MOST_STRETCHES = 5_000;
const MOST_MERGED = 20_000;
/** How many more rows than its share of a page are read of each range. */
const SPARE = 4;

/** Consecutive rows of an index. */
export interface IndexRange {
  from: string;
  where: Sql;
  /** " order by ..." or nothing. */
  order: string;
}
/** The rows read from a range so far, in order: places and keys. */
interface Reading {
  stretch: IndexRange;
  rows: Row[];
  ended: boolean;
}

/**
 * Reads lists by their plans: each range of the index contains only matching rows, in order. Counts, and the values
 * found, are cached until something is written.
 */
export class Lists {
  readonly #table: string;
  readonly #statements: Statements;
  readonly #known: Knowledge;
  readonly #stamp: () => string;
  readonly #counts = new Remembered<number>();
  readonly #values = new Remembered<readonly Value[]>();

  /** `stamp` changes with each change of the table. */
  constructor(table: string, statements: Statements, known: Knowledge, stamp: () => string) {
    this.#table = table;
    this.#known = known;
    this.#statements = statements;
    this.#stamp = stamp;
  }

  /** The ranges that together are the list; undefined where there are too many. */
  stretches(plans: readonly ListPlan[]): IndexRange[] | undefined {
    const found: IndexRange[] = [];
    for (const plan of plans) {
      const more = this.#stretchesOf(plan);
      if (!more || found.length + more.length > MOST_STRETCHES) return undefined;
      found.push(...more);
    }
    return found;
  }

  #stretchesOf({ index, steps, ranges, order }: ListPlan): IndexRange[] | undefined {
    const known = this.#known;
    const from = `${quoted(this.#table)} d indexed by ${quoted(index.name)}`;
    let found: Sql[][] = [index.having === undefined ? [] : [sql`${column(index.having, known)} is not null`]];
    for (const step of steps) {
      const next: Sql[][] = [];
      for (const prefix of found) {
        const values = step.values ?? this.#valuesOf(from, step, prefix);
        if (!values || next.length + values.length > MOST_STRETCHES) return undefined;
        for (const value of values) next.push([...prefix, equal(column(step.path, known), value)]);
      }
      found = next;
    }
    const range = ranges.length ? [compiled(new CompoundCondition("and", [...ranges]), known)] : [];
    const inOrder = order.length ? ` ${orderBy(order, known)}` : "";
    return found.map((pieces) => ({ from, where: joinSql([...pieces, ...range], " and ", "1"), order: inOrder }));
  }

  #valuesOf(from: string, { path, admits }: IndexStep, prefix: readonly Sql[]): Value[] | undefined {
    const where = joinSql(prefix, " and ", "1");
    const key = `${from} ${path} ${where.text} ${JSON.stringify(where.args)}`;
    const found = this.#values.of(this.#stamp(), key, () => this.#occurring(from, column(path, this.#known), where));
    return found.length > MOST_STRETCHES ? undefined : found.filter((value) => admits!(value));
  }

  /** The values of a field after a prefix of the index, short ones first; one look-up each (a loose index scan). */
  #occurring(from: string, value: string, prefix: Sql): Value[] {
    const found: Value[] = [];
    for (let where = prefix; found.length <= MOST_STRETCHES;) {
      const [row] = this.#statements.all(sql`select ${value} from ${from} where ${where} order by ${value} limit 1`);
      if (!row) break;
      const next = row[0] as Value;
      found.push(next);
      where = sql`${prefix} and ${next === null ? sql`${value} is not null` : sql`${value} > ${bind(next)}`}`;
    }
    return found.sort((one, other) => String(one).length - String(other).length);
  }

  /** The number of rows; counting stops at `most`, which is then the answer. */
  count(stretches: readonly IndexRange[], most = Infinity): number {
    const stamp = this.#stamp();
    let total = 0;
    for (const stretch of stretches) {
      const left = most - total;
      const key = `${left} ${stretch.from} ${stretch.where.text} ${JSON.stringify(stretch.where.args)}`;
      total += this.#counts.of(stamp, key, () => this.#counted(stretch, left));
      if (total >= most) return most;
    }
    return total;
  }

  #counted({ from, where }: IndexRange, most: number): number {
    // Skipping rows costs half of counting them, and most lists are either shorter than the bound or far longer.
    const beyond =
      most < Infinity
        ? this.#statements.all(sql`select 1 from ${from} where ${where} limit 1 offset ${bind(most - 1)}`)
        : [];
    return beyond.length > 0
      ? most
      : (this.#statements.all(sql`select count(*) from ${from} where ${where}`)[0]![0] as number);
  }

  /** A page of the list; undefined where it lies too deep in too many ranges. */
  page(
    columns: string,
    stretches: readonly IndexRange[],
    order: readonly SortField[],
    limit: number,
    offset: number,
  ): Row[] | undefined {
    const most = limit + offset;
    if (stretches.length === 0) return [];
    const [{ from, where, order: inOrder }] = stretches as [IndexRange];
    if (stretches.length === 1)
      return this.#statements.all(
        sql`select ${columns} from ${from} where ${where}${inOrder}${limited(limit, offset)}`,
      );
    if (most > MOST_MERGED) return undefined;
    const places = this.#merged(stretches, order, most)
      .slice(offset)
      .map(([n]) => n);
    const rows = this.#statements.all(
      sql`select l.key, ${columns} from json_each(${bind(JSON.stringify(places))}) l cross join ${quoted(this.#table)} d where d.n = l.value`,
    );
    return rows.sort(([one], [other]) => (one as number) - (other as number)).map(([, ...row]) => row);
  }

  /** The first rows of all ranges: first the share of each, then more as long as they could come in between. */
  #merged(stretches: readonly IndexRange[], order: readonly SortField[], most: number): Row[] {
    const compare = comparing(order);
    const readings = stretches.map((stretch): Reading => ({ stretch, rows: [], ended: false }));
    let open = readings;
    for (let share = Math.ceil(most / stretches.length) + SPARE; ; share *= 2) {
      for (const reading of open) this.#readOn(reading, order, Math.min(share, most));
      const first = readings
        .flatMap(({ rows }) => rows)
        .sort(compare)
        .slice(0, most);
      const last = first.length < most ? undefined : first.at(-1)!;
      open = readings.filter(
        ({ rows, ended }) => !ended && rows.length < most && (!last || compare(rows.at(-1)!, last) < 0),
      );
      if (open.length === 0) return first;
    }
  }

  #readOn(reading: Reading, order: readonly SortField[], count: number): void {
    const { from, where, order: inOrder } = reading.stretch;
    const keys = order.map(({ path }) => column(path, this.#known)).join(", ");
    const rows = this.#statements.all(
      sql`select d.n, ${keys} from ${from} where ${where}${inOrder}${limited(count, reading.rows.length)}`,
    );
    reading.rows.push(...rows);
    reading.ended = rows.length < count;
  }
}

const MOST_REMEMBERED = 2_000;

/** Results by name, cached until the stamp changes. */
class Remembered<T> {
  readonly #found = new Map<string, T>();
  #stamp = "";

  of(stamp: string, name: string, find: () => T): T {
    if (stamp !== this.#stamp || this.#found.size >= MOST_REMEMBERED) this.#found.clear();
    this.#stamp = stamp;
    let found = this.#found.get(name);
    if (found === undefined) this.#found.set(name, (found = find()));
    return found;
  }
}

const equal = (field: string, value: string | number | boolean | null): Sql =>
  value === null ? sql`${field} is null` : sql`${field} = ${bind(typeof value === "boolean" ? Number(value) : value)}`;

/** Orders rows of places and keys as SQLite would. */
function comparing(order: readonly SortField[]): (one: Row, other: Row) => number {
  return (one, other) => {
    for (const [at, { descending }] of order.entries()) {
      const found = compareValues(one[at + 1] as Value, other[at + 1] as Value);
      if (found !== 0) return descending ? -found : found;
    }
    return 0;
  };
}

type Value = string | number | null;
const rank = (value: Value): number => (value === null ? 0 : typeof value === "number" ? 1 : 2);
/** Text that sorts alike in UTF-16 and UTF-8. */
const PLAIN = /^[\0-\ud7ff]*$/;

function compareValues(one: Value, other: Value): number {
  if (one === other) return 0;
  if (typeof one !== "string" || typeof other !== "string")
    return rank(one) - rank(other) || (one as number) - (other as number);
  if (PLAIN.test(one) && PLAIN.test(other)) return one < other ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
