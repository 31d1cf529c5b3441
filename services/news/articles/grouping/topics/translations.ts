import { lexicon } from "../../../../../core/text/lexicon.ts";
import { terms } from "../../../../../core/text/words/terms.ts";
import { TermNumbers } from "../../../../../core/text/words/term-ids.ts";
import { hashOf } from "../../../../../core/text/words/token-hashes.ts";
import type { Vocabulary } from "../../../../../core/text/words/vocabulary.ts";
import { atOnce, type Steps } from "../../../../../core/work/turns.ts";
import { bareForms } from "./bare-forms.ts";

/** By the hash of a term, and of what is left of it without its inflection, that of the English term that says the same. */
type Dictionary = ReadonlyMap<number, number>;

const dictionaries = new Map<string, Dictionary>();
const lines: Readonly<Record<string, readonly string[]>> = lexicon.translations.words;

/** Lines of English words, each with those that say it: `accident:unfall academy:akademie`. A step is a line. */
function* dictionaryOf(language: string): Steps<Dictionary> {
  const found = new Map<number, number>();
  const bare = new Map<number, number>();
  for (const line of lines[language]!) {
    for (const entry of line.split(" ")) {
      const [english, others] = entry.split(":") as [string, string];
      const [meaning] = terms(english);
      if (meaning === undefined) continue;
      for (const other of others.split(",")) {
        const [term] = terms(other);
        if (term === undefined) continue;
        found.set(hashOf(term), hashOf(meaning));
        for (const form of bareForms(language, term))
          if (!bare.has(hashOf(form))) bare.set(hashOf(form), hashOf(meaning));
      }
    }
    yield;
  }
  // What stands in the list is what it says there.
  for (const [form, meaning] of bare) if (!found.has(form)) found.set(form, meaning);
  dictionaries.set(language, found);
  return found;
}

/** Reads the dictionaries, once in a process: some 20 ms each, which nobody should wait for in one go. */
export function* preparing(): Steps<void> {
  for (const language of Object.keys(lines)) if (!dictionaries.has(language)) yield* dictionaryOf(language);
}

/** Whether terms of a language are told in English terms, as far as they are known. */
export const isTranslated = (language: string): boolean => language === "en" || language in lines;

/** Answers for a term of a language the hash of what it says in English, its own where no dictionary has it. */
export function translator(language: string): ((term: string) => number) | undefined {
  if (!(language in lines)) return undefined;
  const dictionary = dictionaries.get(language) ?? atOnce(dictionaryOf(language));
  return (term) => {
    for (const form of bareForms(language, term)) {
      const meaning = dictionary.get(hashOf(form));
      if (meaning !== undefined) return meaning;
    }
    return hashOf(term);
  };
}

/** The same by the ids of terms in a vocabulary. */
export function translated(language: string, vocabulary: Vocabulary): TermNumbers | undefined {
  const known = byId.get(language);
  if (known?.vocabulary === vocabulary) return known;
  const translate = translator(language);
  if (!translate) return undefined;
  const made = new TermNumbers(vocabulary, translate);
  byId.set(language, made);
  return made;
}
const byId = new Map<string, TermNumbers>();
