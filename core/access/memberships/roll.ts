import { hash } from "node:crypto";
import type { Actor, Membership } from "../access.ts";

export type Memberships = NonNullable<Actor["memberships"]>;
/** What came of memberships by problem set; null where there is none any more. */
export type Changes = Readonly<Record<string, Membership | null>>;

/** Of a membership and its set, once for each: what did not change is the same object in the next roll. */
const digests = new WeakMap<Membership, string>();

function digestOf(id: string, membership: Membership): string {
  let digest = digests.get(membership);
  if (digest === undefined) {
    const { role, permits, compartments, archived } = membership;
    digest = hash("sha256", JSON.stringify([id, role, permits, compartments, archived === true]), "base64url");
    digests.set(membership, digest);
  }
  return digest;
}

/** Where an id is among these, which are in order, or would be. */
function placeOf(ids: readonly string[], id: string): number {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ids[middle]! < id) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Ids of problem sets in order, and what each membership hashes to. */
interface Pages {
  ids: readonly string[];
  digests: readonly string[];
}

function turned(before: Pages, changes: Changes): Pages {
  const [ids, all] = [[...before.ids], [...before.digests]];
  for (const [id, membership] of Object.entries(changes)) {
    const at = placeOf(ids, id);
    const known = ids[at] === id ? 1 : 0;
    ids.splice(at, known, ...(membership ? [id] : []));
    all.splice(at, known, ...(membership ? [digestOf(id, membership)] : []));
  }
  return { ids, digests: all };
}

/**
 * All memberships of a person in one mode, and the hash that stands for them. It follows from everything they say and
 * from nothing else, so that whoever holds it under a hash holds what the hash was made of.
 */
export class Roll {
  readonly memberships: Memberships;
  #pages: Pages | undefined;
  #hash: string | undefined;

  constructor(memberships: Memberships, pages?: Pages) {
    this.memberships = memberships;
    this.#pages = pages;
  }

  get size(): number {
    return this.#pagesOf().ids.length;
  }

  get hash(): string {
    return (this.#hash ??= hash("sha256", this.#pagesOf().digests.join(""), "base64url"));
  }

  /** The roll after changes; this one stays as it is, since it may be under check elsewhere. */
  with(changes: Changes): Roll {
    const after: Record<string, Membership> = { ...this.memberships };
    for (const [id, membership] of Object.entries(changes)) {
      if (membership) after[id] = membership;
      else delete after[id];
    }
    return new Roll(after, this.#pages && turned(this.#pages, changes));
  }

  #pagesOf(): Pages {
    if (this.#pages) return this.#pages;
    const ids = Object.keys(this.memberships).sort();
    return (this.#pages = { ids, digests: ids.map((id) => digestOf(id, this.memberships[id]!)) });
  }
}
