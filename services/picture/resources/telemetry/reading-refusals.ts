import { LARGEST, type Series } from "./series.ts";

/** Ahead of our clock by more than this nothing was measured. */
export const AHEAD_US = 300_000_000;
export const LONGEST_TEXT = 200;

export const READING_REFUSALS = [
  "NOT_FOUND",
  "FORBIDDEN",
  "ARCHIVED",
  "BAD_KEY",
  "BAD_TIME",
  "AHEAD",
  "TOO_OLD",
  "BAD_VALUE",
  "WRONG_TYPE",
  "WRONG_UNIT",
  "OUT_OF_RANGE",
] as const;
export type Code = (typeof READING_REFUSALS)[number];
export interface RefusedReading {
  index: number;
  code: Code;
  message: string;
}

interface Against {
  declared: Series | undefined;
  /** How long readings are kept. */
  days: number;
}

function rangeOf({ minimum, maximum }: Partial<Pick<Series, "minimum" | "maximum">>): string {
  if (minimum === undefined) return `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

const TYPES: Readonly<Record<Series["type"], string>> = { number: "numbers", boolean: "true or false", text: "texts" };

const WORDS: Readonly<Record<Code, (against: Against) => string>> = {
  NOT_FOUND: () => "There is no such resource that you see.",
  FORBIDDEN: () => "You may not report for this resource.",
  ARCHIVED: () => "Its problem set is archived and takes nothing any more.",
  BAD_KEY: () =>
    "A key is a letter from a to z, then such letters, digits, dots, dashes and underscores: at most 64 in all.",
  BAD_TIME: () =>
    "This is no moment: ISO 8601 with an offset, such as `2026-07-01T12:00:00Z`, or milliseconds since 1970.",
  AHEAD: () => `This lies more than ${AHEAD_US / 60_000_000} minutes in the future.`,
  TOO_OLD: ({ days }) => `This is older than the ${days} days that readings are kept.`,
  BAD_VALUE: () =>
    `A value is a number up to ${LARGEST}, true or false, or a text of at most ${LONGEST_TEXT} characters.`,
  WRONG_TYPE: ({ declared }) => `Its series takes ${TYPES[declared!.type]}.`,
  WRONG_UNIT: ({ declared }) => `Its series is in ${declared!.unit}.`,
  OUT_OF_RANGE: ({ declared }) =>
    `Its series takes numbers ${rangeOf(declared!)}${declared!.unit === undefined ? "" : ` ${declared!.unit}`}.`,
};

/** Why a reading is refused, in a sentence. */
export const wordsOf = (code: Code, against: Against): string => WORDS[code](against);
