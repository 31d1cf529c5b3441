import { isWord, KNOWN_TERMS, placeOf } from "../../../core/text/words/vectors.ts";
import { regularStem, stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord, isStopWord } from "../../../core/text/words/stop-words.ts";
import { isContractedNot, words, type Word } from "../../../core/text/words/words.ts";
import { toldIn, type Wording } from "./concepts.ts";
import { DONE, FRAME, LIGHT, MANY, MEASURE, NOW, PLANNING, SINGULAR_S, wantedOf, type Wanted } from "./forms.ts";

/** A word of a question that a record must speak of. */
export interface AskedTerm extends Wording {
  written: string;
  weight: number;
  /** A name: what a record says without it is said of something else. */
  isName: boolean;
  /** Whether the question is about this: what is counted, of what kind something is, what somebody does. */
  isHead: boolean;
  /** Whether no word of near meaning stands for it: a name, a phrase, what is counted. */
  isExact: boolean;
  /** Whether it or the term before it may be spoken of: "closed or restricted". */
  isOr: boolean;
}

export interface Asked {
  wanted: Wanted;
  terms: readonly AskedTerm[];
  /** Of what a number is asked. */
  counted: readonly Wording[];
  /** How something is measured whose size is asked: "how deep". */
  measured: string | undefined;
  /** What is called by its place in a row: "the second borehole". */
  ordinal: { key: string; number: number } | undefined;
  /** Asks for what has happened, not for what is planned or expected. */
  isDone: boolean;
  /** Asks for how things stand at the end of what is told. */
  isNow: boolean;
  /** Its words, folded. */
  said: readonly string[];
  /** Asks for more than one thing. */
  isMany: boolean;
}

/** What stands before a number that is a bound: "before 30 November". */
const BOUND: ReadonlySet<string> = new Set(
  "before after by since until between over under above below than least most within".split(" "),
);
const LIGHT_WEIGHT = 0.25;
const NAME_WEIGHT = 1.2;
const LEAST_WEIGHT = 0.6;
const LEAST_HEAD = 0.7;

/** How much a word says: common ones little. */
function weightOf({ text }: Word): number {
  const place = placeOf(stem(text));
  if (place < 0) return 1;
  return LEAST_WEIGHT + (1 - LEAST_WEIGHT) * (Math.log(place + 2) / Math.log(KNOWN_TERMS)) ** 2;
}

/** Names of earlier questions give way to new ones; what else those were about counts less. */
const EARLIER = 0.5;
const ANEW =
  /^(?:(?:and |but |so )?(?:what|how) about|and (?!who|what|when|where|why|how|which|is|are|was|were|do|does|did|has|have|since))\b/i;

/** Reads what a question asks, and for what; `said` is its end without the questions that it goes on from. */
export function asked(question: string, said: string = question): Asked {
  const before = question.endsWith(said) ? question.slice(0, question.length - said.length).trim() : "";
  if (!before) return read(question);
  const [own, earlier] = [read(said), read(before)];
  const hasName = own.terms.some(({ isName }) => isName);
  const kept = earlier.terms.filter(
    ({ isName, key }) => !(isName && hasName) && !own.terms.some((one) => one.key === key),
  );
  if (ANEW.test(said) && own.terms.length < 2)
    return { ...earlier, terms: [...own.terms, ...kept], isNow: own.isNow || earlier.isNow };
  const lighter = kept.map((one) => ({ ...one, weight: one.weight * EARLIER, isHead: false, isOr: false }));
  return { ...own, terms: [...own.terms, ...lighter] };
}

function read(question: string): Asked {
  const spoken = words(question);
  const said = question.toLowerCase().replaceAll("’", "'").trim();
  const counted = countedIn(spoken);
  const wanted = wantedOf(said);
  const isMany = wanted === "all" || (MANY.test(said) && !SINGULAR_S.test(said));
  const told = toldIn(spoken);
  const phrases = told.filter((one) => one.last > one.first && one.groups.length && !EMPTY.has(one.key));
  const heads = new Set([
    ...counted.map(({ first }) => first).filter((at) => !LIGHT.has(spoken[at]!.text)),
    ...headOf(spoken),
  ]);
  const terms: AskedTerm[] = [];
  for (const one of told) {
    const word = spoken[one.first]!;
    const isPhrase = one.last > one.first;
    const isCovered = phrases.some((other) => other !== one && other.first <= one.first && other.last >= one.last);
    if (isCovered || isContracted(question, spoken, one)) continue;
    if (isPhrase && EMPTY.has(one.key)) continue;
    const isName = !isPhrase && (isNamed(word, one.first, spoken) || isDesignation(one.first, spoken));
    if (!isPhrase && !isName && (isFunctionWord(word.text) || FRAME.has(word.text) || word.text.length < 2)) continue;
    if (!isPhrase && !isName && !one.groups.length && isStopWord(word.text)) continue;
    const isNumber = /^\d/.test(word.text);
    if (isNumber && BOUND.has(spoken[one.first - 1]?.text ?? "")) continue;
    const weight = isName
      ? NAME_WEIGHT
      : isNumber
        ? 1
        : LIGHT.has(word.text) && !isPhrase
          ? LIGHT_WEIGHT
          : isPhrase
            ? 0.9
            : weightOf(word);
    const isHead = heads.has(one.first);
    const parts = isPhrase ? partsOf(one, told, spoken) : [];
    const isExact = isName || isPhrase || counted.some(({ first }) => first === one.first);
    const isOr = terms.length > 0 && spoken[one.first - 1]?.text === "or";
    terms.push({
      ...one,
      written: question.slice(word.start, spoken[one.last]!.end),
      ...(parts.length && { parts }),
      weight: isHead ? Math.max(LEAST_HEAD, weight) : weight,
      isName,
      isHead,
      isExact,
      isOr,
    });
  }
  const isNow = NOW.test(said);
  const isDone = !PLANNING.test(said) && (isNow || DONE.test(said));
  return {
    wanted,
    terms,
    counted,
    measured: MEASURE.exec(said)?.[1],
    ordinal: ordinalIn(spoken),
    isNow,
    isDone,
    isMany,
    said: spoken.map(({ text }) => text),
  };
}

