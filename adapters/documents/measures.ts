import type { Groups } from "../../core/records/documents.ts";
import { assertName, querySegments } from "./paths.ts";

const AGGREGATES = ["sum", "avg", "min", "max"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** A measure of a grouping: the name of the result, and its field. */
export interface GroupMeasure {
  aggregate: Aggregate;
  name: string;
  field: string;
}

/**
 * The measures of a grouping, in the order sum, avg, min, max.
 * @throws TypeError for a field no query can use, or a result name that is taken or cannot be
 */
export function checkedMeasures({ by, ...measured }: Groups): GroupMeasure[] {
  if (by !== undefined) querySegments(by);
  const measures = AGGREGATES.flatMap((aggregate) =>
    Object.entries(measured[aggregate] ?? {}).map(([name, field]) => ({ aggregate, name, field })),
  );
  const names = new Set(["key", "count"]);
  for (const { name, field } of measures) {
    querySegments(field);
    assertName(name, undefined, name);
    if (names.has(name) || name.includes("."))
      throw new TypeError(`A measure cannot be named ${JSON.stringify(name)}.`);
    names.add(name);
  }
  return measures;
}
