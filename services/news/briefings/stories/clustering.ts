import type { Steps } from "../../../../core/work/turns.ts";
import { add, dot, heaviest, type TermWeights, type Vector } from "./vectors.ts";

export interface ClusterOptions {
  /** Average cosine from which two clusters are one. */
  threshold: number;
  /** How many of its heaviest terms a point is looked up by. */
  probes?: number;
  /** How many points that hold a term are compared with the next one that holds it. */
  window?: number;
}

interface Edge {
  a: number;
  b: number;
  similarity: number;
}

/**
 * Pairs worth comparing: two points that share at least two of each other's heaviest terms. An inverted index finds
 * them; each list is read back only over its last `window` entries, so that the work grows with the number of points
 * and not with its square, even where all of them speak of one thing. Between two points it yields nothing, once.
 */
function* candidates(
  vectors: readonly Vector[],
  weights: TermWeights,
  probes: number,
  window: number,
): Generator<[number, number] | undefined> {
  const postings = new Map<string, number[]>();
  for (const [index, vector] of vectors.entries()) {
    const shared = new Map<number, number>();
    for (const [term] of heaviest(vector, probes)) {
      if (weights.frequency(term) < 2) continue;
      const list = postings.get(term) ?? [];
      for (const other of list.slice(-window)) shared.set(other, (shared.get(other) ?? 0) + 1);
      list.push(index);
      postings.set(term, list);
    }
    for (const [other, count] of shared) if (count >= 2) yield [other, index];
    yield undefined;
  }
}

/**
 * Groups unit vectors by average-link agglomeration (Sokal & Michener 1958): the closest pairs are taken first, and
 * their clusters are joined when the mean cosine between all members reaches the threshold. With unit vectors that mean
 * is the dot product of the clusters' sums over the product of their sizes, so no matrix is needed.
 * @returns the indexes of each cluster's points, both in ascending order
 */
export function* cluster(
  vectors: readonly Vector[],
  weights: TermWeights,
  { threshold, probes = 16, window = 40 }: ClusterOptions,
): Steps<number[][]> {
  const edges: Edge[] = [];
  for (const pair of candidates(vectors, weights, probes, window)) {
    if (!pair) {
      yield;
      continue;
    }
    const [a, b] = pair;
    const similarity = dot(vectors[a]!, vectors[b]!);
    if (similarity >= threshold) edges.push({ a, b, similarity });
  }
  edges.sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b);

  const home = vectors.map((_, index) => index);
  const members = vectors.map((_, index) => [index]);
  const sums = vectors.map((vector) => new Map(vector));
  for (const { a, b } of edges) {
    const [keep, give] = [home[a]!, home[b]!].sort((x, y) => x - y) as [number, number];
    if (keep === give) continue;
    if (dot(sums[keep]!, sums[give]!) / (members[keep]!.length * members[give]!.length) < threshold) continue;
    for (const member of members[give]!) home[member] = keep;
    members[keep]!.push(...members[give]!);
    members[give] = [];
    add(sums[keep]!, sums[give]!);
    yield;
  }
  return members.filter((group) => group.length > 0).map((group) => group.sort((x, y) => x - y));
}
