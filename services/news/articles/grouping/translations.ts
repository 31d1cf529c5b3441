import { lexicon } from "../../../../core/text/lexicon.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import { hashOf } from "../../../../core/text/words/token-hashes.ts";
import { atOnce, type Steps } from "../../../../core/work/turns.ts";

/** By the hash of a term, that of the English term that says the same. */
type Dictionary = ReadonlyMap<number, number>;

const dictionaries = new Map<string, Dictionary>();
const lines: Readonly<Record<string, readonly string[]>> = lexicon.translations.words;

/** Lines of English words, each with those that say it: `accident:unfall academy:akademie`. A step is a line. */
function* dictionaryOf(language: string): Steps<Dictionary> {
  const found = new Map<number, number>();
  for (const line of lines[language]!) {
    for (const entry of line.split(" ")) {
      const [english, others] = entry.split(":") as [string, string];
      const [meaning] = terms(english);
      if (meaning === undefined) continue;
      for (const other of others.split(",")) {
        const [term] = terms(other);
        if (term !== undefined) found.set(hashOf(term), hashOf(meaning));
      }
    }
    yield;
  }
  dictionaries.set(language, found);
  return found;
}

/** Reads the dictionaries, once in a process: some 20 ms each, which nobody should wait for in one go. */
export function* preparing(): Steps<void> {
  for (const language of Object.keys(lines)) if (!dictionaries.has(language)) yield* dictionaryOf(language);
}

/** Whether terms of a language are told in English terms, as far as they are known. */
export const isTranslated = (language: string): boolean => language === "en" || language in lines;

/** Translates hashes of a language's terms; undefined for one whose words are not known. */
export function translator(language: string): ((term: number) => number) | undefined {
  if (!(language in lines)) return undefined;
  const dictionary = dictionaries.get(language) ?? atOnce(dictionaryOf(language));
  return (term) => dictionary.get(term) ?? term;
}
