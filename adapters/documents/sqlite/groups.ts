import type { Group, Groups } from "../../../core/records/documents.ts";
import { checkedMeasures, type GroupMeasure } from "../measures.ts";
import { column, jsonPath } from "./query/columns.ts";
import type { Knowledge } from "./query/narrowing.ts";
import { quoted, sql, type Sql } from "./query/sql.ts";
import type { Row } from "./statements.ts";

/** A checked grouping: its key as JSON, its measures, and the source of its rows. */
export interface Grouping {
  select(table: string, where: Sql): Sql;
  read(row: Row): Group;
}

/**
 * Compiles a grouping. Keys are passed as JSON text, so that true is not 1 and "1" is not 1; missing and null are one
 * key. Sums and averages ignore values that are no numbers, extremes those that are neither number nor string. The
 * largest groups come first. @throws TypeError for an invalid field or result name
 */
export function grouping(params: Groups, known: Knowledge): Grouping {
  const { by, unwind } = params;
  const measures = checkedMeasures(params);
  const key =
    by === undefined
      ? "'null'"
      : unwind
        ? ELEMENT
        : by === "_id"
          ? "json_quote(d.id)"
          : `ifnull(d.doc -> ${jsonPath(by)}, 'null')`;
  const walked = by !== undefined && unwind ? ` join json_each(${asArray(by)}) e` : "";
  const columns = [`${key} as k`, "count(*) as c", ...measures.map((measure) => expression(measure, known))].join(", ");
  return {
    // Grouping by a column makes no group of nothing, as MongoDB makes none.
    select: (table, where) =>
      sql`select ${columns} from ${quoted(table)} d${walked} where ${where} group by k order by c desc, k`,
    read: ([k, count, ...values]) => {
      const group: Group = { key: JSON.parse(k as string) as unknown, count: count as number };
      for (const [index, { name }] of measures.entries()) group[name] = JSON.parse(values[index] as string) as unknown;
      return group;
    },
  };
}

/** An element as JSON text; json_each gives 1 and 0 for true and false. */
const ELEMENT = "case when e.type in ('true', 'false', 'null') then e.type else json_quote(e.value) end";

/** `$unwind`: a scalar is an array of one; missing, null and empty give nothing. */
function asArray(path: string): string {
  if (path === "_id") return "json_array(d.id)";
  const inside = jsonPath(path);
  const value = `d.doc -> ${inside}`;
  return (
    `case ifnull(json_type(d.doc, ${inside}), 'null') when 'array' then ${value} when 'null' then '[]' else ` +
    `json_array(${value}) end`
  );
}

/** JSON text too: SQLite may hold an integer too large for a number of JavaScript's. */
function expression({ aggregate, field }: GroupMeasure, known: Knowledge): string {
  const value = column(field, known);
  const type = field === "_id" ? "typeof(d.id)" : `json_type(d.doc, ${jsonPath(field)})`;
  const numeric = `case when ${type} in ('integer', 'real') then ${value} end`;
  switch (aggregate) {
    case "sum":
      return `json_quote(total(${numeric}))`;
    case "avg":
      return `json_quote(avg(${numeric}))`;
    default:
      return `json_quote(${aggregate}(case when ${type} in ('integer', 'real', 'text') then ${value} end))`;
  }
}
