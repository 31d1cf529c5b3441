import type { DateMention } from "../../../../../core/text/statements/dates.ts";
import { statementOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import { conceptOf } from "../../../../../core/text/statements/meaning.ts";
import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { baseOf, isPastVerb } from "../../../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { anchorsIn, numberedIn, type Anchor, type Numbered } from "./anchors.ts";
import { hasCue, isUnreal } from "./factual.ts";
import { assertedFigure, type AssertedFigure } from "./figures.ts";
import { axesOf, OF_HYPOTHESES, statesIn, type State } from "./states.ts";
import { timesIn } from "./times.ts";

/** What a person wants judged, read as a question to reports. */
export interface Hypothesis {
  stated: Statement;
  anchors: readonly Anchor[];
  /** Reactor 2, berth 6: told apart by their numbers. */
  numbered: readonly Numbered[];
  times: readonly DateMention[];
  /** The ends that it asserts, by axis. */
  states: ReadonlyMap<string, State>;
  figure: AssertedFigure | undefined;
  /** Index of its main verb. */
  verb: number;
  /** What its subject is, as concepts without names. */
  subject: ReadonlySet<string>;
  /** It says so of all, or of both. */
  isOfAll: boolean;
  isFinal: boolean;
  /** It is of a body itself that others call a part: a committee. */
  isOfPart: boolean;
  /** What it says is itself planned, wanted or feared. */
  isUnreal: boolean;
}

const things = lazily(
  () =>
    new Map(
      lexicon.hypotheses.things.flatMap((group) => group.map((word) => [baseOf(word), baseOf(group[0]!)] as const)),
    ),
);
/** What a word names, the same for words that stand for one another. */
export const thingOf = (word: string): string => {
  const base = baseOf(word);
  return things().get(base) ?? conceptOf(base);
};

const FINITE =
  /^(?:is|are|was|were|has|have|had|does|did|will|would|can|could|may|might|must|should|exceeds?|holds?|remains?|stands?|runs?|went|ran|lies?|works?|carries|contains?)$/;
/** Verbs whose past is their base form, behind a noun. */
const UNCHANGED = /^(?:put|cut|set|hit|let|shut|split|burst|spread|cost|quit|beat|rid|shed)$/;
/** Plurals that irregular forms list too. */
const PLURALS =
  /^(?:people|children|men|women|policemen|firemen|fishermen|feet|teeth|lives|wives|halves|shelves|leaves|thieves|wolves|knives|media|data|crises|criteria|countrymen)$/;
const RELATIVE = /^(?:that|which|who|whose|where)$/;

const isPast = (text: string): boolean => isPastVerb(text) && !PLURALS.test(text);

function mainVerb({ words }: Statement): number {
  let isInside = false;
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at]!;
    if (RELATIVE.test(text)) isInside = true;
    else if (
      FINITE.test(text) ||
      ((isPast(text) || UNCHANGED.test(text)) && !/^(?:a|an|the|of|in|to)$/.test(words[at - 1]!.text))
    ) {
      if (!isInside) return at;
      while (words[at + 1] && (FINITE.test(words[at + 1]!.text) || isPast(words[at + 1]!.text))) at++;
      isInside = false;
    }
  }
  return 0;
}

const SUBORDINATE = /^(?:when|after|because|if|until|unless|since|while|before|although|though|whether)$/;
const isSubordinate = ({ words }: Statement, verb: number, at: number): boolean =>
  words.slice(verb, at).some(({ text }) => SUBORDINATE.test(text));

const NEAR = 4;
const OF_ALL = /\b(?:all|both|every|entire|whole|fully|completely|entirely)\b/i;
const FINAL = /\b(?:final|finally|in total|in the end|altogether|overall)\b/i;

export function readHypothesis(text: string, reports: readonly string[] = []): Hypothesis {
  const stated = statementOf(text);
  const verb = mainVerb(stated);
  const may = axesOf(stated);
  const all = statesIn(stated);
  // A word that answers one question alone tells of what it is asked.
  const isOnly = (one: State): boolean =>
    !all.some(
      (other) => other !== one && other.weight === one.weight && other.first <= one.last && one.first <= other.last,
    );
  const given = all.filter(
    (one) =>
      (one.weight === OF_HYPOTHESES
        ? may.has(one.axis) || (may.size === 0 && isOnly(one))
        : /^(?:news|pole) /.test(one.axis)) &&
      one.first >= verb &&
      !isSubordinate(stated, verb, one.first) &&
      /^(?:to)?$/.test(isUnreal(stated, one) ?? ""),
  );
  const head = Math.min(...given.filter(({ weight }) => weight === OF_HYPOTHESES).map(({ first }) => first), Infinity);
  const near = given.filter(({ first }) => head === Infinity || first <= head + NEAR);
  const states = new Map<string, State>();
  for (const one of near) if (!states.has(one.axis)) states.set(one.axis, one);
  const subject = new Set(
    stated.words
      .slice(0, Math.max(verb, 1))
      .filter((word, at) => !isFunctionWord(word.text) && (!word.capital || at === 0) && !/^\d/.test(word.text))
      .map((word) => thingOf(word.text)),
  );
  const first = near[0];
  return {
    ...{
      stated,
      anchors: anchorsIn(text, reports),
      numbered: numberedIn(text),
      times: timesIn(text),
      states,
      verb,
      subject,
    },
    figure: assertedFigure(stated, verb),
    ...{ isOfAll: OF_ALL.test(text), isFinal: FINAL.test(text), isOfPart: hasCue(stated, "bodies") },
    isUnreal: first !== undefined && isUnreal(stated, first) !== undefined,
  };
}
