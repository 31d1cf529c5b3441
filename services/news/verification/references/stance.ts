import { compareDates, type Agreement } from "../../../../core/text/dates.ts";
import { sameName, type Name } from "../../../../core/text/names.ts";
import type { Sense } from "../../../../core/text/meaning.ts";
import { comparable, sameValue, type Quantity } from "../../../../core/text/quantities.ts";
import { statementOf, type Statement } from "../../../../core/text/statement.ts";
import { isPastVerb } from "../../../../core/text/stem.ts";

export type StanceKind = "support" | "contradict" | "unrelated";

export interface Stance {
  stance: StanceKind;
  /** Strength of the evidence, 0..100; 0 where unrelated. */
  score: number;
  /** The sentence that was compared, with its offsets in its text. */
  evidence: { text: string; start: number; end: number };
  /** What agreed or differed, in words. */
  reasons: string[];
}

/** How much a concept tells: rare ones more. 1 for all where nothing is known of the corpus. */
export type Idf = (concept: string) => number;

export interface StanceOptions {
  idf?: Idf;
  /** Keys of names in the text around the candidate: a pronoun there may stand for one of them. */
  context?: readonly string[];
}

/** Content two sentences must share (weighted share of the claim's) before either can bear on the other. */
const RELATED = 0.5;
const RELATED_BY_FIGURE = 0.45;
const SAME_EVENT = 0.75;
/** Beside names that the claim does not have, the rest must fit better: it may be another case of the same kind. */
const BESIDE_OTHER_NAMES = 0.8;
const FEWEST_SHARED_CONCEPTS = 2;
/** Names alone are no common content: two sentences about one country may say different things of it. */
const RELATED_BESIDE_NAMES = 0.4;
/** Support by words alone, where the claim's figure or the axis it moves on is not confirmed. */
const UNCONFIRMED_FIGURE = 0.9;
const UNCONFIRMED_AXIS = 0.75;
/** The most that support is worth where another verb stands in place of the claim's. */
const OTHER_VERB = 45;

/**
 * Whether a sentence supports or contradicts a claim, by what can be compared without a model: shared content (weighted
 * by idf), figures with their units, times, names, negation, and opposites of a lexicon. A transparent relative of the
 * alignment features of early textual-entailment systems (Dagan et al. 2006, RTE; de Marneffe et al. 2008 on
 * contradiction).
 */
export function stance(claim: Statement | string, candidate: Statement | string, options: StanceOptions = {}): Stance {
  const one = typeof claim === "string" ? statementOf(claim) : claim;
  const other = typeof candidate === "string" ? statementOf(candidate) : candidate;
  const evidence = { text: other.text, start: other.start, end: other.end };
  return { ...compare(one, other, bearing(one, other, options)), evidence };
}

type Verdict = Omit<Stance, "evidence">;

const unrelated = (reason: string): Verdict => ({ stance: "unrelated", score: 0, reasons: [reason] });

/** What a claim and a sentence have in common and where they differ: the ground of every verdict on them. */
export interface Bearing {
  /** Shares of the claim's content, 0..1. */
  shared: Alignment;
  /** Shared concepts that tell something. */
  telling: number;
  names: Names;
  when: Agreement;
  figures: Figures;
  opposition: { opposed: boolean; reasons: string[] };
}

/** How a sentence bears on a claim, before any verdict. */
export function bearing(
  claim: Statement,
  candidate: Statement,
  { idf = () => 1, context = [] }: StanceOptions = {},
): Bearing {
  const shared = alignment(claim.senses, candidate.senses, idf);
  return {
    shared,
    telling: shared.pairs.filter((pair) => pair.claim.weight >= 1).length,
    names: compareNames(claim.entities, candidate.entities, context),
    when: compareDates(claim.dates, candidate.dates),
    figures: compareFigures(claim.quantities, candidate.quantities),
    opposition: opposed(claim, candidate, shared),
  };
}

function compare(
  claim: Statement,
  candidate: Statement,
  { shared, telling, names, when, figures, opposition }: Bearing,
): Verdict {
  if (
    shared.overlap < RELATED_BY_FIGURE ||
    telling < FEWEST_SHARED_CONCEPTS ||
    shared.besideNames < RELATED_BESIDE_NAMES
  )
    return unrelated("little content in common");
  if (names.agreement === "differ" || (names.foreign && shared.overlap < BESIDE_OTHER_NAMES))
    return unrelated(names.reason);
  const measured = figures.agreement !== "unclear";
  if (when === "differ" && (measured || opposition.opposed)) return unrelated("it speaks of another time");

  if (opposition.opposed && shared.overlap >= RELATED)
    return contradiction(shared, figures, when, candidate, opposition.reasons);
  if (figures.agreement === "differ") {
    if (names.agreement !== "agree" && otherSubject(claim, candidate, shared))
      return unrelated("it speaks of another subject");
    return contradiction(shared, figures, when, candidate, figures.reasons);
  }
  if (when === "differ") {
    return shared.overlap >= SAME_EVENT
      ? contradiction(shared, figures, when, candidate, ["another time is given for the same event"])
      : unrelated("it speaks of another time");
  }
  if (shared.overlap < enough(claim, candidate, figures, shared)) return unrelated("little content in common");
  return supported(
    shared,
    figures,
    when,
    names,
    candidate,
    figures.agreement !== "agree" && otherVerb(claim, candidate, shared),
  );
}

