import { FieldCondition, ITSELF, type CompoundCondition, type Condition } from "@ucast/core";
import { isRegExp } from "../../values.ts";
import { column, extracted, jsonPath } from "./columns.ts";
import { ANYTHING, ARRAY, BOOLEAN, NULL, NUMBER, STRING } from "./kinds.ts";
import {
  compares,
  equals,
  matchesPattern,
  oneOf,
  type Comparator,
  type Predicate,
  type Scalar,
  type Site,
} from "./sites.ts";
import { narrowings, type Knowledge, type Narrowing, type Pairs } from "./narrowing.ts";
import { bind, joinSql, negated, quoted, sql, type Sql } from "./sql.ts";
import { closedBounds, concernsNull, conjuncts, isExpressible, mentionsItself, written } from "./syntax.ts";

/** Where a condition looks: at the fields of an object, and inside of `$elemMatch` at an element itself. */
interface Scope {
  base: string;
  root: boolean;
  self?: Site;
}

const ROOT: Scope = { base: "d.doc", root: true };
const ID: Site = { value: "d.id", type: "typeof(d.id)", walk: "'[]'", kinds: NUMBER | STRING };

/**
 * Compiles a checked query to an SQL condition on the table (alias `d`) that holds for exactly the documents MongoDB
 * would find. Scalar predicates follow a path through arrays of objects and into an array at its end ("some element").
 * What SQL cannot express becomes a call of `matches`, mingo's interpreter, on the remaining documents.
 */
export const compiled = (query: Condition, known: Knowledge, pairs?: Pairs): Sql =>
  new Compiler(known, pairs && narrowings(query, known, pairs)).condition(query, ROOT);

class Compiler {
  readonly #known: Knowledge;
  readonly #narrowings: ReadonlyMap<Condition, Narrowing> | undefined;
  #aliases = 0;

  constructor(known: Knowledge, narrowings?: ReadonlyMap<Condition, Narrowing>) {
    this.#known = known;
    this.#narrowings = narrowings;
  }

  condition(node: Condition, scope: Scope): Sql {
    if (node instanceof FieldCondition) return this.#field(node, scope, false);
    const parts = (node as CompoundCondition).value;
    switch (node.operator) {
      case "and":
        return this.#and(parts, scope);
      case "or":
        return joinSql(
          parts.map((part) => this.condition(part, scope)),
          " or ",
          "0",
        );
      case "nor":
        return negated(
          joinSql(
            parts.map((part) => this.condition(part, scope)),
            " or ",
            "0",
          ),
        );
      case "not": {
        const narrowing = this.#narrowings?.get(node);
        return narrowing ? this.#among(narrowing) : negated(this.#and(parts, scope));
      }
      default:
        throw new TypeError(`Unknown operator ${node.operator} in a query.`);
    }
  }

