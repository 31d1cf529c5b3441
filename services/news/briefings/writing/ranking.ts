import { dot, type Vector } from "../stories/vectors.ts";

/**
 * Continuous LexRank (Erkan & Radev 2004): the importance of sentences is the stationary distribution of a walk over
 * their cosine similarities, as TextRank (Mihalcea & Tarau 2004) walks over shared words. The walk restarts at
 * sentences in proportion to `priors` (position, standing, credibility), not uniformly.
 * @returns one rank for each sentence, scaled so that the greatest is 1
 */
export function lexRank(vectors: readonly Vector[], priors: readonly number[], damping = 0.85): number[] {
  const size = vectors.length;
  if (size === 0) return [];
  const total = priors.reduce((sum, prior) => sum + prior, 0);
  const restart = priors.map((prior) => (total > 0 ? prior / total : 1 / size));
  const links = transitions(vectors);
  let ranks = restart;
  for (let round = 0; round < 60; round++) {
    const next = restart.map((share) => (1 - damping) * share);
    for (const [from, row] of links.entries())
      for (const [to, share] of row) next[to]! += damping * share * ranks[from]!;
    const moved = next.reduce((sum, rank, index) => sum + Math.abs(rank - ranks[index]!), 0);
    ranks = next;
    if (moved < 1e-6) break;
  }
  const greatest = Math.max(...ranks);
  return ranks.map((rank) => (greatest > 0 ? rank / greatest : 0));
}

// Below this two sentences share a word by chance.
const LINKED = 0.05;

/** Rows that sum to 1: where the walk goes from each sentence. One that resembles no other stays where it is. */
function transitions(vectors: readonly Vector[]): [number, number][][] {
  const rows: [number, number][][] = vectors.map(() => []);
  for (const [a, vector] of vectors.entries()) {
    for (let b = a + 1; b < vectors.length; b++) {
      const similarity = dot(vector, vectors[b]!);
      if (similarity < LINKED) continue;
      rows[a]!.push([b, similarity]);
      rows[b]!.push([a, similarity]);
    }
  }
  return rows.map((row, index) => {
    const sum = row.reduce((all, [, similarity]) => all + similarity, 0);
    return sum > 0 ? row.map(([to, similarity]) => [to, similarity / sum]) : [[index, 1]];
  });
}

export interface Selection {
  /** How many at most. */
  most: number;
  /** Weight of relevance against novelty, 0..1. */
  lambda?: number;
  /** Cosine from which a sentence says again what is said. */
  redundant?: number;
  /**
   * What the reader has read before (the headline): repeating it counts by half, except for the first sentence, which
   * tells it in full.
   */
  known?: readonly Vector[];
  /** Relevance, relative to the best, below which a further sentence is not worth reading. */
  floor?: number;
}

/**
 * Maximal marginal relevance (Carbonell & Goldstein 1998): takes the sentence that is most relevant and least like
 * those taken.
 * @returns indexes in the order of choice; fewer than `most` when the rest is redundant or weak
 */
export function select(vectors: readonly Vector[], relevance: readonly number[], selection: Selection): number[] {
  const { most, lambda = 0.7, redundant = 0.5, known = [], floor = 0.2 } = selection;
  const chosen: number[] = [];
  const open = new Set(vectors.keys());
  const greatest = Math.max(0, ...relevance);
  while (chosen.length < most) {
    let best = -1;
    let bestScore = -Infinity;
    for (const index of open) {
      const repeats = Math.max(0, ...chosen.map((other) => dot(vectors[index]!, vectors[other]!)));
      const echo = chosen.length === 0 ? 0 : Math.max(0, ...known.map((other) => dot(vectors[index]!, other)));
      if (repeats >= redundant || relevance[index]! < floor * greatest) continue;
      const score = lambda * relevance[index]! - (1 - lambda) * Math.max(repeats, echo / 2);
      if (score > bestScore) {
        best = index;
        bestScore = score;
      }
    }
    if (best < 0) break;
    chosen.push(best);
    open.delete(best);
  }
  return chosen;
}
