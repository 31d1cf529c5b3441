import { z } from "zod";
import type { Permit } from "../../access/access.ts";
import { invalidTransition } from "../../problem.ts";

export interface Move<State extends string> {
  from: readonly State[];
  to: State;
  permit: Permit;
  summary: string;
  /** Fields of the body that the move stores on the record (a reason, a justification). */
  body?: z.ZodRawShape;
  /** The field that keeps who made the move. */
  by?: string;
  /** Fields that hold no longer after the move. */
  clears?: readonly string[];
  /** Neither of the two documents names it. */
  beyond?: true;
  description?: string;
}

/** A state machine as a table. Each move becomes `POST /:id/<move>`; the store applies it by compare-and-set. */
export function lifecycle<const S extends readonly [string, ...string[]], M extends Record<string, Move<S[number]>>>(
  states: S,
  moves: M,
) {
  for (const [name, move] of Object.entries(moves)) {
    const unknown = [...move.from, move.to].find((state) => !states.includes(state));
    if (unknown)
      throw new TypeError(`The move ${name} names the state ${unknown}, which is not one of ${states.join(", ")}.`);
  }
  return { states, initial: states[0], moves, field: z.enum(states).default(states[0] as never) };
}

export interface Lifecycle {
  states: readonly string[];
  initial: string;
  moves: Record<string, Move<string>>;
}

/** Throws 409 INVALID_TRANSITION, naming the state and the states from which the move is possible. */
export function refuseUnless(from: readonly string[], state: string, move: string): void {
  if (!from.includes(state)) throw invalidTransition(move, state, from);
}
