import { cite, type Citation } from "../../../../core/text/citations.ts";
import { sentenceSpans } from "../../../../core/text/words/sentences.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import { fold } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import type { DocumentText } from "../../strategic-tools/client.ts";

export const MOST_POINTS = 8;
const [FEWEST_TERMS, MOST_TERMS] = [4, 45];
/** A sentence with so much in common with one that was chosen says nothing new. */
const SAME = 0.5;
/** What naming an entity of the graph adds, by how central it is; and what standing at the head of a document does. */
const [BY_NAME, AT_HEAD] = [0.6, 0.15];

export interface SummaryPoint {
  text: string;
  citation: Citation;
}
/** A sentence that may go into a summary, and how much it says. */
export interface SentenceCandidate {
  source: DocumentText;
  start: number;
  end: number;
  terms: ReadonlySet<string>;
  score: number;
}

function* candidatesIn(sources: readonly DocumentText[]): Steps<SentenceCandidate[]> {
  const found: SentenceCandidate[] = [];
  for (const source of sources) {
    let nth = 0;
    let at = 0;
    const { frame } = source;
    for (const { start, end } of sentenceSpans(source.text)) {
      yield;
      while (at < frame.length && frame[at]!.end <= start) at += 1;
      if (at < frame.length && frame[at]!.start <= start && end <= frame[at]!.end) continue;
      const inside = new Set(terms(source.text.slice(start, end)));
      // A few words, or a table that runs on, are no sentence.
      if (inside.size < FEWEST_TERMS || inside.size > MOST_TERMS || end - start > 600) continue;
      found.push({ source, start, end, terms: inside, score: nth++ < 3 ? AT_HEAD : 0 });
    }
  }
  return found;
}

const overlap = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let both = 0;
  for (const term of one) if (other.has(term)) both += 1;
  return both / Math.min(one.size, other.size);
};

/**
 * The sentences of documents, first those that say most of what the documents have in common. `names`: those of the
 * graph, and how central each is, 0..1.
 */
export function* weighedIn(
  sources: readonly DocumentText[],
  names: ReadonlyMap<string, number>,
): Steps<SentenceCandidate[]> {
  const candidates = yield* candidatesIn(sources);
  const frequency = new Map<string, number>();
  for (const { terms: inside } of candidates)
    for (const term of inside) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const most = Math.max(1, ...frequency.values());
  for (const candidate of candidates) {
    yield;
    const { source, start, end, terms: inside } = candidate;
    let sum = 0;
    for (const term of inside) sum += Math.log2(1 + frequency.get(term)!) / Math.log2(1 + most);
    candidate.score += sum / inside.size;
    const words = ` ${fold(source.text.slice(start, end))} `;
    let named = 0;
    for (const [name, weight] of names) if (words.includes(name)) named = Math.max(named, weight);
    candidate.score += BY_NAME * named;
  }
  candidates.sort(
    (one, other) =>
      other.score - one.score || (one.source.documentId < other.source.documentId ? -1 : 1) || one.start - other.start,
  );
  return candidates;
}

/**
 * Chooses a summary from sentences in the order of their weight: none twice, and no document gets a third sentence
 * before another one has its share.
 */
export function chosenOf(candidates: readonly SentenceCandidate[]): SentenceCandidate[] {
  const chosen: SentenceCandidate[] = [];
  const each = new Map<string, number>();
  for (const share of [2, MOST_POINTS])
    for (const candidate of candidates) {
      if (chosen.length >= MOST_POINTS) break;
      const { documentId } = candidate.source;
      if (chosen.includes(candidate) || (each.get(documentId) ?? 0) >= share) continue;
      if (chosen.some((one) => overlap(one.terms, candidate.terms) >= SAME)) continue;
      chosen.push(candidate);
      each.set(documentId, (each.get(documentId) ?? 0) + 1);
    }
  return chosen;
}

/** A sentence in its document's own words, cited. */
export function pointOf({ source, start, end }: Pick<SentenceCandidate, "source" | "start" | "end">): SummaryPoint {
  const citation = cite(source, { start, end });
  return { text: onOneLine(citation.quote), citation };
}
export const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
