import { setTimeout } from "node:timers/promises";
import { isConflict } from "../problem.ts";

/** How often a change is tried that others of its kind stand in the way of. */
export const MOST_ATTEMPTS = 6;
const WAIT_MS = 20;

/**
 * Waits before the next attempt (`attempt` counts from 1) at what another's attempt stood in the way of: milliseconds of random
 * number, up to twice as many each time. Two who raise each other's revision as witnesses (`store.witness`) both fail, and would
 * again if both came back at once; so one of them is alone.
 */
export const stepAside = (attempt: number): Promise<void> => setTimeout(Math.random() * WAIT_MS * 2 ** attempt);

/** Tries a change that reads, calls a witness and writes, and tries again where another was first. Throws the last conflict (409). */
export async function contend<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (!isConflict(error) || attempt === MOST_ATTEMPTS) throw error;
      await stepAside(attempt);
    }
  }
}
