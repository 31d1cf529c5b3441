import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { baseOf } from "../../../../../core/text/words/stem.ts";
import type { Word } from "../../../../../core/text/words/words.ts";

const verbs = lazily(() => new Set<string>(lexicon.directives.verbs));
export const isVerb = (word: Word | undefined): boolean => word !== undefined && verbs().has(word.text);

/** What meetings do with papers. */
const procedures = lazily(() => new Set<string>(lexicon.directives.procedures));
const procedureBases = lazily(() => new Set(lexicon.directives.procedures.map(baseOf)));

/** "Seizes", "establishes": the form in which a plan tells what somebody does. */
export const isThirdPerson = (word: string): boolean =>
  !procedures().has(word.slice(0, -1)) &&
  /[^s]s$/.test(word) &&
  (verbs().has(word.slice(0, -1)) || verbs().has(word.replace(/es$/, "")));

export const isProcedure = ({ text }: Word): boolean => procedureBases().has(baseOf(text));
