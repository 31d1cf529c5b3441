import type { Actor } from "../../core/access/access.ts";

/** Keys in one question at most. */
const MOST_TOGETHER = 100;
/** How long a lookup that nobody waits for lets others join it. */
const PATIENCE_MS = 250;

type Account = Omit<Actor, "via">;

/** The holder of a key, the key's id, and its scopes. */
export interface KeyHolder {
  userId: string;
  id: string;
  limits: readonly string[];
}

export interface KeyLookups {
  /** The holder of each key; null where it is nobody's, or no longer valid. */
  holders(credentials: readonly string[]): Promise<(KeyHolder | null)[]>;
  /** What a person may do now; null for nothing. */
  account(userId: string): Promise<Account | null>;
}

type Waiting = PromiseWithResolvers<Actor | null>;

/**
 * Looks up holders of keys: one call for all keys of one turn of the event loop, and one for each person, since each
 * call and each read from the store costs more than the answer itself.
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
   * The holder of a key. `patiently`: nobody waits for the answer, so others may join first. Fails as the lookup does.
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