/**
 * The overlap that makes support: more, where what makes the claim checkable (its figure, its axis) is not there too.
 */
function enough(claim: Statement, candidate: Statement, figures: Figures, { pairs }: Alignment): number {
  if (claim.quantities.length > 0 && figures.agreement !== "agree")
    return candidate.quantities.length > 0 ? UNCONFIRMED_FIGURE : UNCONFIRMED_AXIS;
  const moves = claim.senses.some(({ pole }) => pole !== undefined);
  return moves && !pairs.some((pair) => pair.claim.pole !== undefined) ? UNCONFIRMED_AXIS : RELATED;
}

/**
 * Whether each has a past verb that the other does not have: it may be a paraphrase, or say something else of the same
 * thing.
 */
function otherVerb(claim: Statement, candidate: Statement, { pairs }: Alignment): boolean {
  const lacks = (side: Statement, senseOf: (pair: Alignment["pairs"][number]) => Sense) =>
    side.senses.some(
      (sense) =>
        sense.weight === 1 && isPastVerb(sense.word) && !pairs.some((pair) => senseOf(pair).concept === sense.concept),
    );
  return lacks(claim, (pair) => pair.claim) && lacks(candidate, (pair) => pair.candidate);
}

/** Both begin with something the other does not have: "Google agreed to pay ..." and "Microsoft agreed to pay ...". */
function otherSubject(claim: Statement, candidate: Statement, { pairs }: Alignment): boolean {
  const first = ({ senses }: Statement) => senses.find(({ weight }) => weight >= 1)?.concept;
  const shared = (concept: string | undefined) => pairs.some((pair) => pair.claim.concept === concept);
  return !shared(first(claim)) && !shared(first(candidate));
}

export interface Alignment {
  overlap: number;
  besideNames: number;
  pairs: { claim: Sense; candidate: Sense }[];
}

const share = ({ total, matched }: { total: number; matched: number }, ofNothing: number) =>
  total === 0 ? ofNothing : matched / total;

/** Which senses of the claim the candidate has too, and what share of the claim's weight they are. */
export function alignment(claim: readonly Sense[], candidate: readonly Sense[], idf: Idf): Alignment {
  const byConcept = new Map<string, Sense>();
  for (const sense of candidate) if (!byConcept.has(sense.concept)) byConcept.set(sense.concept, sense);
  const pairs: Alignment["pairs"] = [];
  const counted = new Set<string>();
  const all = { total: 0, matched: 0 };
  const besideNames = { total: 0, matched: 0 };
  for (const sense of claim) {
    if (counted.has(sense.concept)) continue;
    counted.add(sense.concept);
    const partner = byConcept.get(sense.concept);
    if (partner) pairs.push({ claim: sense, candidate: partner });
    const weight = sense.weight * idf(sense.concept);
    for (const sum of sense.weight > 1 ? [all] : [all, besideNames]) {
      sum.total += weight;
      if (partner) sum.matched += weight;
    }
  }
  return { overlap: share(all, 0), besideNames: share(besideNames, 1), pairs };
}

export interface Names {
  agreement: Agreement;
  /** The candidate has names that neither the claim nor the surrounding text has, and none of the claim's. */
  foreign: boolean;
  reason: string;
}

function compareNames(claimed: readonly Name[], found: readonly Name[], context: readonly string[]): Names {
  const matches = (key: string) => found.some((other) => sameName(key, other.key));
  const missing = claimed.filter(({ key }) => !matches(key));
  const others = found.filter(({ key }) => !claimed.some((one) => sameName(one.key, key)));
  const implied = missing.filter(({ key }) => !context.some((name) => sameName(name, key)));
  const foreign = others.find(({ key }) => !context.some((name) => sameName(name, key)));
  if (claimed.length === 0)
    return {
      agreement: "unclear",
      foreign: foreign !== undefined,
      reason: foreign ? `it may speak of another case: ${foreign.text}` : "",
    };
  if (missing.length > 0 && others.length > 0 && implied.length * 2 >= claimed.length) {
    return {
      agreement: "differ",
      foreign: true,
      reason: `it speaks of ${others[0]!.text}, not of ${implied[0]!.text}`,
    };
  }
  return { agreement: missing.length < claimed.length ? "agree" : "unclear", foreign: false, reason: "" };
}

