import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { each, type Steps } from "../../../../../core/work/turns.ts";
import type { Readings, Stance } from "../../../../news/verification/client.ts";
import { sharedBeside, verbIn } from "./borne-out.ts";
import { namesCause } from "./causes.ts";
import { isDoubted, isLessened } from "./doubted.ts";
import { hasCue, isUnreal, refusalOf } from "./factual.ts";
import { figureSaid } from "./figures.ts";
import { thingOf, type Hypothesis } from "./hypothesis.ts";
import { isAxis, statesIn, type State } from "./states.ts";
import { areContrasted, isOf, isOfSome, namesAny, namesAnotherPlace, isOneThing } from "./subject.ts";
import { timeOf, timesIn } from "./times.ts";

interface Said {
  sign: 1 | -1;
  weight: number;
  stated: Statement;
  reason: string;
  /** A part is not the whole of it. */
  isOfWhole: boolean;
}

/** What a report says of a hypothesis, by its questions and figures; undefined where they do not tell. A step is a sentence. */
export function* sayingOf(asked: Hypothesis, text: string, readings: Readings): Steps<Stance | undefined> {
  const read = readings.of(text);
  const stated = yield* each([...read.sentences.keys()], (at) => read.statement(at));
  if (asked.anchors.length > 0 && !stated.some((one) => namesAny(asked, one))) return undefined;
  const found: Said[] = [];
  for (const [at, one] of stated.entries()) {
    yield;
    const behind = stated.slice(at + 1);
    const said = saidIn(asked, one, stated.slice(0, at), text);
    found.push(
      ...said.filter(
        ({ sign }) => sign < 0 || (!isDoubted(asked, one, behind) && !isLessened(asked, one) && namesCause(asked, one)),
      ),
    );
  }
  const best = found.length > 0 ? decided(asked, found) : undefined;
  if (!best) return undefined;
  const { start, end, text: said } = best.stated;
  return {
    stance: best.sign > 0 ? "support" : "contradict",
    score: Math.min(MOST_SCORE, LEAST_SCORE + 10 * Math.round(best.weight)),
    evidence: { text: said, start, end },
    reasons: [best.reason],
  };
}
const LEAST_SCORE = 50;
const MOST_SCORE = 90;

/** How much heavier one side's words must be where a report has words for both. */
const CLEARLY = 1.5;

/** The heaviest; where both are said, what is said of all against what holds of some, else nothing. */
function decided(asked: Hypothesis, found: readonly Said[]): Said | undefined {
  const [first] = found.toSorted((a, b) => b.weight - a.weight);
  const against = found.find(({ sign }) => sign !== first!.sign);
  if (!against) return first;
  if (asked.isOfAll && found.some(({ isOfWhole }) => isOfWhole)) return found.find(({ sign }) => sign < 0);
  return first!.weight - against.weight >= CLEARLY ? first : undefined;
}

function saidIn(asked: Hypothesis, one: Statement, before: readonly Statement[], whole: string): Said[] {
  if (!isOf(asked, one, before)) return [];
  if (isOfAnotherTime(asked, one, whole)) return isLater(one) ? laterVotes(asked, one) : [];
  const figure = asked.figure ? figuresOf(asked, one) : undefined;
  if (asked.figure && !figure) return [];
  const votes = votesOf(asked, one);
  if (!figure) return votes;
  // "Rejected by 52 votes": the figure is right, and the rest is not.
  return figure.sign < 0
    ? [figure]
    : votes.some(({ sign }) => sign < 0) && !votes.some(({ sign }) => sign > 0)
      ? votes
      : [figure];
}

/** "The first train ran on 7 May": what happens once did not happen on the 5th. */
const isLater = ({ text }: Statement): boolean =>
  /\b(?:the first|only on|not until|not before|did not .{1,60} until|two days later than|later than)\b/i.test(text) &&
  timesIn(text).some(({ day }) => day !== undefined);
function laterVotes(asked: Hypothesis, one: Statement): Said[] {
  if (!asked.times.some(({ day }) => day !== undefined)) return [];
  return votesOf(asked, one).flatMap((vote) =>
    vote.sign > 0 ? [{ ...vote, sign: -1 as const, reason: "it tells of another day" }] : [],
  );
}

/** "Resupply due 12 July", "shut until Thursday": the time of something else. */
const AHEAD =
  /\b(?:due|until|till|by|before|from|next|expected|to last|since|through)(?: on)? (?:\p{L}+day )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|\p{L}+)(?: (?:of )?\p{Lu}\p{L}+)?/gu;

function isOfAnotherTime(asked: Hypothesis, one: Statement, whole: string): boolean {
  const own = timesIn(one.text);
  const when = timeOf(asked.times, own.length > 0 ? own : timesIn(whole));
  if (when !== "differ") return false;
  const rest = timesIn(one.text.replace(AHEAD, ""));
  return rest.length > 0 || timeOf(asked.times, timesIn(whole)) !== "agree";
}

function votesOf(asked: Hypothesis, one: Statement): Said[] {
  const act = asked.figure ? undefined : actVote(asked, one);
  const states = statesIn(one, new Set(asked.states.keys()));
  const planned = states.find((state) => isPlanned(asked, one, state));
  return summed(
    states
      .filter((state) => !isPlanned(asked, one, state) && !(planned && isBesides(one, planned, state)))
      .filter((state) => isOneThing(asked, asked.states.get(state.axis)!, one, state))
      .filter(({ axis, first }) => !isAxis(axis, "decided") || asked.isOfPart || !hasCue(one, "bodies", first))
      .map((state) => voteOf(asked, one, state))
      .concat(act ?? [])
      .filter(({ sign, isOfWhole }) => sign < 0 || !isOfWhole || !isOfSome(asked, one)),
  );
}

