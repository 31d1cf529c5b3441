import { lazily } from "../lexicon.ts";
import { conceptOf } from "./meaning.ts";
import { sameName } from "./names.ts";
import type { Statement } from "./statement.ts";
import { baseOf, isPastVerb } from "../words/stem.ts";
import { isFunctionWord, isReportingWord } from "../words/stop-words.ts";
import type { Word } from "../words/words.ts";

/**
 * What something is said about: "the bridge" in "police closed the bridge", "the bridge was shut", "closure of the
 * bridge".
 */
export interface Theme {
  /** Concept of its main noun. */
  head: string;
  /** Its name, where it is one. */
  name: string | undefined;
  /** Words that distinguish one of a kind from another: "first", "north", "other". */
  marks: ReadonlySet<string>;
  /** Concepts and names after "of": "prices of bread", "the plant in Dorn". */
  of: ReadonlySet<string>;
  places: readonly string[];
  /** All names of the phrase. */
  names: readonly string[];
  /** All concepts of the phrase. */
  all: ReadonlySet<string>;
  /** "Its aircraft": owned by somebody named before. */
  isOwned: boolean;
  /** Whether it is the object of the act, not its agent. */
  isObject: boolean;
}

/** Whether two themes are the same, different, or cannot be told. */
export type Likeness = "same" | "apart" | "unknown";

