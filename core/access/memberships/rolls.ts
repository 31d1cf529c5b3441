import { isUnserved, overloaded } from "../../problem.ts";
import type { Actor, Membership } from "../access.ts";
import { Roll, type Changes, type Memberships } from "./roll.ts";

/** Whose memberships, and in which mode. */
export interface Whose {
  userId: string;
  training: boolean;
}
/** What somebody holds of a roll: its hash, and the number of the last change of access that it was read after. */
export interface KnownRoll {
  n: number;
  hash: string;
}
/** A roll as it is told: its changes since what the asker knows, or all of it. Of few memberships there is no hash. */
export type RollUpdate = { n: number; hash: string; changes: Changes } | { n: number; hash?: string; all: Memberships };

/** Asks whoever keeps memberships. `all` asks as nodes of older versions do. */
export interface AskRolls {
  since(asked: Whose & { known?: KnownRoll }): Promise<RollUpdate>;
  all(asked: Whose): Promise<Memberships>;
}

/** Fewer memberships than this travel as they are, which is cheaper than keeping them. */
export const FEW = 16;
/** Memberships that a process holds, of all persons together. */
const MOST_HELD = 50_000;

interface Held extends Whose {
  n: number;
  roll: Roll;
}
/** What travels in place of an actor, or of what an account may do: its memberships by the hash of their roll. */
interface Packed {
  userId: string;
  mode?: "training";
  $roll: string;
  memberships?: Memberships;
}

/**
 * Memberships as one process holds them, so that between nodes a person's travel once: a call carries the hash of their
 * roll, and whoever lacks that roll asks who keeps memberships. A hash is looked up and never believed: what it leads to
 * was told by their keeper, under the person that the call is made for.
 */
export class Rolls {
  readonly #held = new Map<string, Held>();
  /** Of memberships that somebody acts under here. */
  readonly #byMemberships = new WeakMap<Memberships, Held>();
  readonly #packed = new WeakMap<object, Packed>();
  /** Lists of permits, of which there are as many as roles in problem sets. */
  readonly #permits = new Map<string, readonly string[]>();
  readonly #asking = new Map<string, Promise<Memberships>>();
  #ask: AskRolls | undefined;
  #isMesh = false;
  #size = 0;

  /** `isMesh`: other nodes may have changed what is held here. */
  attend(ask: AskRolls, isMesh: boolean): void {
    this.#ask = ask;
    this.#isMesh = isMesh;
  }

  /** A person's memberships now. Fails as the call to their keeper does. */
  async of(whose: Whose): Promise<Memberships> {
    if (!this.#isMesh) return this.#ask!.all(whose);
    const held = this.#held.get(keyOf(whose));
    try {
      const known = held && { n: held.n, hash: held.roll.hash };
      return this.#taken(whose, held, await this.#ask!.since({ ...whose, ...(known && { known }) }));
    } catch (error) {
      if (!isUnserved(error)) throw error;
      // A node of an older version only knows the other question.
      return this.#ask!.all(whose);
    }
  }

  /**
   * For the keeper: remembers a roll that was just read, after this many changes; the same roll is kept as the same
   * object.
   */
  hold(whose: Whose, n: number, roll: Roll): Roll {
    const key = keyOf(whose);
    const before = this.#held.get(key);
    if (before && before.n > n) return roll;
    if (before?.roll === roll) {
      before.n = n;
      return roll;
    }
    if (roll.size < FEW) {
      this.#forget(key);
      return roll;
    }
    const same = before?.roll.hash === roll.hash ? before.roll : roll;
    const held = { ...whose, n, roll: same };
    this.#forget(key);
    this.#held.set(key, held);
    this.#byMemberships.set(same.memberships, held);
    this.#size += same.size;
    for (const [oldest] of this.#held) {
      if (this.#size <= MOST_HELD || oldest === key) break;
      this.#forget(oldest);
    }
    return same;
  }

  /** The roll that is held of somebody; kept memberships are compared with it. */
  held(whose: Whose): Roll | undefined {
    return this.#held.get(keyOf(whose))?.roll;
  }

  /** What is to travel in place of somebody with many memberships; others as they are. */
  pack<T>(carrier: T): T | Packed {
    const { memberships, userId, mode } = (carrier ?? {}) as Partial<Actor>;
    const held = memberships && this.#byMemberships.get(memberships);
    if (!held || held.userId !== userId || held.training !== (mode === "training")) return carrier;
    let packed = this.#packed.get(carrier as object);
    if (!packed) {
      const { memberships: _, ...rest } = carrier as T & Packed;
      this.#packed.set(carrier as object, (packed = { ...rest, $roll: held.roll.hash }));
    }
    return packed;
  }

  /**
   * Puts the memberships back that stand behind a hash, into the same object; a promise where they have to be asked
   * for. Throws 503 where nobody can be asked.
   */
  unpack(carrier: unknown): Promise<void> | undefined {
    if (!isPacked(carrier)) return undefined;
    const { $roll, userId, mode } = carrier;
    delete (carrier as Partial<Packed>).$roll;
    // Nothing that came beside it counts.
    delete carrier.memberships;
    const whose = { userId, training: mode === "training" };
    const held = this.#held.get(keyOf(whose));
    if (held?.roll.hash === $roll) {
      carrier.memberships = held.roll.memberships;
      return undefined;
    }
    return this.#learn(whose, $roll).then((memberships) => {
      carrier.memberships = memberships;
      return undefined;
    });
  }

  /**
   * Asks the keeper, once for all calls that came with one hash: its answer covers everything that the makers of those
   * calls can have seen.
   */
  #learn(whose: Whose, hash: string): Promise<Memberships> {
    const key = `${keyOf(whose)} ${hash}`;
    let asking = this.#asking.get(key);
    if (!asking) {
      asking = this.of(whose)
        .catch((error: unknown) => {
          throw isUnserved(error) ? overloaded("What you belong to cannot be asked for now.") : error;
        })
        .finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return asking;
  }

  async #taken(whose: Whose, held: Held | undefined, told: RollUpdate): Promise<Memberships> {
    if ("all" in told) return this.hold(whose, told.n, new Roll(this.#shared(told.all))).memberships;
    const isChanged = Object.keys(told.changes).length > 0;
    const roll = isChanged ? held!.roll.with(this.#shared(told.changes)) : held!.roll;
    // Something changed that nobody counted.
    if (roll.hash !== told.hash) return this.#taken(whose, undefined, await this.#ask!.since(whose));
    return this.hold(whose, told.n, roll).memberships;
  }

  /** What a role allows is told with each membership, and held once. */
  #shared<M extends Membership | null>(told: Readonly<Record<string, M>>): Record<string, M> {
    const shared = Object.entries(told).map(([set, membership]): [string, M] => {
      if (!membership) return [set, membership];
      const key = membership.permits.join();
      const permits = this.#permits.get(key);
      if (permits) return [set, { ...membership, permits }];
      this.#permits.set(key, membership.permits);
      return [set, membership];
    });
    return Object.fromEntries(shared);
  }

  #forget(key: string): void {
    this.#size -= this.#held.get(key)?.roll.size ?? 0;
    this.#held.delete(key);
  }
}

const keyOf = ({ userId, training }: Whose): string => `${training} ${userId}`;

const isPacked = (carrier: unknown): carrier is Packed =>
  typeof carrier === "object" &&
  carrier !== null &&
  typeof (carrier as Partial<Packed>).$roll === "string" &&
  typeof (carrier as Partial<Packed>).userId === "string";
