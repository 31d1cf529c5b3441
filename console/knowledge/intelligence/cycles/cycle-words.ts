import type { Data, ListRow } from "../../../api/client.ts";

export type NewsCycle = ListRow<"GET /strategic-agents/cycles">;
export type CyclePhase = NewsCycle["phase"];
export type CycleStop = ListRow<"GET /strategic-agents/checkpoints">;
export type CycleBegun = Data<"POST /strategic-agents/cycle">;

export const PHASES: readonly (readonly [CyclePhase, string, what: string])[] = [
  ["direction", "Direction", "The question is turned into searches."],
  ["collection", "Collection", "The news are searched, and what is found is kept in the problem set."],
  ["processing", "Processing", "The stories that are best reported are chosen."],
  ["analysis", "Analysis", "Their reports are compared: who says so, who says otherwise."],
  ["dissemination", "Dissemination", "What came of it is put up for review."],
];
export const phaseWords = (phase: CyclePhase): string => PHASES.find(([one]) => one === phase)![1];

export const CYCLE_STATES: Readonly<
  Record<NewsCycle["status"], { words: string; tone: "info" | "warn" | "good" | "plain" | "bad" }>
> = {
  running: { words: "is at work", tone: "info" },
  waiting: { words: "waits for a person", tone: "warn" },
  completed: { words: "is complete", tone: "good" },
  stopped: { words: "was stopped", tone: "plain" },
  failed: { words: "failed", tone: "bad" },
};

/** How far back the news are searched, in hours. */
export const SPANS: readonly (readonly [string, string])[] = [
  ["24", "the last day"],
  ["168", "the last week"],
  ["720", "the last month"],
  ["8760", "the last year"],
];
