import { stem as porter2 } from "porter2";
import { lazily, lexicon } from "../lexicon.ts";
import { remembering } from "./remembered.ts";

const ENGLISH = /^[a-z]{3,}$/;

/**
 * The stem of a folded word, for searching. Keeps the first two letters, except that y may become i: snippets rely on
 * it.
 */
export const stem = (word: string): string => (ENGLISH.test(word) ? porter2(word) : word);

const irregular = lazily(() => new Map<string, string>(Object.entries(lexicon.irregularForms.forms)));

/** The stem of a folded word that irregular forms share: "fell" has that of "falls". */
export const regularStem = remembering((word) => stem(irregular().get(word) ?? word));

/** By its ending or as an irregular form; participles used as adjectives count too. */
export const isPastVerb = (word: string): boolean =>
  word.length > 3 && (word.endsWith("ed") || (irregular().has(word) && !word.endsWith("s")));

/**
 * The base of a folded word, for comparisons: inflections and irregular forms share it ("fell", "falling"), derivations
 * do not, as they would share a stem ("authority" and "authorise", "closely" and "closed").
 */
export const baseOf = remembering(
  (word) =>
    /^\d/.test(word)
      ? word
      : withoutFinalE(irregular().get(word) ?? withoutVerbEnding(withoutMent(withoutPlural(word)))),
  50_000,
);

function withoutPlural(word: string): string {
  if (word.length < 4 || !word.endsWith("s")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

/** "settlement" becomes "settle". */
const withoutMent = (word: string) => (word.length > 8 && word.endsWith("ment") ? word.slice(0, -4) : word);

function withoutVerbEnding(word: string): string {
  if (word.endsWith("eed")) return word.length > 5 ? word.slice(0, -1) : word;
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  const bare = word.endsWith("ing") ? word.slice(0, -3) : word.endsWith("ed") ? word.slice(0, -2) : word;
  if (bare === word || bare.length < 3 || !/[aeiouy]/.test(bare)) return word;
  // "stopped" → "stop", but "passed" → "pass" and "killed" → "kill".
  return /([^aeiouylsz])\1$/.test(bare) ? bare.slice(0, -1) : bare;
}

const withoutFinalE = (word: string) =>
  word.length > 3 && word.endsWith("e") && !word.endsWith("ee") ? word.slice(0, -1) : word;
