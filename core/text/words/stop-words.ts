import { lazily, lexicon } from "../lexicon.ts";
import { fold } from "./words.ts";

const grammar = lazily((): ReadonlySet<string> => new Set(lexicon.functionWords.stop));
const reporting = lazily((): ReadonlySet<string> => new Set(lexicon.functionWords.reporting));
const stopWords = lazily((): ReadonlySet<string> => {
  const { topic, foreign } = lexicon.functionWords;
  return new Set([...grammar(), ...reporting(), ...topic, ...Object.values(foreign).flat().map(fold)]);
});

/** Whether a folded English word has only a grammatical function. */
export const isFunctionWord = (word: string): boolean => grammar().has(word);

/** Words of the frame "X said that": they count little when two sentences are compared. */
export const isReportingWord = (word: string): boolean => reporting().has(word);

/** Whether a folded word says nothing about a text's subject, in any language of the feeds. "US" folds to "us". */
export const isStopWord = (word: string): boolean => word !== "us" && stopWords().has(word);
