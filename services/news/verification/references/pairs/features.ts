import { lazily } from "../../../../../core/text/lexicon.ts";
import { causesOf } from "../../../../../core/text/statements/causes.ts";
import { compareDates } from "../../../../../core/text/statements/dates.ts";
import { kindsIn } from "../../../../../core/text/statements/kinds.ts";
import { measuresOf, type Measure } from "../../../../../core/text/statements/figures/measures.ts";
import { sameName, type Name } from "../../../../../core/text/statements/names.ts";
import { isOfAnotherMonth, isOfAnotherOccasion } from "../../../../../core/text/statements/occasion.ts";
import { sameValue } from "../../../../../core/text/statements/figures/quantities.ts";
import { isOfMatter, wholeOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import { stem } from "../../../../../core/text/words/stem.ts";
import { placeOf } from "../../../../../core/text/words/vectors.ts";
import type { Bearing } from "../alignment.ts";
import { noneAgainst } from "../opposing/denial.ts";
import { deniedFilling, otherFilling } from "../slots/slots.ts";
import { Between, familyOf, likeness, tokensOf, type Covering, type Term, type Token } from "./between.ts";
import { oppositeFeatures } from "./opposites.ts";

/** Two sentences of two articles of one story, each without its speaker. */
export interface Two {
  one: Statement;
  other: Statement;
  bearing: Bearing;
  between: Between;
  /** Their positions in their articles. */
  at: number;
  there: number;
  /** By how many hours the other was published later. */
  later: number;
}

/** Words near one of these denote people too: spectators, robbers, shoppers. */
const PEOPLE = ["people", "deaths", "worker", "passenger", "spectator", "soldier", "student", "suspect", "customer"];
const LIKE_PEOPLE = 0.25;
const isOfPeople = (measure: Measure): boolean =>
  measure.fates.size > 0 || nearestOf(counted(measure), people()) >= LIKE_PEOPLE;

const REACH = 6;

/** Content words around a figure that are not nearer to another figure. */
function around(stated: Statement, { quantity }: Measure): readonly Token[] {
  const { words, quantities } = stated;
  const first = words.findIndex((word) => word.end > quantity.start);
  const last = words.findLastIndex((word) => word.start < quantity.end);
  return tokensOf(stated).filter(({ at }) => {
    if (first - at > REACH || at - last > REACH) return false;
    const far = ({ start }: { start: number }): number => Math.abs(words[at]!.start - start);
    return quantities.every((one) => one === quantity || far(one) >= far(quantity));
  });
}

const termOf = (word: string): Term => ({ stem: word, place: placeOf(word) });
const counted = ({ quantity }: Measure): Term[] => quantity.of.map((thing) => termOf(stem(thing)));
const nearestOf = (one: readonly Term[], other: readonly Term[]): number =>
  one.reduce((most, a) => other.reduce((more, b) => Math.max(more, likeness(a, b)), most), 0);

const people = lazily(() => PEOPLE.map((word) => termOf(stem(word))));

/** Figures of a sentence that are compared: who tells more in one sentence lists them. */
const MOST_FIGURES = 12;
const contextsOf = (stated: Statement): { measure: Measure; words: readonly Token[] }[] =>
  measuresOf(stated)
    .slice(0, MOST_FIGURES)
    .map((measure) => ({ measure, words: around(stated, measure) }));

/** Two figures of one unit, and how likely they count one thing. */
export interface FigurePair {
  mine: Measure;
  theirs: Measure;
  /** How similar the words around both are, and what both count, each 0..1. */
  context: number;
  thing: number;
}

const scoreOf = ({ context, thing }: FigurePair): number => context + thing / 2;
const isEqual = ({ mine, theirs }: FigurePair): boolean => sameValue(mine.quantity, theirs.quantity) === "agree";

/**
 * Pairs of figures of two sentences that may count one thing: those that agree, and of the others those that differ.
 */
export function figurePairs({ one, other, between }: Two): { equal: FigurePair[]; apart: FigurePair[] } {
  const found: FigurePair[] = [];
  const [own, foreign] = [contextsOf(one), contextsOf(other)];
  for (const { measure: mine, words } of own)
    for (const { measure: theirs, words: others } of foreign) {
      if (familyOf(mine.quantity.unit) !== familyOf(theirs.quantity.unit)) continue;
      found.push({
        mine,
        theirs,
        context: between.alike(words, others),
        thing: nearestOf(counted(mine), counted(theirs)),
      });
    }
  found.sort((a, b) => scoreOf(b) - scoreOf(a));
  const equal = found.filter(isEqual);
  const isTaken = (pair: FigurePair): boolean =>
    equal.some(({ mine, theirs }) => mine === pair.mine || theirs === pair.theirs);
  return { equal, apart: found.filter((pair) => !isEqual(pair) && !isTaken(pair)) };
}

const MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December";
const BACKGROUND = new RegExp(
  "\\b(?:last (?:year|month|week|time|season)|previous(?:ly)?|earlier|ago|former(?:ly)?|record|usually|normally|average|" +
    "typical\\w*|ever|history|historic|since|before|again|decade|years?|season's|largest|biggest|worst|once|always|" +
    "in recent|(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?:such|time|\\w+ (?:this|in|since))|" +
    `(?:in|since|of|until|last|on) (?:\\d+ )?(?:${MONTHS}))\\b`,
  "i",
);
const PERFECT = /\bhad (?:\w+ly |not |also |already |been )?\w+(?:ed|en|wn|ne|de|ld|ht)\b/i;
const AHEAD = /\b(?:will|would|is to|are to|to be|plans?|planned|expect\w*|next|may|might|could|should)\b/i;
const RUNNING =
  /\b(?:rises?|risen|rose|climb\w*|reach\w*|toll|now|so far|at least|already|increased|still|remain\w*|by (?:\w+ )?(?:morning|evening|noon|midnight))\b/i;
const DISPUTING =
  /\b(?:contradict\w*|den(?:y|ies|ied)|reject\w*|contrary|dispute\w*|false|untrue|correct\w*|not the|in fact|actually|really|claims?|claimed|only|barely|more than|less than|fewer|despite|insist\w*|own)\b/i;
const SPEAKS =
  /\b(?:said|says|told|according|announced|stated|reported|claim(?:s|ed)?|counted|estimated?|believes?|reckons?|speaks? of|spoke of|put|by the)\b/i;
const QUOTED = /[“"«]/;

/** Content words of the speaker. */
function speakerOf(matter: Statement): Term[] {
  const whole = wholeOf(matter);
  if (whole === matter) return [];
  return whole.senses
    .filter(({ at, weight }) => weight >= 1 && !isOfMatter(matter, whole.words[at]!))
    .map(({ word }) => termOf(stem(word)));
}

const haveOtherEnds = (one: Statement, other: Statement): boolean => {
  const theirs = kindsIn(other.words).states;
  return kindsIn(one.words).states.some(({ kind, pole }) => theirs.some((it) => it.kind === kind && it.pole !== pole));
};
function sharedDeeds(one: Statement, other: Statement): number {
  const kinds = ({ words }: Statement) => kindsIn(words).deeds.map(({ kind }) => kind);
  return new Set(kinds(one).filter((kind) => kinds(other).includes(kind))).size;
}

const beyond = (mine: readonly Name[], theirs: readonly Name[]): number =>
  mine.filter(({ key }) => !theirs.some((it) => sameName(it.key, key))).length;

/** How much of what one side denies the other says. */
function deniedShare({ negations }: Statement, tokens: readonly Token[], { best }: Covering): number {
  return negations.reduce((most, { from, to }) => {
    const inside = tokens.flatMap(({ at }, index) => (at >= from && at <= to ? [best[index]!] : []));
    return inside.length ? Math.max(most, sum(inside) / inside.length) : most;
  }, 0);
}

/** The mean weight of the words that the other does not cover. */
function leftOut(tokens: readonly Token[], { best }: Covering, { weight }: Between): number {
  const left = tokens.filter((_, index) => best[index]! <= HARDLY);
  return left.length ? sum(left.map(weight)) / left.length : 0;
}
const HARDLY = 0.3;

/** The weight of the rarest word that the other covers. */
const heaviest = (tokens: readonly Token[], { best }: Covering, { weight }: Between): number =>
  tokens.reduce((most, token, index) => Math.max(most, weight(token) * best[index]!), 0);

/** How similar the other's counterpart of the best-covered verb is; below 0 without a verb. */
const verbIn = (tokens: readonly Token[], { best }: Covering): number =>
  tokens.reduce((most, { isVerb }, index) => (isVerb ? Math.max(most, best[index]!) : most), NONE);
const NONE = -0.2;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const flag = (value: unknown): number => (value ? 1 : 0);
const inOrder = (values: readonly [number, number]): [number, number] => [Math.min(...values), Math.max(...values)];

const UNITS = (unit: string): number =>
  unit === "count" ? 1 : unit === "percent" ? 2 : /^[A-Z]{3}$/.test(unit) ? 3 : unit === "score" ? 4 : 5;
const size = (value: number): number => Math.log10(1 + Math.abs(value));

/** Features of the best pair of figures that differ. */
function figureFeatures(best: FigurePair | undefined, { between, later }: Two): Record<string, number> {
  if (!best) return NO_FIGURES;
  const { mine, theirs, context, thing } = best;
  const [a, b] = [mine.quantity, theirs.quantity];
  const each = (test: (one: Measure) => boolean): number => flag(test(mine)) + flag(test(theirs));
  const alike = ({ quantity: { unit } }: Measure, side: readonly Statement[]) =>
    side.flatMap(({ quantities }) => quantities.filter((one) => familyOf(one.unit) === familyOf(unit)));
  const [ours, others] = between.matters;
  const has = (one: Measure, side: readonly Statement[]): boolean =>
    alike(one, side).some(({ value }) => value === one.quantity.value);
  const [unique, uniqueHigh] = inOrder([alike(mine, ours).length, alike(theirs, others).length]);
  const isOfOneFate = [...mine.fates].some((fate) => theirs.fates.has(fate));
  return {
    "figure context": context,
    "figure thing": thing,
    "figure score": scoreOf(best),
    ratio: Math.abs(Math.log((Math.abs(a.value) + 0.5) / (Math.abs(b.value) + 0.5))),
    largest: size(Math.max(a.value, b.value)),
    smallest: size(Math.min(a.value, b.value)),
    fates: mine.fates.size && theirs.fates.size ? (isOfOneFate ? 1 : -1) : 0,
    "fate of one": flag(mine.fates.size > 0 !== theirs.fates.size > 0),
    people: each(isOfPeople),
    family: UNITS(familyOf(a.unit)),
    standing: each(({ standing }) => standing !== "stated"),
    change: flag(mine.isChange !== theirs.isChange),
    over: flag(mine.over !== theirs.over),
    bounds: each(({ quantity }) => quantity.bound !== undefined),
    "figure in other": flag(has(mine, others)) + flag(has(theirs, ours)),
    unique,
    "unique of the other": uniqueHigh,
    rising: Math.sign((b.value - a.value) * later),
  };
}
const NO_FIGURES: Record<string, number> = {
  "figure context": -0.3,
  "figure thing": -0.3,
  "figure score": -0.5,
  ratio: -1,
  largest: -1,
  smallest: -1,
  fates: 0,
  "fate of one": 0,
  people: -1,
  family: 0,
  standing: 0,
  change: 0,
  over: 0,
  bounds: 0,
  "figure in other": 0,
  unique: 0,
  "unique of the other": 0,
  rising: 0,
};

/** Features of how each sentence is worded. */
function mannerFeatures(one: Statement, other: Statement): Record<string, number> {
  const each = (test: (side: Statement) => boolean): number => flag(test(one)) + flag(test(other));
  const written = (form: RegExp): number => each((side) => form.test(wholeOf(side).text));
  const [mine, theirs] = [speakerOf(one), speakerOf(other)];
  return {
    speaks: written(SPEAKS),
    speakers: flag(mine.length) + flag(theirs.length),
    "speakers near": mine.length && theirs.length ? nearestOf(mine, theirs) : NONE,
    disputing: written(DISPUTING),
    background: written(BACKGROUND),
    occasion: each((side) => isOfAnotherOccasion(side) || isOfAnotherMonth(side)),
    perfect: written(PERFECT),
    ahead: written(AHEAD),
    running: written(RUNNING),
    quoted: written(QUOTED),
    hedged: each(({ hedges }) => hedges.length > 0),
    dated: each(({ dates }) => dates.length > 0),
    causes: each((side) => causesOf(side).length > 0),
  };
}

/** Features of two sentences: the same in either order. */
export function featuresOf(two: Two): Record<string, number> {
  const { one, other, bearing, between, at, there } = two;
  const [mine, theirs] = [tokensOf(one), tokensOf(other)];
  const [here, beyondIt] = between.coverings(at, there);
  const [low, high] = inOrder([here.covered, beyondIt.covered]);
  const [rankLow, rank] = inOrder(between.ranks(at, there));
  const { equal, apart } = figurePairs(two);
  const names = inOrder([beyond(one.entities, other.entities), beyond(other.entities, one.entities)]);
  const denied = inOrder([deniedShare(one, mine, here), deniedShare(other, theirs, beyondIt)]);
  const dates = compareDates(one.dates, other.dates);
  const { opposition, figures } = bearing;
  const says = ({ negations, lacking }: Statement): number => flag(negations.length + lacking.length);
  const [figuresLeast, figuresMost] = inOrder([one.quantities.length, other.quantities.length]);
  return {
    low,
    high,
    mutual: (low + high) / 2,
    rank,
    "rank of the nearer": rankLow,
    verbs: Math.max(verbIn(mine, here), verbIn(theirs, beyondIt)),
    exact: Math.max(...[here, beyondIt].map(({ best }) => best.filter((like) => like === 1).length)),
    heaviest: Math.max(heaviest(mine, here, between), heaviest(theirs, beyondIt, between)),
    left: Math.max(leftOut(mine, here, between), leftOut(theirs, beyondIt, between)),
    "figures equal": equal.length,
    "figures equal near": equal[0] ? scoreOf(equal[0]) : -0.5,
    "figures apart": apart.length,
    ...figureFeatures(apart[0], two),
    "figures least": figuresLeast,
    "figures most": figuresMost,
    "rule figures differ": flag(figures.differing),
    "rule figures agree": flag(figures.agreeing),
    negated: says(one) + says(other),
    denied: denied[1],
    "denied of the other": denied[0],
    opposed: flag(opposition.opposed),
    "rule denied": flag(opposition.denied),
    settled: flag(opposition.settled),
    unclear: flag(opposition.unclear),
    axis: flag(opposition.axis),
    filled: flag(
      otherFilling(one, other, bearing.shared.pairs, two.later, between) ??
        deniedFilling(one, other, undefined, between),
    ),
    none: flag(noneAgainst(one, other)),
    "other end": flag(haveOtherEnds(one, other)),
    deeds: sharedDeeds(one, other),
    "names shared": one.entities.length - beyond(one.entities, other.entities),
    "names beyond": names[0],
    "names beyond most": names[1],
    dates: dates === "agree" ? 1 : dates === "differ" ? -1 : 0,
    ...mannerFeatures(one, other),
    ...oppositeFeatures(two),
    hours: Math.abs(two.later),
  };
}
