import { setTimeout } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { isOvertaken } from "../problem.ts";

/** Of several who change one record at once one succeeds each time, so that this many can get through. */
const MOST_ATTEMPTS = 100;
/** Attempts where there are pauses: few contend there, and the longest pause doubles each time. */
const MOST_PAUSED = 8;
const PAUSE_MS = 20;

interface Retrying {
  /** What is tried again after; by default a write whose record another changed since it was read. */
  when?: (error: unknown) => boolean;
  attempts?: number;
  /**
   * Names what is changed, for changes that call a witness (`store.witness`): two who raise each other's revision both
   * fail. How long each pauses follows from the name, so that they come back one after the other.
   */
  apart?: string;
}

/**
 * Tries a change that reads, decides and writes, and tries it again where another was first. `attempt` counts from 1.
 * Throws the last conflict.
 */
export async function retryOnConflict<T>(change: (attempt: number) => Promise<T>, how: Retrying = {}): Promise<T> {
  const { when = isOvertaken, apart, attempts = apart === undefined ? MOST_ATTEMPTS : MOST_PAUSED } = how;
  for (let attempt = 1; ; attempt++) {
    try {
      return await change(attempt);
    } catch (error) {
      if (!when(error) || attempt >= attempts) throw error;
      if (apart !== undefined) await setTimeout(crc32(`${apart} ${attempt}`) % (PAUSE_MS * 2 ** attempt));
    }
  }
}
