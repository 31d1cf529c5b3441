/** A piece of a condition, as the parser leaves it. */
export interface ConditionNode {
  op: string;
  args: unknown;
}
export const isNode = (value: unknown): value is ConditionNode =>
  value !== null && typeof value === "object" && typeof (value as ConditionNode).op === "string";

const ROOTS = new Set(["input", "steps", "item", "index"]);
const LOOPS = new Set(["all", "exists", "exists_one", "map", "filter"]);
/** The variable of a loop: an element of a list or a key of a map, so only paths below one are known. */
const ELEMENT = "0";

/** The path of an expression; `least`: how many of its parts are not known to be fields. */
interface Path {
  parts: readonly string[];
  least: number;
}
/** The paths of names within loops and bindings; null for computed values. */
type Bound = ReadonlyMap<string, Path | null>;

const nameOf = (value: unknown): string => (isNode(value) && value.op === "id" ? String(value.args) : "");

function keyOf(op: string, by: unknown): string | undefined {
  if (op === ".") return String(by);
  if (!isNode(by) || by.op !== "value") return undefined;
  return typeof by.args === "string" || typeof by.args === "bigint" ? String(by.args) : undefined;
}

/** The path of an expression; null where it is computed. */
function pathOf(node: unknown, bound: Bound): Path | null {
  if (!isNode(node)) return null;
  if (node.op === "id") {
    const name = nameOf(node);
    const known = bound.get(name);
    return known !== undefined ? known : ROOTS.has(name) ? { parts: [name], least: 1 } : null;
  }
  const [one, other] = Array.isArray(node.args) ? (node.args as unknown[]) : [];
  if (node.op === "." || node.op === "[]") {
    const of = pathOf(one, bound);
    const key = keyOf(node.op, other);
    return of && key !== undefined ? { ...of, parts: [...of.parts, key] } : null;
  }
  // A filtered list has the same elements; a filtered map gives a list of keys.
  const of = node.op === "rcall" && one === "filter" ? pathOf(other, bound) : null;
  return of && { ...of, least: of.parts.length + 1 };
}

function elementOf(list: Path | null): Path | null {
  return list && { parts: [...list.parts, ELEMENT], least: list.parts.length + 1 };
}

/** The names that a call binds for its last arguments; undefined where it binds none. */
function binding(call: unknown, receiver: unknown, given: readonly unknown[], bound: Bound): Bound | undefined {
  if (LOOPS.has(String(call)) && given.length > 1)
    return new Map([...bound, [nameOf(given[0]), elementOf(pathOf(receiver, bound))]]);
  if (call === "bind" && nameOf(receiver) === "cel" && given.length > 2)
    return new Map([...bound, [nameOf(given[0]), pathOf(given[1], bound)]]);
  return undefined;
}

function* walk(node: unknown, bound: Bound, isWithin = false): Generator<readonly string[]> {
  if (Array.isArray(node)) for (const one of node) yield* walk(one, bound);
  if (!isNode(node)) return;
  const path = pathOf(node, bound);
  if (node.op === "." || node.op === "[]") {
    if (path && !isWithin && path.parts.length > path.least) yield path.parts;
    const [of, by] = node.args as [unknown, unknown];
    yield* walk(of, bound, path !== null);
    yield* walk(by, bound);
    return;
  }
  if (node.op === "id" && path && !bound.has(nameOf(node)) && !isWithin) yield path.parts;
  const [call, receiver, given] = node.op === "rcall" ? (node.args as [unknown, unknown, unknown[]]) : [];
  const inner = given && binding(call, receiver, given, bound);
  if (!inner) return yield* walk(node.args, bound);
  const outer = call === "bind" ? 2 : 1;
  yield* walk([receiver, ...given.slice(1, outer)], bound);
  yield* walk(given.slice(outer), inner);
}

/** What a condition refers to, each as far as it is named: `["steps", "look", "output", "data", "0", "name"]`. */
export const pathsIn = (tree: ConditionNode): (readonly string[])[] => [...walk(tree, new Map())];
