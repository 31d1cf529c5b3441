/**
 * The word lists under `data/lexicons`, for all readers of text: the only place that loads them. What is built from a
 * list is built on first use (`lazily`), so that starting does not wait for it.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import antonyms from "../../data/lexicons/antonyms.json" with { type: "json" };
import causes from "../../data/lexicons/causes.json" with { type: "json" };
import checkWorthiness from "../../data/lexicons/check-worthiness.json" with { type: "json" };
import courses from "../../data/lexicons/courses.json" with { type: "json" };
import designations from "../../data/lexicons/designations.json" with { type: "json" };
import directives from "../../data/lexicons/directives.json" with { type: "json" };
import ends from "../../data/lexicons/ends.json" with { type: "json" };
import errata from "../../data/lexicons/errata.json" with { type: "json" };
import functionWords from "../../data/lexicons/function-words.json" with { type: "json" };
import hypotheses from "../../data/lexicons/hypotheses.json" with { type: "json" };
import irregularForms from "../../data/lexicons/irregular-forms.json" with { type: "json" };
import kinds from "../../data/lexicons/kinds.json" with { type: "json" };
import knownNames from "../../data/lexicons/known-names.json" with { type: "json" };
import loadedLanguage from "../../data/lexicons/loaded-language.json" with { type: "json" };
import measures from "../../data/lexicons/measures.json" with { type: "json" };
import nameParts from "../../data/lexicons/name-parts.json" with { type: "json" };
import names from "../../data/lexicons/names.json" with { type: "json" };
import opposites from "../../data/lexicons/opposites.json" with { type: "json" };
import pairs from "../../data/lexicons/pairs.json" with { type: "json" };
import paraphrases from "../../data/lexicons/paraphrases.json" with { type: "json" };
import polarity from "../../data/lexicons/polarity.json" with { type: "json" };
import poles from "../../data/lexicons/poles.json" with { type: "json" };
import politicalFraming from "../../data/lexicons/political-framing.json" with { type: "json" };
import quantities from "../../data/lexicons/quantities.json" with { type: "json" };
import questions from "../../data/lexicons/questions.json" with { type: "json" };
import rhetoric from "../../data/lexicons/rhetoric.json" with { type: "json" };
import scripts from "../../data/lexicons/scripts.json" with { type: "json" };
import sensationalism from "../../data/lexicons/sensationalism.json" with { type: "json" };
import sentences from "../../data/lexicons/sentences.json" with { type: "json" };
import synonyms from "../../data/lexicons/synonyms.json" with { type: "json" };
import tolls from "../../data/lexicons/tolls.json" with { type: "json" };
import topics from "../../data/lexicons/topics.json" with { type: "json" };
import translations from "../../data/lexicons/translations.json" with { type: "json" };

export const lexicon = {
  antonyms,
  causes,
  checkWorthiness,
  courses,
  designations,
  directives,
  ends,
  errata,
  functionWords,
  hypotheses,
  irregularForms,
  kinds,
  knownNames,
  loadedLanguage,
  measures,
  nameParts,
  names,
  opposites,
  pairs,
  paraphrases,
  polarity,
  poles,
  politicalFraming,
  quantities,
  questions,
  rhetoric,
  scripts,
  sensationalism,
  sentences,
  synonyms,
  tolls,
  topics,
  translations,
} as const;

/**
 * A file that is not JSON, read at each call. Resolved through package.json's `imports`: a bundle lies elsewhere in the
 * same package.
 */
export const lexiconFile = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(`#lexicons/${name}`)));

/** Makes a value on first use, once. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
