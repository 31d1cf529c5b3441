import type { Steps } from "../../../../core/work/turns.ts";
import { fitting } from "../statements/vocabulary.ts";
import type { GraphNode } from "../view.ts";
import { WEIGHTS } from "../../../../core/text/names/parts.ts";
import { nameKindOf, prepareName, type PreparedName } from "../../../../core/text/names/prepared.ts";

/** An entity made ready to be compared. */
export interface Comparable {
  node: GraphNode;
  /** Its name and a few of its other writings. */
  names: readonly PreparedName[];
  identifiers: ReadonlySet<string>;
  /** By any of these, two entities may be the same: how a part sounds, what letters a name has, an identifier. */
  keys: readonly string[];
}

const MOST_NAMES = 4;
/** A key that more entities have than this tells nothing: pairs by it are not looked at, which is told. */
const COMMON = 60;
const MOST_PAIRS = 200_000;

type Prepared = Omit<Comparable, "node">;
/** An entity keeps its statements from view to view while nothing is said of it: it is made ready once. */
const prepared = new WeakMap<GraphNode["rows"], Prepared>();

export function comparableNode(node: GraphNode): Comparable {
  let known = prepared.get(node.rows);
  if (!known) {
    const names = [node.name, ...node.aliases]
      .slice(0, MOST_NAMES)
      .map((name) => prepareName(name, nameKindOf(node.type)));
    const told = node.rows.filter(({ predicate }) => predicate === "identifier").map(({ value }) => value!);
    const identifiers = new Set(told);
    prepared.set(node.rows, (known = { names, identifiers, keys: [...keysOf(names, identifiers)] }));
  }
  return { node, ...known };
}

function keysOf(names: readonly PreparedName[], identifiers: ReadonlySet<string>): Set<string> {
  const keys = new Set([...identifiers].map((id) => `id:${id}`));
  for (const name of names) {
    const own = name.tokens.filter(({ weight }) => weight > WEIGHTS.particle);
    for (const { skeleton, weight } of own)
      if (weight > WEIGHTS.initial || own.length === 1) keys.add(`part:${skeleton.slice(0, 5)}`);
    const whole = own.map(({ text }) => text).join("");
    keys.add(`whole:${whole.slice(0, 6)}`);
    for (const acronym of name.acronyms) keys.add(`acronym:${acronym}`);
    if (own.length === 1 && whole.length <= 8) keys.add(`acronym:${whole}`);
  }
  return keys;
}

export interface Blocked {
  /** Places in the list, the lower first. */
  pairs: (readonly [number, number])[];
  dropped: { key: string; entities: number }[];
  truncated: boolean;
}

const written = ({ names: [name] }: Comparable): string => name!.tokens.map(({ text }) => text).join(" ");
/** Of one name of several words: rules may have read a village as a person in one sentence and as a place in another. */
const areOfOneName = (one: Comparable, other: Comparable): boolean =>
  one.names[0]!.tokens.length > 1 && written(one) === written(other);

/** Pairs that are worth comparing: of fitting types or of one name, with a key in common that few have. */
export function* blocked(all: readonly Comparable[]): Steps<Blocked> {
  const blocks = new Map<string, number[]>();
  for (const [at, one] of all.entries()) {
    for (const key of one.keys) {
      const block = blocks.get(key);
      if (block) block.push(at);
      else blocks.set(key, [at]);
    }
    yield;
  }
  const found: Blocked = { pairs: [], dropped: [], truncated: false };
  const seen = new Set<number>();
  for (const [key, block] of blocks) {
    if (block.length > COMMON) {
      found.dropped.push({ key, entities: block.length });
      continue;
    }
    for (const [nth, one] of block.entries())
      for (const other of block.slice(nth + 1)) {
        const pair = one * all.length + other;
        const [left, right] = [all[one]!, all[other]!];
        if (seen.has(pair) || !(fitting(left.node.type, right.node.type) || areOfOneName(left, right))) continue;
        if (seen.size >= MOST_PAIRS) return { ...found, truncated: true };
        seen.add(pair);
        found.pairs.push([one, other]);
      }
    yield;
  }
  return found;
}
