import { setPermitsOf } from "../../../../config/set-roles.ts";
import type { Membership } from "../../../../core/access/access.ts";
import { Roll, type Changes, type Memberships } from "../../../../core/access/memberships/roll.ts";
import { FEW, type KnownRoll, type RollUpdate } from "../../../../core/access/memberships/rolls.ts";
import { REMEMBERED_MS } from "../../../../core/remembered.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { steadily } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { openedBy } from "../compartments/opening.ts";
import { ProblemSet } from "../sets/sets.ts";
import type { AccessChanges, Counted } from "./access-changes.ts";
import { Member } from "./members.ts";

const MESH = asSystem("problem-sets");
const MOST_KEPT = 1_000;

interface Kept {
  since: number;
  /** The number of the last change that the answer includes, or `changed` lists. */
  n: number;
  /** There were too many changes to list them. */
  isLost: boolean;
  /** Sets in which something changed since the answer was asked for. */
  changed: Set<string>;
  answer: Promise<Roll>;
}

/** The active memberships of a person in sets of one mode, or those among them that lie in these sets. */
async function membershipsIn(
  host: Host,
  userId: string,
  training: boolean,
  sets?: readonly string[],
): Promise<Record<string, Membership>> {
  const among: Query = sets ? { problemSetId: sets.length === 1 ? sets[0] : { $in: sets } } : {};
  const members = await host
    .store(Member)
    .find(
      MESH,
      { userId, status: "active", ...among },
      { fields: ["problemSetId", "role", "compartments"], ...(sets && { limit: sets.length }) },
    );
  if (!members.length) return {};
  const ids = members.map(({ problemSetId }) => problemSetId);
  const [found, open] = await Promise.all([
    host.store(ProblemSet).find(MESH, { _id: { $in: ids } }, { fields: ["training", "status"] }),
    openedBy(host, members),
  ]);
  const known = new Map(found.filter((set) => set.training === training).map((set) => [set.id, set]));
  const memberships: Record<string, Membership> = {};
  for (const { problemSetId, role, compartments } of members) {
    const set = known.get(problemSetId);
    if (set)
      memberships[problemSetId] = {
        role,
        permits: setPermitsOf(role),
        compartments: open(compartments),
        ...(set.status === "archived" && { archived: true as const }),
      };
  }
  return memberships;
}

/**
 * Memberships as a credential is recognised. A person is asked for again after each change of their access; where
 * something changed in one set alone, that one is read, however many they are in. A process alone hears of each change
 * before it is answered. In a mesh it may be heard here later than by whoever asks, or never: there changes are counted
 * in the store, and one look-up says what came since.
 */
export class MembershipsByPerson {
  readonly #host: Host;
  readonly #counted: AccessChanges | undefined;
  readonly #kept = new Map<string, Kept>();

  /** `counted`: in a mesh. */
  constructor(host: Host, counted?: AccessChanges) {
    this.#host = host;
    this.#counted = counted;
  }

  async of(userId: string, training: boolean): Promise<Memberships> {
    return (await this.#rollOf(userId, training, await this.#counted?.of(userId))).memberships;
  }

  /**
   * The same for whoever may hold them already: what changed since they were read, where that is known, or all of them.
   * What was changed and not counted shows by the hash.
   */
  async since(userId: string, training: boolean, known?: KnownRoll): Promise<RollUpdate> {
    const counted = (await this.#counted?.of(userId)) ?? { n: 0, sets: [] };
    const { n, sets } = counted;
    const read = await this.#rollOf(userId, training, this.#counted && counted);
    if (!this.#counted || read.size < FEW) return { n, all: read.memberships };
    const { memberships, hash } = this.#host.rolls.hold({ userId, training }, n, read);
    if (known?.hash === hash) return { n, hash, changes: {} };
    const behind = known ? n - known.n : 0;
    if (behind < 1 || behind > sets.length) return { n, hash, all: memberships };
    const changed = sets.slice(-behind).map((set): [string, Membership | null] => [set, memberships[set] ?? null]);
    return { n, hash, changes: Object.fromEntries(changed) };
  }

  async #rollOf(userId: string, training: boolean, counted?: Counted): Promise<Roll> {
    const key = keyOf(userId, training);
    const now = steadily(this.#host.world.clock);
    let kept = this.#kept.get(key);
    if (kept && counted) this.#take(kept, counted);
    if (!kept || now - kept.since >= REMEMBERED_MS || kept.isLost) {
      const answer = membershipsIn(this.#host, userId, training).then((all) => new Roll(all));
      kept = { since: now, n: counted?.n ?? 0, isLost: false, changed: new Set(), answer };
      this.#keep(key, kept);
    } else if (kept.changed.size > 0) {
      const sets = [...kept.changed];
      kept.changed.clear();
      kept.answer = this.#amended(kept.answer, userId, training, sets);
      this.#keep(key, kept);
    }
    return kept.answer;
  }

  /** A later question may have been answered first: its answer is newer and stays. */
  #take(kept: Kept, { n, sets }: Counted): void {
    if (n <= kept.n) return;
    if (n - kept.n > sets.length) kept.isLost = true;
    for (const set of sets.slice(kept.n - n)) kept.changed.add(set);
    kept.n = n;
  }

  /** Tells every node that somebody's access in a set changed. */
  async note(userId: string, problemSetId: string): Promise<void> {
    // The change is stored by now: where telling fails, it takes effect when what nodes remember expires.
    await this.#counted
      ?.note(userId, problemSetId)
      .catch((error: Error) => this.#host.logger.warn(`A change of access was not counted: ${error.message}`));
  }

  /**
   * Tells every node that somebody's access changed, or everybody's where no person is named; in one set alone, if it
   * is named.
   */
  changed({ userId, problemSetId }: { userId?: string | undefined; problemSetId?: string | undefined } = {}): void {
    if (userId === undefined) return this.#kept.clear();
    for (const key of [keyOf(userId, true), keyOf(userId, false)]) {
      if (problemSetId === undefined) this.#kept.delete(key);
      else if (!this.#counted) this.#kept.get(key)?.changed.add(problemSetId);
    }
  }

  #keep(key: string, kept: Kept): void {
    if (!this.#kept.has(key) && this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, kept);
    kept.answer.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key));
  }

  async #amended(before: Promise<Roll>, userId: string, training: boolean, sets: readonly string[]): Promise<Roll> {
    const roll = await before;
    const now = await membershipsIn(this.#host, userId, training, sets);
    return roll.with(Object.fromEntries(sets.map((set) => [set, now[set] ?? null])) satisfies Changes);
  }
}

const keyOf = (userId: string, training: boolean): string => `${training} ${userId}`;
