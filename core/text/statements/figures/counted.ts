import { lazily, lexicon } from "../../lexicon.ts";
import { phraseIndex } from "../../words/phrases.ts";
import { isFunctionWord } from "../../words/stop-words.ts";
import type { Word } from "../../words/words.ts";
import { conceptOf } from "../meaning.ts";
import type { Quantity } from "./quantities.ts";

const index = lazily(() => phraseIndex(lexicon.kinds.counted));

/** What no event has one number of: people at large, what is told of each day, and money. */
const ANY =
  /^(?:people|deaths|injuries|hospital|refinery|child|women|woman|man|±sex|past|mark|two|night|day|week|month|year|hour|minute|case|cases|time|way|thing|part|kind|side|side|percent|point|cas|patient|body|victim|casualty|more|other|local|foreign|new)$/;
const BEHIND = 4;
/** "A crew of 21", "the number of strikers at 2,100". */
const OF = /^(?:of|at|as|is|was|to)$/;
const NUMBER = /^(?:number|count|total|tally|figure)$/;
const BEFORE = 4;

/** The kind of thing that a number counts: of a list, or the noun itself. Undefined where an event has many of it. */
export function countedKind(quantity: Quantity, { words, text, start }: Sentence): string | undefined {
  const last = words.findLastIndex((word) => word.start < quantity.end);
  const first = words.findIndex((word) => word.end > quantity.start);
  if (quantity.unit === "number") return kindBefore(words, first);
  if (quantity.unit !== "count") return undefined;
  const behind = phraseOf(words, first, Math.min(words.length - 1, last + BEHIND), text, start);
  const [known] = index().find("", behind);
  if (known) return known.label;
  const nouns = quantity.of.map(conceptOf).filter((thing) => thing !== "people");
  const noun = nouns.at(-1);
  return noun === undefined || ANY.test(noun) || quantity.of.includes("people") ? undefined : `of ${noun}`;
}

interface Sentence {
  words: readonly Word[];
  text: string;
  start: number;
}

/** The noun phrase that a number begins, up to the next grammatical word but "of". */
function phraseOf(words: readonly Word[], first: number, to: number, text: string, start: number): readonly Word[] {
  let end = first;
  while (
    end < to &&
    /^[\s-]$/.test(text.slice(words[end]!.end - start, words[end + 1]!.start - start)) &&
    (!isFunctionWord(words[end + 1]!.text) || words[end + 1]!.text === "of" || end === first)
  )
    end += 1;
  return words.slice(first + 1, end + 1);
}

/** "A crew of 21", "put the number of strikers at 2,100", "gave the number of crew as 23". */
function kindBefore(words: readonly Word[], first: number): string | undefined {
  if (!OF.test(words[first - 1]?.text ?? "")) return undefined;
  const before = words.slice(Math.max(0, first - BEFORE), first - 1);
  const [known] = index().find("", before);
  if (!known) return undefined;
  const isCounted =
    words[first - 1]!.text === "of" ? known.last === before.length - 1 : before.some(({ text }) => NUMBER.test(text));
  return isCounted ? known.label : undefined;
}