const MOST_SHARED = 0.5;
/** The act of the hypothesis, its denial or its opposite, of what else it names: less sure than a state. */
function actVote(asked: Hypothesis, one: Statement): Vote[] | undefined {
  const act = verbIn(asked, one);
  if (!act || areContrasted(asked.stated, one)) return undefined;
  const { share, count } = sharedBeside(asked, one, act);
  if (share < MOST_SHARED || (count === 0 && !namesAny(asked, one))) return undefined;
  const { first, last } = { first: act.at, last: act.at };
  const said = one.words[act.at]!;
  const word = one.text.slice(said.start - one.start, said.end - one.start);
  const reason = act.sign > 0 ? `it says the same: "${word}"` : `it says otherwise: "${word}"`;
  return [{ sign: act.sign, weight: 1.5, stated: one, reason, isOfWhole: false, first, last }];
}

const AS_USUAL = /^ (?:as|like) (?:usual|normal|before|planned|always)\b/;
function isPlanned(asked: Hypothesis, one: Statement, state: State): boolean {
  if (AS_USUAL.test(one.text.slice(one.words[state.last]!.end - one.start))) return false;
  const reason = isUnreal(one, state);
  return reason !== undefined && !(asked.isUnreal && reason === "to");
}

/** "A crew was flown in to seal the pipe, which began leaking on Monday": how it came to be, and not how it is. */
const isBesides = (one: Statement, planned: State, { first }: State): boolean =>
  first > planned.last &&
  one.words.slice(planned.last, first).some(({ text }) => /^(?:which|who|whose|where|that)$/.test(text));

type Vote = Said & { first: number; last: number };

function voteOf(asked: Hypothesis, one: Statement, { axis, end, first, last, weight }: State): Vote {
  const sign = end === asked.states.get(axis)!.end ? 1 : -1;
  const said = one.text.slice(one.words[first]!.start - one.start, one.words[last]!.end - one.start);
  const reason = sign > 0 ? `it says the same: "${said}"` : `it says otherwise: "${said}"`;
  return { sign, weight, stated: one, reason, isOfWhole: isAxis(axis, "whole"), first, last };
}

const BESIDE = 0.5;

/** Words that two axes read count once, for the one that tells most; each further one of a side adds a little. */
function summed(votes: readonly Vote[]): Said[] {
  const tells = (one: Vote, other: Vote): boolean =>
    one.weight > other.weight || (one.weight === other.weight && votes.indexOf(one) < votes.indexOf(other));
  const kept = votes.filter(
    (vote) =>
      !votes.some(
        (other) => other !== vote && other.first <= vote.last && vote.first <= other.last && tells(other, vote),
      ),
  );
  return ([1, -1] as const).flatMap((sign) => {
    const [best, ...others] = kept.filter((vote) => vote.sign === sign).toSorted((a, b) => b.weight - a.weight);
    return best ? [{ ...best, weight: best.weight + BESIDE * others.length }] : [];
  });
}

/** Ends of axes of movement, of which each has two: rose, fell. */
const turnsOf = ({ senses }: Statement): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const { concept, pole } of senses)
    if (pole !== undefined) found.set(concept, new Set([...(found.get(concept) ?? []), pole]));
  return found;
};
const MOVES = "±direction";

function figuresOf(asked: Hypothesis, one: Statement): Said | undefined {
  if (areContrasted(asked.stated, one)) return undefined;
  if (asked.isFinal && hasCue(one, "partial")) return undefined;
  const isTold = asked.states.size > 0 && votesOf(asked, one).some(({ sign }) => sign > 0);
  const said = figureSaid(asked.figure!, one, thingOf, {
    isNamed: namesAny(asked, one),
    isTold,
    names: new Set(asked.anchors.flatMap((anchor) => anchor.words.map(thingOf))),
  });
  if (!said || (said.isLess && namesAnotherPlace(asked, one))) return undefined;
  const at = one.words.findIndex(({ start }) => start - one.start >= said.start);
  if (at >= 0 && isUnreal(one, { first: at, last: at }) !== undefined) return undefined;
  const isRefusedThere =
    at >= 0 &&
    (refusalOf(one, { first: at, last: at }) !== undefined ||
      one.negations.some(({ from, to }) => from === 0 && to === one.words.length - 1));
  if (isRefusedThere && said.sign < 0) return undefined;
  const [mine, theirs] = [turnsOf(asked.stated).get(MOVES), turnsOf(one).get(MOVES)];
  const isTurned = mine !== undefined && theirs !== undefined && ![...mine].some((pole) => theirs.has(pole));
  // "None of the 12 survived": the same number of something else.
  if (said.sign > 0 && !isTold && one.negations.length !== asked.stated.negations.length && !isRefusedThere)
    return undefined;
  const sign = isTurned || isRefusedThere ? -1 : said.sign;
  const reason =
    sign > 0 ? `the figure is right: ${said.text}` : `different figure: ${asked.figure!.text} against ${said.text}`;
  return {
    sign,
    weight: 3,
    stated: one,
    reason: isTurned ? "it moved the other way" : isRefusedThere ? "it is said to be untrue" : reason,
    isOfWhole: false,
  };
}
