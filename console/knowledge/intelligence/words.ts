import type { ListRow } from "../../api/client.ts";

/** What reports say of one statement, weighed. */
export type ComparedReports = ListRow<"GET /strategic-agents/fused">;
export type ComparedReport = ComparedReports["reports"][number];
type ComparisonState = ComparedReports["status"];

export const COMPARISON_STATES: Readonly<Record<ComparisonState, string>> = {
  draft: "draft",
  in_review: "waits for review",
  approved: "approved",
  rejected: "rejected",
  superseded: "replaced by a newer one",
};
export const STATE_TONES = {
  draft: "plain",
  in_review: "warn",
  approved: "good",
  rejected: "bad",
  superseded: "plain",
} as const satisfies Record<ComparisonState, string>;

/** What a report says of the statement. */
export const STANCES = {
  support: { words: "says so", tone: "good" },
  contradict: { words: "says otherwise", tone: "bad" },
  neutral: { words: "takes no side", tone: "plain" },
  unrelated: { words: "says nothing of it", tone: "plain" },
} as const satisfies Record<ComparedReport["stance"], unknown>;

/** Letters of the Admiralty code (AJP-2.1). */
const RELIABILITY: Readonly<Record<ComparedReport["reliability"], string>> = {
  A: "completely reliable",
  B: "usually reliable",
  C: "fairly reliable",
  D: "not usually reliable",
  E: "unreliable",
  F: "cannot be judged yet",
};
export const sourceWords = (reliability: ComparedReport["reliability"]): string =>
  `${reliability}: ${RELIABILITY[reliability]}`;

/** As a sentence on the statement: "It is likely". */
export const likelihoodSentence = (words: ComparedReports["likelihood"]["words"]): string =>
  words === "almost no chance"
    ? "There is almost no chance that it is so"
    : words === "roughly even chance"
      ? "It may be so or not: a roughly even chance"
      : `It is ${words} that it is so`;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Where a report has its page; what an open source brought has none. */
export function reportPlace({ kind, ref }: ComparedReport, setId: string): string | undefined {
  if (kind === "document") return `/workspace/${setId}/documents/${ref}`;
  return kind === "article" ? `/news/articles/${ref}` : undefined;
}

/** Lines of a field, each for itself. */
export const linesOf = (text = ""): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
