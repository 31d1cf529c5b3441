/** The steps to a new agent, in their order. */
export const STEPS = [
  ["start", "What it is"],
  ["abilities", "What it can do"],
  ["freedom", "How much is left to it"],
  ["manner", "How it works"],
  ["check", "Look, and make it"],
] as const;
export type StepId = (typeof STEPS)[number][0];

const FIRST: StepId = "start";
export const stepOf = (path: string | undefined): StepId => STEPS.find(([id]) => id === path)?.[0] ?? FIRST;
export const wordsOfStep = (step: StepId): string => STEPS.find(([id]) => id === step)![1];
/** The step before or after; undefined at the ends. */
export const stepBeside = (step: StepId, by: 1 | -1): StepId | undefined =>
  STEPS[STEPS.findIndex(([id]) => id === step) + by]?.[0];
