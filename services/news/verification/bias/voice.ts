import { isQuoted, type Reading } from "../../../../core/text/reading.ts";
import type { Span } from "./analysis.ts";

/**
 * Where the writer's own voice is heard, apart from the choice of words: in questions, exclamations, and in taking
 * sides with "us".
 */
export interface Voice {
  cries: Span[];
  questions: Span[];
  reader: Span[];
  ours: Span[];
}

const MARKS: readonly (readonly [keyof Voice, RegExp, string])[] = [
  ["cries", /!/g, "rule/exclamation"],
  ["questions", /\?/g, "rule/question"],
  ["reader", /(?<![\p{L}'’])(?:you|your|yours|yourself)(?!\p{L})/giu, "rule/addresses-the-reader"],
  ["ours", /(?<![\p{L}'’])(?:our|ours|we|us|my)(?!\p{L})/gu, "rule/speaks-for-us"],
];

/** Outside direct speech only: quoted people may ask and exclaim. */
export function voiceOf(title: Reading, body: Reading): Voice {
  const voice: Voice = { cries: [], questions: [], reader: [], ours: [] };
  for (const [field, read] of [
    ["title", title],
    ["text", body],
  ] as const)
    for (const [kind, pattern, lexicon] of MARKS)
      for (const { index, 0: text } of read.text.matchAll(pattern))
        if (!isQuoted(read, index)) voice[kind].push({ text, start: index, end: index + text.length, lexicon, field });
  return voice;
}

/** The points of one mark of each kind, and how many marks count. */
const WORTH: Record<keyof Voice, number> = { cries: 3, questions: 5, reader: 2, ours: 7 };
const COUNTED = 2;
const MOST_POINTS = 20;

export const voicePoints = (voice: Voice): number =>
  Math.min(
    MOST_POINTS,
    (Object.keys(WORTH) as (keyof Voice)[]).reduce(
      (sum, kind) => sum + WORTH[kind] * Math.min(COUNTED, voice[kind].length),
      0,
    ),
  );
