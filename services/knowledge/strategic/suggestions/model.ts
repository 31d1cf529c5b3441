import { z } from "zod";
import { locate } from "../../../../core/text/locate.ts";
import type { Span } from "../../../../core/text/words/words.ts";
import type { ModelQuestion } from "../../model-questions.ts";
import type { ContainerCandidate, Suggestion } from "./scoring.ts";

/** How far a model may move a score. */
export const REACH = 15;
/** The most containers that a model is shown: those that the heuristics suggest. */
export const MOST_SHOWN = 12;
const MOST_PROMPTED = 8_000;

export const RankingAnswer = z.strictObject({
  ranking: z
    .array(
      z.strictObject({
        container: z.int().min(1),
        quote: z.string().min(1).max(500),
        reason: z.string().max(300),
      }),
    )
    .max(5),
});
export type RankingAnswer = z.output<typeof RankingAnswer>;

/** Asks in which of the containers a document belongs. They are numbered: a model sees no ids. */
export const rankingOf = (text: string, shown: readonly ContainerCandidate[]): ModelQuestion<RankingAnswer> => ({
  name: "containers",
  schema: RankingAnswer,
  maxTokens: 800,
  task: [
    "You say in which of the numbered containers a document belongs, the best first; leave out those that do not fit.",
    "For each give its number, as `quote` the words of the document that show it, exactly as they stand " +
      "there, and the reason in one sentence.",
  ].join("\n"),
  material: ({ quote }) => [
    quote(shown.map(({ name, description = "" }, at) => `${at + 1}. ${name}. ${description}`).join("\n"), "containers"),
    quote(text.slice(0, MOST_PROMPTED), "document"),
  ],
});

export interface Ranked {
  containerId: string;
  points: number;
  reason: string;
  span: Span;
}

/**
 * The accepted parts of a model's ranking: containers that were shown, each once, with words that stand in the
 * document. It moves a score within bounds; a container without a heuristic score is not suggested by it.
 */
export function acceptRanking(answer: RankingAnswer, text: string, shown: readonly ContainerCandidate[]): Ranked[] {
  const seen = new Set<number>();
  return answer.ranking.flatMap(({ container, quote, reason }) => {
    const candidate = shown[container - 1];
    const span = locate(text, quote);
    if (!candidate || !span || span.end <= span.start || seen.has(container)) return [];
    seen.add(container);
    const points = Math.max(3, REACH - 4 * (seen.size - 1));
    return [{ containerId: candidate.id, points, reason: reason.replace(/\s+/g, " ").trim(), span }];
  });
}

/** The suggestions with the model's contribution, the best first. */
export function withRanking(
  suggestions: readonly Suggestion[],
  ranked: readonly Ranked[],
): (Suggestion & { ranked?: Ranked })[] {
  const byContainer = new Map(ranked.map((one) => [one.containerId, one]));
  return suggestions
    .map((suggestion) => {
      const one = byContainer.get(suggestion.containerId);
      return one ? { ...suggestion, score: Math.min(100, suggestion.score + one.points), ranked: one } : suggestion;
    })
    .sort((one, other) => other.score - one.score || (one.containerId < other.containerId ? -1 : 1));
}
