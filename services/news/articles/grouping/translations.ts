import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import { hashOf } from "../../../../core/text/words/token-hashes.ts";

/** By the hash of a term, that of the English term that says the same. */
type Dictionary = ReadonlyMap<number, number>;

const dictionaries = new Map<string, () => Dictionary>(
  Object.entries(lexicon.translations.words).map(([language, lines]) => [language, lazily(() => dictionaryOf(lines))]),
);

/** Lines of English words, each with those that say it: `accident:unfall academy:akademie`. */
function dictionaryOf(lines: readonly string[]): Dictionary {
  const found = new Map<number, number>();
  for (const entry of lines.flatMap((line) => line.split(" "))) {
    const [english, others] = entry.split(":") as [string, string];
    const [meaning] = terms(english);
    if (meaning === undefined) continue;
    for (const other of others.split(",")) {
      const [term] = terms(other);
      if (term !== undefined) found.set(hashOf(term), hashOf(meaning));
    }
  }
  return found;
}

/** Whether terms of a language are told in English terms, as far as they are known. */
export const isTranslated = (language: string): boolean => language === "en" || dictionaries.has(language);

/** Translates hashes of a language's terms; undefined for one whose words are not known. */
export function translator(language: string): ((term: number) => number) | undefined {
  const dictionary = dictionaries.get(language)?.();
  return dictionary && ((term) => dictionary.get(term) ?? term);
}
