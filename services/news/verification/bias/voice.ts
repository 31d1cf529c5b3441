import { isQuoted, type Reading } from "../../../../core/text/reading.ts";
import type { Span as Extent } from "../../../../core/text/words/words.ts";
import type { Span } from "./analysis.ts";
import { isWithin } from "./attribution.ts";

/**
 * Where the writer's own voice is heard, apart from the choice of words: in questions, exclamations, commands, spoken
 * forms, sentences of a word or two, words held up in quotation marks, and in taking sides with "us".
 */
export interface Voice {
  cries: Span[];
  questions: Span[];
  reader: Span[];
  ours: Span[];
  commands: Span[];
  spoken: Span[];
  fragments: Span[];
  heldUp: Span[];
}

/** Verbs that stand at the beginning of a sentence when a reader is told what to think: no "read more", no names, no nouns. */
const COMMAND =
  /^(?:Forget|Imagine|Remember|Think|Wake|Stop|Sack|Throw|Kick|Brace|Behold|Let|Don['’]t|Grab|Give|Spare|Buckle|Cue|Kneel|Hands off|Shame on|Enough of|Make (?:no|them|it|him|her|sure)|Lock (?:them|him|her|up)|Ban (?:them|it|this)|Believe (?:me|it)|Blame (?:the|it|them)|Call (?:it|them|me)|Fight (?:back|for)|Hang (?:them|your)|Mark my|Picture (?:this|it|the)|Read on|Rise up|Say (?:goodbye|hello|what)|Spread the|Stock up|Tell (?:them|him|her|that)|Take (?:that|back)|Trust (?:me|them|nobody)|Watch out)(?![\p{L}-])/u;
const FEWEST_WORDS = 3;

const MARKS: readonly (readonly [keyof Voice, RegExp, string])[] = [
  ["cries", /!/g, "rule/exclamation"],
  ["questions", /\?/g, "rule/question"],
  ["reader", /(?<![\p{L}'’])(?:you|your|yours|yourself)(?!\p{L})/giu, "rule/addresses-the-reader"],
  ["ours", /(?<![\p{L}'’])(?:our|ours|we|us|my)(?!\p{L})/gu, "rule/speaks-for-us"],
  [
    "spoken",
    /(?<=\p{L})(?:n['’]t|['’](?:re|ve|ll|d|m))(?!\p{L})|(?<!\p{L})(?:it|that|let|here|there|what|who|he|she)['’]s(?!\p{L})/giu,
    "rule/spoken-form",
  ],
  [
    "heldUp",
    /(?<=(?<!\p{L})(?:the|its|their|his|her|our|these|those|this|that|of|such|so-called|\p{L}+['’]s|\p{Ll}+ing)\s+)["“]\p{Ll}[^"”.,!?]{1,30}["”](?=\s+\p{Ll})/gu,
    "rule/held-up-in-quotation-marks",
  ],
];

/** Outside direct speech only: quoted people may ask and exclaim; nor where somebody else's words are passed on. */
export function voiceOf(title: Reading, body: Reading, passedOn: readonly Extent[]): Voice {
  const voice: Voice = {
    cries: [],
    questions: [],
    reader: [],
    ours: [],
    commands: [],
    spoken: [],
    fragments: [],
    heldUp: [],
  };
  const isTheirs = (reading: Reading, kind: keyof Voice, at: number): boolean =>
    kind === "heldUp" ? reading === body && isWithin(passedOn, at) : isQuoted(reading, at);
  for (const [field, read] of [
    ["title", title],
    ["text", body],
  ] as const)
    for (const [kind, pattern, lexicon] of MARKS)
      for (const { index, 0: text } of read.text.matchAll(pattern))
        if (!isTheirs(read, kind, index))
          voice[kind].push({ text, start: index, end: index + text.length, lexicon, field });
  for (const { text, start, end, words } of body.sentences) {
    if (isQuoted(body, start)) continue;
    const [command] = COMMAND.exec(text) ?? [];
    if (command) voice.commands.push(span(command, start, start + command.length, "rule/commands-the-reader"));
    if (words.length < FEWEST_WORDS && /^\p{L}[^\d:]*[.!?]$/u.test(text))
      voice.fragments.push(span(text, start, end, "rule/fragment"));
  }
  return voice;
}

const span = (text: string, start: number, end: number, lexicon: string): Span => ({
  text,
  start,
  end,
  lexicon,
  field: "text",
});

/** The points of one mark of each kind, and how many marks count. */
const WORTH: Record<keyof Voice, number> = {
  cries: 3,
  questions: 5,
  reader: 2,
  ours: 7,
  commands: 6,
  spoken: 5,
  fragments: 5,
  heldUp: 5,
};
const COUNTED = 2;
const MOST_POINTS = 24;

export const voicePoints = (voice: Voice): number =>
  Math.min(
    MOST_POINTS,
    (Object.keys(WORTH) as (keyof Voice)[]).reduce(
      (sum, kind) => sum + WORTH[kind] * Math.min(COUNTED, voice[kind].length),
      0,
    ),
  );
