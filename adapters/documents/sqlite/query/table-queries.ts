import type { Index, Query } from "../../../../core/records/documents.ts";
import { direction, type SortField } from "../../paths.ts";
import { parsed } from "../../queries.ts";
import type { Connection } from "../connection.ts";
import type { Fields } from "../index/fields.ts";
import type { IndexRange, Lists } from "../index/lists.ts";
import { listIndex, listPlans, type ListIndex, type ListPlan } from "../index/plans.ts";
import { orderBy } from "./columns.ts";
import { compiled } from "./compile.ts";
import { isFixed, spreadOver, type FieldFacts } from "./narrowing.ts";
import { filled, QueryShape, templateOf, type ShapedQuery } from "./shapes.ts";
import { joinSql, type Sql } from "./sql.ts";

const MOST_PREPARED = 500;

/** A checked query, ready to run on the table (alias `d`). */
export interface Compiled {
  readonly where: Sql;
  /** " order by ..." or nothing. */
  order: string;
  /** The field whose values are read one by one, see `selecting`. */
  spread?: { lead: string; values: readonly string[] };
  /** Where indexes cover it completely: the plans, and the ranges; undefined where there are too many ranges. */
  list?: { plans: readonly ListPlan[]; stretches: () => readonly IndexRange[] | undefined };
  /** Whether it relies on what is known of fields, which another process may change. */
  readonly relied: boolean;
}

/** Completes the compiled query of a shape with its values. */
type Prepared = (values: QueryShape["values"]) => Compiled;

/** Compiles the queries on one table, and keeps those compiled for a shape. */
export class TableQueries {
  readonly #name: string;
  readonly #connection: Connection;
  readonly #fields: Fields;
  readonly #lists: Lists;
  readonly #listIndexes = new Map<string, ListIndex>();
  /** By the key of a shape, the sort and the kind of query; null where these do not suffice. */
  readonly #prepared = new Map<string, Prepared | null>();
  #preparedAt = -1;
  /** The first two fields of each index. */
  readonly #pairs = new Set<string>();

  constructor(name: string, connection: Connection, lists: Lists) {
    this.#name = name;
    this.#connection = connection;
    this.#fields = connection.fieldsOf(name);
    this.#lists = lists;
  }

  /** Records which lists the indexes can serve, and which fields begin an index together. */
  attend(indexes: readonly Index[]): void {
    for (const index of indexes) {
      const list = listIndex(this.#name, index);
      if (list) this.#listIndexes.set(list.name, list);
    }
    this.#prepared.clear();
    for (const {
      fields: [lead, second],
      unique,
      sparse,
    } of indexes)
      if (lead && second && !unique && !sparse) this.#pairs.add(`${direction(lead).path} ${direction(second).path}`);
  }

  readonly #paired = (lead: string, second: string): boolean => this.#pairs.has(`${lead} ${second}`);

  /**
   * `counting`: documents are counted, not read, without an order. `listing`: they are counted, or read in order in
   * part.
   */
  compiled(query: Query, sort: readonly SortField[] = [], { counting = false, listing = false } = {}): Compiled {
    this.#connection.settle();
    let relied = false;
    const known = (path: string): FieldFacts | undefined => {
      const found = this.#fields.known(path);
      relied ||= found !== undefined;
      return found;
    };
    const condition = parsed(query);
    const order = sort.filter(({ path }) => !isFixed(condition, path, known));
    const plans = listing ? listPlans(condition, sort, [...this.#listIndexes.values()], known) : undefined;
    const spread = order.length > 0 ? spreadOver(condition, order[0]!.path, known, this.#paired) : undefined;
    const pairs = counting ? { table: this.#name, paired: this.#paired } : undefined;
    let where: Sql | undefined;
    return {
      get where() {
        return (where ??= compiled(condition, known, pairs));
      },
      order: order.length > 0 ? ` ${orderBy(order, known)}` : "",
      get relied() {
        return relied;
      },
      ...(spread && { spread }),
      ...(plans && { list: { plans, stretches: () => this.#lists.stretches(plans) } }),
    };
  }

  /**
   * As `compiled`, for a query of this shape: compiled once for all values, until more is known of the fields.
   * Undefined where the values decide how it is read.
   */
  prepared(shape: QueryShape, sort: readonly SortField[] = [], { listing = false } = {}): Compiled | undefined {
    this.#connection.settle();
    const { version } = this.#fields;
    if (version !== this.#preparedAt || this.#prepared.size >= MOST_PREPARED) {
      this.#prepared.clear();
      this.#preparedAt = version;
    }
    const shaped = sort.length > 0 ? `${shape.key} ${JSON.stringify(sort)}` : shape.key;
    const key = listing ? `${shaped} list` : shaped;
    let found = this.#prepared.get(key);
    if (found === undefined) {
      found = (listing ? this.#preparedList(shape, sort) : this.#preparedQuery(shape, sort)) ?? null;
      this.#prepared.set(key, found);
    }
    return found ? found(shape.values) : undefined;
  }

  #preparedQuery(shape: QueryShape, sort: readonly SortField[]): Prepared | undefined {
    const { spread, where, order, relied } = this.compiled(shape.marked, sort);
    const template = spread ? undefined : templateOf(where, shape.values.length);
    return template && ((values) => ({ where: filled(template, values), order, relied }));
  }

  /** Prepares a list whose plans each read one range of an index; otherwise values decide the number of ranges. */
  #preparedList(shape: QueryShape, sort: readonly SortField[]): Prepared | undefined {
    const { list, order, relied } = this.compiled(shape.marked, sort, { listing: true });
    if (!list?.plans.every((plan) => plan.isOfShape)) return undefined;
    const stretches = (list.stretches() ?? []).map((stretch) => ({
      stretch,
      template: templateOf(stretch.where, shape.values.length),
    }));
    if (stretches.length !== list.plans.length || stretches.some(({ template }) => !template)) return undefined;
    return (values) => {
      const read = stretches.map(({ stretch, template }) => ({ ...stretch, where: filled(template!, values) }));
      const where = joinSql(
        read.map((stretch) => stretch.where),
        " or ",
        "0",
      );
      return { where, order, relied, list: { plans: list.plans, stretches: () => read } };
    };
  }

  /** As `prepared` where the query is a shape, else as `compiled`. */
  of(query: ShapedQuery, sort?: readonly SortField[]): Compiled {
    if (!(query instanceof QueryShape)) return this.compiled(query, sort);
    const parts = this.prepared(query, sort);
    if (!parts) throw new TypeError(`The shape of ${query.key} does not tell how to read it.`);
    return parts;
  }
}
