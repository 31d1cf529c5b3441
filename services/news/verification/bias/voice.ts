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

/** Verbs that stand at the beginning of a sentence when a reader is told what to think, and seldom in a report. */
const COMMANDS =
  "Forget|Imagine|Ask|Remember|Think|Look|Read|Wake|Stop|Sack|Ban|Lock|Send|Throw|Kick|Hang|Shame|Brace|Meet|Behold|Call|" +
  "Let|Make|Don['’]t|Never|Grab|Get|Tell|Give|Watch|Listen|Believe|Trust|Mark|Spare|Picture|Hands|Enough|Hold|Spread|" +
  "Share|Demand|Rise|Stand|Fight|Move|Buckle|Cue|Enter|Hail|Praise|Bow|Kneel|Blame|Pass|Say|Stay|Bring|Try|Take that";
const MARKS: readonly (readonly [keyof Voice, RegExp, string])[] = [
  ["cries", /!/g, "rule/exclamation"],
  ["questions", /\?/g, "rule/question"],
  ["reader", /(?<![\p{L}'’])(?:you|your|yours|yourself)(?!\p{L})/giu, "rule/addresses-the-reader"],
  ["ours", /(?<![\p{L}'’])(?:our|ours|we|us|my)(?!\p{L})/gu, "rule/speaks-for-us"],
  ["commands", new RegExp(`(?<=^|[.!?]\\s+)(?:${COMMANDS})(?!\\p{L}|-)`, "gu"), "rule/commands-the-reader"],
  [
    "spoken",
    /(?<=\p{L})(?:n['’]t|['’](?:re|ve|ll|d|m))(?!\p{L})|(?<!\p{L})(?:it|that|let|here|there|what|who|he|she)['’]s(?!\p{L})/giu,
    "rule/spoken-form",
  ],
  ["fragments", /(?<=[.!?]\s+|^)\p{Lu}[\p{L}’'-]*(?:,? \p{Ll}[\p{L}’'-]*)?[.!?](?=\s|$)/gu, "rule/fragment"],
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
  return voice;
}

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
