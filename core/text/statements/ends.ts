import { lexicon } from "../lexicon.ts";
import { atOnce, type Steps } from "../../work/turns.ts";
import { indexing, type PhraseIndex } from "../words/phrases.ts";
import { isOfMatter, type Statement } from "./statement.ts";

/** A sentence's answer to a question that newspapers ask: whether a bridge stands, who won, if the ransom was paid. */
export interface End {
  axis: string;
  /** Excludes every other end of its axis, for one thing at one time. */
  end: string;
  /** Indexes of its first and last word. */
  first: number;
  last: number;
}

interface Axis {
  of?: readonly string[];
  ends: Readonly<Record<string, readonly string[]>>;
}

const axes = lexicon.ends.axes as Readonly<Record<string, Axis>>;

const lists = (): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(axes).flatMap(([axis, { ends }]) =>
      Object.entries(ends).map(([end, forms]) => [`${axis} ${end}`, forms] as const),
    ),
  );
const thingsOf = (): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(axes).flatMap(([axis, { of }]) => (of ? [[axis, of] as const] : [])));

interface Indexes {
  phrases: PhraseIndex<string>;
  things: PhraseIndex<string>;
}
let made: Indexes | undefined;

function* making(): Steps<Indexes> {
  return (made ??= { phrases: yield* indexing(lists()), things: yield* indexing(thingsOf()) });
}

/** Builds the index of ends, once in a process: about 100 ms, too long for one turn of the event loop. */
export function* preparing(): Steps<void> {
  if (!made) yield* making();
}

const indexes = (): Indexes => made ?? atOnce(making());

const known = new WeakMap<Statement, readonly End[]>();

/** The ends that a sentence states; where it denies one of two ends, the other. */
export function endsIn(matter: Statement): readonly End[] {
  let found = known.get(matter);
  if (!found) known.set(matter, (found = readEnds(matter)));
  return found;
}

function readEnds(matter: Statement): End[] {
  const { words } = matter;
  const { phrases, things } = indexes();
  const hits = phrases
    .find("", words)
    .filter(({ first }) => isOfMatter(matter, words[first]!))
    .map(({ label, first, last }) => {
      const [axis, end] = label.split(" ") as [string, string];
      return { axis, end, first, last };
    });
  if (hits.length === 0) return [];
  const named = things.find("", words);
  const isNamed = ({ axis, first, last }: End): boolean =>
    !axes[axis]!.of || named.some((thing) => thing.label === axis && (thing.first > last || thing.last < first));
  const isInside = (one: End): boolean =>
    hits.some(
      (other) =>
        other.axis === one.axis &&
        other.first <= one.first &&
        other.last >= one.last &&
        other.last - other.first > one.last - one.first,
    );
  return hits.filter((one) => isNamed(one) && !isInside(one)).flatMap((one) => turned(matter, one) ?? []);
}

/** "Not open" means shut. With three ends, denying one says nothing about the others. */
function turned({ negations }: Statement, one: End): End | undefined {
  const { axis, end, first, last } = one;
  const turns = negations.filter(({ at, from, to }) => (at < first || at > last) && first >= from && first <= to);
  if (turns.length === 0) return one;
  const others = Object.keys(axes[axis]!.ends).filter((other) => other !== end);
  return turns.length === 1 && others.length === 1 ? { ...one, end: others[0]! } : undefined;
}
