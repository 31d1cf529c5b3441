import { lazily, lexicon } from "../lexicon.ts";
import { isFunctionWord } from "../words/stop-words.ts";
import { fold, isPossessive, type Span, type Word } from "../words/words.ts";

/** A name in a text. `key` is its canonical form: folded, without titles, one spelling for each alias. */
export interface Name extends Span {
  text: string;
  key: string;
}

const lists = lazily(() => ({
  connectors: new Set(lexicon.names.connectors),
  calendar: new Set(lexicon.names.calendar),
  titles: new Set(lexicon.names.titles),
  aliases: new Map(
    Object.entries(lexicon.names.aliases).flatMap(([name, forms]) => [
      [name, name] as const,
      ...forms.map((form) => [form, name] as const),
    ]),
  ),
  countries: new Set(countryNames()),
}));

/** Names of countries from ICU (CLDR): a list that others maintain. */
function countryNames(): string[] {
  const display = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters.flatMap((first) =>
    letters.flatMap((second) => {
      const name = display.of(first + second);
      return name ? [fold(name)] : [];
    }),
  );
}

/**
 * Names: runs of capitalised words, joined over "of", "de" and the like, and acronyms. The first word of a sentence
 * always has a capital: alone it counts only as a country, an alias, an acronym, or among `known` (names found inside
 * other sentences).
 */
export function names(text: string, spoken: readonly Word[], known: ReadonlySet<string> = new Set()): Name[] {
  const found: Name[] = [];
  for (let at = 0; at < spoken.length; at += 1) {
    if (!beginsName(text, spoken, at)) continue;
    const last = endOfRun(text, spoken, at);
    const isOpener = at === 0 && last > 0 && !isName(text, spoken[0]!, known) && !couldBeName(spoken[0]!);
    const first = isOpener && !known.has(keyBetween(spoken, 0, last)) ? 1 : at;
    const name = namedBetween(text, spoken, first, last);
    const alone = first === 0 && last === 0;
    if (name && !(alone && !isName(text, spoken[0]!, known))) found.push(name);
    at = last;
  }
  return found;
}

const keyBetween = (spoken: readonly Word[], first: number, last: number): string =>
  spoken
    .slice(first, last + 1)
    .map((word) => word.text)
    .join(" ");

function beginsName(whole: string, spoken: readonly Word[], at: number): boolean {
  const { capital, text } = spoken[at]!;
  if (!capital || text.length < 2 || isFunctionWordName(text)) return false;
  return !lists().calendar.has(text) || isJan(whole, spoken, at);
}

/** "Jan Novák": the given name of many, not the month; "5 Jan Russia", "in Jan Russia" are the month. */
function isJan(whole: string, spoken: readonly Word[], at: number): boolean {
  const [before, { text, end }, next] = [spoken[at - 1], spoken[at]!, spoken[at + 1]];
  if (text !== "jan" || !next?.capital || whole.slice(end, next.start) !== " ") return false;
  return !lists().calendar.has(next.text) && !/^(?:in|\d+)$/.test(before?.text ?? "");
}

// "US" and "WHO" fold to function words: aliases with points or capitals are checked separately.
const isFunctionWordName = (folded: string) => isFunctionWord(folded) && folded !== "us" && folded !== "who";

/**
 * At the beginning of a sentence: "European Union officials" begins with a name, "Exports" does not; a possessive or a
 * word of the alias list does.
 */
const couldBeName = (word: Word) =>
  lists().aliases.has(word.text) || lists().countries.has(word.text) || !COMMON_OPENERS.test(word.text);
const COMMON_OPENERS =
  /(?:s|ed|ing|ly|tion|ment|ness|ity)$|^(?:police|inflation|parliament|government|former|new|old|people|turnout)$/;

function isName(text: string, word: Word, known: ReadonlySet<string>): boolean {
  const key = word.text;
  const raw = text.slice(word.start, word.end);
  return (
    known.has(key) ||
    lists().countries.has(key) ||
    lists().aliases.has(key) ||
    /^\p{Lu}{2,}s?$/u.test(raw) ||
    (/\p{Ll}\p{Lu}/u.test(raw) && raw.length > 2)
  );
}

function endOfRun(text: string, spoken: readonly Word[], from: number): number {
  let last = from;
  for (let at = from + 1; at < spoken.length; at += 1) {
    const gap = text.slice(spoken[at - 1]!.end, spoken[at]!.start);
    if (!/^(?:[ \u00a0-]|\. )$/.test(gap) || isPossessive(text, spoken[at - 1]!.end)) break;
    if (beginsName(text, spoken, at)) last = at;
    else if (!lists().connectors.has(spoken[at]!.text) || at - last > 2) break;
  }
  // "and" joins two names more often than it is part of one.
  for (let at = from + 1; at <= last; at += 1)
    if (spoken[at]!.text === "and" || spoken[at]!.text === "for") return at - 1;
  return last;
}

function namedBetween(text: string, spoken: readonly Word[], first: number, last: number): Name | undefined {
  let from = first;
  while (from < last && (lists().titles.has(spoken[from]!.text) || lists().connectors.has(spoken[from]!.text)))
    from += 1;
  const run = spoken.slice(from, last + 1);
  const key = canonical(keyBetween(spoken, from, last), text.slice(run[0]!.start, run.at(-1)!.end));
  if (!key || (run.length === 1 && lists().titles.has(run[0]!.text))) return undefined;
  // "US$", "F-35": parts of an amount or of a model's name.
  if (/^(?:\$|-?\d)/.test(text.slice(run.at(-1)!.end))) return undefined;
  const { start } = run[0]!;
  const end = run.at(-1)!.end;
  return { text: text.slice(start, end), start, end, key };
}

function canonical(key: string, raw: string): string | undefined {
  // "who" and "us" are names only in capitals.
  if ((key === "who" || key === "us") && raw !== raw.toUpperCase()) return undefined;
  return lists().aliases.get(key) ?? key;
}

/** The name behind a folded word or phrase that is a known alias ("kenyan" → "kenya"). */
export const aliasOf = (folded: string): string | undefined => lists().aliases.get(folded);

/** Whether a folded name is a country's, by Unicode's English list (CLDR). */
export const isCountry = (folded: string): boolean => lists().countries.has(folded);

/** Whether two keys name the same: equal, surname and full name, or acronym and full form. */
export function sameName(a: string, b: string): boolean {
  if (a === b) return true;
  const [shorter, longer] = a.length < b.length ? [a.split(" "), b.split(" ")] : [b.split(" "), a.split(" ")];
  if (shorter.length === 1) {
    const word = shorter[0]!;
    if (longer.length > 1 && (longer.at(-1) === word || longer[0] === word) && word.length > 2) return true;
    return (
      longer.length > 1 &&
      word ===
        longer
          .filter((part) => !lists().connectors.has(part))
          .map((part) => part[0])
          .join("")
    );
  }
  return shorter.every((part) => longer.includes(part));
}
