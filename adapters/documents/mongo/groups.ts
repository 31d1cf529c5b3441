import type { Document, Filter } from "mongodb";
import type { Groups } from "../../../core/records/documents.ts";
import { checkedMeasures, type GroupMeasure } from "../measures.ts";

/**
 * The aggregation of a grouping: missing and null are one key; sums and averages ignore values that are no numbers. The
 * largest groups come first. @throws TypeError for an invalid field or result name
 */
export function pipeline(params: Groups, query: Filter<never>): Document[] {
  const { by, unwind } = params;
  const measures = checkedMeasures(params);
  const stages: Document[] = [{ $match: query }];
  if (by !== undefined && unwind) stages.push({ $unwind: `$${by}` });
  stages.push({
    $group: {
      _id: by === undefined ? null : `$${by}`,
      count: { $sum: 1 },
      ...Object.fromEntries(measures.map(accumulator)),
    },
  });
  stages.push({ $sort: { count: -1, _id: 1 } });
  stages.push({
    $project: {
      _id: 0,
      key: { $ifNull: ["$_id", null] },
      count: 1,
      ...Object.fromEntries(measures.map(({ name }) => [name, 1])),
    },
  });
  return stages;
}

const accumulator = ({ aggregate, name, field }: GroupMeasure): [string, Document] => [
  name,
  { [`$${aggregate}`]: `$${field}` },
];
