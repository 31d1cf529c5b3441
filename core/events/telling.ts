import type { Fact } from "./event.ts";
import { beyondHolds } from "../work/hold.ts";

/** Tells one subscriber of facts, all of which it has when this resolves. */
export type TellAll = (action: string, facts: readonly Fact[]) => Promise<unknown>;

interface Waiting {
  fact: Fact;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Facts that one call tells at most. */
const MOST_TOGETHER = 100;

/**
 * Tells subscribers that take many facts at once: those that are to be told in one turn of the loop, as a group commit
 * leaves them, go in one call. Where that fails each is told alone, so that one which is not taken holds up no other.
 */
export class TellingTogether {
  readonly #tell: TellAll;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(tell: TellAll) {
    this.#tell = tell;
  }

  /** Resolves when the subscriber has the fact. */
  tell(action: string, fact: Fact): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(action);
      if (others) return void others.push({ fact, resolve, reject });
      this.#waiting.set(action, [{ fact, resolve, reject }]);
      // The first caller tells for all of them, so that the work must not run under its lease alone.
      beyondHolds(() => setImmediate(() => this.#flush(action)));
    });
  }

  #flush(action: string): void {
    const waiting = this.#waiting.get(action)!;
    this.#waiting.delete(action);
    for (let at = 0; at < waiting.length; at += MOST_TOGETHER)
      void this.#send(action, waiting.slice(at, at + MOST_TOGETHER));
  }

  async #send(action: string, some: readonly Waiting[]): Promise<void> {
    try {
      const answer = await this.#tell(
        action,
        some.map(({ fact }) => fact),
      );
      for (const { resolve } of some) resolve(answer);
    } catch (error) {
      if (some.length === 1) some[0]!.reject(error);
      else for (const one of some) void this.#send(action, [one]);
    }
  }
}
