import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { baseIndex, inBases, isWhole, share, type ContentWord } from "./terms.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import { areTold, isOfTime, sameThing, type Thing } from "./things.ts";
import type { Pole, ObjectiveReading } from "./reading.ts";

const index = lazily(() =>
  baseIndex(
    Object.fromEntries(
      Object.entries(lexicon.courses.ways).flatMap(([axis, poles]) =>
        Object.entries<readonly string[]>(poles).map(([pole, forms]) => [`${axis}/${pole}`, forms] as const),
      ),
    ),
  ),
);
const NO = /^(?:no|never|not|without|stop|ban|avoid|end|abolish|refuse|reject|cannot|prohibit|forbid)$/;

/** Ends of ways of doing that a statement names, by their axes. */
export function polesOf({ words: spoken }: Statement, bases: readonly Word[]): Map<string, Map<string, Pole>> {
  const found = new Map<string, Map<string, Pole>>();
  for (const { label, first, last } of index().find("", bases)) {
    const [axis, pole] = label.split("/") as [string, string];
    const before = spoken.slice(Math.max(0, first - 3), first).map(({ text }) => text);
    const isDenied = before.some((text) => NO.test(text));
    const isStrict = spoken.slice(Math.max(0, first - 3), last + 3).some(({ text }) => isWhole(text));
    const poles = found.get(axis) ?? new Map<string, Pole>();
    const at = [...(poles.get(pole)?.at ?? []), ...Array.from({ length: last - first + 1 }, (_, more) => first + more)];
    found.set(axis, poles.set(pole, { isDenied, isStrict: isStrict || (poles.get(pole)?.isStrict ?? false), at }));
  }
  for (const poles of found.values())
    if (poles.size > 1) for (const [pole, { isDenied }] of poles) if (isDenied) poles.delete(pole);
  return found;
}

/** Ends of those ways that hold for all that one does: whoever has no paid staff has none for anything. */
export const hasWidePoles = (statement: Statement): boolean => wide().find("", inBases(statement.words)).length > 0;
const wide = lazily(() =>
  baseIndex({
    wide: lexicon.courses.unitwide.flatMap((axis) =>
      Object.values<readonly string[]>(lexicon.courses.ways[axis as keyof typeof lexicon.courses.ways]).flat(),
    ),
  }),
);

const unitwide = new Set<string>(lexicon.courses.unitwide);

/** Why two statements want one thing done in two ways that exclude each other. */
export function waysApart(one: ObjectiveReading, other: ObjectiveReading): string | undefined {
  for (const [axis, mine] of [...one.poles].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const theirs = other.poles.get(axis);
    if (!theirs || mine.size > 1 || theirs.size > 1) continue;
    const [[a, left], [b, right]] = [[...mine][0]!, [...theirs][0]!];
    const opposed = a === b ? left.isDenied !== right.isDenied : !left.isDenied && !right.isDenied;
    if (!opposed) continue;
    const rest = ({ terms }: ObjectiveReading, { at }: Pole): ContentWord[] =>
      terms.filter((term) => !at.includes(term.at));
    const [own, its] = [rest(one, left), rest(other, right)];
    if (areTold(own, its, one.terms, other.terms)) continue;
    const strict = left.isStrict || right.isStrict;
    const free = ({ things, statement }: ObjectiveReading, { at }: Pole): Thing[] =>
      things.filter((thing) => !at.includes(thing.head.at) && !isOfTime(thing, statement));
    const theirThings = free(other, right);
    const isOne =
      share(own, its) >= 0.6 ||
      free(one, left).some((mine) => theirThings.some((it) => sameThing(mine, it, one.terms, other.terms))) ||
      (strict && unitwide.has(axis));
    if (!isOne) continue;
    if (a === b) return `One wants it done by way of ${a}, the other rules that out.`;
    const [first, second] = [a, b].sort();
    return `They want one thing in two ways: ${first}, and ${second}.`;
  }
  return undefined;
}
