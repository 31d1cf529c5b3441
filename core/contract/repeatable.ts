import type { Caller } from "../access/caller.ts";
import { derivedId, newId } from "../ids.ts";

/**
 * A call that may be carried out again after a kill, under one idempotency key or as one step of the mesh's own work:
 * it makes nothing twice.
 */
export class Repeatable {
  /** Names the call. */
  readonly seed: string;
  readonly #made = new Map<string, number>();

  constructor(seed: string) {
    this.seed = seed;
  }

  /**
   * Names the next thing of a kind that the call makes. Counting is by kind, so that a repetition that makes fewer of
   * one kind, having found some, still comes to the same names for the others.
   */
  next(kind: string): string {
    const nth = this.#made.get(kind) ?? 0;
    this.#made.set(kind, nth + 1);
    return `${this.seed}/${kind}/${nth}`;
  }
}

/** The id of the next record of a kind made on a call's behalf: in a repetition the same again. */
export const nextId = ({ locals: { repeatable } }: Caller, kind: string): string =>
  repeatable ? derivedId(repeatable.next(kind)) : newId();
