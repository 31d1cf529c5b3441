import { onlyAsks } from "../../../../../core/text/statements/speech/asking.ts";
import { once } from "../../../../../core/once.ts";
import { isSupposed } from "../../../../../core/text/statements/occasion.ts";
import {
  answersIn,
  finalOf,
  isAsked,
  isOfKinds,
  kindsOfEvent,
  otherEnd,
  rolesIn,
  type EventAnswer,
} from "../../../../../core/text/statements/states/questions.ts";
import { isOfMatter, type Statement } from "../../../../../core/text/statements/statement.ts";
import type { Between } from "../pairs/between.ts";
import { negationsOver, RULED_OUT } from "./given-states.ts";
import { sharesName, tellsOfACount } from "./guards.ts";

/** What a sentence states and what it denies of one question. */
interface Given {
  stated: ReadonlySet<string>;
  denied: ReadonlySet<string>;
}

/** "A second suspect remains at large." */
const OTHERS = new RegExp(
  String.raw`\b(?:an?other|second|third|others?|accomplices?|(?:one|two|three|some|most|many|several) of|remaining|rest of|` +
    String.raw`ago|previous(?:ly)?|used to)\b`,
  "i",
);
/** Asked or only supposed. */
const OPEN =
  /\b(?:whether|cannot be|(?:may|might|could|would) (?:have|be)|no (?:sign|evidence|indication|trace|hint)s? of)\b/i;

function readAnswer(stated: Statement, one: EventAnswer): (EventAnswer & { isDenied: boolean }) | undefined {
  const { first, question, end } = one;
  if (!isOfMatter(stated, stated.words[first]!) || isSupposed(stated, first)) return undefined;
  const turning = negationsOver(stated, one);
  if (turning.length > 1) return undefined;
  if (turning.length === 0) return { ...one, isDenied: false };
  const other = otherEnd(question, end);
  return other === undefined ? { ...one, isDenied: true } : { ...one, end: other, isDenied: false };
}

const givenIn = once((stated: Statement): ReadonlyMap<string, Given> | undefined => {
  if (OPEN.test(stated.text) || RULED_OUT.test(stated.text) || onlyAsks(stated.text)) return undefined;
  const found = answersIn(stated.words).flatMap((one) => readAnswer(stated, one) ?? []);
  if (found.length === 0) return undefined;
  const ends = (all: typeof found, isDenied: boolean): ReadonlySet<string> =>
    new Set(all.filter((one) => one.isDenied === isDenied).map(({ end }) => end));
  return new Map(
    [...Map.groupBy(found, ({ question }) => question)].map(([question, all]) => [
      question,
      { stated: ends(all, false), denied: ends(all, true) },
    ]),
  );
});

/** The kinds of events that an article tells of. */
const kindsIn = once(
  (matters: readonly Statement[]): ReadonlySet<string> => new Set(matters.flatMap(({ words }) => kindsOfEvent(words))),
);

/** Hours in which what passes does not change. */
const ONE_TIME = 6;

/** The two answers of which one excludes the other. */
function exclusive(one: Given, other: Given): [string, string] | undefined {
  const [mine] = one.stated;
  const [theirs] = other.stated;
  if (one.stated.size > 1 || other.stated.size > 1) return undefined;
  if (mine !== undefined && theirs !== undefined) return mine === theirs ? undefined : [mine, theirs];
  if (mine !== undefined && other.denied.has(mine)) return [mine, `not ${mine}`];
  return theirs !== undefined && one.denied.has(theirs) ? [`not ${theirs}`, theirs] : undefined;
}

/** "Prison break/way out": its name within its kind. */
const nameOf = (question: string): string => question.slice(question.indexOf("/") + 1);

const PRONOUN = /^(?:s?he|his|her)\b/i;
/** "He was led off in handcuffs": of the one whom its article tells of. */
const isOfPronoun = ({ text, entities }: Statement): boolean => entities.length === 0 && PRONOUN.test(text);

const rolesOf = once((stated: Statement): ReadonlySet<string> => rolesIn(stated.words));
const areOfOnePerson = (claim: Statement, candidate: Statement): boolean =>
  isOfPronoun(claim) ||
  isOfPronoun(candidate) ||
  sharesName(claim, candidate) ||
  [...rolesOf(claim)].some((role) => rolesOf(candidate).has(role));

/** What does not last, or comes to an end: what is told later may have come about since. */
function mayHaveChanged(question: string, [mine, theirs]: [string, string], later: number): boolean {
  if (isAsked(question, "passing")) return Math.abs(later) > ONE_TIME;
  const final = finalOf(question);
  return (theirs === final && later > ONE_TIME) || (mine === final && -later > ONE_TIME);
}

/**
 * Two answers to one question that the reports of such an event give: how prisoners got out, what set off a fire. What
 * the event is stands in the articles, so that its sentences need not name it. `isWeak`: questions of which the learned
 * judge knows more.
 */
export function otherAnswer(
  claim: Statement,
  candidate: Statement,
  between: Between | undefined,
  later: number | undefined,
  isWeak: boolean,
): string | undefined {
  const mine = between && !tellsOfACount(claim) ? givenIn(claim) : undefined;
  const theirs = mine && givenIn(candidate);
  if (!between || !mine || !theirs || OTHERS.test(claim.text) !== OTHERS.test(candidate.text)) return undefined;
  for (const [question, one] of mine) {
    const other = theirs.get(question);
    if (!other || isAsked(question, "weak") !== isWeak) continue;
    const found = exclusive(one, other);
    if (!found || mayHaveChanged(question, found, later ?? 0)) continue;
    if (isAsked(question, "person") && !areOfOnePerson(claim, candidate)) continue;
    const [here, there] = between.matters.map(kindsIn) as [ReadonlySet<string>, ReadonlySet<string>];
    if (!isOfKinds(question, here) || !isOfKinds(question, there)) continue;
    return `two answers to one question, ${nameOf(question)}: ${found.join(" and ")}`;
  }
  return undefined;
}
