import { lexicon } from "../../../../../core/text/lexicon.ts";
import { aliasOf } from "../../../../../core/text/statements/names.ts";
import type { Sentence } from "../../../../../core/text/words/sentences.ts";
import { isPossessive, type Span } from "../../../../../core/text/words/words.ts";
import type { EntityType } from "../../statements/vocabulary.ts";
import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };

/** A mention with the entity that it is, as relations look at it. */
export interface Named extends Span {
  key: string;
  type: EntityType;
  /** "she", "the company": it stands for a name before it. */
  stands?: "word";
}

/** A word of a sentence, or all words of a name in it as one. */
export interface ClauseWord extends Span {
  /** Folded. */
  text: string;
  named?: Named;
  /** What stands between it and the one before it. */
  gap: string;
  /** "Petrov's", "its". */
  whose: boolean;
}

export interface Clauses {
  text: string;
  tokens: readonly ClauseWord[];
  /** Which token each word of the sentence is, or is part of. */
  tokenOf: readonly number[];
}

const WHOSE_WORDS = new Set(["its", "his", "her", "their", "whose"]);

export function clausesOf(text: string, sentence: Sentence, named: readonly Named[]): Clauses {
  const tokens: ClauseWord[] = [];
  const tokenOf: number[] = [];
  let [next, end] = [0, sentence.start];
  for (const word of sentence.words) {
    while (named[next] && named[next]!.end <= word.start) next += 1;
    const one = named[next];
    if (one && word.end > one.start) {
      if (tokens.at(-1)?.named !== one) {
        const whose = isPossessive(text, one.end) || /^[’'] /.test(text.slice(one.end, one.end + 2));
        const said = word.text.toLowerCase();
        tokens.push({ text: said, named: one, gap: text.slice(end, one.start), whose, start: one.start, end: one.end });
        if (one.stands && WHOSE_WORDS.has(said)) tokens.at(-1)!.whose = true;
        end = one.end;
      }
    } else {
      const whose = isPossessive(text, word.end) || WHOSE_WORDS.has(word.text);
      tokens.push({ text: word.text, gap: text.slice(end, word.start), whose, start: word.start, end: word.end });
      end = word.end;
    }
    tokenOf.push(tokens.length - 1);
  }
  return { text, tokens, tokenOf };
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
export const PREPOSITIONS = set(
  "of in at on near off from for with by to into onto over under about against between among around across through " +
    "towards toward outside inside behind beside beyond above below along after before during since until despite " +
    "without within than as like aboard via upon throughout",
);
const ARTICLES = set("the a an this that these those its his her their our my some any each every both all no");
const AUXILIARIES = set(
  "is was are were be been being has have had having do does did will would shall should can could may might must got get",
);
const ADVERBS = set(
  "also then now still again already later soon never once twice ever not even just only twice thus too both long together alone " +
    "first last yet always often largely jointly today yesterday tonight overnight",
);
const SUBORDINATORS = set(
  "that when while because although though if unless where whereas whether until since before after as than so how why what once",
);
export const RELATIVES = set("who which that");
export const COORDINATORS = set("and but or then nor");
/** Nothing that is only to be, or may have been. */
const UNREAL = set(
  "will would could may might should shall must can wants want wanted plans planned plan intends intended hopes hoped " +
    "if unless whether refuses refused declined declines fails failed promised promises promise vowed vows pledged threatens " +
    "considers considering considered weighing weighs urged urges asked asks denies denied likely " +
    "expected try tries tried trying seeks sought seeking agreed ready offered offers supposed let bid without instead neither",
);
const CALENDAR = new Set(lexicon.names.calendar);
const COLLECTIVE = new Set(phrases.collective);
export const isCollective = (word: string): boolean => COLLECTIVE.has(word);

/** Signs that end what is said in one go. */
export const isBreak = (gap: string): boolean => /[;:"“”()[\]—–\n]|\s-\s|\.\.\./.test(gap);
export const isComma = (gap: string): boolean => gap.includes(",");
export const isPlain = (gap: string): boolean => !isBreak(gap) && !isComma(gap);
export const isAuxiliary = ({ text, named }: ClauseWord): boolean => !named && AUXILIARIES.has(text);
export const isAdverb = ({ text, named }: ClauseWord): boolean =>
  !named && (ADVERBS.has(text) || (text.length > 4 && text.endsWith("ly")));
export const isArticle = ({ text, named }: ClauseWord): boolean => !named && ARTICLES.has(text);
export const isPreposition = ({ text, named }: ClauseWord): boolean => !named && PREPOSITIONS.has(text);
export const isSubordinator = ({ text, named }: ClauseWord): boolean => !named && SUBORDINATORS.has(text);
export const isCalendar = ({ text, named }: ClauseWord): boolean =>
  !named &&
  (CALENDAR.has(text) ||
    /^(?:\d{4}|mornings?|evenings?|nights?|weeks?|months?|years?|days?|hours?|minutes?|decades?|noon|dawn|dusk|midnight|afternoon|weekend|time|today)$/.test(
      text,
    ));
/** "the Polish minister": a name that only says of what kind. */
export const isAdjective = (text: string, { named }: ClauseWord): boolean =>
  named !== undefined &&
  named.type === "country" &&
  !named.stands &&
  aliasOf(text.slice(named.start, named.end).toLowerCase()) !== undefined &&
  /(?:an|ish|ese|ch|i|ic|ek|ss)$/.test(text.slice(named.start, named.end));

/** Whether what stands before a token, in its clause, makes of it a plan, a question or a condition. */
export function isUnreal({ tokens }: Clauses, at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back <= 7; back -= 1) {
    const token = tokens[back]!;
    const gap = tokens[back + 1]?.gap ?? " ";
    if (isBreak(gap)) return false;
    if (!token.named && UNREAL.has(token.text)) return true;
    if (isComma(gap) || (token.text === "that" && at - back > 1)) return false;
  }
  return false;
}

const HEDGES = set("reportedly allegedly apparently purportedly supposedly rumoured rumored suspected alleged");
/** Whether the clause says it with a doubt. */
export const isHedged = ({ tokens }: Clauses, at: number): boolean =>
  tokens.slice(Math.max(0, at - 6), at).some(({ text, named }) => !named && HEDGES.has(text));
