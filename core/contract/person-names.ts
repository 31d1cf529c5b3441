import { may, type Actor } from "../access/access.ts";
import type { Reference } from "../access/person-reference.ts";
import type { Clock } from "../clock.ts";

/** A person, in the problem set that they are asked about; without one whoever asks may see them anywhere. */
export interface PersonInSet {
  person: string;
  problemSetId?: string | undefined;
}
/** What these persons are called, in their order; null where that is not told. */
export type AskNames = (asked: readonly PersonInSet[]) => Promise<readonly (string | null)[]>;

/** A changed name, and the end of a membership, are seen at most this much later. */
const REMEMBERED_MS = 2_000;
const MOST_REMEMBERED = 10_000;

/**
 * Names of persons for answers: one question for all that an answer names, and few persons asked about twice in a
 * while.
 */
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
    const seesAll = may(actor, "users:administer");
    const now = this.#clock.now();
    const groups = Map.groupBy(references, ({ person, problemSetId }) => `${problemSetId ?? ""} ${person}`);
    const shown: { key: string; references: readonly Reference[] }[] = [];
    const wanted = new Map<string, PersonInSet>();
    for (const group of groups.values()) {
      const asked = askedBy(group[0]!, actor, seesAll);
      if (!asked) continue;
      const key = `${asked.problemSetId ?? ""} ${asked.person}`;
      shown.push({ key, references: group });
      if (!this.#isRemembered(key, now)) wanted.set(key, asked);
    }
    if (wanted.size) await this.#learn(wanted);
    for (const { key, references: named } of shown) {
      const name = this.#remembered.get(key)?.name;
      if (name) for (const one of named) putIn(one, name);
    }
  }

  /** Forgets the names of these persons, or all; answers how many. */
  drop(fits: (person: string) => boolean = () => true): number {
    const keys = [...this.#remembered.keys()].filter((key) => fits(key.slice(key.indexOf(" ") + 1)));
    for (const key of keys) this.#remembered.delete(key);
    return keys.length;
  }

  #isRemembered(key: string, now: number): boolean {
    const kept = this.#remembered.get(key);
    return kept !== undefined && Math.abs(now - kept.at) < REMEMBERED_MS;
  }

  async #learn(wanted: ReadonlyMap<string, PersonInSet>): Promise<void> {
    // An answer without names is better than none.
    const names = await this.#ask([...wanted.values()]).catch(() => null);
    if (this.#remembered.size + wanted.size > MOST_REMEMBERED) this.#remembered.clear();
    const at = this.#clock.now();
    for (const [n, key] of [...wanted.keys()].entries())
      if (names) this.#remembered.set(key, { name: names[n] ?? null, at });
      else this.#remembered.delete(key);
  }
}

function putIn({ within, field, person, texts = [] }: Reference, name: string): void {
  within[field] = name;
  if (!person.startsWith("did:")) return;
  for (const text of texts) text.within[text.field] = String(text.within[text.field]).replaceAll(person, name);
}

function askedBy({ person, problemSetId }: Reference, actor: Actor, seesAll: boolean): PersonInSet | undefined {
  if (person.startsWith("system:")) return undefined;
  // Whose a DID is, only the problem set knows.
  if (person === actor.userId || (seesAll && !person.startsWith("did:"))) return { person };
  if (problemSetId === undefined) return undefined;
  if (!seesAll && !Object.hasOwn(actor.memberships ?? {}, problemSetId)) return undefined;
  return { person, problemSetId };
}
