import { plain } from "./language.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

// Unicode's rules (UAX #29) end a sentence at "Dr. Smith"; these words before a full stop do not end one.
const ABBREVIATIONS = new Set(`mr mrs ms dr prof rev hon sr jr st mt ft gen col lt maj capt cmdr sgt adm gov sen rep pres dep min supt insp det
  vs etc approx est dept inc ltd corp co bros no nos vol fig art sec ch pp eq jan feb mar apr jun jul aug sep sept oct nov dec
  mon tue wed thu fri sat sun al cf eg ie viz resp bzw ca nr str bld mme mlle sra sig`.split(/\s+/));

/** The word before a full stop at the end, with the initials that follow in it ("U.S", "e.g"); undefined where there is none. */
function lastWord(text: string): string | undefined {
  const told = text.trimEnd();
  if (!told.endsWith(".")) return undefined;
  const parts = told.slice(0, -1).split(/[^\p{L}\d.]/u).at(-1)!.split(".");
  let first = parts.length - 1;
  while (first > 0 && parts[first - 1] !== "" && /^\p{L}$/u.test(parts[first]!)) first -= 1;
  return parts.slice(first).join(".") || undefined;
}

/** Whether the text up to here ends in an abbreviation or an initial, so that what follows belongs to the same sentence. */
function endsOpen(text: string, next: string): boolean {
  const last = lastWord(text);
  if (!last) return false;
  if (/^\p{Lu}$/u.test(last)) return true;
  if (/^(?:\p{L}\.)+\p{L}$/u.test(last)) return /^(?:\p{Ll}|\d)/u.test(next);
  const lower = last.toLowerCase();
  // "No. 7" is a number, "no." ends many a sentence; months and "Co." need something that goes on.
  if (/^(?:nos?|fig|art|sec|vol|ch|pp|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/.test(lower)) return /^\d/.test(next);
  if (/^(?:inc|ltd|corp|co|etc|al|jr|sr|bros|mon|tue|wed|thu|fri|sat|sun)$/.test(lower)) return /^\p{Ll}/u.test(next);
  return ABBREVIATIONS.has(lower);
}

/** A quotation that is still going on, or a lower-case continuation after "!" inside quotes ("Stop!" she said). */
const continues = (next: string): boolean => /^[\p{Ll}]/u.test(next) || /^[)\]”’"',;]/.test(next);

/** Lines of hard-wrapped text belong together; a line that ends a sentence, or is followed by a new beginning, ends a paragraph. */
function paragraphs(text: string): string[] {
  const joined: string[] = [];
  let open = false;
  for (const line of text.split(/\r\n?|\n|\u2028|\u2029/)) {
    const clean = plain(line);
    if (open && /^\p{Ll}/u.test(clean)) joined[joined.length - 1] += ` ${clean}`;
    else if (clean) joined.push(clean);
    open = clean !== "" && !/[.!?…:;。！？]["'”’)\]]*$/.test(clean);
  }
  return joined;
}

/** News tells what matters first: what stands below these characters is not read. */
const READ_CHARACTERS = 8_000;

/** The first `most` sentences of the beginning of a text, each a verbatim piece of it with white space collapsed. */
export function sentencesOf(text: string, most: number): string[] {
  const found = split(text.slice(0, READ_CHARACTERS), most);
  // The cut may stand inside "3.5" or a word: the piece before it is no sentence.
  return text.length > READ_CHARACTERS && found.length < most ? found.slice(0, -1) : found;
}

function split(text: string, most: number): string[] {
  const found: string[] = [];
  for (const paragraph of paragraphs(text)) {
    let held = "";
    for (const { segment } of segmenter.segment(paragraph)) {
      if (held && !endsOpen(held, segment) && !continues(segment)) {
        found.push(held.trim());
        if (found.length === most) return found;
        held = "";
      }
      held += segment;
    }
    if (held.trim()) found.push(held.trim());
    if (found.length >= most) return found.slice(0, most);
  }
  return found;
}

const BOILERPLATE = new RegExp([
  "^(?:photo|image|picture|video|file photo|watch|related|advertisement)\\b",
  "^(?:read more|read also|see also|subscribe|sign up|follow us|share this|click here|continue reading)\\b",
  "\\b(?:newsletter|all rights reserved|cookie policy|terms of use|appeared first on|subscribe (?:now|to)|download (?:our|the) app)\\b",
  "^(?:reporting|editing|writing) by\\b", "©", "\\[(?:…|\\.\\.\\.)\\]", "(?:…|\\.\\.\\.)$",
].join("|"), "i");
const ENDED = /[.!?。！？]["'”’»)\]]*$/;

/** Whether a sentence can stand alone in a briefing: whole, of readable length (30 to 420 characters), not page furniture. */
export const quotable = (sentence: string): boolean =>
  sentence.length >= 30 && sentence.length <= 420 && ENDED.test(sentence) && !/^\p{Ll}/u.test(sentence) && !BOILERPLATE.test(sentence);

// "HARWICH, March 3 (Coastal Wire) - Two ships ..." and "PARIS (AFP) — ...": agencies begin so; the place is kept by the story's text.
const DATELINE = /^\p{Lu}[\p{Lu}\p{M} .,'’/-]{2,40}?(?:,? \p{L}+\.? \d{1,2})?(?: \([^()]{2,30}\))? ?(?:--|[-–—]) (?=\p{Lu}|["“])/u;
const BYLINE = /^\([^()]{2,30}\) ?(?:--|[-–—]) (?=\p{Lu}|["“])/u;

/** A sentence without the agency's dateline in front: what is left is still verbatim. */
export const withoutDateline = (sentence: string): string => sentence.replace(DATELINE, "").replace(BYLINE, "");

// Words that point outside the sentence: torn out of its place the reader cannot know whom or what they mean.
const opening = (...words: string[]): RegExp => new RegExp(`^(?:${words.join("|")})\\b`, "i");
const POINTS_BACK = opening(
  "he|she|they|it|this|that|these|those|his|her|their|its|such|both|there|here|then|another",
  "the (?:latter|former|move|decision|announcement|agency|company|firm|group|pair|two|three)",
);
const LEANS_ON = opening(
  "but|and|so|however|meanwhile|also|still|yet|instead|moreover|furthermore|in addition|additionally|nevertheless|besides|therefore|thus",
  "as a result|for example|for instance|by contrast|separately|earlier|later|afterwards|asked",
);

/** How well a sentence is understood out of its context, 0..1: the weight of a candidate in the extraction. */
export function standing(sentence: string): number {
  let weight = 1;
  if (POINTS_BACK.test(sentence)) weight *= 0.35;
  if (LEANS_ON.test(sentence)) weight *= 0.5;
  if (/^["“'‘«]/.test(sentence)) weight *= 0.5;
  if (/\?["'”’)]*$/.test(sentence)) weight *= 0.3;
  if (/\b(?:I|my|me|we|our|us)\b/.test(sentence.replace(/["“][^"“”]*["”]/g, ""))) weight *= 0.4;
  if (/:\/\/|\bwww\.|@|[#*_|~`]{1,3}\s|!\[|<\/?\w/.test(sentence)) weight *= 0.3;
  if (sentence.length < 50 || sentence.length > 300) weight *= 0.7;
  return weight;
}
