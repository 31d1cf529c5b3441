import fc from "fast-check";
import { Errors } from "moleculer";
import type { Actor, Membership } from "../../core/access/access.ts";
import { Roll, type Changes, type Memberships } from "../../core/access/memberships/roll.ts";
import {
  FEW,
  Rolls,
  type AskRolls,
  type KnownRoll,
  type RollUpdate,
  type Whose,
} from "../../core/access/memberships/rolls.ts";

// Memberships that travel by the hash of their roll: who receives a call acts on what their keeper tells, and on nothing
// that came with it.

const membership = (role = "analyst", traits: Partial<Membership> = {}): Membership => ({
  role,
  permits: [`${role}:reads`],
  compartments: [],
  ...traits,
});
const inSets = (count: number, role?: string): Record<string, Membership> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`set-${n}`, membership(role)]));
const actor = (userId: string, memberships: Memberships, traits: Partial<Actor> = {}): Actor => ({
  userId,
  roles: ["analyst"],
  via: "session",
  permits: [],
  memberships,
  ...traits,
});
/** As it comes off the wire. */
const sent = (packed: unknown): any => structuredClone(packed);

/** Keeps memberships of persons, with the changes that it counted, in the order of their making. */
class Keeper implements AskRolls {
  readonly now = new Map<string, Record<string, Membership>>();
  readonly counted = new Map<string, string[]>();
  readonly told: RollUpdate[] = [];

  enter(userId: string, memberships: Record<string, Membership>): void {
    this.now.set(userId, memberships);
  }

  change(userId: string, set: string, to: Membership | null, isCounted = true): void {
    const { [set]: _, ...others } = this.now.get(userId)!;
    this.now.set(userId, to ? { ...others, [set]: to } : others);
    if (isCounted) this.counted.set(userId, [...(this.counted.get(userId) ?? []), set]);
  }

  async since({ userId, known }: Whose & { known?: KnownRoll }): Promise<RollUpdate> {
    const [all, changed] = [this.now.get(userId) ?? {}, this.counted.get(userId) ?? []];
    const { hash } = new Roll(all);
    const since = known && changed.slice(known.n).map((set) => [set, all[set] ?? null] as const);
    const told: RollUpdate = since
      ? { n: changed.length, hash, changes: Object.fromEntries(since) }
      : { n: changed.length, hash, all };
    this.told.push(told);
    return structuredClone(told);
  }

  async all({ userId }: Whose): Promise<Memberships> {
    return structuredClone(this.now.get(userId) ?? {});
  }
}

function nodeOf(keeper: AskRolls): Rolls {
  const rolls = new Rolls();
  rolls.attend(keeper, true);
  return rolls;
}
const ada = { userId: "ada", training: false };

describe("the hash of a roll", () => {
  const anything = fc.dictionary(
    fc.constantFrom(..."abcdefgh"),
    fc.record({
      role: fc.constantFrom("analyst", "commander"),
      permits: fc.constant(["x:y"]),
      compartments: fc.subarray(["c1", "c2"]),
    }),
  );
  const changes = fc.dictionary(
    fc.constantFrom(..."abcdefghij"),
    fc.option(fc.record({ role: fc.constant("planner"), permits: fc.constant([]), compartments: fc.constant([]) })),
  );

  it("is the same for the same memberships, whichever way they came about, and another for others", () => {
    fc.assert(
      fc.property(anything, changes, (before, change) => {
        const roll = new Roll(before);
        const hash = roll.hash;
        const after = roll.with(change as Changes);
        const whole = new Roll(Object.fromEntries(Object.entries(after.memberships).reverse()));
        expect(after.hash).toBe(whole.hash);
        expect(new Roll(before).with(change as Changes).memberships).toEqual(after.memberships);
        expect(roll.hash).toBe(hash);
        expect(after.hash === hash).toBe(JSON.stringify(sorted(after.memberships)) === JSON.stringify(sorted(before)));
      }),
    );
  });

  it("follows from role, compartments, permits and archive", () => {
    const hashes = [
      membership(),
      membership("commander"),
      membership("analyst", { compartments: ["c"] }),
      membership("analyst", { permits: [] }),
      membership("analyst", { archived: true }),
    ].map((one) => new Roll({ set: one }).hash);
    expect(new Set([...hashes, new Roll({ other: membership() }).hash]).size).toBe(6);
  });
});

