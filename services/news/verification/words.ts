import functionWords from "../../../data/lexicons/function-words.json" with { type: "json" };
import irregularForms from "../../../data/lexicons/irregular-forms.json" with { type: "json" };

/** A word of a text: `text` is folded (lower case, no accents, plain apostrophe); `start` and `end` are offsets into the original. */
export interface Word {
  text: string;
  start: number;
  end: number;
  /** Begins with a capital letter. */
  capital: boolean;
}

// A number with its separators, an abbreviation with inner points (U.S.), or letters with inner apostrophes.
const WORD = /\d+(?:[.,]\d+)*|\p{L}(?:\.\p{L})+(?!\p{L})|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

/** The words of a text in order; what stands between words (punctuation, symbols) is not lost: offsets lead to it. */
export function words(text: string): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    const folded = fold(raw);
    found.push({ text: folded, start: match.index, end: match.index + raw.length, capital: isCapital(raw) });
  }
  return found;
}

/** Lower case, accents off (NFKD without marks), typographic apostrophe made plain. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return /^[\x20-\x7e]*$/.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}/gu, "").replace(/’/g, "'");
}

function isCapital(raw: string): boolean {
  const code = raw.charCodeAt(0);
  if (code < 128) return code >= 65 && code <= 90;
  return /^\p{Lu}/u.test(raw);
}

const STOP: ReadonlySet<string> = new Set(functionWords.stop);
const REPORTING: ReadonlySet<string> = new Set(functionWords.reporting);
const IRREGULAR = new Map<string, string>(Object.entries(irregularForms.forms));

export const isFunctionWord = (folded: string): boolean => STOP.has(folded);
/** Words of the frame "X said that": they carry little when two sentences are compared. */
export const isReportingWord = (folded: string): boolean => REPORTING.has(folded);

/** By its ending or as an irregular form; a participle used as an adjective passes too. */
export const isPastVerb = (folded: string): boolean => folded.length > 3 && (folded.endsWith("ed") || (IRREGULAR.has(folded) && !folded.endsWith("s")));

const MOST_REMEMBERED = 50_000;
const remembered = new Map<string, string>();

/** The stem of a folded word. Light on purpose (plural, -ed, -ing, final e): "prices" and "price" meet, "organ" and "organise" do not. */
export function stem(folded: string): string {
  const known = remembered.get(folded);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const result = stemOf(folded);
  remembered.set(folded, result);
  return result;
}

function stemOf(folded: string): string {
  const word = folded.endsWith("'s") ? folded.slice(0, -2) : folded;
  if (/^\d/.test(word)) return word;
  const base = IRREGULAR.get(word);
  if (base !== undefined) return withoutFinalE(base);
  return withoutFinalE(withoutVerbEnding(withoutMent(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (word.length < 4 || !word.endsWith("s")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

/** "settlement" meets "settle". */
const withoutMent = (word: string) => word.length > 8 && word.endsWith("ment") ? word.slice(0, -4) : word;

function withoutVerbEnding(word: string): string {
  if (word.endsWith("eed")) return word.length > 5 ? word.slice(0, -1) : word;
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  const bare = word.endsWith("ing") ? word.slice(0, -3) : word.endsWith("ed") ? word.slice(0, -2) : word;
  if (bare === word || bare.length < 3 || !/[aeiouy]/.test(bare)) return word;
  // "stopped" → "stop", but "passed" → "pass" and "killed" → "kill".
  return /([^aeiouylsz])\1$/.test(bare) ? bare.slice(0, -1) : bare;
}

const withoutFinalE = (word: string) => word.length > 3 && word.endsWith("e") && !word.endsWith("ee") ? word.slice(0, -1) : word;
