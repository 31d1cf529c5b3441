import type { Steps } from "../../../../../core/work/turns.ts";

/**
 * Average-linkage clustering (as in retrospective event detection: Yang, Pierce & Carbonell 1998): the two clusters whose
 * members' mean evidence for each other is greatest become one, as long as that is above what is asked for.
 */
export class Clusters {
  readonly #absent: number;
  readonly #members: number[][];
  /** Of each cluster by each other its pairs' evidence above `#absent`; an emptied one has none. */
  readonly #sums: Map<number, number>[];
  readonly #nearest: Int32Array;
  readonly #means: Float64Array;

  /** `absent`: the evidence of a pair of which nothing is said. */
  constructor(count: number, absent: number) {
    this.#absent = absent;
    this.#members = Array.from({ length: count }, (_, at) => [at]);
    this.#sums = Array.from({ length: count }, () => new Map());
    this.#nearest = new Int32Array(count);
    this.#means = new Float64Array(count);
  }

  /** Half of the evidence of a pair: each of the two says so once. */
  add(one: number, other: number, evidence: number): void {
    this.favour(one, other, (evidence - this.#absent) / 2);
  }

  /** Adds to the evidence of a pair, whether or not anything else is said of it. */
  favour(one: number, other: number, by: number): void {
    this.#sums[one]!.set(other, (this.#sums[one]!.get(other) ?? 0) + by);
    this.#sums[other]!.set(one, (this.#sums[other]!.get(one) ?? 0) + by);
  }

  /** A step is a join, or a look at one. */
  *joined(least: number): Steps<number[][]> {
    for (let at = 0; at < this.#members.length; at++) {
      this.#look(at);
      yield;
    }
    for (;;) {
      let best = 0;
      for (let at = 1; at < this.#means.length; at++) if (this.#means[at]! > this.#means[best]!) best = at;
      if (!(this.#means[best]! > least)) break;
      this.#join(best, this.#nearest[best]!);
      yield;
    }
    return this.#members.filter(({ length }) => length > 0);
  }

  /** Finds the nearest of a cluster. */
  #look(at: number): void {
    let [nearest, most] = [at, -Infinity];
    const size = this.#members[at]!.length;
    for (const [other, sum] of this.#sums[at]!) {
      const mean = this.#absent + sum / (size * this.#members[other]!.length);
      if (mean > most) [nearest, most] = [other, mean];
    }
    this.#nearest[at] = nearest;
    this.#means[at] = most;
  }

  #join(into: number, from: number): void {
    this.#members[into]!.push(...this.#members[from]!);
    this.#members[from] = [];
    const [kept, gone] = [this.#sums[into]!, this.#sums[from]!];
    kept.delete(from);
    for (const [other, sum] of gone) {
      if (other === into) continue;
      const all = sum + (kept.get(other) ?? 0);
      kept.set(other, all);
      this.#sums[other]!.set(into, all).delete(from);
    }
    gone.clear();
    this.#look(into);
    this.#look(from);
    for (const at of kept.keys()) this.#meet(at, into, from);
  }

  /** The nearest of a cluster once another one has grown: looked for anew where it was one of the two. */
  #meet(at: number, into: number, from: number): void {
    const known = this.#nearest[at];
    if (known === into || known === from) return this.#look(at);
    const mean = this.#absent + this.#sums[at]!.get(into)! / (this.#members[at]!.length * this.#members[into]!.length);
    if (mean > this.#means[at]!) [this.#nearest[at], this.#means[at]] = [into, mean];
  }
}
