import { rankTerms } from "../../core/text/searching/relevance.ts";
import { stem } from "../../core/text/words/stem.ts";
import { isContent, terms } from "../../core/text/words/terms.ts";
import { words } from "../../core/text/words/words.ts";

const NUMBER = /^\d{1,9}$/;
/** What stands between a word and its number: "Boat 3", "RB-6", "Pump No 2" has none. */
const BETWEEN = /^[ \u00a0\-–#]{1,2}$/u;

interface Designation {
  /** The word as it stands there, folded, and its stem. */
  said: string;
  word: string;
  number: number;
}

/** What is called by a word and a number, as most of what there are several of: a number alone is no term. */
export function designationsIn(text: string): Designation[] {
  const spoken = words(text);
  return spoken.flatMap(({ text: number, start }, at) => {
    const before = spoken[at - 1];
    if (!before || !NUMBER.test(number) || !isContent(before.text)) return [];
    if (!BETWEEN.test(text.slice(before.end, start))) return [];
    return { said: before.text, word: stem(before.text), number: Number(number) };
  });
}

const asTerm = ({ word, number }: Designation): string => `${word} ${number}`;
const termsWith = (text: string): string[] => [...terms(text), ...designationsIn(text).map(asTerm)];

/** How well texts match a question, as `rank` says it, and that "Boat 3" is not "Boat 5". */
export const rankNamed = (question: string, texts: readonly string[]): number[] =>
  rankTerms(termsWith(question), texts.map(termsWith));

/** Whether a text speaks of another than the question names: of the same word, and of another number alone. */
export function speaksOfAnother(question: string): (text: string) => boolean {
  const asked = designationsIn(question);
  if (!asked.length) return () => false;
  const named = new Set(asked.map(asTerm));
  return (text) => {
    const said = designationsIn(text);
    return (
      said.some(({ word }) => asked.some((one) => one.word === word)) && !said.some((one) => named.has(asTerm(one)))
    );
  };
}