export interface Figures {
  agreement: Agreement;
  reasons: string[];
}

function compareFigures(claimed: readonly Quantity[], found: readonly Quantity[]): Figures {
  const reasons: string[] = [];
  let agreeing = 0;
  let differing = 0;
  for (const one of claimed) {
    const partners = found.filter((other) => comparable(one, other));
    const verdicts = partners.map((other) => sameValue(one, other));
    const match = partners[verdicts.indexOf("agree")];
    if (match) {
      agreeing += 1;
      reasons.push(`same figure: ${one.text} and ${match.text}`);
    } else if (verdicts.includes("differ") && !verdicts.includes("unclear")) {
      differing += 1;
      reasons.push(`different figure: ${one.text} against ${partners[0]!.text}`);
    }
  }
  if (differing > agreeing) return { agreement: "differ", reasons };
  return { agreement: agreeing > 0 ? "agree" : "unclear", reasons };
}

/**
 * Whether one says the opposite of the other: an odd number of negations between them, or opposite poles of an axis,
 * not both.
 */
function opposed(
  claim: Statement,
  candidate: Statement,
  { pairs }: Alignment,
): { opposed: boolean; reasons: string[] } {
  const denied = (side: Statement, senseOf: (pair: Alignment["pairs"][number]) => Sense) =>
    side.negations.filter(({ from, to }) =>
      pairs.some((pair) => {
        const { at, weight } = senseOf(pair);
        return at >= from && at <= to && weight >= 1;
      }),
    );
  const claimDenied = denied(claim, (pair) => pair.claim);
  const candidateDenied = denied(candidate, (pair) => pair.candidate);
  const negationFlips = (claimDenied.length + candidateDenied.length) % 2 === 1;
  const opposites = oppositePoles(claim.senses, candidate.senses, pairs);
  const reasons: string[] = [];
  if (negationFlips) {
    const [side, cue] =
      candidateDenied.length > 0 ? ["the sentence", candidateDenied[0]!.cue] : ["the claim", claimDenied[0]!.cue];
    reasons.push(`${side} negates what the other states ("${cue.replaceAll("*", "")}")`);
  }
  if (opposites) reasons.push(`opposites: ${opposites[0].word} and ${opposites[1].word}`);
  return { opposed: negationFlips !== (opposites !== undefined), reasons };
}

/** The first axis on which the two share no pole. */
function oppositePoles(
  claim: readonly Sense[],
  candidate: readonly Sense[],
  pairs: Alignment["pairs"],
): [Sense, Sense] | undefined {
  for (const { claim: one } of pairs) {
    if (one.pole === undefined) continue;
    const poles = (side: readonly Sense[]) =>
      side.filter(({ concept, pole }) => concept === one.concept && pole !== undefined);
    const mine = poles(claim);
    const theirs = poles(candidate);
    if (theirs.length > 0 && !mine.some((sense) => theirs.some((other) => other.pole === sense.pole)))
      return [mine[0]!, theirs[0]!];
  }
  return undefined;
}

const HEDGED = 15;

function supported(
  shared: Alignment,
  figures: Figures,
  when: Agreement,
  names: Names,
  candidate: Statement,
  verbDiffers: boolean,
): Verdict {
  const bonus =
    (figures.agreement === "agree" ? 12 : 0) + (when === "agree" ? 5 : 0) + (names.agreement === "agree" ? 8 : 0);
  const score =
    40 + (35 * (shared.overlap - RELATED)) / (1 - RELATED) + bonus - (candidate.hedges.length > 0 ? HEDGED : 0);
  const reasons = [`${Math.round(100 * shared.overlap)} % of the claim's content is there`, ...figures.reasons];
  if (when === "agree") reasons.push("same time");
  if (names.agreement === "agree") reasons.push("same names");
  if (candidate.hedges.length > 0) reasons.push(`hedged ("${candidate.hedges[0]}")`);
  if (verbDiffers) reasons.push("another verb");
  return { stance: "support", score: bounded(verbDiffers ? Math.min(score, OTHER_VERB) : score), reasons };
}

function contradiction(
  shared: Alignment,
  figures: Figures,
  when: Agreement,
  candidate: Statement,
  reasons: string[],
): Verdict {
  const bonus = (figures.agreement === "differ" ? 10 : 0) + (when === "agree" ? 5 : 0);
  const score =
    50 +
    (35 * Math.max(0, shared.overlap - RELATED)) / (1 - RELATED) +
    bonus -
    (candidate.hedges.length > 0 ? HEDGED : 0);
  return {
    stance: "contradict",
    score: bounded(score),
    reasons: [...reasons, `${Math.round(100 * shared.overlap)} % of the claim's content is there`],
  };
}

const bounded = (score: number) => Math.round(Math.min(100, Math.max(1, score)));
