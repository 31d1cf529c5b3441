import { crc32 } from "node:zlib";
import { DuplicateKey, type Collection, type Doc, type Query } from "../documents.ts";
import { conflict, type Problem } from "../../problem.ts";

/** At most so many records of one owner, however many ask at once and on whatever nodes. */
export interface Most {
  count: number;
  /** The fields that name the owner; a record that lacks one of them is not counted. They never change. */
  per: readonly string[];
  refusal: (count: number) => Problem;
}

/** The field of a bounded record that holds its place: a unique index gives each of an owner's places to one record. */
export const PLACE = "_place";

const named = (owner: readonly unknown[], place: number): string => `${JSON.stringify(owner)} ${place}`;
const numberOf = (name: string): number => Number(name.slice(name.lastIndexOf(" ")));

type Bounded = Pick<Collection, "find" | "findById" | "insert" | "count">;

/**
 * Places are tried without looking, so that a record costs the same however many the owner holds; reading all of them
 * would be dear.
 */
const FEW = 500;
const TRIES = 16;
/** Owners whose records are all known to have places; records from before the bound existed never come back. */
const MOST_KNOWN = 10_000;

/**
 * Holds `Most`: a new record takes one of the owner's numbered places, which the unique index gives away once, as a
 * compare-and-set would; it is free again when the record goes, by whatever way. Records from before the bound have
 * none, and are counted beside.
 */
export class Places {
  readonly #most: Most;
  readonly #collection: Bounded;
  readonly #name: string;
  readonly #known = new Set<string>();

  constructor(most: Most, collection: Bounded, name: string) {
    this.#most = most;
    this.#collection = collection;
    this.#name = name;
  }

  /**
   * Throws the refusal where an owner has no room for so many more. Only `insert` holds the bound; this spares work
   * done in vain.
   */
  async demandRoom(owner: Query, more: number): Promise<void> {
    const { count, refusal } = this.#most;
    if ((await this.#collection.count({ query: owner })) + more > count) throw refusal(count);
  }

  /**
   * Inserts a new record in a free place. Throws the refusal where there is none, DuplicateKey where the record itself
   * is there.
   */
  async insert(doc: Doc): Promise<Doc> {
    const { count, per } = this.#most;
    const owner = per.map((field) => doc[field] as unknown);
    if (owner.includes(undefined)) return this.#collection.insert(doc);
    const tries = count > FEW && this.#known.has(JSON.stringify(owner)) ? TRIES : 0;
    for (let attempt = 0; attempt < tries; attempt++) {
      const made = await this.#take(doc, owner, crc32(`${doc._id} ${attempt}`) % count);
      if (made) return made;
    }
    // A lost place was taken by another record: after as many losses as there are places, they are changing hands.
    for (let attempt = 0; attempt <= count; attempt++) {
      const free = await this.#free(doc, owner);
      const made = await this.#take(doc, owner, free[crc32(`${doc._id} ${attempt}`) % free.length]!);
      if (made) return made;
    }
    throw conflict("Others of this kind are being made and removed all the time; try again.");
  }

  /** The record in that place; undefined where another has it. */
  async #take(doc: Doc, owner: readonly unknown[], place: number): Promise<Doc | undefined> {
    try {
      return await this.#collection.insert({ ...doc, [PLACE]: named(owner, place) });
    } catch (error) {
      if (!(error instanceof DuplicateKey) || !error.fields.includes(PLACE)) throw error;
      return undefined;
    }
  }

  async #free(doc: Doc, owner: readonly unknown[]): Promise<number[]> {
    const { count, per, refusal } = this.#most;
    const query = Object.fromEntries(per.map((field, at) => [field, owner[at]]));
    const held = await this.#collection.find({ query, fields: [PLACE], limit: count + 1 });
    const taken = new Set(held.flatMap((one) => (one[PLACE] === undefined ? [] : numberOf(one[PLACE] as string))));
    const placed = count - (held.length - taken.size);
    if (placed === count) this.#know(owner);
    const free: number[] = [];
    if (held.length < count) for (let place = 0; place < placed; place++) if (!taken.has(place)) free.push(place);
    if (free.length) return free;
    // A repetition of the request that made the last one finds it.
    if (await this.#collection.findById(doc._id)) throw new DuplicateKey(this.#name, ["_id"]);
    throw refusal(count);
  }

  #know(owner: readonly unknown[]): void {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.add(JSON.stringify(owner));
  }
}
