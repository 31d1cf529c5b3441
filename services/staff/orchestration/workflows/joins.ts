import type { StepOutcome } from "./definitions.ts";
import type { Graph } from "./graph.ts";

/** The fate of a step: its outcome, skipped, or cancelled. `begun`: it has not ended. */
export type Fate = StepOutcome | "failed" | "skipped" | "cancelled" | "begun";
export type EdgeState = "unknown" | "taken" | "skipped";

const isOpen = (fate: Fate | undefined): boolean => fate === undefined || fate === "begun";

/** An edge is unknown until the step that it comes from has ended; then it is taken, or skipped. */
export const edgeState = (fate: Fate | undefined, on: StepOutcome): EdgeState =>
  isOpen(fate) ? "unknown" : fate === on ? "taken" : "skipped";

/**
 * The state machine of one scope: which steps may begin, which are skipped, and which are cancelled because a join
 * needs no more of them. Its state follows from the fates of steps alone, in whatever order they arrive.
 */
export class Joins {
  readonly #graph: Graph;
  readonly #fates = new Map<string, Fate>();
  /** Steps that may begin now. */
  readonly ready = new Set<string>();
  /** Steps that had begun and are no longer needed: each is returned once. */
  readonly left: string[] = [];

  /** `fates`: those known before. */
  constructor(graph: Graph, fates: Iterable<readonly [string, Fate]> = []) {
    this.#graph = graph;
    for (const [id, fate] of fates) this.#fates.set(id, fate);
    for (const id of graph.order) this.#look(id);
    this.#cancelUseless();
  }

  fate(id: string): Fate | undefined {
    return this.#fates.get(id);
  }
  get fates(): ReadonlyMap<string, Fate> {
    return this.#fates;
  }
  /** Whether nothing is left to do. */
  get isOver(): boolean {
    return this.#graph.order.every((id) => !isOpen(this.#fates.get(id)));
  }

  begin(id: string): void {
    if (!this.ready.delete(id)) throw new TypeError(`${id} may not begin.`);
    this.#fates.set(id, "begun");
    if (this.#isFirst(id)) this.#cancelUseless();
  }

  /** A step that had begun has ended; a cancelled one stays cancelled. Answers whether the fate counts. */
  end(id: string, fate: Exclude<Fate, "begun">): boolean {
    if (this.#fates.get(id) !== "begun") return false;
    this.#settle(id, fate);
    return true;
  }

  #isFirst(id: string): boolean {
    return this.#graph.steps.get(id)!.join === "first";
  }

  #settle(id: string, fate: Fate): void {
    this.#fates.set(id, fate);
    for (const next of this.#graph.outOf.get(id)!) this.#look(next);
  }

  #look(id: string): void {
    if (this.#fates.has(id) || this.ready.has(id)) return;
    const edges = this.#graph.into.get(id)!.map(({ from, on }) => edgeState(this.#fates.get(from), on));
    const isTaken = edges.length === 0 || edges.includes("taken");
    if (this.#isFirst(id) ? isTaken : isTaken && !edges.includes("unknown")) this.ready.add(id);
    else if (edges.every((edge) => edge === "skipped")) this.#settle(id, "skipped");
  }

  /** Cancels steps that lead only to joins which began without them; follows from the fates alone, in any order. */
  #cancelUseless(): void {
    const { outOf, order } = this.#graph;
    for (const id of order.toReversed()) {
      const next = outOf.get(id)!;
      if (!next.length || !isOpen(this.#fates.get(id)) || !next.every((step) => this.#fates.has(step))) continue;
      if (this.#fates.get(id) === "begun") this.left.push(id);
      this.ready.delete(id);
      this.#fates.set(id, "cancelled");
    }
  }
}