/** What is counted: the words after "how many", up to what is said of them. */
function countedIn(spoken: readonly Word[]): Wording[] {
  const how = spoken.findIndex(
    ({ text }, at) => (text === "many" || text === "much") && spoken[at - 1]?.text === "how",
  );
  if (how < 0) return [];
  let from = how + 1;
  while (
    ["of", "the", "more", "other", "our", "their", "those", "these", "different"].includes(spoken[from]?.text ?? "")
  )
    from += 1;
  let to = from;
  while (to < spoken.length && to - from < 3 && !isFunctionWord(spoken[to]!.text)) to += 1;
  return toldIn(spoken.slice(from, to)).map((one) => ({ ...one, first: one.first + from, last: one.last + from }));
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
function ordinalIn(spoken: readonly Word[]): Asked["ordinal"] {
  const at = spoken.findIndex(({ text }) => ORDINALS.includes(text));
  const noun = spoken[at + 1];
  if (at < 0 || !noun || isFunctionWord(noun.text)) return undefined;
  return { key: regularStem(noun.text), number: ORDINALS.indexOf(spoken[at]!.text) + 1 };
}

/** The words of a phrase that have content. */
const partsOf = ({ first, last }: Wording, told: readonly Wording[], spoken: readonly Word[]): readonly Wording[] =>
  told.filter(
    (one) =>
      one.first === one.last && one.first >= first && one.last <= last && !isFunctionWord(spoken[one.first]!.text),
  );

/** What is asked about: the noun after "which", what "who" does, what something is the so-and-so of. */
function headOf(spoken: readonly Word[]): number[] {
  const at = spoken.findIndex(({ text }) => HEADED.has(text));
  if (at < 0) return [];
  const by = spoken[at]!.text;
  const isPassed = ({ text }: Word): boolean => isFunctionWord(text) || FRAME.has(text);
  const content = (from: number): number[] => {
    let to = from;
    while (spoken[to] && !isPassed(spoken[to]!)) to += 1;
    return Array.from({ length: to - from }, (_, n) => from + n).filter((n) => !GENERAL.has(spoken[n]!.text));
  };
  if (by === "how" && !MEASURED.has(spoken[at + 1]?.text ?? "")) return [];
  if (by === "what" && BE.has(spoken[at + 1]?.text ?? "")) return spoken[at + 2]?.text === "the" ? content(at + 3) : [];
  let next = at + (by === "how" ? 2 : 1);
  if (by === "how" || by === "who") while (spoken[next] && isPassed(spoken[next]!)) next += 1;
  return content(next).slice(0, 1);
}
const BE: ReadonlySet<string> = new Set(["is", "are", "was", "were", "s"]);
const HEADED: ReadonlySet<string> = new Set(["which", "what", "who", "how"]);
const MEASURED: ReadonlySet<string> = new Set(
  "big large high tall deep far old heavy wide fast strong hot cold thick full severe serious small low".split(" "),
);
/** Heads that say only what kind of answer is wanted. */
const GENERAL: ReadonlySet<string> = new Set(
  "time times day days date hour way ways place places reason cause number amount total count latest current exact now next last first".split(
    " ",
  ),
);

/** Phrases of which what is asked is in their objects. */
const EMPTY: ReadonlySet<string> = new Set([
  "know about",
  "know of",
  "go on",
  "deal with",
  "do with",
  "look like",
  "come from",
]);

/** The verb of a contracted negation: the "won" of "won't". */
const isContracted = (question: string, spoken: readonly Word[], { last }: Wording): boolean => {
  const next = spoken[last + 1];
  return next !== undefined && isContractedNot(question, next) && spoken[last]!.text.length < 7;
};

/** Whether a number of a question names something: "field 7", "flight 212". */
function isDesignation(at: number, spoken: readonly Word[]): boolean {
  const [before, next] = [spoken[at - 1], spoken[at + 1]];
  if (!before || !/^\d{1,4}$/.test(spoken[at]!.text) || (next && !isFunctionWord(next.text))) return false;
  return !isFunctionWord(before.text) && !/^\d/.test(before.text) && !BOUND.has(before.text);
}

/** Whether a word of a question is a name: a capital within it, or a word that no dictionary has. */
function isNamed({ text, capital }: Word, at: number, spoken: readonly Word[]): boolean {
  // "Sector C", but not "a" or "I".
  if (text.length === 1)
    return capital && at > 0 && !["a", "i"].includes(text) && !isFunctionWord(spoken[at - 1]!.text);
  if (capital && at > 0 && text === "may") return true;
  if (/^\d/.test(text) || isFunctionWord(text)) return false;
  const isKnown = isWord(placeOf(stem(text)));
  // A whole question in capitals names nothing by them.
  const isShouted = spoken.every((word) => word.capital || /^\d/.test(word.text));
  // Of "Vallot Bridge", the bridge may be called otherwise; of "North Gate" nothing else is a name.
  const isBesideName = [spoken[at - 1], spoken[at + 1]].some(
    (other) => other?.capital && !isFunctionWord(other.text) && !isWord(placeOf(stem(other.text))),
  );
  if (capital && at > 0) return isKnown ? !isShouted && !isBesideName : true;
  return capital && !isKnown && !toldIn([spoken[at]!])[0]?.groups.length;
}
