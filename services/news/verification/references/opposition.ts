import { sameName } from "../../../../core/text/names.ts";
import type { Sense } from "../../../../core/text/meaning.ts";
import type { Negation } from "../../../../core/text/polarity.ts";
import type { Statement } from "../../../../core/text/statement.ts";

/** A sense of the claim and its like in the sentence. */
export interface Pair {
  claim: Sense;
  candidate: Sense;
}

/** "There is no agreement, the ministry said, dismissing false reports": said twice, it is denied once. */
function isDenied(negations: readonly Negation[]): boolean {
  const whole = negations.filter(({ from }) => from === 0).length;
  const partial = negations.length - whole;
  return partial > 0 ? partial % 2 === 1 : whole > 0;
}

export interface Opposition {
  opposed: boolean;
  /** One denies in so many words what the other states. */
  denied: boolean;
  reasons: string[];
}

const LARGEST_CORE = 5;
const FEWEST_OF_CORE = 2;

/** What one sentence denies and the other states: two words of it at least, and half of it. */
function deniedCore(denying: Statement, stating: Statement): string | undefined {
  for (const { from, to, cue } of denying.negations) {
    if (from === 0) continue;
    const core = denying.senses
      .filter(({ at, weight }) => at >= from && at <= to && weight === 1)
      .slice(0, LARGEST_CORE);
    const stated = core.filter(({ concept, pole }) =>
      stating.senses.some(
        (other) =>
          other.concept === concept &&
          other.pole === pole &&
          !stating.negations.some((own) => other.at >= own.from && other.at <= own.to),
      ),
    );
    if (stated.length >= FEWEST_OF_CORE && stated.length * 2 >= core.length)
      return `${cue.replaceAll("*", "")} … ${stated.map(({ word }) => word).join(" ")}`;
  }
  return undefined;
}

/** "Reports of his death": told by others, and not by who writes it. */
const HEARSAY = new Set("report reports rumour rumours rumor rumors claim claims fear fears speculation".split(" "));
const HEARSAY_REACH = 4;
const isHearsay = ({ words }: Statement, { at }: Sense): boolean =>
  words.slice(Math.max(0, at - HEARSAY_REACH), at).some(({ text }) => HEARSAY.has(text));

/** Verbs that somebody does to somebody else. */
const BETWEEN = new Set("beat defeat sue accuse attack invade outvote overtake acquire".split(" "));

/** The verb of which one says that A did it to B, and the other that B did it to A. */
function rolesTurned(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  const verb = pairs.find(({ claim: { word, concept } }) => BETWEEN.has(concept) || BETWEEN.has(word));
  if (!verb) return undefined;
  const [one, other] = [sidesOf(claim, verb.claim.at), sidesOf(candidate, verb.candidate.at)];
  if (!one || !other) return undefined;
  return sameName(one.actor, other.target) && sameName(one.target, other.actor) ? verb.claim.word : undefined;
}

function sidesOf({ entities, words }: Statement, at: number): { actor: string; target: string } | undefined {
  const verb = words[at];
  const actor = verb && entities.findLast(({ end }) => end <= verb.start);
  const target = verb && entities.find(({ start }) => start >= verb.end);
  return actor && target && { actor: actor.key, target: target.key };
}

/**
 * Whether one says the opposite of the other: an odd number of negations between them, or opposite poles of an axis,
 * not both.
 */
export function opposed(claim: Statement, candidate: Statement, { pairs }: { pairs: readonly Pair[] }): Opposition {
  const denied = (side: Statement, senseOf: (pair: Pair) => Sense) =>
    side.negations.filter(({ from, to }) =>
      pairs.some((pair) => {
        const { at, weight } = senseOf(pair);
        return at >= from && at <= to && weight >= 1;
      }),
    );
  const claimDenied = denied(claim, (pair) => pair.claim);
  const candidateDenied = denied(candidate, (pair) => pair.candidate);
  const negationFlips = isDenied(claimDenied) !== isDenied(candidateDenied);
  const outright = (side: Statement) => side.senses.filter((sense) => !sense.pole || !isHearsay(side, sense));
  const opposites = oppositePoles(outright(claim), outright(candidate), pairs);
  const turned = rolesTurned(claim, candidate, pairs);
  const reasons: string[] = [];
  if (negationFlips) {
    const [side, cue] =
      candidateDenied.length > 0 ? ["the sentence", candidateDenied[0]!.cue] : ["the claim", claimDenied[0]!.cue];
    reasons.push(`${side} negates what the other states ("${cue.replaceAll("*", "")}")`);
  }
  if (opposites) reasons.push(`opposites: ${opposites[0].word} and ${opposites[1].word}`);
  if (turned) reasons.push(`roles turned round: ${turned}`);
  const core = deniedCore(claim, candidate) ?? deniedCore(candidate, claim);
  if (core && !negationFlips) reasons.push(`one denies what the other states ("${core}")`);
  return {
    denied: core !== undefined,
    opposed: (negationFlips !== (opposites !== undefined)) !== (turned !== undefined),
    reasons,
  };
}

/** The first axis on which the two share no pole. */
function oppositePoles(
  claim: readonly Sense[],
  candidate: readonly Sense[],
  pairs: readonly Pair[],
): [Sense, Sense] | undefined {
  for (const { claim: one } of pairs) {
    if (one.pole === undefined) continue;
    const poles = (side: readonly Sense[]) =>
      side.filter(({ concept, pole }) => concept === one.concept && pole !== undefined);
    const mine = poles(claim);
    const theirs = poles(candidate);
    if (
      mine.length > 0 &&
      theirs.length > 0 &&
      !mine.some((sense) => theirs.some((other) => other.pole === sense.pole))
    )
      return [mine[0]!, theirs[0]!];
  }
  return undefined;
}
