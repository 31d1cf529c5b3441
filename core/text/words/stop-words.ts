import { lazily, lexicon } from "../lexicon.ts";
import { fold } from "./words.ts";

const grammar = lazily((): ReadonlySet<string> => new Set(lexicon.functionWords.stop));
const reporting = lazily((): ReadonlySet<string> => new Set(lexicon.functionWords.reporting));
const stopWords = lazily((): ReadonlySet<string> => {
  const { topic, foreign } = lexicon.functionWords;
  return new Set([...grammar(), ...reporting(), ...topic, ...Object.values(foreign).flat().map(fold)]);
});

/** Whether a folded English word carries grammar and no content. */
export const isFunctionWord = (word: string): boolean => grammar().has(word);

/** Words of the frame "X said that": they carry little when two sentences are compared. */
export const isReportingWord = (word: string): boolean => reporting().has(word);

/** Whether a folded word says nothing of what a text is about, in any language of the feeds. "US" folds to "us". */
export const isStopWord = (word: string): boolean => word !== "us" && stopWords().has(word);
