import data from "../../../../../data/graph/names.json" with { type: "json" };
import { lazily } from "../../../../../core/text/lexicon.ts";
import { isAbjad, latin } from "../../../../../core/text/words/spelling/latin.ts";
import { edits } from "./likeness.ts";
import { skeleton } from "./skeleton.ts";

export type NameKind = "person" | "organisation";

/** A part of a name, and how much it tells. */
export interface NamePart {
  text: string;
  skeleton: string;
  weight: number;
  isNumber: boolean;
  /** With it a name is another body's: "Kestrel Maritime Insurance" is no "Kestrel Maritime". */
  isDivision?: true;
  /** Written without most vowels: only consonants are compared. */
  isAbjad: boolean;
  /** It has a full stop behind it: "Dev." may be "Development". */
  isShortened?: true;
}

/** A name made ready to be compared. */
export interface PreparedName {
  kind: NameKind;
  tokens: readonly NamePart[];
  /** Kinds of its legal forms, in order: "limited", "stock". */
  forms: readonly string[];
  /** The same for the same words in any order. */
  key: string;
  /** Its initials, without and with those of its legal forms: "plo", "cnoo" and "cnooc". */
  acronyms: readonly string[];
}

export const WEIGHTS = { part: 1, family: 1.3, initial: 0.4, particle: 0.1, generic: 0.45, number: 1 } as const;

const lists = lazily(() => ({
  titles: new Set(data.titles),
  particles: new Set(data.particles),
  generic: new Set(data.generic),
  forms: new Map(
    Object.entries(data.legalForms).flatMap(([kind, forms]) => forms.map((form) => [form, kind] as const)),
  ),
  longForms: Object.values(data.legalForms)
    .flat()
    .filter((form) => form.length > 6),
  /** The longer ones first: "public joint stock company" is no "joint stock company". */
  phrases: Object.entries(data.phrases)
    .map(([phrase, word]) => [` ${phrase} `, ` ${word} `] as const)
    .sort(([one], [other]) => other.length - one.length),
  connectives: new Set([...data.particles, ...data.connectives]),
  divisions: new Set(data.divisions),
  abbreviations: new Map(Object.entries(data.abbreviations)),
  numerals: new Map(Object.entries(data.numerals)),
}));

