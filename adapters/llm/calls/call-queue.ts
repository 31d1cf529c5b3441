import { LlmError } from "../errors.ts";

/** A pass must be given back exactly once. */
export type Pass = () => void;
export interface CallQueue {
  enter(signal?: AbortSignal): Promise<Pass>;
  /** The number of waiting callers. */
  waiting(): number;
}

const LONGEST_QUEUE = 256;

/** Admits `width` callers at once, the others wait in order; a full queue refuses instead of growing. */
export function gate(width: number): CallQueue {
  let free = width;
  const queue: (() => void)[] = [];

  function pass(): Pass {
    let used = false;
    return () => {
      if (used) return;
      used = true;
      const next = queue.shift();
      if (next) next();
      else free += 1;
    };
  }

  return {
    waiting: () => queue.length,
    enter(signal) {
      if (signal?.aborted) return Promise.reject(aborted());
      if (free > 0) {
        free -= 1;
        return Promise.resolve(pass());
      }
      if (queue.length >= LONGEST_QUEUE) {
        return Promise.reject(
          new LlmError("rate-limited", "Too many questions wait for the model.", { retryAfterMs: 1000 }),
        );
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal?.removeEventListener("abort", leave);
          resolve(pass());
        };
        const leave = () => {
          queue.splice(queue.indexOf(enter), 1);
          reject(aborted());
        };
        signal?.addEventListener("abort", leave, { once: true });
        queue.push(enter);
      });
    },
  };
}

export const aborted = () => new LlmError("aborted", "The question to the model was called off.");
