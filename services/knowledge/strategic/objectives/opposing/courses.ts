import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { baseOf, stem } from "../../../../../core/text/words/stem.ts";
import type { Act } from "./acts.ts";
import type { ObjectiveReading } from "./reading.ts";
import { among, type ContentWord } from "./terms.ts";
import { areTold, isOfTime, sameThing, type Thing } from "./things.ts";
import { areOfTwoTimes } from "./times.ts";

interface Told {
  /** Its place in the list: what is told does not depend on which objective comes first. */
  rank: number;
  says: readonly [string, string];
}
/** What a person is told of two courses. */
const against = lazily(
  () =>
    new Map(
      lexicon.courses.against.flatMap(([one, other, says, denies], rank) => {
        const told: Told = { rank, says: [says!, denies!] };
        return [[`${one} ${other}`, told] as const, [`${other} ${one}`, told] as const];
      }),
    ),
);
const RULED_OUT: Told = { rank: lexicon.courses.against.length, says: ["asks for something", "rules it out"] };

function opposed(one: Act, other: Act): Told | undefined {
  if (one.isDenied !== other.isDenied)
    return baseOf(one.verb) === baseOf(other.verb) && one.courses.some((course) => other.courses.includes(course))
      ? RULED_OUT
      : undefined;
  return one.courses
    .flatMap((mine) => other.courses.flatMap((theirs) => against().get(`${mine} ${theirs}`) ?? []))
    .sort((a, b) => a.rank - b.rank)[0];
}

const opposites = lazily(() => new Set(lexicon.opposites.outright));
/** Whether the statements begin with verbs of opposite meaning, and go on to one thing. */
function beginOpposed(one: ObjectiveReading, other: ObjectiveReading): boolean {
  const [mine, theirs] = [one, other].map(({ statement }) => stem(statement.words[0]?.text ?? ""));
  if (!opposites().has(`${mine} ${theirs}`) && !opposites().has(`${theirs} ${mine}`)) return false;
  const [left, right] = [one, other].map(({ things }) => things.find(({ first }) => first > 0 && first <= 2));
  return (
    left !== undefined &&
    right !== undefined &&
    sameThing(left, right, one.terms, other.terms) &&
    !areForTwo(one, left, other, right) &&
    !areTold(one.terms, other.terms, one.terms, other.terms)
  );
}

const DOER =
  /^(?:no|never|not|stop|ban|prohibit|forbid|halt|end|avoid|freeze|suspend|cease|without|refrain|nobody|pause)$/;

/** "No drilling in the delta" against "drill in the delta". */
function forbids(one: ObjectiveReading, other: ObjectiveReading): boolean {
  const { words: spoken } = one.statement;
  const cue = spoken.findIndex(({ text }) => DOER.test(text));
  if (cue < 0 || cue > 3) return false;
  const verb = other.statement.words[0];
  const [act] = other.acts;
  if (!verb || DOER.test(verb.text) || act?.isDenied) return false;
  const doing = spoken.findIndex(({ text }, at) => at > cue && at <= cue + 6 && baseOf(text) === baseOf(verb.text));
  if (doing < 0) return false;
  const [mine, theirs] = [one.things.find(({ last }) => last > doing), other.things.find(({ last }) => last > 0)];
  if (!mine) return !one.terms.some(({ at }) => at > cue && at !== doing);
  if (theirs && sameThing(mine, theirs, one.terms, other.terms)) return true;
  // "No drilling in the delta": where it is not to be done, whatever it is done to.
  const named = one.things.find(({ first, last }) => first <= doing && last >= doing);
  if (mine !== named || mine.terms.length > 1) return false;
  const places = one.things.filter(({ first }) => first > doing);
  return (
    places.length > 0 &&
    places.every((place) => other.things.some((it) => sameThing(place, it, one.terms, other.terms)))
  );
}

const clauseOf = ({ terms }: ObjectiveReading, { first, last, object }: Act): ContentWord[] =>
  terms.filter(
    ({ at }) => at >= Math.min(first, object?.first ?? first) && at <= Math.max(last, object?.last ?? last) + 6,
  );

function isOfOne(one: ObjectiveReading, mine: Act, other: ObjectiveReading, theirs: Act): boolean {
  const [left, right] = [mine.object, theirs.object];
  if (!left || !right || isOfTime(left, one.statement) || isOfTime(right, other.statement)) return false;
  // "Keep it in Antwerp" against "move it to Rotterdam": here the two names tell of no two things.
  const moves = [mine, theirs].some(({ courses }) => courses.includes("move"));
  if (!moves && areTold(clauseOf(one, mine), clauseOf(other, theirs), one.terms, other.terms)) return false;
  return sameThing(left, right, one.terms, other.terms) && !areForTwo(one, left, other, right);
}

const forWhom = ({ things }: ObjectiveReading, object: Thing): Thing | undefined =>
  things.find(({ first, by }) => first > object.last && (by === "to" || by === "for"));
/** "Open to schools" against "closed to the public". */
export function areForTwo(
  one: ObjectiveReading,
  left: Thing | undefined,
  other: ObjectiveReading,
  right: Thing | undefined,
): boolean {
  if (!left || !right) return false;
  const [mine, theirs] = [forWhom(one, left), forWhom(other, right)];
  return (
    mine?.by === "to" &&
    theirs?.by === "to" &&
    ![...mine.terms, ...theirs.terms].some(({ concept }) => ALL.test(concept)) &&
    !mine.isWhole &&
    !theirs.isWhole &&
    !mine.terms.some((term) => among(term, theirs.terms))
  );
}
const ALL = /^(?:everyon|everybody|anyon|anybody|nobody|traffic)$/;

const nameOf = ({ first, last }: Thing, { statement: { text, start, words } }: ObjectiveReading): string =>
  text.slice(words[first]!.start - start, words[last]!.end - start);

/** Why one statement wants of a thing what the other does not want of it. */
export function coursesApart(one: ObjectiveReading, other: ObjectiveReading): string | undefined {
  const found: { rank: number; why: string }[] = [];
  for (const mine of one.acts)
    for (const theirs of other.acts) {
      const told = opposed(mine, theirs);
      if (!told || !isOfOne(one, mine, other, theirs)) continue;
      const [thing] = [nameOf(mine.object!, one), nameOf(theirs.object!, other)].sort();
      found.push({ rank: told.rank, why: `One ${told.says[0]}, the other ${told.says[1]}: ${thing}.` });
    }
  const [first] = found.sort((a, b) => a.rank - b.rank || (a.why < b.why ? -1 : 1));
  const why =
    first?.why ??
    (forbids(one, other) || forbids(other, one)
      ? "One forbids what the other does."
      : beginOpposed(one, other)
        ? "They want opposite things of one."
        : undefined);
  return why !== undefined && areOfTwoTimes(one, other) ? undefined : why;
}
