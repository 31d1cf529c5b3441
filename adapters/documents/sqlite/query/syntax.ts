import { CompoundCondition, FieldCondition, ITSELF, type Condition } from "@ucast/core";
import type { Query } from "../../../../core/records/documents.ts";
import { isFrozenText } from "../../queries.ts";
import { isRegExp } from "../../values.ts";
import { isScalar } from "./sites.ts";

/** The parts of a conjunction; a single condition is a conjunction of one. */
export const conjuncts = (node: Condition): readonly Condition[] =>
  node instanceof CompoundCondition && node.operator === "and" ? (node.value as Condition[]) : [node];

/** As `conjuncts`, with nested conjunctions flattened too. */
export const allConjuncts = (node: Condition): Condition[] => {
  const parts = conjuncts(node);
  return parts.length === 1 && parts[0] === node ? [node] : parts.flatMap(allConjuncts);
};

/** A number in a path is a field name or an index of an array, depending on the document. */
const hasPlace = (path: string): boolean => /(?:^|\.)\d+(?:\.|$)/.test(path);

const isItem = (item: unknown): boolean => isScalar(item) || isRegExp(item);

/** Whether SQL alone can express it: operands are scalars, and the path has no such number. */
export function isExpressible(node: Condition): boolean {
  if (!(node instanceof FieldCondition)) return (node.value as Condition[]).every(isExpressible);
  if (hasPlace(node.field)) return false;
  switch (node.operator) {
    case "eq":
    case "ne":
      return isScalar(node.value);
    case "in":
    case "nin":
    case "all":
      return isFrozenText(node.value as unknown[]) || (node.value as unknown[]).every(isItem);
    case "elemMatch":
      return isExpressible(node.value as Condition);
    default:
      return true;
  }
}

/** Whether the condition could hold for null, which no index of elements keeps. */
export const concernsNull = ({ value }: FieldCondition): boolean =>
  value === null || (Array.isArray(value) && value.includes(null));

/** Whether the condition in `$elemMatch` is on the element itself, not on its fields. */
export const mentionsItself = (node: Condition): boolean =>
  node instanceof FieldCondition ? node.field === ITSELF : (node.value as Condition[]).some(mentionsItself);

const isLow = ({ operator }: FieldCondition): boolean => operator === "gt" || operator === "gte";
const isHigh = ({ operator }: FieldCondition): boolean => operator === "lt" || operator === "lte";

/** The bounds of a conjunction with a counterpart: the other end of a range of the same field and type. */
export function closedBounds(parts: readonly Condition[]): Set<Condition> {
  const bounds = parts.filter(
    (part): part is FieldCondition => part instanceof FieldCondition && (isLow(part) || isHigh(part)),
  );
  const faces = (one: FieldCondition, other: FieldCondition): boolean =>
    isLow(one) !== isLow(other) && one.field === other.field && typeof one.value === typeof other.value;
  return new Set(bounds.filter((one) => bounds.some((other) => faces(one, other))));
}

/** The condition as a MongoDB query again, of JSON values only. */
export function written(node: Condition): Query {
  if (node instanceof FieldCondition) {
    const operation = writtenOperation(node);
    return node.field === ITSELF ? operation : { [node.field]: operation };
  }
  const parts = (node.value as Condition[]).map(written);
  if (mentionsItself(node))
    return node.operator === "not"
      ? { $not: Object.assign({}, ...parts) as Query }
      : (Object.assign({}, ...parts) as Query);
  return node.operator === "not" ? { $nor: [{ $and: parts }] } : { [`$${node.operator}`]: parts };
}

function writtenOperation({ operator, value }: FieldCondition): Query {
  if (isRegExp(value)) return { $regex: value.source, $options: value.flags };
  if (operator === "elemMatch") return { $elemMatch: written(value as Condition) };
  if (Array.isArray(value) && value.some(isRegExp))
    throw new TypeError(`$${operator} takes patterns or objects, not both.`);
  return { [`$${operator}`]: value };
}
