import { may, type Actor } from "../access/access.ts";
import type { Reference } from "../access/person-reference.ts";
import type { Clock } from "../clock.ts";

/** A person, in the problem set that they are asked about; without one whoever asks may see them anywhere. */
export interface Asked {
  person: string;
  problemSetId?: string | undefined;
}
/** What these persons are called, in their order; null where that is not told. */
export type AskNames = (asked: readonly Asked[]) => Promise<readonly (string | null)[]>;

/** Another name, and the end of a membership, are seen this much later. */
const REMEMBERED_MS = 2_000;
const MOST_REMEMBERED = 10_000;

/** What persons are called, for answers: one question for all that an answer names, few of them twice in a while. */
export class PersonNames {
  readonly #clock: Clock;
  readonly #ask: AskNames;
  readonly #remembered = new Map<string, { name: string | null; at: number }>();

  constructor(clock: Clock, ask: AskNames) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Puts names beside ids: of the reader, of who is in a problem set with them, and of all for who administers users. */
  async complete(references: readonly Reference[], actor: Actor): Promise<void> {
    const wanted = new Map<string, Asked>();
    const keys = references.map((reference) => {
      const asked = askedBy(reference, actor);
      const key = asked && `${asked.problemSetId ?? ""} ${asked.person}`;
      if (key && !this.#isRemembered(key)) wanted.set(key, asked);
      return key;
    });
    if (wanted.size) await this.#learn(wanted);
    for (const [at, { within, field }] of references.entries()) {
      const name = keys[at] && this.#remembered.get(keys[at])?.name;
      if (name) within[field] = name;
    }
  }

  #isRemembered(key: string): boolean {
    const kept = this.#remembered.get(key);
    return kept !== undefined && Math.abs(this.#clock.now() - kept.at) < REMEMBERED_MS;
  }

  async #learn(wanted: ReadonlyMap<string, Asked>): Promise<void> {
    // An answer without names is better than none.
    const names = await this.#ask([...wanted.values()]).catch(() => null);
    if (this.#remembered.size + wanted.size > MOST_REMEMBERED) this.#remembered.clear();
    const at = this.#clock.now();
    for (const [n, key] of [...wanted.keys()].entries())
      if (names) this.#remembered.set(key, { name: names[n] ?? null, at });
      else this.#remembered.delete(key);
  }
}

function askedBy({ person, problemSetId }: Reference, actor: Actor): Asked | undefined {
  if (person.startsWith("system:")) return undefined;
  if (person === actor.userId || may(actor, "users:administer")) return { person };
  if (problemSetId === undefined || !Object.hasOwn(actor.memberships ?? {}, problemSetId)) return undefined;
  return { person, problemSetId };
}