  #and(parts: readonly Condition[], scope: Scope): Sql {
    const bounds = closedBounds(parts);
    const compile = (part: Condition): Sql => {
      if (!(part instanceof FieldCondition)) return this.condition(part, scope);
      return this.#field(part, scope, bounds.has(part) && this.#isNeverArray(part.field, scope));
    };
    return joinSql(parts.map(compile), " and ", "1");
  }

  /** Two bounds on an array may be met by two elements: then each bound counts by itself. */
  #isNeverArray(path: string, scope: Scope): boolean {
    const known = scope.root ? this.#known(path) : undefined;
    return known !== undefined && !(known.kinds & ARRAY);
  }

  #field(node: FieldCondition, scope: Scope, closed: boolean): Sql {
    if (!isExpressible(node)) return sql`matches(json(${scope.base}), ${bind(JSON.stringify(written(node)))})`;
    const { operator, value } = node;
    switch (operator) {
      case "eq":
        return this.#some(node, scope, equals(value as Scalar));
      case "ne":
        return negated(this.#some(node, scope, equals(value as Scalar)));
      case "in":
        return this.#some(node, scope, oneOf(value as Scalar[]));
      case "nin":
        return negated(this.#some(node, scope, oneOf(value as Scalar[])));
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        return this.#some(node, scope, compares(operator as Comparator, value as Scalar, closed));
      case "regex":
        return this.#some(node, scope, matchesPattern(value as RegExp));
      case "all":
        return this.#all(node as FieldCondition<Scalar[]>, scope);
      case "exists":
        return value ? this.#present(node, scope) : negated(this.#present(node, scope));
      case "size":
        return this.#at(
          node.field,
          scope,
          (site) => sql`(${site.type} = 'array' and json_array_length(${site.walk}) = ${bind(value as number)})`,
        );
      case "elemMatch":
        return this.#elemMatch(node as FieldCondition<Condition>, scope);
      default:
        throw new TypeError(`Unknown operator ${operator} for ${node.field}.`);
    }
  }

  /** A scalar predicate on some value the path leads to: the value there, or an element where that is an array. */
  #some(node: FieldCondition, scope: Scope, predicate: Predicate): Sql {
    if (node.field === ITSELF) return predicate(scope.self!);
    const elements = scope.root && !concernsNull(node) ? this.#known(node.field)?.elements : undefined;
    if (elements) return sql`d.n in (select n from ${quoted(elements)} where ${predicate(ELEMENT_KEY)})`;
    return this.#at(node.field, scope, (site) => {
      if (!(site.kinds & ARRAY)) return predicate(site);
      const alias = this.#alias();
      return sql`(${predicate(site)} or (${site.type} = 'array' and exists (select 1 from json_each(${site.walk}) ${alias} where ${predicate(element(alias))})))`;
    });
  }

  /** `$all` is a conjunction of equalities; an empty one is never true. */
  #all(node: FieldCondition<Scalar[]>, scope: Scope): Sql {
    const parts = node.value.map((item) =>
      this.#field(new FieldCondition(isRegExp(item) ? "regex" : "eq", node.field, item), scope, false),
    );
    return joinSql(parts, " and ", "0");
  }

  #present(node: FieldCondition, scope: Scope): Sql {
    if (node.field === ITSELF) return sql`1`;
    // An index has the value: it suffices where no null was ever written.
    return this.#at(node.field, scope, (site) => sql`${site.kinds & NULL ? site.type : site.value} is not null`);
  }

  #elemMatch(node: FieldCondition<Condition>, scope: Scope): Sql {
    const alias = this.#alias();
    const ofElement = mentionsItself(node.value);
    const inner: Scope = { base: `${alias}.value`, root: false, self: element(alias) };
    const match = ofElement
      ? this.condition(node.value, inner)
      : sql`(${alias}.type = 'object' and ${this.condition(node.value, inner)})`;
    const whole = this.#at(
      node.field,
      scope,
      (site) =>
        sql`(${site.type} = 'array' and exists (select 1 from jsonb_each(${site.walk}) ${alias} where ${match}))`,
    );
    return joinSql([...this.#implied(node, scope), whole], " and ", "1");
  }

  /** The array as a whole is one of those in the index, after the lead's values, without such an element. */
  #among({ table, lead, values, match }: Narrowing): Sql {
    const alias = this.#alias();
    const whole = column(match.field, this.#known);
    const least = sql`select min(${whole}) from ${quoted(table)} d where ${column(lead, this.#known)} =`;
    const inner = this.condition(match.value, { base: `${alias}.value`, root: false, self: element(alias) });
    return sql`${whole} in (with recursive w(lead, whole) as (
      select l.value, (${least} l.value) from json_each(${bind(JSON.stringify(values))}) l
      union all select lead, (${least} w.lead and ${whole} > w.whole) from w where whole is not null
    ) select whole from w where whole is not null and not exists (select 1 from jsonb_each(w.whole) ${alias} where ${inner}))`;
  }

  /** Conditions on an index of elements: a matching element has each of the required values. */
  #implied(node: FieldCondition<Condition>, scope: Scope): Sql[] {
    if (!scope.root) return [];
    const elements = this.#known(node.field)?.elements;
    if (elements && conjuncts(node.value).every(isOfElement)) {
      const ofKey = this.condition(node.value, { base: "value", root: false, self: ELEMENT_KEY });
      return [sql`d.n in (select n from ${quoted(elements)} where ${ofKey})`];
    }
    return conjuncts(node.value)
      .filter(
        (part): part is FieldCondition =>
          part instanceof FieldCondition && (part.operator === "eq" || part.operator === "in") && !concernsNull(part),
      )
      .map(
        (part) =>
          new FieldCondition(
            part.operator,
            part.field === ITSELF ? node.field : `${node.field}.${part.field}`,
            part.value,
          ),
      )
      .filter((part) => this.#known(part.field)?.elements)
      .map((part) => this.#field(part, scope, false));
  }

  /** Follows a path: where a part of it is an array, some object in that array must satisfy the rest. */
  #at(path: string, scope: Scope, leaf: (site: Site) => Sql): Sql {
    if (path === ITSELF) return leaf(scope.self!);
    if (scope.root && path === "_id") return leaf(ID);
    const known = scope.root ? this.#known(path) : undefined;
    const kinds = known && !(known.kinds & ARRAY) ? known.kinds : ANYTHING;
    const direct = leaf(this.#site(scope.base, path, kinds));
    const segments = path.split(".");
    if (segments.length === 1 || !(kinds & ARRAY)) return direct;
    const branches = segments.slice(1).map((_, index) => {
      const [array, rest] = [segments.slice(0, index + 1), segments.slice(index + 1)];
      return this.#through(array.join("."), rest.join("."), scope, leaf);
    });
    return sql`case 'array' ${branches.reduce((all, branch) => sql`${all} ${branch}`)} else ${direct} end`;
  }

  #through(array: string, rest: string, scope: Scope, leaf: (site: Site) => Sql): Sql {
    const alias = this.#alias();
    const inner = this.#at(rest, { base: `${alias}.value`, root: false }, leaf);
    const site = this.#site(scope.base, array, ANYTHING);
    return sql`when ${site.type} then exists (select 1 from jsonb_each(${site.walk}) ${alias} where ${alias}.type = 'object' and ${inner})`;
  }

  #site(base: string, path: string, kinds: number): Site {
    const value = base === ROOT.base ? column(path, this.#known) : `(${extracted(base, path)})`;
    const inside = jsonPath(path);
    return { value, type: `json_type(${base}, ${inside})`, walk: `${base}, ${inside}`, kinds };
  }

  #alias(): string {
    return `e${++this.#aliases}`;
  }
}

const OF_ELEMENT = new Set(["eq", "in", "gt", "gte", "lt", "lte"]);
/** Whether an element's key in its table says whether this holds of it. */
const isOfElement = (part: Condition): boolean =>
  part instanceof FieldCondition && part.field === ITSELF && OF_ELEMENT.has(part.operator) && !concernsNull(part);

const ELEMENT_KEY: Site = {
  value: "value",
  type: "typeof(value)",
  walk: "'[]'",
  kinds: NUMBER | STRING | BOOLEAN,
  blobs: true,
};
const element = (alias: string): Site => ({
  value: `${alias}.value`,
  type: `${alias}.type`,
  walk: `${alias}.value`,
  kinds: ANYTHING,
});
