import type { Hit } from "./words/phrases.ts";
import type { Word } from "./words/words.ts";

/**
 * Hits of lists whose words stand there as the lists mean them. Hyphens separate words, so that "has-been" would be
 * found in "has been": where a list is `exact`, the hyphens of its terms must stand in the text, and one at the
 * beginning of a term ("-happy") stands for any word before it. What lies within a hit of the list `spared` means
 * something else there ("crushed limbs").
 */
export function asMeant<Label extends string>(
  hits: readonly Hit<Label>[],
  text: string,
  spoken: readonly Word[],
  { spared, exact }: { spared: Label; exact(label: Label): boolean },
): Hit<Label>[] {
  const elsewhere = hits.filter(({ label }) => label === spared);
  return hits.flatMap((hit) => {
    if (elsewhere.some(({ first, last }) => first <= hit.first && hit.last <= last)) return [];
    if (!exact(hit.label) || !hit.term.includes("-")) return [hit];
    const before = hit.term.startsWith("-") ? spoken[hit.first - 1] : undefined;
    const whole = before ? { ...hit, start: before.start, first: hit.first - 1 } : hit;
    return hyphens(text.slice(whole.start, whole.end)) >= hyphens(hit.term) ? [whole] : [];
  });
}

/** Hyphens between two letters. */
const hyphens = (text: string): number => text.match(/[-‐‑](?=\p{L})/gu)?.length ?? 0;