const BE = /^(?:is|are|was|were|be|been|being|gets?|got|remains?|remained|stays?|stayed|stands?|stood)$/;
const AUXILIARY =
  /^(?:is|are|was|were|be|been|being|has|have|had|having|will|would|shall|should|can|could|may|might|must|do|does|did|not|cannot|never|also|still|again|already|now|just|only|even|to|gets?|got|remains?|remained|stays?|stayed|n't)$/;
const DETERMINER = /^(?:an?|the|this|that|these|those|its|their|his|her|our|my|your|all|both|each|every|some|any|no)$/;
const OWNED = /^(?:its|their|his|her|our|my)$/;
const PREPOSITION =
  /^(?:of|in|on|at|by|for|with|about|against|between|into|through|during|before|after|above|below|to|from|over|under|near|off|outside|since|until|along|across|behind|beyond|around|inside|within|without)$/;
const CLAUSE =
  /^(?:and|but|while|so|because|if|when|whether|that|which|who|whom|whose|where|although|though|than|as|or|nor)$/;
const BREAK = /[,;:()–—“”"]/;
const PRONOUN = /^(?:it|he|she|they|them|him|this|that|these|those|who|which|one|nobody|everybody|everyone|none)$/;
/** Concepts that refer to somebody or something named before. */
const generic = lazily(
  () =>
    new Set(
      "man woman people person suspect attacker two three group company firm government country party side move step plan site facility event"
        .split(" ")
        .map((word) => conceptOf(baseOf(word))),
    ),
);
const isGeneric = ({ head, isOwned }: Theme): boolean => isOwned || generic().has(head.split(" ")[0]!);
const MARKS =
  /^(?:first|second|third|fourth|fifth|last|other|another|north|northern|south|southern|east|eastern|west|western|upper|lower|old|new|left|right|deputy|former)$/;
/** "Half of the army": about the army. */
const PARTS = /^(?:half|third|quarter|most|many|some|part|parts|majority|minority|dozens?|hundreds|thousands|member)$/;
/** "Grew this season": a time, not an object. */
const TIMES =
  /^(?:season|year|month|week|day|night|morning|evening|afternoon|quarter|time|hour|decade|home|abroad|way)$/;
/** A measure is identified by what follows "of": "prices of bread". */
const GAUGES = /^(?:price|cost|number|rate|share|sal|produce|demand|population|salary|level|volume|value|±trade.*)$/;
const REACH = 8;

interface Chunk {
  prep: string;
  words: readonly number[];
}

const isBreak = ({ text, start, words }: Statement, at: number): boolean =>
  at > 0 && BREAK.test(text.slice(words[at - 1]!.end - start, words[at]!.start - start));

/** Content words of a part of the sentence, in runs, each with the preposition before it. */
function chunksOf(stated: Statement, from: number, to: number): Chunk[] {
  const content = contentOf(stated);
  const found: { prep: string; words: number[] }[] = [];
  let open: { prep: string; words: number[] } | undefined;
  let prep = "";
  for (let at = from; at < to; at += 1) {
    const { text } = stated.words[at]!;
    if (PREPOSITION.test(text)) [prep, open] = [text, undefined];
    else if (PRONOUN.test(text) && !DETERMINER.test(text)) {
      found.push({ prep, words: [] });
      open = undefined;
    } else if (DETERMINER.test(text)) open = undefined;
    else if (content.has(at) || MARKS.test(text)) {
      if (text.endsWith("ly")) continue;
      // "The bridge linking both towns": the rest is another phrase.
      if (open && text.endsWith("ing") && text.length > 5) break;
      if (!open) found.push((open = { prep, words: [] }));
      open.words.push(at);
      // A possessive does not end a phrase: "the mayor's deputy".
    } else if (!/^\d/.test(text) && !isNumbered(stated, at)) open = undefined;
    if (content.has(at)) prep = open ? prep : "";
  }
  return found;
}

/** Words of an amount belong to the phrase that it counts. */
const isNumbered = ({ quantities, words }: Statement, at: number): boolean =>
  quantities.some(({ start, end }) => words[at]!.start >= start && words[at]!.end <= end);

const contents = new WeakMap<Statement, ReadonlyMap<number, string>>();
/** The concept of each word by index; nouns counted by a figure have one too. */
function contentOf(stated: Statement): ReadonlyMap<number, string> {
  let known = contents.get(stated);
  if (!known) {
    const concepts = stated.senses.map(({ at, concept, pole }) => [at, pole ? `${concept} ${pole}` : concept] as const);
    const counted = stated.quantities.flatMap((one) => {
      const last = one.unit === "count" ? stated.words.findLastIndex(({ end }) => end <= one.end) : -1;
      const { text } = stated.words[last] ?? { text: "0" };
      return /^\d/.test(text) || isFunctionWord(text) ? [] : [[last, conceptOf(baseOf(text))] as const];
    });
    contents.set(stated, (known = new Map([...counted, ...concepts])));
  }
  return known;
}

const nameAt = ({ entities }: Statement, word: Word): string | undefined =>
  entities.find(({ start, end }) => word.start >= start && word.end <= end)?.key;

function themeIn(stated: Statement, from: number, to: number, isObject: boolean): Theme | undefined {
  const chunks = chunksOf(stated, from, to);
  const at = chunks.findIndex(({ prep }) => prep === "");
  const first = chunks[at];
  if (!first) return undefined;
  const content = contentOf(stated);
  const head = first.words.findLast((word) => content.has(word));
  if (head === undefined) return undefined;
  const rest = chunks.slice(at + 1);
  const inside = (word: Word) => nameAt(stated, word);
  const conceptsOf = (all: readonly Chunk[]) =>
    all.flatMap(({ words }) => words.flatMap((word) => content.get(word) ?? []));
  return {
    head: content.get(head)!,
    name: inside(stated.words[head]!),
    marks: new Set(first.words.map((word) => stated.words[word]!.text).filter((text) => MARKS.test(text))),
    of: new Set(conceptsOf(rest.filter(({ prep }) => prep === "of"))),
    places: rest
      .filter(({ prep }) => prep !== "of" && prep !== "by")
      .flatMap(({ words }) => words.flatMap((word) => inside(stated.words[word]!) ?? [])),
    names: chunks.flatMap(({ words }) => words.flatMap((word) => inside(stated.words[word]!) ?? [])),
    all: new Set(conceptsOf(chunks)),
    isOwned: OWNED.test(stated.words[first.words[0]! - 1]?.text ?? ""),
    isObject,
  };
}

/** The subject before a verb, without auxiliaries. */
export function subjectOf(stated: Statement, at: number, isObject = false): Theme | undefined {
  const { words } = stated;
  let to = at;
  while (to > 0 && AUXILIARY.test(words[to - 1]!.text) && !isBreak(stated, to)) to -= 1;
  let from = to;
  while (
    from > 0 &&
    !isBreak(stated, from) &&
    !CLAUSE.test(words[from - 1]!.text) &&
    !isReportingWord(words[from - 1]!.text)
  )
    from -= 1;
  return themeIn(stated, from, to, isObject);
}

/** The phrase after a word, up to the end of its clause. */
export function phraseBehind(stated: Statement, from: number): Theme | undefined {
  const { words } = stated;
  let to = from;
  while (to < words.length && to < from + REACH && !(to > from && isBreak(stated, to)) && !CLAUSE.test(words[to]!.text))
    to += 1;
  return to > from && !isBreak(stated, from) ? themeIn(stated, from, to, true) : undefined;
}

/** What the word of an act or a state is said about, as far as the sentence shows. */
export function themeOf(stated: Statement, at: number, length = 1): Theme | undefined {
  const { words } = stated;
  const [before, next] = [words[at - 1]?.text ?? "", words[at + length]?.text ?? ""];
  const isNoun = DETERMINER.test(before) || (PREPOSITION.test(before) && before !== "to");
  if (isNoun) return next === "of" ? phraseBehind(stated, at + length + 1) : undefined;
  const isPassive = [1, 2, 3].some((back) => BE.test(words[at - back]?.text ?? "")) && !words[at]!.text.endsWith("ing");
  const isFigure =
    /^\d/.test(next) || PREPOSITION.test(next) || CLAUSE.test(next) || next === "" || next.endsWith("ly");
  // "Refused to sign the bill".
  if (next === "to" && !isPassive && !DETERMINER.test(words[at + length + 1]?.text ?? "the"))
    return phraseBehind(stated, at + length + 2) ?? subjectOf(stated, at);
  if (isPassive) return subjectOf(stated, at, true);
  if (isFigure || at + length >= words.length || isBreak(stated, at + length)) return subjectOf(stated, at);
  const object = phraseBehind(stated, at + length);
  return object && !TIMES.test(object.head) ? object : subjectOf(stated, at);
}

const BY_REACH = 5;

/** The agent: the subject of a verb with an object, or the phrase after "by" of a passive. */
export function agentOf(stated: Statement, at: number): Theme | undefined {
  const { words } = stated;
  const isPassive = [1, 2, 3].some((back) => BE.test(words[at - back]?.text ?? "")) && isPastVerb(words[at]!.text);
  if (!isPassive) return themeOf(stated, at)?.isObject ? subjectOf(stated, at) : undefined;
  const by = words.findIndex(({ text }, word) => word > at && word <= at + BY_REACH && text === "by");
  return by < 0 || isBreak(stated, by) ? undefined : phraseBehind(stated, by + 1);
}

/** Whether both have agents, with nothing in common: what one did, the other may not have done. */
export function isByOthers(one: Theme | undefined, other: Theme | undefined): boolean {
  if (!one || !other || (OFFICIAL.test(one.head) && OFFICIAL.test(other.head))) return false;
  if (likeness({ ...one, isObject: false }, { ...other, isObject: false }) !== "apart") return false;
  return isMarkedApart(one, other) || ![...one.all].some((concept) => other.all.has(concept));
}

/** "The ministry" may be "the government". */
const OFFICIAL = /^(?:govern|ministry|minister|cabinet|agency|offic|council|president|premier)$/;

const isMarkedApart = (one: Theme, other: Theme): boolean =>
  one.marks.size > 0 && other.marks.size > 0 && !shares(one.marks, other.marks);

/** Whether something holds for others, elsewhere, or within another group: a later phrase narrows it. */
export function isOfOtherScope(claim: Statement, at: number, candidate: Statement, there: number): boolean {
  const [mine, theirs] = [scopesOf(claim, at), scopesOf(candidate, there)];
  return mine.some((one) =>
    theirs.some(
      (other) =>
        one.prep === other.prep &&
        !shares(one.all, other.all) &&
        (FOR_WHOM.test(one.prep) ||
          (one.marks.size > 0 && other.marks.size > 0 && !shares(one.marks, other.marks)) ||
          (one.name !== undefined && other.name !== undefined && !sameName(one.name, other.name))),
    ),
  );
}

const FOR_WHOM = /^(?:for|among)$/;

interface Scope {
  prep: string;
  all: ReadonlySet<string>;
  marks: ReadonlySet<string>;
  name: string | undefined;
}

function scopesOf(stated: Statement, at: number): Scope[] {
  const { words } = stated;
  let to = at + 1;
  while (to < words.length && !isBreak(stated, to) && !CLAUSE.test(words[to]!.text)) to += 1;
  const content = contentOf(stated);
  return chunksOf(stated, at + 1, to)
    .filter(({ prep, words: found }) => SCOPES.test(prep) && found.length > 0)
    .map(({ prep, words: found }) => ({
      prep,
      all: new Set(found.flatMap((word) => content.get(word) ?? [])),
      marks: new Set(found.map((word) => words[word]!.text).filter((text) => MARKS.test(text))),
      name: nameAt(stated, words[found.at(-1)!]!),
    }));
}
const SCOPES = /^(?:for|among|in|at|near)$/;

const shares = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((item) => other.has(item));

/** Whether two phrases are about one thing. A mere "the man" or "it" may be anybody. */
export function likeness(one: Theme | undefined, other: Theme | undefined): Likeness {
  if (!one || !other) return "unknown";
  if (isMarkedApart(one, other)) return "apart";
  if (PARTS.test(one.head) || PARTS.test(other.head)) return "unknown";
  if (one.name && other.name) return sameName(one.name, other.name) ? "same" : "apart";
  if (one.head !== other.head && one.isObject !== other.isObject) return "unknown";
  if (one.head !== other.head && !one.isOwned && !other.isOwned && (one.all.has(other.head) || other.all.has(one.head)))
    return "apart";
  if (one.name || other.name || isGeneric(one) || isGeneric(other)) return "unknown";
  if (one.head !== other.head) return "apart";
  if (one.of.size > 0 && other.of.size > 0 && !shares(one.of, other.of))
    return GAUGES.test(one.head) ? "apart" : "unknown";
  const isElsewhere =
    one.places.length > 0 &&
    other.places.length > 0 &&
    !one.places.some((place) => other.places.some((it) => sameName(place, it)));
  return isElsewhere ? "apart" : "same";
}
