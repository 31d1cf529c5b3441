import { isChecked } from "../../../../core/text/statements/speech/checked.ts";
import { takesBack } from "../../../../core/text/statements/speech/errata.ts";
import { plain } from "../../../../core/text/plain.ts";
import { sentenceSpans } from "../../../../core/text/words/sentences.ts";

/** News tells what matters first: what stands below these characters is not read. */
const READ_CHARACTERS = 8_000;

/** The first `most` sentences of the beginning of a text, each a verbatim piece of it with white space collapsed. */
export function sentencesOf(text: string, most: number): string[] {
  const read = text.slice(0, READ_CHARACTERS);
  const found: string[] = [];
  for (const { start, end } of sentenceSpans(read)) {
    // The cut may stand inside "3.5" or a word: the piece before it is no sentence.
    if (found.length === most || (end === read.length && read.length < text.length)) break;
    const sentence = plain(read.slice(start, end));
    if (sentence) found.push(sentence);
  }
  return found;
}

const BOILERPLATE = new RegExp(
  [
    "^(?:photo|image|picture|video|file photo|watch|related|advertisement)\\b",
    "^(?:read more|read also|see also|subscribe|sign up|follow us|share this|click here|continue reading)\\b",
    "\\b(?:newsletter|all rights reserved|cookie policy|terms of use|appeared first on|subscribe " +
      "(?:now|to)|download (?:our|the) app)\\b",
    "^(?:reporting|editing|writing) by\\b",
    "^\\((?:reporting|editing|writing|additional reporting) ",
    "©",
    // Marks of Markdown: torn out of their place they are noise.
    "^(?:#{1,6}|>|[*+]) |\\*\\*|__|`|\\]\\(",
    "\\[(?:…|\\.\\.\\.)\\]",
    "(?:…|\\.\\.\\.)$",
  ].join("|"),
  "i",
);
/** What a press release says of whoever sent it. */
const OF_ITS_SENDER = /^(?:About \p{Lu}[\p{L}\p{N}&.,'’ -]{0,40}|(?:Media|Press) contacts?|Notes to editors):/u;
const ENDED = /[.!?。！？]["'”’»)\]]*$/;

const QUOTED = /["“«„][^"“”«»„]*["”»]/g;
/** Who speaks of himself outside a quotation tells no news; where miners work is news. */
const OF_MYSELF = /(?<!\p{L})(?:I|[Mm]y|me|myself|of mine(?! \p{L}))(?!\p{L})/u;

/** A quotation that was opened or ended in another sentence. */
const isTorn = (sentence: string): boolean =>
  (sentence.match(/"/g) ?? []).length % 2 === 1 ||
  (sentence.match(/“/g) ?? []).length !== (sentence.match(/”/g) ?? []).length;

/**
 * Whether a sentence can stand alone in a briefing: whole, of readable length (30 to 420 characters), not page
 * furniture.
 */
export const quotable = (sentence: string): boolean =>
  sentence.length >= 30 &&
  sentence.length <= 420 &&
  ENDED.test(sentence) &&
  !/^\p{Ll}/u.test(sentence) &&
  !isTorn(sentence) &&
  !OF_ITS_SENDER.test(sentence) &&
  !takesBack(sentence) &&
  !isChecked(sentence) &&
  !OF_MYSELF.test(sentence.replace(QUOTED, "")) &&
  !BOILERPLATE.test(sentence);

// "HARWICH, March 3 (Coastal Wire) - Two ships ..." and "PARIS (AFP) — ...": agencies begin so; the place is kept by
// the story's text.
const AGENCY_DATELINE = /^\p{Lu}{2}[^()\n]{1,50} \([^()]{2,40}\) ?(?:--|[-–—]) (?=\p{Lu}|["“])/u;
const DATELINE =
  /^\p{Lu}[\p{Lu}\p{M} .,'’/-]{2,40}?(?:,? \p{L}+\.? \d{1,2})?(?: \([^()]{2,30}\))? ?(?:--|[-–—]) (?=\p{Lu}|["“])/u;
const BYLINE = /^\([^()]{2,30}\) ?(?:--|[-–—]) (?=\p{Lu}|["“])/u;

/** A sentence without the agency's dateline in front: what is left is still verbatim. */
export const withoutDateline = (sentence: string): string =>
  sentence.replace(AGENCY_DATELINE, "").replace(DATELINE, "").replace(BYLINE, "");

// Words that point outside the sentence: torn out of its place the reader cannot know whom or what they mean.
const opening = (...words: string[]): RegExp => new RegExp(`^(?:${words.join("|")})\\b`, "i");
const POINTS_BACK = opening(
  "he|she|they|it|this|that|these|those|his|her|their|its|such|both|there|here|then|another",
  "the (?:latter|former|move|decision|announcement|agency|company|firm|group|pair|two|three)",
);
const LEANS_ON = opening(
  "but|and|so|however|meanwhile|also|still|yet|instead|moreover|furthermore|in " +
    "addition|additionally|nevertheless|besides|therefore|thus",
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
