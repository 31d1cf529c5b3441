import { lazily, lexicon } from "../lexicon.ts";
import { latin } from "../words/spelling/latin.ts";
import { asKnown } from "./known.ts";
import { edits } from "./likeness.ts";
import { connective, numbered, tokenOf, WEIGHTS, wordsOf, type NamePart } from "./parts.ts";

const lists = lazily(() => ({
  generic: new Set(lexicon.nameParts.generic),
  forms: new Map(
    Object.entries(lexicon.nameParts.legalForms).flatMap(([kind, forms]) => forms.map((form) => [form, kind] as const)),
  ),
  longForms: Object.values(lexicon.nameParts.legalForms)
    .flat()
    .filter((form) => form.length > 6),
  /** The longer ones first: "public joint stock company" is no "joint stock company". */
  phrases: Object.entries(lexicon.nameParts.phrases)
    .map(([phrase, word]) => [` ${phrase} `, ` ${word} `] as const)
    .sort(([one], [other]) => other.length - one.length),
  divisions: new Set(lexicon.nameParts.divisions),
  abbreviations: new Map(Object.entries(lexicon.nameParts.abbreviations)),
}));

/** What is said of a body behind its name, and before another name of it. */
const NOTES =
  /[(,; ](?:in (?:voluntary )?liquidation|in administration|formerly|previously|also known as|doing business as|trading as|[afd]\/?[kb]\/?a)(?![\p{L}\d])/iu;
/** Letters that stand alone one after the other are one word: "G.m.b.H.", "o.O.O.". */
const SPELT = /(?<= )[a-z](?: [a-z])+(?= )/g;

function withPhrases(words: readonly string[]): string[] {
  let line = ` ${words.join(" ")} `.replace(SPELT, (letters) => letters.replaceAll(" ", ""));
  for (const [phrase, word] of lists().phrases) if (line.includes(phrase)) line = line.replaceAll(phrase, word);
  return line.trim().split(/ +/);
}

/** The legal form that a word was to be: cut off at the width of some field, or with a letter wrong. */
function formMeant(word: string): string | undefined {
  const { forms, longForms } = lists();
  if (word.length < 5 || forms.has(word)) return undefined;
  return longForms.find((form) => form.startsWith(word) || (form.length > 8 && edits(word, form) <= 1));
}

function withFormMeant(words: readonly string[]): readonly string[] {
  const form = words.length > 1 ? formMeant(words.at(-1)!) : undefined;
  return form ? [...words.slice(0, -1), form] : words;
}

/** "Trust I" is the first; "I" elsewhere is a letter. */
const ONE_LETTER: Readonly<Record<string, string>> = { i: "1", v: "5", x: "10" };

const SHORTENED = /(?<!\p{L})\p{L}{3,20}(?=\.(?!\p{L}))/gu;

function withoutNotes(raw: string): string {
  const at = raw.search(NOTES);
  return at > 0 ? raw.slice(0, at) : raw;
}

export function organisationTokens(raw: string): { tokens: NamePart[]; forms: string[]; acronyms: string[] } {
  const { forms, generic, divisions, abbreviations } = lists();
  const said = withoutNotes(raw);
  const shortened = new Set([...said.matchAll(SHORTENED)].map(([word]) => latin(word)));
  const words = numbered(withPhrases(withFormMeant(asKnown(wordsOf(said))))).map(
    (word) => abbreviations.get(word) ?? word,
  );
  const found = words.flatMap((word) => forms.get(word) ?? []);
  const named = words.filter((word) => !forms.has(word));
  const own = named.map((word, at) => (at > 0 && at === named.length - 1 && ONE_LETTER[word]) || word);
  // A name of nothing but forms ("Trust Company") goes by them.
  const tokens = (own.length ? own : words).map((word) => {
    if (connective(word)) return tokenOf(word, WEIGHTS.particle);
    if (/^\d+$/.test(word)) return tokenOf(word, WEIGHTS.number);
    const token = tokenOf(word, generic.has(word) ? WEIGHTS.generic : WEIGHTS.part);
    if (shortened.has(word)) token.isShortened = true;
    return divisions.has(word) ? { ...token, isDivision: true as const } : token;
  });
  const initials = (from: readonly string[]): string =>
    from.flatMap((word) => (connective(word) || /^\d/.test(word) ? [] : word[0]!)).join("");
  const acronyms = [...new Set([initials(own), initials(words)])].filter((letters) => letters.length > 1);
  return { tokens, forms: own.length ? found : [], acronyms };
}