describe("memberships between nodes", () => {
  it("travel once, and after a change as what changed; few of them as they are", async () => {
    const keeper = new Keeper();
    keeper.enter("ada", inSets(100));
    keeper.enter("bob", inSets(FEW - 1));
    const [gateway, area] = [nodeOf(keeper), nodeOf(keeper)];
    const call = async (userId: string): Promise<any> => {
      const came = sent(gateway.pack(actor(userId, await gateway.of({ userId, training: false }))));
      await area.unpack(came);
      return came;
    };
    expect(await call("ada")).toEqual(actor("ada", inSets(100)));
    expect(keeper.told.map((told) => "all" in told)).toEqual([true, true]);
    keeper.change("ada", "set-7", membership("commander"));
    expect((await call("ada")).memberships["set-7"].role).toBe("commander");
    expect(keeper.told.slice(2).map((told) => Object.keys((told as { changes: Changes }).changes))).toEqual([
      ["set-7"],
      ["set-7"],
    ]);
    const bob = actor("bob", await gateway.of({ userId: "bob", training: false }));
    expect(gateway.pack(bob)).toBe(bob);
  });

  it("of which a call brings nothing but a hash, which says nothing by itself", async () => {
    const keeper = new Keeper();
    keeper.enter("ada", inSets(100));
    keeper.enter("eve", { mine: membership() });
    const [gateway, area] = [nodeOf(keeper), nodeOf(keeper)];
    const packed = gateway.pack(actor("ada", await gateway.of(ada))) as { $roll: string };
    expect(packed).not.toHaveProperty("memberships");
    await area.of(ada);
    // Another's hash, one that nobody made, and memberships beside it.
    for (const $roll of [packed.$roll, "forged", ""]) {
      const came: any = { ...actor("eve", inSets(100, "commander")), $roll };
      await area.unpack(came);
      expect(came).toEqual(actor("eve", { mine: membership() }));
    }
    const training: any = { ...actor("ada", {}, { mode: "training" }), $roll: packed.$roll };
    const asked = keeper.told.length;
    await area.unpack(training);
    expect(keeper.told).toHaveLength(asked + 1);
  });

  it("that somebody acts under in another's name, or in part, travel as they are", async () => {
    const keeper = new Keeper();
    keeper.enter("ada", inSets(100));
    const gateway = nodeOf(keeper);
    const memberships = await gateway.of(ada);
    const carriers = [
      actor("eve", memberships),
      actor("ada", { ...memberships }),
      actor("ada", memberships, { mode: "training" }),
    ];
    for (const one of carriers) expect(gateway.pack(one)).toBe(one);
    for (const nothing of [null, undefined, "text", 5, []]) expect(gateway.pack(nothing)).toBe(nothing);
  });

  it("that were taken away are gone for a call that was made before, on a node that had not held them", async () => {
    const keeper = new Keeper();
    keeper.enter("ada", inSets(100));
    const [gateway, area] = [nodeOf(keeper), nodeOf(keeper)];
    const before = sent(gateway.pack(actor("ada", await gateway.of(ada))));
    keeper.change("ada", "set-3", null);
    await area.unpack(before);
    expect(before.memberships).not.toHaveProperty("set-3");
    expect(Object.keys(before.memberships)).toHaveLength(99);
  });

  it("are read anew where something changed that nobody counted", async () => {
    const keeper = new Keeper();
    keeper.enter("ada", inSets(100));
    const area = nodeOf(keeper);
    await area.of(ada);
    keeper.change("ada", "set-5", null, false);
    keeper.change("ada", "set-6", membership("commander"));
    const now = await area.of(ada);
    expect(now).toEqual(keeper.now.get("ada"));
    expect(keeper.told.map((told) => "all" in told)).toEqual([true, false, true]);
  });

  it("are asked for once by all calls that bring one hash, and held as they were for those under way", async () => {
    const keeper = new Keeper();
    keeper.enter("ada", inSets(100));
    const [gateway, area] = [nodeOf(keeper), nodeOf(keeper)];
    const packed = gateway.pack(actor("ada", await gateway.of(ada)));
    const calls = Array.from({ length: 10 }, () => sent(packed));
    await Promise.all(calls.map((one) => area.unpack(one)));
    expect(keeper.told).toHaveLength(2);
    keeper.change("ada", "set-1", null);
    await area.of(ada);
    for (const { memberships } of calls) expect(memberships).toHaveProperty("set-1");
  });

  it("are not guessed where nobody can be asked: the call is refused", async () => {
    const nobody = (): Promise<never> => Promise.reject(new Errors.ServiceNotFoundError({ action: "since" }));
    const area = nodeOf({ since: nobody, all: nobody });
    await expect(area.unpack({ ...actor("ada", {}), $roll: "x" })).rejects.toMatchObject({ code: 503 });
  });

  it("are asked for whole from a keeper of an older version", async () => {
    const keeper = new Keeper();
    keeper.enter("ada", inSets(100));
    const since = (): Promise<never> => Promise.reject(new Errors.ServiceNotFoundError({ action: "since" }));
    const area = nodeOf({ since, all: (asked) => keeper.all(asked) });
    expect(await area.of(ada)).toEqual(inSets(100));
  });
});

const sorted = (memberships: Memberships): unknown =>
  Object.entries(memberships)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, { role, permits, compartments }]) => [id, role, permits, compartments]);
