import type { Query } from "../records/documents.ts";
import type { Actor, Membership } from "./access.ts";

/**
 * Which fields of a record stand for the problem set and the compartments it lies in; `id` where the record is the set
 * itself.
 */
export interface Barrier {
  set: string;
  compartments?: string;
  /**
   * Who sees records that lie in no problem set: whom one of these equalities lets, in fields that only such records
   * have. Nobody, without it.
   */
  outside?: (actor: Actor) => readonly Readonly<Record<string, string>>[];
}

type Memberships = NonNullable<Actor["memberships"]>;
const NONE: Memberships = Object.freeze({});
const NOWHERE: readonly string[] = Object.freeze([]);

/** What memberships let their holder see: the sets, and all compartments of them together. */
interface Sight {
  sets: readonly string[];
  held: readonly string[];
  among: ReadonlySet<string>;
}
const sights = new WeakMap<Memberships, Sight>();

/** Computed once for each memberships object, which never changes; frozen to make sure of that. */
function sightOf(memberships: Memberships): Sight {
  let sight = sights.get(memberships);
  if (!sight) {
    const all = Object.values(memberships);
    const among = new Set(all.flatMap(({ compartments }) => Object.freeze(compartments)));
    for (const membership of all) Object.freeze(membership);
    const sets = Object.freeze(Object.keys(Object.freeze(memberships)));
    sights.set(memberships, (sight = { sets, held: Object.freeze([...among]), among }));
  }
  return sight;
}

/**
 * The part of an actor that matters for one record, so that a query behind the barrier stays as short as the record's
 * own place; it never widens what they see.
 */
export function asFarAs(
  barrier: Barrier,
  actor: Actor | undefined,
  record: Record<string, unknown>,
): Actor | undefined {
  if (!actor?.memberships || actor.omniscient) return actor;
  const set = String(record[barrier.set]);
  if (!Object.hasOwn(actor.memberships, set)) return { ...actor, memberships: NONE };
  const lies = (barrier.compartments && (record[barrier.compartments] as readonly string[] | undefined)) || [];
  const theirs = actor.memberships[set]!;
  // Nothing is asked of the other sets, of which there can be thousands.
  if (!lies.length) return { ...actor, memberships: reducedTo(theirs, set, NOWHERE) };
  const { among } = sightOf(actor.memberships);
  const held = lies.filter((id) => among.has(id));
  return { ...actor, memberships: reducedTo(theirs, set, held) };
}

/** Memberships reduced to one set: outside of all compartments, where most records lie, and inside of those met last. */
const outside = new WeakMap<Membership, Memberships>();
const inside = new WeakMap<Membership, Memberships>();

/** A membership reduced to its set and these compartments; kept, since what it lets see is computed once for each. */
function reducedTo(membership: Membership, set: string, compartments: readonly string[]): Memberships {
  const kept = compartments.length ? inside : outside;
  let found = kept.get(membership);
  if (!found || !Object.hasOwn(found, set) || !isSame(found[set]!.compartments, compartments))
    kept.set(membership, (found = { [set]: { ...membership, compartments } }));
  return found;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** The one problem set that a query is held to, if it is, at its top or in an `$and`. */
function setIn(query: Query, field: string): string | undefined {
  const value = query[field];
  if (typeof value === "string") return value;
  const parts = query["$and"];
  return Array.isArray(parts)
    ? (parts as Query[]).map((part) => setIn(part, field)).find((found) => found !== undefined)
    : undefined;
}

/**
 * The part of a query that keeps an actor on their side of the information barriers: the record's problem set is one of
 * theirs, and they are read into every compartment it lies in, whatever their role. Compartment ids are unique across
 * sets. Where `query`, which it will stand beside, is held to one set, only that set is asked about: a shorter
 * question. Compartments count whichever set they belong to, since what a child inherits lies in compartments of its
 * parent.
 */
export function behind(barrier: Barrier | undefined, actor: Actor | undefined, query: Query = {}): Query {
  if (!barrier || actor?.omniscient) return {};
  const field = barrier.set === "id" ? "_id" : barrier.set;
  const one = setIn(query, field);
  const memberships = actor?.memberships ?? NONE;
  const { sets, held } = sightOf(memberships);
  const $in = one === undefined ? sets : Object.hasOwn(memberships, one) ? [one] : [];
  const inside = barrier.compartments
    ? { [field]: { $in }, [barrier.compartments]: { $not: { $elemMatch: { $nin: held } } } }
    : { [field]: { $in } };
  const outside = barrier.outside && actor && one === undefined ? barrier.outside(actor) : [];
  // The query already asks for records outside all sets, so that no set needs to be looked through.
  if (outside.some((equalities) => Object.entries(equalities).every(([name, value]) => query[name] === value)))
    return {};
  return outside.length ? { $or: [inside, ...outside] } : inside;
}

/** The same question asked of a record in hand. */
export function sees(barrier: Barrier | undefined, actor: Actor | undefined, record: Record<string, unknown>): boolean {
  if (!barrier || actor?.omniscient) return true;
  const memberships = actor?.memberships ?? {};
  if (barrier.outside && actor && record[barrier.set] === undefined)
    return barrier
      .outside(actor)
      .some((equalities) => Object.entries(equalities).every(([field, value]) => record[field] === value));
  if (!Object.hasOwn(memberships, String(record[barrier.set]))) return false;
  return readInto(
    actor,
    ((barrier.compartments ? record[barrier.compartments] : []) as readonly string[] | undefined) ?? [],
  );
}

/**
 * Whether somebody is read into all of these, through whichever set each belongs to: what a child inherits lies in
 * compartments of its parent.
 */
export const readInto = (actor: Pick<Actor, "memberships"> | undefined, compartments: readonly string[]): boolean =>
  compartments.every((id) => sightOf(actor?.memberships ?? NONE).among.has(id));

/** A record made from several lies in the union of their compartments. */
export const unionOfCompartments = (records: readonly { compartments?: readonly string[] }[]): string[] =>
  [...new Set(records.flatMap((record) => record.compartments ?? []))].sort();
