import { ACTION_CLASSES, AUTONOMY, SAFETY, type ActionClass, type SafetyVerdict } from "../../../../config/safety.ts";

/** A level of autonomy, and what the safety matrix allows at it for each class. */
export interface AutonomyLevel {
  level: number;
  version: number;
  name: string;
  meaning: string;
  verdicts: Record<ActionClass, SafetyVerdict>;
}

const VERSION = 2;
const WORDS = [
  ["A person does it", "It looks and says; what changes something a person decides, act by act."],
  ["It proposes", "It prepares acts, and a person decides each that changes something."],
  ["It acts, a person watches", "What it may do it does by itself, as long as it has read no texts by others."],
  ["It acts within limits", "As before, but of what others rely on, less is left to it."],
  ["It acts alone", "Nobody watches: most of what others rely on, it must not touch."],
] as const;

/** From this autonomy on the agent acts; below it proposes. */
const ACTING = 2;
const harmless = (safety: ActionClass): boolean => ACTION_CLASSES.indexOf(safety) <= ACTION_CLASSES.indexOf("analyse");

/** The best verdict for an agent of a level: with full authority, and no foreign text in its context. */
const verdictOf = (safety: ActionClass, level: (typeof AUTONOMY)[number]): SafetyVerdict => {
  const verdict = SAFETY[safety].verdicts[level];
  return verdict === "allow" && !harmless(safety) && level < ACTING ? "approve" : verdict;
};

export const LEVELS: readonly AutonomyLevel[] = AUTONOMY.map((level) => ({
  level,
  version: VERSION,
  name: WORDS[level][0],
  meaning: WORDS[level][1],
  verdicts: Object.fromEntries(
    ACTION_CLASSES.map((safety) => [safety, verdictOf(safety, level)]),
  ) as AutonomyLevel["verdicts"],
}));
