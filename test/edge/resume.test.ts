import fc from "fast-check";
import { newSigningKey } from "../../core/did/signatures.ts";
import { KINDS } from "../../core/sync/kinds.ts";
import { conflictsOf, isDeleted, shownOf, type Change } from "../../core/sync/merge.ts";
import { nextBatch, placeholderOf } from "../../edge/sync/batches.ts";
import { NodeKey } from "../../edge/key.ts";
import { EdgeNode, FACT } from "../../edge/node.ts";
import { pause } from "../../edge/sync/retry-pace.ts";
import { EdgeStore } from "../../edge/store.ts";
import { Sync } from "../../edge/sync/sync.ts";
import { TestClock } from "../mesh.ts";
import { FaultyLine, HubDouble, type Fate } from "./hub-double.ts";

// A node's half of the protocol over a line that loses and doubles, against the hub's half in memory: nothing that was
// taken at the node is lost, sent out of its order or taken twice.

const RUNS = Number(process.env["SCHEDULES"] ?? 40);
const FATES: Fate[] = ["well", "well", "lost", "answer lost", "twice"];
const IDS = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`);

const fate = fc.constantFrom(...FATES);
interface Edit {
  node: number;
  record: number;
  kind: string;
  value: number;
}
const edit: fc.Arbitrary<Edit> = fc.record({
  node: fc.nat(1),
  record: fc.nat(IDS.length - 1),
  kind: fc.constantFrom("name", "description", "level", "delete"),
  value: fc.integer({ min: 1, max: 99 }),
});
const step = fc.oneof(
  { weight: 6, arbitrary: edit.map((edit) => ({ edit })) },
  { weight: 4, arbitrary: fc.record({ round: fc.nat(1), fates: fc.array(fate, { maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.constant({ forget: true }) },
  { weight: 1, arbitrary: fc.nat(1).map((restart) => ({ restart })) },
  // The last record lies in a place of its own, to which access is taken and given.
  { weight: 1, arbitrary: fc.record({ access: fc.nat(1), given: fc.boolean() }) },
);
const placeOf = (id: string): number => (id === IDS.at(-1) ? 2 : 1);

class Half {
  readonly store = new EdgeStore(":memory:");
  readonly clock = new TestClock();
  readonly key = new NodeKey(newSigningKey("Ed25519"));
  readonly line: FaultyLine;
  node!: EdgeNode;
  sync!: Sync;

  constructor(hub: HubDouble) {
    this.line = new FaultyLine(async (method, path, sent) => hub.answer(method, path, sent?.body));
  }

  async open(name: string): Promise<this> {
    await this.store.open();
    const enrolled = { hub: "http://hub", node: name, did: this.key.did, name };
    await this.store.change((rows) => rows.keepFact(FACT.enrolled, enrolled));
    this.restart();
    return this;
  }

  /** All that is not in the store is forgotten. */
  restart(): void {
    this.node = new EdgeNode(this.store, this.clock);
    this.sync = new Sync(this.node, this.line, this.key, () => ({}), { changes: 3, bytes: 4_000 });
  }
}

async function halves(hub: HubDouble, ...places: number[]): Promise<Half[]> {
  return Promise.all(
    ["a", "b"].map(async (name) => {
      const half = await new Half(hub).open(name);
      hub.enrol(name, half.key.did, ...places);
      return half;
    }),
  );
}

/** Answers whether the node took it. */
async function apply({ node }: Half, { record, kind, value }: Edit): Promise<boolean> {
  const at = { entity: "consumable", id: IDS[record]! };
  const present = await node.read(at).catch(() => undefined);
  if (!present) {
    await node.make("consumable", { problemSetId: placeOf(at.id), name: `n${value}`, level: value, unit: "l" }, at.id);
    return true;
  }
  if (present.deleted) return false;
  const seen = present.conflicts.find(({ field }) => field === kind)?.heads.map(({ dot }) => dot);
  if (kind === "delete") await node.edit(at, [{ op: "delete" }]);
  else if (kind === "level") await node.edit(at, [{ op: "delta", field: "level", value }]);
  else await node.edit(at, [{ op: "set", field: kind, value: `${kind}${value}`, ...(seen && { seen }) }]);
  return true;
}

/** Rounds on a line that is whole, until all nodes have had what all others sent. */
async function settle(all: readonly Half[]): Promise<void> {
  for (const { line } of all) line.fate = () => "well";
  for (let rounds = 0; rounds < 2; rounds++) for (const { sync } of all) await sync.round();
}

it(
  "loses nothing, sends nothing out of order or twice, shows nothing that was taken away, and both sides the same",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const hub = new HubDouble();
        const all = await halves(hub, 1, 2);
        all[1]!.clock.leap(-86_400_000);
        const made = [0, 0];
        for (const one of steps) {
          if ("edit" in one) made[one.edit.node]! += Number(await apply(all[one.edit.node]!, one.edit));
          else if ("forget" in one) hub.forgottenUpTo = Math.max(...[...hub.records.values()].map(({ at }) => at), -1);
          else if ("restart" in one) all[one.restart]!.restart();
          else if ("access" in one) {
            const { places } = hub.nodes.get("ab"[one.access]!)!;
            if (one.given) places.add(2);
            else places.delete(2);
          } else {
            const fates = [...one.fates];
            all[one.round]!.line.fate = () => fates.shift() ?? "lost";
            await all[one.round]!.sync.round().catch(() => {});
            hub.forgottenUpTo = -1;
          }
        }
        hub.forgottenUpTo = -1;
        await settle(all);
        for (const [at, half] of all.entries()) {
          const name = "ab"[at]!;
          expect(hub.nodes.get(name)!.lastSeq).toBe(made[at]);
          const taken = hub.taken.filter(({ node }) => node === name).map(({ change }) => change.seq);
          expect(taken).toEqual([...new Set(taken)].sort((one, other) => one - other));
          const rejections = await half.node.rejections();
          const { places } = hub.nodes.get(name)!;
          expect(
            rejections.filter(({ value, op, id }) => value === undefined && op !== "delete" && placeOf(id) === 1),
          ).toEqual([]);
          expect([...taken, ...rejections.map(({ seq }) => seq)].sort((one, other) => one - other)).toEqual(
            Array.from({ length: made[at]! }, (_, n) => n + 1),
          );
          expect(await half.node.waiting()).toEqual([]);
          const shown = await half.node.list("consumable");
          expect(shown.map(({ id, fields, deleted, unsettled }) => ({ id, fields, deleted, unsettled }))).toEqual(
            [...hub.records.values()]
              .filter(({ place }) => places.has(place))
              .sort((one, other) => (one.id < other.id ? -1 : 1))
              .map(({ id, state }) => ({ id, fields: shownOf(state), deleted: isDeleted(state), unsettled: 0 })),
          );
          expect((await half.node.conflicts()).length).toBe(
            [...hub.records.values()].filter(
              ({ state, place }) => places.has(place) && conflictsOf(state, KINDS.consumable).length,
            ).length,
          );
          await half.store.close();
        }
      }),
      { numRuns: RUNS, seed: Number(process.env["SEED"] ?? 21) },
    );
  },
  60_000 + RUNS * 200,
);

const CALM = { edit: { node: 0, record: 0, kind: "name", value: 1 } };

describe("what a node does when", () => {
  let hub: HubDouble;
  let ours: Half;
  const at = { entity: "consumable", id: IDS[0]! };
  beforeEach(async () => {
    hub = new HubDouble();
    [ours] = (await halves(hub, 1)) as [Half, Half];
    await apply(ours, CALM.edit);
    await ours.sync.round();
  });
  afterEach(() => ours.store.close());

  it("its person may no longer see a place: all of it goes, and an edit under way is told of without its words", async () => {
    await ours.node.edit(at, [{ op: "set", field: "description", value: "the last words" }]);
    ours.line.fate = () => "well";
    hub.nodes.get("a")!.places.clear();
    const { purged, rejected } = await ours.sync.round();
    expect([purged, rejected]).toEqual([1, 1]);
    await expect(ours.node.read(at)).rejects.toMatchObject({ code: 404 });
    expect(await ours.node.list("consumable")).toEqual([]);
    expect(await ours.node.rejections()).toEqual([
      expect.objectContaining({ seq: 2, field: "description", code: "NOT_FOUND" }),
    ]);
    expect(JSON.stringify(await ours.node.rejections())).not.toContain("the last words");
    expect(await ours.store.look((rows) => rows.fact(FACT.rewrite))).toBeUndefined();
  });

  it("one change is refused: it is told with its reason, its value kept, and those behind it go on", async () => {
    hub.refuses = ({ value }) => (value === -50 ? "BELOW_ZERO" : undefined);
    await ours.node.edit(at, [{ op: "delta", field: "level", value: -50 }]);
    await ours.node.edit(at, [{ op: "set", field: "name", value: "Diesel" }]);
    expect((await ours.node.read(at)).fields).toMatchObject({ level: -49, name: "Diesel" });
    await ours.sync.round();
    expect((await ours.node.read(at)).fields).toMatchObject({ level: 1, name: "Diesel" });
    expect(await ours.node.rejections()).toEqual([
      expect.objectContaining({ seq: 2, code: "BELOW_ZERO", message: "It is BELOW_ZERO.", value: -50 }),
    ]);
    await ours.node.dismiss(2);
    expect(await ours.node.rejections()).toEqual([]);
  });

  it("one of several changes of a field is refused: what the last one took the place of does not come up again", async () => {
    hub.refuses = ({ value }) => (value === "refused" ? "FORBIDDEN" : undefined);
    for (const value of ["refused", "also fine", "refused", "the last"])
      await ours.node.edit(at, [{ op: "set", field: "name", value }]);
    await ours.sync.round();
    expect((await ours.node.read(at)).fields["name"]).toBe("the last");
    expect(await ours.node.conflicts()).toEqual([]);
    hub.refuses = ({ value }) => (value === "of no use" ? "FORBIDDEN" : undefined);
    await ours.node.edit(at, [{ op: "set", field: "name", value: "of no use" }]);
    await ours.node.edit(at, [{ op: "delete" }]);
    await ours.sync.round();
    expect(await ours.node.read(at)).toMatchObject({ deleted: true, conflicts: [] });
  });

  it("it was killed amid a purge: the file is cleaned at the next start", async () => {
    await ours.store.change((rows) => rows.keepFact(FACT.rewrite, true));
    await ours.sync.clean();
    expect(await ours.store.look((rows) => rows.fact(FACT.rewrite))).toBeUndefined();
  });

  it("the hub cannot read one: that one is found, told of, and its number used up by something harmless", async () => {
    for (const value of ["one", "unreadable", "three"])
      await ours.node.edit(at, [{ op: "set", field: "description", value }]);
    const { answer } = hub;
    hub.answer = function (method, path, body) {
      if (!body?.includes("unreadable")) return answer.call(this, method, path, body);
      const error = { code: "VALIDATION_ERROR", message: "It has no such form." };
      return { status: 400, body: { error }, date: undefined, retryAfterMs: undefined };
    };
    await ours.sync.round();
    expect(hub.nodes.get("a")!.lastSeq).toBe(4);
    expect((await ours.node.read(at)).fields["description"]).toBe("three");
    expect(await ours.node.rejections()).toEqual([
      expect.objectContaining({ seq: 3, code: "VALIDATION_ERROR", value: "unreadable" }),
    ]);
  });

  it("the hub was put back to an earlier day: what it lacks and the node still has is sent again", async () => {
    await ours.node.edit(at, [{ op: "set", field: "name", value: "later" }]);
    const fates: Fate[] = ["well", "lost"];
    ours.line.fate = () => fates.shift()!;
    await expect(ours.sync.round()).rejects.toThrow("lost on its way");
    hub = new HubDouble();
    hub.enrol("a", ours.key.did, 1);
    hub.nodes.get("a")!.lastSeq = 1;
    const line = new FaultyLine(async (method, path, sent) => hub.answer(method, path, sent?.body));
    const again = new Sync(ours.node, line, ours.key, () => ({}));
    await ours.node.edit(at, [{ op: "set", field: "name", value: "latest" }]);
    await again.round();
    expect(hub.nodes.get("a")!.lastSeq).toBe(3);
  });

  it("its person decides between two values: by what they saw, and not by what came since", async () => {
    hub.edit("consumable", at.id, 1, { op: "set", field: "name", value: "from the hub", bases: ["a:1"], hlc: "0" });
    await ours.node.edit(at, [{ op: "set", field: "name", value: "from the node" }]);
    await ours.sync.round();
    const { heads } = (await ours.node.conflicts())[0]!.conflicts[0]!;
    expect(heads.map(({ value }) => value).sort()).toEqual(["from the hub", "from the node"]);
    const decide = (seen: string[]) => ours.node.edit(at, [{ op: "set", field: "name", value: "both", seen }]);
    await expect(decide([heads[0]!.dot])).rejects.toMatchObject({ code: 409 });
    await expect(ours.node.edit(at, [{ op: "set", field: "name", value: "mine" }])).rejects.toMatchObject({
      code: 409,
    });
    expect((await decide(heads.map(({ dot }) => dot))).conflicts).toEqual([]);
    await ours.sync.round();
    expect(conflictsOf(hub.records.get(`consumable ${at.id}`)!.state, KINDS.consumable)).toEqual([]);
  });

  it("an answer was lost: the same batch goes again, to the byte, though more was done since; none of it is taken twice", async () => {
    const sent: string[] = [];
    const { answer } = hub;
    hub.answer = function (method, path, body) {
      if (body) sent.push(body);
      return answer.call(this, method, path, body);
    };
    await ours.node.edit(at, [{ op: "delta", field: "level", value: 5 }]);
    ours.line.fate = () => "answer lost";
    await expect(ours.sync.round()).rejects.toThrow("the answer was lost");
    await ours.node.edit(at, [{ op: "delta", field: "level", value: 2 }]);
    ours.restart();
    ours.line.fate = () => "well";
    await ours.sync.round();
    expect(sent).toHaveLength(3);
    expect(sent[1]).toBe(sent[0]);
    expect((await ours.node.read(at)).fields["level"]).toBe(8);
  });

  it("the hub took a change, and was gone before it could give it back: the node shows it all the same", async () => {
    await ours.node.edit(at, [{ op: "set", field: "name", value: "Diesel" }]);
    const fates: Fate[] = ["well", "lost"];
    ours.line.fate = () => fates.shift()!;
    await expect(ours.sync.round()).rejects.toThrow("lost on its way");
    expect(await ours.node.read(at)).toMatchObject({ unsettled: 1, fields: { name: "Diesel" } });
    ours.line.fate = () => "well";
    await ours.sync.round();
    expect(await ours.node.read(at)).toMatchObject({ unsettled: 0, fields: { name: "Diesel" } });
  });

  it("its cursor is too old: it reads all anew, keeps what waits, and drops what it may not see any more", async () => {
    await ours.node.make("consumable", { problemSetId: 1, name: "Unsent" }, IDS[1]);
    hub.edit("resource", IDS[2]!, 2, { op: "set", value: { name: "Boat" }, hlc: "0" });
    hub.nodes.get("a")!.places.add(2);
    await ours.sync.round();
    expect(await ours.node.list("resource")).toHaveLength(1);
    await ours.node.edit(at, [{ op: "set", field: "name", value: "Diesel" }]);
    hub.nodes.get("a")!.places.delete(2);
    hub.forgottenUpTo = 99;
    const [edited] = await ours.node.waiting();
    const { purged } = await ours.sync.round();
    expect([purged, await ours.node.list("resource")]).toEqual([1, []]);
    expect(hub.taken).toContainEqual({ node: "a", change: edited });
    expect((await ours.node.list("consumable")).map(({ fields }) => fields["name"])).toEqual(["Diesel", "Unsent"]);
  });

  it("its clock is a day behind: it says so, and what it writes then is later than what it has seen", async () => {
    ours.clock.leap(-86_400_000);
    await ours.sync.round();
    expect((await ours.node.status()).clock!.warning).toBe("This node's clock is 1 d 0 h behind the hub's.");
    const before = Date.now();
    await ours.node.edit(at, [{ op: "set", field: "name", value: "on time" }]);
    const [{ hlc }] = (await ours.node.waiting()) as [Change];
    expect(Number(hlc.slice(0, 15))).toBeGreaterThanOrEqual(before - 1_000);
  });
});

it("keeps a batch within its bounds, and never makes one of nothing but what is too large", () => {
  const change = (seq: number, size: number): Change => ({
    ...{ seq, entity: "resource", id: IDS[0]!, op: "set", field: "name", hlc: "0" },
    value: "x".repeat(size),
  });
  fc.assert(
    fc.property(
      fc.array(fc.nat(400), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      (sizes, most) => {
        const waiting = sizes.map((size, at) => change(at + 5, size));
        const { first, last } = nextBatch(waiting, "b", { changes: most, bytes: 1_000 })!;
        const sent = waiting.filter(({ seq }) => seq <= last);
        expect(first).toBe(5);
        expect(sent.length).toBeLessThanOrEqual(most);
        if (sent.length > 1) expect(JSON.stringify(sent).length).toBeLessThan(1_010);
      },
    ),
  );
  expect(nextBatch([], "b")).toBeUndefined();
  expect(placeholderOf(change(7, 1))).toMatchObject({ seq: 7, entity: "nothing" });
});

it("waits longer the longer the hub is away, never beyond the bound, and as long as the hub asks", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, chance) => {
      const waits = pause(failures, chance);
      expect(waits).toBeGreaterThanOrEqual(500);
      expect(waits).toBeLessThanOrEqual(300_000);
      if (failures) expect(pause(failures + 1, chance)).toBeGreaterThanOrEqual(waits);
      expect(pause(failures, chance, undefined, 600_000)).toBe(600_000);
    }),
  );
});
