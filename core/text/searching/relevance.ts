import { terms } from "../words/terms.ts";

const K1 = 1.2;
const B = 0.75;

/** BM25 (Robertson and Zaragoza 2009) of each text for a question, in the order of the texts. */
export const rank = (question: string, texts: readonly string[]): number[] =>
  rankTerms(
    terms(question),
    texts.map((text) => terms(text)),
  );

/** As `rank`, for terms that were already extracted. */
export function rankTerms(question: readonly string[], documents: readonly (readonly string[])[]): number[] {
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const counts = documents.map((document) => Map.groupBy(document, (term) => term));
  const asked = [...new Set(question)];
  const weights = asked.map((term) => {
    const holding = counts.filter((count) => count.has(term)).length;
    return Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
  });
  return counts.map((count, at) => {
    const norm = K1 * (1 - B + (B * documents[at]!.length) / (mean || 1));
    return asked.reduce((sum, term, n) => {
      const found = count.get(term)?.length ?? 0;
      return sum + (weights[n]! * found * (K1 + 1)) / (found + norm);
    }, 0);
  });
}
