import { setPermitsOf } from "../../../../config/set-roles.ts";
import type { Actor, Membership } from "../../../../core/access/access.ts";
import { REMEMBERED_MS } from "../../../../core/access/remembered.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { steadily } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { openedBy } from "../compartments/opening.ts";
import { ProblemSet } from "../sets/sets.ts";
import { Member } from "./members.ts";

const SYSTEM = asSystem("problem-sets");
const MOST_KEPT = 1_000;

type Memberships = NonNullable<Actor["memberships"]>;
interface Kept {
  since: number;
  /** Sets in which something changed since the answer was asked for. */
  changed: Set<string>;
  answer: Promise<Memberships>;
}

/** The active memberships of a person in sets of one mode, or those among them that lie in these sets. */
async function membershipsIn(
  host: Host,
  userId: string,
  training: boolean,
  sets?: readonly string[],
): Promise<Record<string, Membership>> {
  const among: Query = sets ? { problemSetId: { $in: sets } } : {};
  const members = await host
    .store(Member)
    .find(SYSTEM, { userId, status: "active", ...among }, { fields: ["problemSetId", "role", "compartments"] });
  if (!members.length) return {};
  const ids = members.map(({ problemSetId }) => problemSetId);
  const [found, open] = await Promise.all([
    host.store(ProblemSet).find(SYSTEM, { _id: { $in: ids } }, { fields: ["training", "status"] }),
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
 * something changed in one set alone, that one is read, however many they are in. Where several nodes make a mesh a
 * change may be heard here later than by whoever asks: nothing is remembered there.
 */
export class MembershipsByPerson {
  readonly #host: Host;
  readonly #remembers: boolean;
  readonly #kept = new Map<string, Kept>();

  constructor(host: Host, { remembers }: { remembers: boolean }) {
    this.#host = host;
    this.#remembers = remembers;
  }

  of(userId: string, training: boolean): Promise<Memberships> {
    if (!this.#remembers) return membershipsIn(this.#host, userId, training);
    const key = keyOf(userId, training);
    const now = steadily(this.#host.world.clock);
    let kept = this.#kept.get(key);
    if (!kept || now - kept.since >= REMEMBERED_MS) {
      kept = { since: now, changed: new Set(), answer: membershipsIn(this.#host, userId, training) };
      this.#keep(key, kept);
    } else if (kept.changed.size > 0) {
      const sets = [...kept.changed];
      kept.changed.clear();
      kept.answer = this.#amended(kept.answer, userId, training, sets);
      this.#keep(key, kept);
    }
    return kept.answer;
  }

  /** Something changed about somebody's access, or without a person about everybody's; in one set alone, if it is named. */
  changed({ userId, problemSetId }: { userId?: string | undefined; problemSetId?: string | undefined } = {}): void {
    if (userId === undefined) return this.#kept.clear();
    for (const key of [keyOf(userId, true), keyOf(userId, false)]) {
      if (problemSetId === undefined) this.#kept.delete(key);
      else this.#kept.get(key)?.changed.add(problemSetId);
    }
  }

  #keep(key: string, kept: Kept): void {
    if (!this.#kept.has(key) && this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, kept);
    kept.answer.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key));
  }

  /** What was answered before may be under check elsewhere: it stays as it is. */
  async #amended(
    before: Promise<Memberships>,
    userId: string,
    training: boolean,
    sets: readonly string[],
  ): Promise<Memberships> {
    const after = { ...(await before) };
    const now = await membershipsIn(this.#host, userId, training, sets);
    for (const set of sets) {
      if (now[set]) after[set] = now[set];
      else delete after[set];
    }
    return after;
  }
}

const keyOf = (userId: string, training: boolean): string => `${training} ${userId}`;
