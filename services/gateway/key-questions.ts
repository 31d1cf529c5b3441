import type { Actor } from "../../core/access/access.ts";

/** Keys in one question at most. */
const MOST_TOGETHER = 100;
/** How long a question that nobody waits for lets others join it. */
const PATIENCE_MS = 250;

type Account = Omit<Actor, "via">;

/** Whose a key is, which one it is of theirs, and what it may be used for. */
export interface KeyHolder {
  userId: string;
  id: string;
  limits: readonly string[];
}

export interface KeyLookups {
  /** Who holds each of the keys; null where it is nobody's, or no longer. */
  holders(credentials: readonly string[]): Promise<(KeyHolder | null)[]>;
  /** What a person may do now; null where they may nothing. */
  account(userId: string): Promise<Account | null>;
}

type Waiting = PromiseWithResolvers<Actor | null>;

/**
 * Looks up the holders of keys: one call for all that come in one turn of the event loop, and one for each person,
 * since a call and a look into the store cost more than their answer.
 */
export class KeyQuestions {
  readonly #ask: KeyLookups;
  #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(ask: KeyLookups) {
    this.#ask = ask;
  }

  /**
   * Whose key it is. `patiently`: nobody waits for the answer, so that others may join first. Fails as the question
   * does.
   */
  whose(credential: string, patiently = false): Promise<Actor | null> {
    let waiting = this.#waiting.get(credential);
    if (!waiting) this.#waiting.set(credential, (waiting = Promise.withResolvers()));
    if (patiently && this.#waiting.size < MOST_TOGETHER)
      this.#timer ??= setTimeout(() => this.#flush(), PATIENCE_MS).unref();
    else if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(() => this.#flush());
    }
    return waiting.promise;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
    const waiting = [...this.#waiting];
    this.#waiting = new Map();
    for (let at = 0; at < waiting.length; at += MOST_TOGETHER) void this.#send(waiting.slice(at, at + MOST_TOGETHER));
  }

  async #send(waiting: readonly [credential: string, waiting: Waiting][]): Promise<void> {
    try {
      const holders = await this.#ask.holders(waiting.map(([credential]) => credential));
      const people = new Map<string, Promise<Account | null>>();
      for (const [at, [, { resolve }]] of waiting.entries()) {
        const holder = holders[at];
        if (holder && !people.has(holder.userId)) people.set(holder.userId, this.#ask.account(holder.userId));
        resolve(holder ? people.get(holder.userId)!.then((account) => actorOf(holder, account)) : null);
      }
    } catch (error) {
      for (const [, { reject }] of waiting) reject(error as Error);
    }
  }
}

const actorOf = ({ id, limits }: KeyHolder, account: Account | null): Actor | null =>
  account && { ...account, via: "key", limits, credential: id };
