import type { Query } from "../../../core/records/documents.ts";
import type { Bound, Sql } from "./sql.ts";

const MOST_KEPT = 500;
/** Beyond what any text or number of a query is taken for. */
const TEXT = "\u0001";
const NUMBER = 2 ** 52;

interface Place {
  at: number;
}
const isPlace = (arg: Place | Bound): arg is Place => typeof arg === "object" && arg !== null && "at" in arg;

/** What equalities come to in SQL, whatever texts and numbers they are asked with. */
export interface Repeated {
  readonly text: string;
  /** For each question mark the place of its value among the query's, or the value where it is always the same. */
  readonly args: readonly (Place | Bound)[];
  /** As of what is known of fields. */
  readonly edition: number;
  readonly relied: boolean;
}

/** How a value of an equality is compiled: all of one sort come to the same SQL. None: it must be looked at. */
function sortOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.startsWith("{") || value.startsWith("[") ? undefined : "t";
  if (!Number.isSafeInteger(value)) return undefined;
  // They could be taken for true and false.
  return value === 0 || value === 1 ? String(value) : "n";
}

/**
 * Questions that are asked again and again, by their fields: of equalities with texts and whole numbers alone. Checking,
 * parsing and composing such a query costs several times what finding one row does.
 */
export class RepeatedQueries {
  readonly #kept = new Map<string, Repeated>();
  /** Questions that only look so: the place of a value is not to be found in their SQL. */
  readonly #others = new Set<string>();

  /** Under what a query's SQL is kept; undefined where it is of another kind. No name can pass for two: they are counted. */
  static keyOf(query: Query): string | undefined {
    let key = "";
    let count = 0;
    for (const name in query) {
      const sort = sortOf(query[name]);
      if (sort === undefined) return undefined;
      key += `${sort}${name}\n`;
      count++;
    }
    return count === 0 ? undefined : count + key;
  }

  /** The SQL of a query as it is kept, or composed by `compile` of one like it, where that was not done since fields became known so. */
  of(
    key: string,
    query: Query,
    edition: number,
    compile: (like: Query) => { where: Sql; relied: boolean },
  ): Repeated | undefined {
    if (this.#others.has(key)) return undefined;
    const kept = this.#kept.get(key);
    if (kept?.edition === edition) return kept;
    const names = Object.keys(query);
    const like = names.map((name, at) => {
      const sort = sortOf(query[name]);
      return sort === "t" ? `${TEXT}${at}` : sort === "n" ? NUMBER + at : query[name];
    });
    const { where, relied } = compile(Object.fromEntries(names.map((name, at) => [name, like[at]])));
    const args = where.args.map((arg) => {
      const at = arg === 0 || arg === 1 ? -1 : like.indexOf(arg);
      return at < 0 ? arg : { at };
    });
    const placed = new Set(args.map((arg) => (isPlace(arg) ? arg.at : -1)));
    if (!like.every((value, at) => value === 0 || value === 1 || placed.has(at))) {
      if (this.#others.size >= MOST_KEPT) this.#others.clear();
      this.#others.add(key);
      return undefined;
    }
    const fresh = { text: where.text, args, edition, relied };
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, fresh);
    return fresh;
  }
}

/** With the values of this query. */
export function filled({ text, args }: Repeated, query: Query): Sql {
  const values = Object.values(query) as Bound[];
  return {
    text,
    args: args.map((arg) => (isPlace(arg) ? values[arg.at]! : arg)),
  };
}