/** What is said of a body behind its name, and before another name of it. */
const NOTES =
  /[(,; ](?:in (?:voluntary )?liquidation|in administration|formerly|previously|also known as|doing business as|trading as|[afd]\/?[kb]\/?a)(?![\p{L}\d])/iu;
const SUFFIXES = new Set(["jr", "sr", "esq", "phd", "md", "mp", "kc", "qc", "mep"]);
/** "AlisherUsmanov", "SiemensAG": words that were run together. */
const JOINED = /(?<=\p{Ll}{2})(?=\p{Lu})/gu;

/** "L.P.", "o.o.": letters with a dot behind each are one word, and no more than these. */
const DOTTED = /(?<![\p{L}\p{M}\d])(?:\p{L}\.){2,}\p{L}?(?![\p{L}\p{M}])/gu;

function wordsOf(raw: string): string[] {
  const apart = raw.includes(" ") ? raw : raw.replace(JOINED, " ");
  return latin(apart.replace(DOTTED, (letters) => `${letters.replaceAll(".", "")} `))
    .replaceAll("&", " and ")
    .replaceAll("%", " percent")
    .split(/[^a-z0-9\p{L}]+/u)
    .filter(Boolean);
}

/** Letters that stand alone one after the other are one word: "G.m.b.H.", "o.O.O.". */
const SPELT = /(?<= )[a-z](?: [a-z])+(?= )/g;

function withPhrases(words: readonly string[]): string[] {
  let line = ` ${words.join(" ")} `.replace(SPELT, (letters) => letters.replaceAll(" ", ""));
  for (const [phrase, word] of lists().phrases) if (line.includes(phrase)) line = line.replaceAll(phrase, word);
  return line.trim().split(/ +/);
}

export const tokenOf = (text: string, weight: number): NamePart => ({
  text,
  isAbjad: false,
  skeleton: skeleton(text),
  weight,
  isNumber: /^\d+$/.test(text),
});

function personTokens(raw: string): NamePart[] {
  const { titles, particles } = lists();
  const [family, ...given] = raw.split(",");
  // "PUTIN, Vladimir": the family name comes first.
  const words = given.length === 1 ? [...wordsOf(given[0]!), ...wordsOf(family!)] : wordsOf(raw);
  let from = 0;
  while (from < words.length - 1 && titles.has(words[from]!)) from += 1;
  let to = words.length;
  while (to > from + 1 && SUFFIXES.has(words[to - 1]!)) to -= 1;
  const inside = words.slice(from, to);
  const last = inside.findLastIndex((word) => word.length > 1 && !particles.has(word));
  return inside.map((word, at) => {
    if (particles.has(word) && inside.length > 1) return tokenOf(word, WEIGHTS.particle);
    if (word.length === 1) return tokenOf(word, WEIGHTS.initial);
    return tokenOf(word, at === last && inside.length > 1 ? WEIGHTS.family : WEIGHTS.part);
  });
}

/** "3rd" and "third" are 3, "forty four" and "forty 4" are 44; "40 4" is not. */
function numbered(words: readonly string[]): string[] {
  const { numerals } = lists();
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    const number = numerals.get(word) ?? /^(\d+)(?:st|nd|rd|th)?$/.exec(word)?.[1];
    const before = found.at(-1);
    const isInWords = at > 0 && !/^\d/.test(words[at - 1]!);
    if (number?.length === 1 && before && isInWords && /^[2-9]0$/.test(before))
      found[found.length - 1] = `${Number(before) + Number(number)}`;
    else found.push(number ?? word);
  }
  return found;
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

function organisationTokens(raw: string): Pick<PreparedName, "tokens" | "forms" | "acronyms"> {
  const { forms, generic, connectives, divisions, abbreviations } = lists();
  const said = withoutNotes(raw);
  const shortened = new Set([...said.matchAll(SHORTENED)].map(([word]) => latin(word)));
  const words = numbered(withPhrases(withFormMeant(wordsOf(said)))).map((word) => abbreviations.get(word) ?? word);
  const found = words.flatMap((word) => forms.get(word) ?? []);
  const named = words.filter((word) => !forms.has(word));
  const own = named.map((word, at) => (at > 0 && at === named.length - 1 && ONE_LETTER[word]) || word);
  // A name of nothing but forms ("Trust Company") goes by them.
  const tokens = (own.length ? own : words).map((word) => {
    if (connectives.has(word)) return tokenOf(word, WEIGHTS.particle);
    if (/^\d+$/.test(word)) return tokenOf(word, WEIGHTS.number);
    const token = tokenOf(word, generic.has(word) ? WEIGHTS.generic : WEIGHTS.part);
    if (shortened.has(word)) token.isShortened = true;
    return divisions.has(word) ? { ...token, isDivision: true as const } : token;
  });
  const initials = (from: readonly string[]): string =>
    from.flatMap((word) => (connectives.has(word) || /^\d/.test(word) ? [] : word[0]!)).join("");
  const acronyms = [...new Set([initials(own), initials(words)])].filter((letters) => letters.length > 1);
  return { tokens, forms: own.length ? found : [], acronyms };
}

/** "alrashd": the article is a word of its own elsewhere. */
function withoutVowels(token: NamePart): NamePart[] {
  const hasArticle = token.text.startsWith("al") && token.text.length > 4;
  const own = { ...tokenOf(hasArticle ? token.text.slice(2) : token.text, token.weight), isAbjad: true };
  return hasArticle ? [tokenOf("al", WEIGHTS.particle), own] : [own];
}

/** Bounds what a comparison costs: longer names are compared by their first words. */
const MOST_TOKENS = 12;

export function prepareName(raw: string, kind: NameKind): PreparedName {
  const { tokens, forms, acronyms } =
    kind === "person" ? { tokens: personTokens(raw), forms: [], acronyms: [] } : organisationTokens(raw);
  const kept = isAbjad(raw) ? tokens.slice(0, MOST_TOKENS).flatMap(withoutVowels) : tokens.slice(0, MOST_TOKENS);
  const key = kept
    .filter(({ weight }) => weight > WEIGHTS.particle)
    .map(({ text }) => text)
    .sort()
    .join(" ");
  return { kind, tokens: kept, forms, key, acronyms };
}
