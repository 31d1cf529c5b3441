import { Environment } from "@marcbachmann/cel-js";
import { isNode, pathsIn, type ConditionNode } from "./condition-paths.ts";
import { LONGEST_CONDITION } from "./definitions.ts";
import type { ReferenceScope } from "./references.ts";

const MOST_NODES = 200;
const MOST_DEPTH = 50;
const LOOPS = new Set(["all", "exists", "exists_one", "map", "filter"]);
/** Each scans a whole text or list, so that within a loop it is a nested loop. */
const SCANS = new Set(["contains", "split", "indexOf", "lastIndexOf", "replace"]);

const environment = new Environment({
  limits: {
    maxAstNodes: MOST_NODES,
    maxDepth: MOST_DEPTH,
    maxListElements: 100,
    maxMapEntries: 100,
    maxCallArguments: 8,
  },
})
  .registerVariable("input", "map")
  .registerVariable("steps", "map")
  .registerVariable("item", "dyn")
  .registerVariable("index", "int");

function* nodesIn(value: unknown): Generator<ConditionNode> {
  if (isNode(value)) {
    yield value;
    yield* nodesIn(value.args);
  } else if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
}

const callOf = ({ op, args }: ConditionNode): string | undefined =>
  (op === "rcall" || op === "call") && Array.isArray(args) ? String(args[0]) : undefined;
const isLoop = (node: ConditionNode): boolean => node.op === "rcall" && LOOPS.has(callOf(node)!);

/** Expressions that cost more than the length of their operands. */
function costly(tree: ConditionNode): string[] {
  const loops = [...nodesIn(tree)].filter(isLoop);
  const inner = loops.flatMap((loop) => [...nodesIn((loop.args as unknown[])[2])]);
  const isList = (value: unknown): boolean => isNode(value) && value.op === "list";
  const scans = inner.filter(
    (node) => SCANS.has(callOf(node) ?? "") || (node.op === "in" && !isList((node.args as unknown[])[1])),
  );
  return [
    ...([...nodesIn(tree)].some((node) => callOf(node) === "matches") ? ["`matches` is not offered."] : []),
    ...(inner.some(isLoop) ? ["A loop within a loop is not offered."] : []),
    ...(scans.length ? ["Within a loop nothing is looked for in texts or lists."] : []),
  ];
}

/** The ids of steps that a condition refers to; null stands for a computed one. */
function stepsIn(tree: ConditionNode): (string | null)[] {
  const named = new Set<ConditionNode>();
  const found: (string | null)[] = [];
  const isSteps = (value: unknown): value is ConditionNode =>
    isNode(value) && value.op === "id" && value.args === "steps";
  for (const node of nodesIn(tree)) {
    if (node.op !== "." && node.op !== "[]") continue;
    const [of, by] = node.args as [unknown, unknown];
    if (!isSteps(of)) continue;
    const literal = isNode(by) && by.op === "value" ? by.args : by;
    found.push(typeof literal === "string" ? literal : null);
    named.add(of);
  }
  if ([...nodesIn(tree)].some((node) => isSteps(node) && !named.has(node))) found.push(null);
  return found;
}

interface Checked {
  faults: readonly string[];
  /** The steps it refers to. */
  steps: readonly string[];
  /** The paths it refers to, beginning with `input`, `steps`, `item` or `index`. */
  paths: readonly (readonly string[])[];
}

const MOST_KEPT = 500;
/** Caches results of the texts used most recently. */
function once<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = work(text);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(text, made);
    return made;
  };
}

/** The faults of a condition, and what it refers to. */
export const checkCondition = (text: string): Checked =>
  text.length > LONGEST_CONDITION
    ? { faults: [`A condition has ${LONGEST_CONDITION} characters at the most.`], steps: [], paths: [] }
    : checkedOnce(text);

const checkedOnce = once(checked);
function checked(text: string): Checked {
  const nothing = { steps: [], paths: [] };
  try {
    const ast = environment.parse(text).ast as unknown as ConditionNode;
    const { valid, type, error } = environment.check(text);
    if (!valid) return { faults: [firstLine(error)], ...nothing };
    const [named, paths] = [stepsIn(ast), pathsIn(ast)];
    const strange = paths.find(([root, , field]) => root === "steps" && field !== undefined && field !== "output");
    return {
      faults: [
        ...(type === "bool" || type === "dyn" ? [] : [`It comes to ${type}; a condition comes to a bool.`]),
        ...costly(ast),
        ...(named.includes(null) ? ["Name a step: `steps.<id>.output`."] : []),
        ...(strange ? [`Of a step \`steps.${strange[1]}.output\` is spoken of, not ${strange[2]}.`] : []),
      ],
      steps: named.filter((one) => one !== null),
      paths,
    };
  } catch (error) {
    return { faults: [firstLine(error)], ...nothing };
  }
}

const firstLine = (error: unknown): string =>
  ((error as Error | undefined)?.message ?? "It cannot be read.").split("\n")[0]!;

const compiled = once((text) => environment.parse(text));

/** Whether a condition holds. Throws where a field is missing, or the result is no bool. */
export function conditionHolds(text: string, { input, steps, item, index }: ReferenceScope): boolean {
  const value: unknown = compiled(text)({
    input,
    steps,
    ...(item !== undefined && { item }),
    ...(index !== undefined && { index: BigInt(index) }),
  });
  if (typeof value !== "boolean") throw new TypeError("The condition did not come to a bool.");
  return value;
}
/** The message of a condition's failure. */
export const conditionError = firstLine;
