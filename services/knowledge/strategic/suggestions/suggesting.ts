import type { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { cite, type Citation } from "../../../../core/text/citations.ts";
import { stem } from "../../../../core/text/words/stem.ts";
import { words, type Span } from "../../../../core/text/words/words.ts";
import { askModel } from "../../model-questions.ts";
import type { Text } from "../../documents/client.ts";
import { Container, Filing, Placement } from "../environments/environments.ts";
import { acceptRanking, MOST_SHOWN, rankingOf, withRanking, type Ranked } from "./model.ts";
import { suggest, type Example, type KeptOutDocument, type Suggestion } from "./scoring.ts";
import { countsOf, frequent } from "./stems.ts";
import { Opinion, type SuggestionView } from "./suggestions.ts";

/** How many of the newest placements, and refusals, it learns from, as far as the caller sees them. */
const MOST_PLACEMENTS = 300;
const MOST_REFUSALS = 100;
/** The most words of the document itself that are used. */
const MOST_WORDS = 300;
/** The most words that a contribution cites. */
const MOST_CITED = 6;

interface Lessons {
  examples: Example[];
  refusals: KeptOutDocument[];
}

/** Earlier placements and refusals, as far as the caller sees them. */
async function lessonsOf(host: Host, ctx: Ctx<any>, problemSetId: string): Promise<Lessons> {
  const newest = (limit: number, by: string) => ({ sort: [by], limit });
  const [placements, opinions] = await Promise.all([
    host.store(Placement).find(ctx, { problemSetId }, newest(MOST_PLACEMENTS, "-createdAt")),
    host
      .store(Opinion)
      .find(ctx, { problemSetId, verdict: { $in: ["refused", "passed-over"] } }, newest(MOST_REFUSALS, "-at")),
  ]);
  const ids = [...new Set([...placements, ...opinions].map(({ documentId }) => documentId))];
  const filings = await host.store(Filing).many(ctx, ids);
  const known = new Map(filings.map(({ id, words: counts }) => [id, new Map(counts)]));
  const placed = Map.groupBy(placements, ({ documentId }) => documentId);
  return {
    examples: [...placed].flatMap(([documentId, rows]) => {
      const theirs = known.get(documentId);
      const containerIds = rows.map(({ containerId }) => containerId);
      return theirs?.size ? [{ documentId, containerIds, words: theirs }] : [];
    }),
    refusals: opinions.flatMap(({ documentId, containerId, verdict }) => {
      const theirs = known.get(documentId);
      return theirs ? [{ documentId, containerId, words: theirs, isSaid: verdict === "refused" }] : [];
    }),
  };
}

/** Where the first word of each of these stems stands. */
function spansOf(text: string, stems: readonly string[]): Span[] {
  const wanted = new Set(stems);
  const first = new Map<string, Span>();
  for (const { text: folded, start, end } of words(text)) {
    const one = stem(folded);
    if (wanted.has(one) && !first.has(one)) first.set(one, { start, end });
    if (first.size === wanted.size) break;
  }
  return stems.flatMap((one) => first.get(one) ?? []).slice(0, MOST_CITED);
}

type Readable = Text & { text: string; pages: NonNullable<Text["pages"]> };

/** A model's contribution to the suggestions; empty without a model, or without an accepted answer. */
async function rankedByModel(
  host: Host,
  text: string,
  containers: readonly Container[],
  signal: AbortSignal,
): Promise<Ranked[]> {
  if (!containers.length) return [];
  const { value } = await askModel(host, rankingOf(text, containers), { signal });
  return value ? acceptRanking(value, text, containers) : [];
}

/** Suggests containers for a document from what the caller sees only. */
export async function suggestFor(host: Host, ctx: Ctx<any>, filing: Filing, read: Readable, limit: number) {
  const { id, problemSetId } = filing;
  const { text, pages, version } = read;
  const [{ examples, refusals }, containers] = await Promise.all([
    lessonsOf(host, ctx, problemSetId),
    host.store(Container).find(ctx, { problemSetId }),
  ]);
  const open = containers.filter(({ id: containerId }) => !filing.containerIds.includes(containerId));
  const found = suggest({ id, words: new Map(frequent(countsOf(text), MOST_WORDS)) }, open, examples, refusals);
  const byId = new Map(open.map((container) => [container.id, container]));
  const shown = found.slice(0, MOST_SHOWN).map(({ containerId }) => byId.get(containerId)!);
  const ranked = await rankedByModel(host, text, shown, host.signal(ctx));
  const citing = (span: Span): Citation => cite({ documentId: id, version, text, pages }, span);
  const view = (suggestion: Suggestion & { ranked?: Ranked }): z.output<typeof SuggestionView> => ({
    containerId: suggestion.containerId,
    name: byId.get(suggestion.containerId)!.name,
    score: suggestion.score,
    contributions: [
      ...suggestion.contributions.map(({ stems, documentIds, ...contribution }) => {
        const citations = spansOf(text, stems).map(citing);
        return {
          ...contribution,
          words: citations.map(({ quote }) => quote),
          citations,
          documentIds: [...documentIds],
        };
      }),
      ...(suggestion.ranked ? [modelled(suggestion.ranked, citing)] : []),
    ],
  });
  return {
    method: ranked.length ? ("llm" as const) : ("heuristic" as const),
    suggestions: withRanking(found, ranked).slice(0, limit).map(view),
    learnedFrom: { placements: examples.length, refusals: refusals.length },
  };
}

function modelled({ points, reason, span }: Ranked, citing: (span: Span) => Citation) {
  const citation = citing(span);
  return {
    kind: "model" as const,
    points,
    reason: `The model: ${reason}`,
    words: [citation.quote],
    citations: [citation],
    documentIds: [],
  };
}
