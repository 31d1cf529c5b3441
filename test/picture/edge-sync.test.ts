import { gzipSync } from "node:zlib";
import { hlcAt } from "../../core/sync/hlc.ts";
import { basesOf, dotsOf, dotsOfValue, shownOf } from "../../core/sync/merge.ts";

import { eventually, world, type TestWorld } from "../mesh.ts";
import { connect } from "../gateway/live-setup.ts";
import { forget } from "../../services/picture/edge-sync/records/following.ts";
import { as, openCompartment, openSet, openStaffedSet, persons, signIn, type Person } from "../workspace/people.ts";
import { Device, uuid } from "./edge-device.ts";

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person, dan: Person, eve: Person;
let set: string;
beforeAll(async () => {
  at = await world();
  [ann, bob, cleo, dan, eve] = await persons(at, "ann", "bob", "cleo", "dan", "eve");
  set = await openStaffedSet(at, ann, { planner: bob, observer: cleo, liaison: dan });
}, 120_000);
afterAll(() => at.stop());

const device = (who: Person, fields: object = {}) => new Device(at, who).enrol({ problemSetIds: [set], ...fields });
const made = async (path: string, body: object, who = bob): Promise<any> => {
  const reply = await as(at, who)("POST", path, body);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
};
const resource = (fields: object = {}, who = bob) =>
  made("/api/resources", { problemSetId: set, name: "Truck", ...fields }, who);
const shownAt = async (path: string, who = bob): Promise<any> => (await as(at, who)("GET", path)).body.data;
const statuses = (answers: { status: string; code?: string }[]) => answers.map(({ status, code }) => code ?? status);

describe("an edge node that was cut off for a day", () => {
  it("brings what was made and changed there, and is told what was done at headquarters meanwhile", async () => {
    const tablet = await device(bob);
    const truck = await resource({ description: "Runs." });
    const fuel = await made("/api/resources/consumables", { problemSetId: set, name: "Diesel", unit: "l", level: 100 });
    const mast = await made("/api/sensors", { problemSetId: set, name: "Mast" });
    await tablet.pull();
    expect(shownOf(tablet.state(truck.id))).toMatchObject({ name: "Truck", description: "Runs." });
    // A day apart.
    at.clock.advance(86_400_000);
    await as(at, bob)("PATCH", `/api/resources/${truck.id}`, { name: "Truck 7", capabilities: ["mobility.ground"] });
    await as(at, bob)("PATCH", `/api/resources/consumables/${fuel.id}/level`, { delta: -30 });
    const own = uuid();
    const about = { entity: "resource", id: truck.id };
    const answers = await tablet.push(
      { entity: "resource", id: own, op: "set", value: { problemSetId: set, name: "Boat", kind: "vessel" } },
      { entity: "resource", id: own, op: "set", field: "status", value: { readiness: "limited", reason: "leaks" } },
      {
        ...about,
        op: "set",
        field: "description",
        value: "Engine smokes.",
        bases: basesOf(tablet.state(truck.id), "description"),
      },
      { ...about, op: "add", field: "capabilities", value: "mobility.air" },
      { entity: "consumable", id: fuel.id, op: "delta", field: "level", value: -20 },
      { entity: "sensor", id: mast.id, op: "set", field: "location", value: { latitude: 48, longitude: 11 } },
      { entity: "sensor", id: mast.id, op: "set", field: "status", value: "degraded" },
    );
    expect([...new Set(statuses(answers))]).toEqual(["applied"]);
    expect(await shownAt(`/api/resources/${truck.id}`)).toMatchObject({
      name: "Truck 7",
      description: "Engine smokes.",
      capabilities: ["mobility.air", "mobility.ground"],
    });
    expect(await shownAt(`/api/resources/${own}`)).toMatchObject({
      ...{ name: "Boat", readiness: "limited", readinessReason: "leaks", createdBy: bob.userId },
    });
    expect((await shownAt(`/api/resources/consumables/${fuel.id}`)).level).toBe(50);
    expect(await shownAt(`/api/sensors/${mast.id}`)).toMatchObject({ location: { latitude: 48 }, status: "degraded" });
    await tablet.pull();
    expect(shownOf(tablet.state(truck.id))).toMatchObject({ name: "Truck 7", description: "Engine smokes." });
    expect(shownOf(tablet.state(fuel.id))["level"]).toBe(50);
    expect(tablet.state(own).vector[tablet.id]).toBe(2);
  });

  it("leaves both texts of two people to a person, who decides, and every node hears of it", async () => {
    const [one, other] = [await device(bob), await device(ann)];
    const { id } = await resource({ description: "A" });
    await Promise.all([one.pull(), other.pull()]);
    const watch = await connect(at.url, { auth: { token: cleo.token } });
    await watch.subscribe({ problemSetId: set });
    const write = (by: Device, value: string) =>
      by.push({
        entity: "resource",
        id,
        op: "set",
        field: "description",
        value,
        bases: basesOf(by.state(id), "description"),
      });
    expect(statuses(await write(one, "North is blocked."))).toEqual(["applied"]);
    at.clock.advance(1_000);
    expect(statuses(await write(other, "South is blocked."))).toEqual(["conflict"]);
    expect((await shownAt(`/api/resources/${id}`)).description).toBe("South is blocked.");
    const open = async () =>
      (await as(at, cleo)("GET", `/api/edge-sync/conflicts?problemSetId=${set}`)).body.data.find(
        (c: any) => c.recordId === id,
      );
    const found = await open();
    expect(found.fields[0].values.map(({ value }: any) => value).sort()).toEqual([
      "North is blocked.",
      "South is blocked.",
    ]);
    expect(found.fields[0].values.map(({ node, by }: any) => [node, by]).sort()).toEqual(
      [ann, bob].map(({ userId }) => ["Tablet", userId]).sort(),
    );
    await eventually(
      () => watch.of("edge-conflict.changed").filter(({ data }) => data.recordId === id),
      (all) => all.length === 1,
    );
    // A person at headquarters edits what they see: the other text still waits.
    await as(at, ann)("PATCH", `/api/resources/${id}`, { description: "South is blocked since noon." });
    await one.pull();
    const texts = (await open()).fields[0].values.map(({ value }: any) => value);
    expect(texts.sort()).toEqual(["North is blocked.", "South is blocked since noon."]);
    const decide = (who: Person, body: object) =>
      as(at, who)("POST", `/api/edge-sync/conflicts/${found.id}/resolve`, body);
    const decision = { field: "description", value: "Both are blocked." };
    expect((await decide(bob, { ...decision, seen: found.seen })).status).toBe(409);
    const { seen } = await open();
    expect((await decide(cleo, { ...decision, seen })).status).toBe(403);
    expect((await decide(eve, { ...decision, seen })).status).toBe(404);
    for (const field of ["constructor", "__proto__", "weight"])
      expect((await decide(ann, { ...decision, field, seen })).body.error.code).toBe("NOT_SYNCED");
    expect((await decide(bob, { ...decision, seen })).body.data.resolved).toBe(true);
    expect(await open()).toBeUndefined();
    await Promise.all([one.pull(), other.pull()]);
    for (const node of [one, other]) expect(shownOf(node.state(id))["description"]).toBe("Both are blocked.");
    expect(one.state(id)).toEqual(other.state(id));
    watch.socket.close();
    const words = JSON.stringify((await as(at, cleo)("GET", `/api/problem-sets/${set}/activity?limit=100`)).body.data);
    expect(words).toContain("was changed by several at once");
    expect(words).toContain("was decided");
  });

  it("keeps an edit against a delete for a person, in either order, and revives nothing by itself", async () => {
    const [one, other] = [await device(bob), await device(ann)];
    const kept = await resource({ name: "Kept", serial: "K-1" });
    const gone = await resource({ name: "Gone" });
    await Promise.all([one.pull(), other.pull()]);
    const edit = (by: Device, id: string) =>
      by.push({
        entity: "resource",
        id,
        op: "set",
        field: "name",
        value: "Repaired",
        bases: basesOf(by.state(id), "name"),
      });
    const remove = (by: Device, id: string) =>
      by.push({ entity: "resource", id, op: "delete", bases: dotsOf(by.state(id)) });
    expect(statuses(await edit(one, kept.id))).toEqual(["applied"]);
    expect(statuses(await remove(other, kept.id))).toEqual(["conflict"]);
    expect(statuses(await remove(other, gone.id))).toEqual(["applied"]);
    expect(statuses(await edit(one, gone.id))).toEqual(["conflict"]);
    for (const { id } of [kept, gone]) expect((await as(at, bob)("GET", `/api/resources/${id}`)).status).toBe(404);
    const all = (await as(at, bob)("GET", `/api/edge-sync/conflicts?problemSetId=${set}`)).body.data;
    const found = (id: string) => all.find((one: any) => one.recordId === id);
    expect([kept.id, gone.id].map((id) => found(id).isDeleted)).toEqual([true, true]);
    const decide = (id: string, keep: string) =>
      as(at, bob)("POST", `/api/edge-sync/conflicts/${found(id).id}/resolve`, { keep, seen: found(id).seen });
    expect((await decide(kept.id, "record")).body.data.resolved).toBe(true);
    expect(await shownAt(`/api/resources/${kept.id}`)).toMatchObject({ name: "Repaired", serial: "K-1" });
    expect((await decide(gone.id, "deleted")).body.data.resolved).toBe(true);
    await Promise.all([one.pull(), other.pull()]);
    for (const node of [one, other]) {
      expect(shownOf(node.state(kept.id))["name"]).toBe("Repaired");
      expect(node.held.has(gone.id)).toBe(false);
    }
  });

  it("gives a record that is kept all back that it was, its alarms too", async () => {
    const [one, other] = [await device(bob), await device(ann)];
    const boat = await resource({
      ...{ name: "Tern", externalId: `RB-${uuid()}`, series: [{ key: "fuel", unit: "%" }] },
      location: { latitude: 1, longitude: 2 },
      thresholds: [{ id: "low", key: "fuel", when: "below", raise: 20 }],
    });
    const radar = await made("/api/sensors", {
      problemSetId: set,
      name: "Radar",
      coverage: { shape: "radius", range: 9 },
    });
    const ids = { resource: boat.id, sensor: radar.id };
    await Promise.all([one.pull(), other.pull()]);
    await as(at, bob)("PATCH", `/api/resources/${boat.id}`, { series: [{ key: "fuel", unit: "%", maximum: 100 }] });
    for (const [entity, id] of Object.entries(ids)) {
      const about = { entity, id };
      await one.push({ ...about, op: "set", field: "name", value: "Skua", bases: basesOf(one.state(id), "name") });
      expect(statuses(await other.push({ ...about, op: "delete", bases: dotsOf(other.state(id)) }))).toEqual([
        "conflict",
      ]);
    }
    const open = (await as(at, bob)("GET", `/api/edge-sync/conflicts?problemSetId=${set}`)).body.data;
    const keep = (id: string) => {
      const { id: conflict, seen } = open.find(({ recordId }: any) => recordId === id);
      return as(at, bob)("POST", `/api/edge-sync/conflicts/${conflict}/resolve`, { keep: "record", seen });
    };
    at.clock.advance(3_600_000);
    // What it was called elsewhere is taken meanwhile: that is said, and it can be kept once it is free.
    const taker = await resource({ name: "Taker", externalId: boat.externalId });
    expect((await keep(boat.id)).status).toBe(409);
    await as(at, bob)("DELETE", `/api/resources/${taker.id}`);
    for (const id of Object.values(ids)) expect((await keep(id)).body.data.resolved).toBe(true);
    expect(await shownAt(`/api/resources/${boat.id}`)).toMatchObject({
      ...{ name: "Skua", externalId: boat.externalId, thresholds: boat.thresholds },
      ...{ location: boat.location, locatedAt: boat.locatedAt },
      series: [{ key: "fuel", unit: "%", maximum: 100 }],
    });
    expect(await shownAt(`/api/sensors/${radar.id}`)).toMatchObject({ name: "Skua", coverage: radar.coverage });
  });

  it("adds to a set what another took away without having seen it, and takes away what it saw", async () => {
    const [one, other] = [await device(bob), await device(ann)];
    const { id } = await resource({ capabilities: ["mobility.ground", "mobility.air"] });
    await Promise.all([one.pull(), other.pull()]);
    const change = (by: Device, op: "add" | "remove", value: string) =>
      by.push({
        ...{ entity: "resource", id, op, field: "capabilities", value },
        ...(op === "remove" && { bases: dotsOfValue(by.state(id), "capabilities", value) }),
      });
    await change(one, "add", "mobility.ground");
    await change(other, "remove", "mobility.ground");
    await change(other, "remove", "mobility.air");
    expect((await shownAt(`/api/resources/${id}`)).capabilities).toEqual(["mobility.ground"]);
  });
});

describe("what an edge node sends", () => {
  it("is had once, however often it comes, and answered as it was before", async () => {
    const node = await device(bob);
    const fuel = await made("/api/resources/consumables", { problemSetId: set, name: "Oil", unit: "l", level: 10 });
    const level = { entity: "consumable", id: fuel.id, op: "delta" as const, field: "level" };
    const body = node.signed(
      node.numbered([
        { ...level, value: -1 },
        { ...level, value: -100 },
        { ...level, value: 2 },
      ]),
      "b",
    );
    const first = await node.send(body);
    expect(statuses(first.body.data.answers)).toEqual(["applied", "BELOW_ZERO", "applied"]);
    expect((await node.send(body)).body.data.answers).toEqual(first.body.data.answers);
    const changes = (body as any).changes;
    const again = await node.send(node.signed(changes));
    expect(statuses(again.body.data.answers)).toEqual(["duplicate", "BELOW_ZERO", "duplicate"]);
    expect((await shownAt(`/api/resources/consumables/${fuel.id}`)).level).toBe(11);
    // Who counts on eleven litres at headquarters hears that at the node they are used up.
    const told = async () =>
      (await as(at, cleo)("GET", `/api/problem-sets/${set}/activity?kind=edge-change.refused`)).body.data;
    const [refused, ...more] = await eventually(told, (all: any[]) => all.length > 0);
    expect(refused.summary).toBe('A change of "Oil" on Tablet was refused (level -100): There is not so much of it.');
    expect(more).toEqual([]);
    const differs = await node.send(node.signed([{ ...changes[0], value: -2 }], "b"));
    expect([differs.status, differs.body.error.code]).toEqual([409, "BATCH_DIFFERS"]);
    const gap = await node.send(node.signed([{ ...changes[0], seq: 9 }]));
    expect([gap.status, gap.body.error.code, gap.body.error.details]).toEqual([409, "SEQUENCE", { expected: 4 }]);
    const hole = await node.send(
      node.signed([
        { ...changes[0], seq: 4 },
        { ...changes[0], seq: 6 },
      ]),
    );
    expect([hole.status, hole.body.error.details[0].path]).toEqual([400, "changes.1.seq"]);
    const forged = await node.send({ ...node.signed([{ ...changes[0], seq: 4 }]), batchId: "other" });
    expect([forged.status, forged.body.error.code]).toEqual([403, "INVALID_SIGNATURE"]);
  });

  it("may come in gzip", async () => {
    const node = await device(bob);
    const body = node.signed(node.numbered([{ entity: "resource", id: uuid(), op: "delete", bases: [] }]));
    const reply = await at.http("POST", "/api/edge-sync/sync", {
      as: bob.token,
      raw: gzipSync(JSON.stringify(body)),
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    } as never);
    expect(statuses(reply.body.data.answers)).toEqual(["NOT_FOUND"]);
  });

  it("is refused change by change where its person may not, and nothing is held up by it", async () => {
    const { id } = await resource();
    const red = await openCompartment(at, set, ann, "Secret", bob);
    const secret = await resource({ name: "Hidden", compartments: [red] });
    const node = await device(dan);
    await node.pull();
    const about = { entity: "resource", id };
    const [fuel, own] = [uuid(), uuid()];
    const answers = await node.push(
      { ...about, op: "set", field: "name", value: "Mine", bases: [] },
      {
        ...about,
        op: "set",
        field: "status",
        value: { readiness: "lost", reason: null },
        bases: basesOf(node.state(id), "status"),
      },
      { ...about, op: "set", field: "status", value: { readiness: "broken", reason: null } },
      { ...about, op: "set", field: "problemSetId", value: "x" },
      { ...about, op: "set", field: "did", value: "did:key:z6Mk" },
      { ...about, op: "set", field: "series", value: [] },
      { ...about, op: "delta", field: "name", value: 1 },
      { entity: "person", id, op: "set", field: "name", value: "x" },
      { entity: "resource", id: secret.id, op: "set", field: "status", value: { readiness: "lost", reason: null } },
      { entity: "consumable", id: fuel, op: "set", value: { problemSetId: set, name: "Oil", unit: "l" } },
      { entity: "resource", id: own, op: "set", value: { name: "Elsewhere", problemSetId: await openSet(at, eve) } },
    );
    expect(statuses(answers)).toEqual([
      ...["FORBIDDEN", "applied", "VALIDATION_ERROR", "SERVER_OWNED", "SERVER_OWNED", "NOT_SYNCED", "NOT_SYNCED"],
      ...["NOT_SYNCED", "NOT_FOUND", "FORBIDDEN", "NOT_FOUND"],
    ]);
    expect(await shownAt(`/api/resources/${id}`)).toMatchObject({ name: "Truck", readiness: "lost" });
    expect((await shownAt(`/api/resources/${secret.id}`)).readiness).toBe("ready");
  });

  it("learns of an id that is taken beyond its barrier no more than that: not whether the record is there still", async () => {
    const deep = await openCompartment(at, set, ann, "Deep", bob);
    const [kept, removed] = [await resource({ compartments: [deep] }), await resource({ compartments: [deep] })];
    const node = await device(bob);
    await node.pull();
    expect((await as(at, bob)("DELETE", `/api/resources/${removed.id}`)).status).toBe(204);
    const path = `/api/problem-sets/${set}/compartments/${deep}/members`;
    const again = [kept, removed].map(({ id }) => ({
      ...{ entity: "resource", id, op: "set" as const },
      value: { problemSetId: set, name: "Mine" },
    }));
    expect(statuses(await node.push(...again))).toEqual(["EXISTS", "GONE"]);
    await as(at, ann)("DELETE", `${path}/${encodeURIComponent(bob.did)}`);
    expect(statuses(await node.push(...again))).toEqual(["EXISTS", "EXISTS"]);
  });

  it("shows the latest of two, though a clock runs years ahead", async () => {
    const [one, other] = [await device(bob), await device(ann)];
    const { id } = await resource();
    const move = (by: Device, latitude: number, ahead: number) =>
      by.push({
        ...{ entity: "resource", id, op: "set", field: "location", value: { latitude, longitude: 0 } },
        hlc: hlcAt(at.clock.now() + ahead),
      });
    await move(one, 1, 1e11);
    at.clock.advance(1_000);
    expect(statuses(await move(other, 2, 0))).toEqual(["applied"]);
    expect((await shownAt(`/api/resources/${id}`)).location.latitude).toBe(2);
    // What is older is had, and not shown.
    expect(statuses(await move(one, 3, -500))).toEqual(["applied"]);
    expect((await shownAt(`/api/resources/${id}`)).location.latitude).toBe(2);
  });

  it("adds what the crew found where it was, when they found it", async () => {
    const tablet = await device(bob);
    const [id, found] = [uuid(), at.clock.now()];
    at.clock.advance(7_200_000);
    const value = { problemSetId: set, name: "Life raft", location: { latitude: 1, longitude: 1 } };
    expect(statuses(await tablet.push({ entity: "resource", id, op: "set", value, hlc: hlcAt(found) }))).toEqual([
      "applied",
    ]);
    expect((await shownAt(`/api/resources/${id}`)).locatedAt).toBe(new Date(found).toISOString());
  });

  it("leaves a boat where its readings took it since, and else says when the crew saw it there", async () => {
    const tablet = await device(bob);
    const { id } = await resource({ kind: "vessel", location: { latitude: 1, longitude: 1 } });
    await tablet.pull();
    const bases = basesOf(tablet.state(id), "location");
    const sighted = (moment: number, latitude: number) =>
      tablet.push({
        ...{ entity: "resource", id, op: "set", field: "location", value: { latitude, longitude: 1 }, bases },
        hlc: hlcAt(moment),
      });
    const read = async (moment: number, latitude: number): Promise<void> => {
      const series = { latitude: [[moment, latitude]], longitude: [[moment, 1]] };
      await as(at, bob)("POST", "/api/resources/telemetry", { resourceId: id, series });
    };
    const boat = () => shownAt(`/api/resources/${id}`);
    const start = at.clock.now();
    at.clock.advance(7_200_000);
    const passed = at.clock.now();
    await read(passed, 2);
    await eventually(boat, ({ location }) => location.latitude === 2);
    expect(statuses(await sighted(start + 3_600_000, 9))).toEqual(["applied"]);
    expect(await boat()).toMatchObject({ location: { latitude: 2 }, locatedAt: new Date(passed).toISOString() });

    at.clock.advance(7_200_000);
    expect(statuses(await sighted(start + 9_000_000, 3))).toEqual(["applied"]);
    expect(await boat()).toMatchObject({
      location: { latitude: 3 },
      locatedAt: new Date(start + 9_000_000).toISOString(),
    });
    // What the boat had buffered since is later than that.
    await read(start + 10_000_000, 4);
    await eventually(boat, ({ location }) => location.latitude === 4);
  });
});

describe("what an edge node is told", () => {
  it("is where readings brought a resource, and the sensor that it carries", async () => {
    const tablet = await device(bob);
    const { id } = await resource({ kind: "vessel", location: { latitude: 1, longitude: 1 } });
    const mast = await made("/api/sensors", { problemSetId: set, name: "Masthead", resourceId: id });
    await tablet.pull();
    const known = (of: string): any => shownOf(tablet.state(of))["location"];
    expect([known(id).latitude, known(mast.id).latitude]).toEqual([1, 1]);
    for (const latitude of [2, 3]) {
      at.clock.advance(60_000);
      const moment = at.clock.now();
      const series = { latitude: [[moment, latitude]], longitude: [[moment, 1]] };
      await as(at, bob)("POST", "/api/resources/telemetry", { resourceId: id, series });
      await eventually(
        async () => {
          await tablet.pull();
          return [known(id).latitude, known(mast.id).latitude];
        },
        (found) => found.every((one) => one === latitude),
      );
    }
  });

  it("comes in pages, whole, and what was removed comes as a tombstone", async () => {
    const node = await device(bob);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await resource({ name: `Page ${n}` })).id);
    const pages = await node.pull("&limit=2");
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.every(({ records, tombstones }) => records.length + tombstones.length <= 2)).toBe(true);
    expect(ids.every((id) => node.held.has(id))).toBe(true);
    expect((await node.pull())[0]).toMatchObject({ records: [], tombstones: [], purge: [], upToDate: true });
    await as(at, bob)("DELETE", `/api/resources/${ids[0]}`);
    await eventually(
      async () => (await node.pull()).flatMap(({ tombstones }) => tombstones),
      (all) => all.length > 0 || !node.held.has(ids[0]!),
    );
    expect(node.held.has(ids[0]!)).toBe(false);
    expect((await node.ask("&limit=1001")).status).toBe(400);
  });

  it("ends with access: lost, it is told to let go; given, it begins at the first change", async () => {
    const red = await openCompartment(at, set, ann, "Red", bob, dan);
    const secret = await resource({ name: "Secret", compartments: [red] });
    const node = await device(bob);
    await node.pull();
    expect(node.held.has(secret.id)).toBe(true);
    const { place } = node.held.get(secret.id)!;
    const path = `/api/problem-sets/${set}/compartments/${red}/members`;
    const out = await as(at, ann)("DELETE", `${path}/${encodeURIComponent(bob.did)}`);
    expect(out.status).toBeLessThan(300);
    const report = await as(at, dan)("PATCH", `/api/resources/${secret.id}/status`, { readiness: "lost" });
    expect(report.status).toBe(200);
    const [page] = await node.pull();
    expect(page!.purge).toEqual([place]);
    expect(JSON.stringify(page)).not.toContain("Secret");
    expect(node.held.has(secret.id)).toBe(false);
    await as(at, ann)("POST", path, { did: bob.did });
    await node.pull();
    expect(shownOf(node.state(secret.id))["status"]).toEqual({ readiness: "lost", reason: null });
  });

  it("is nobody else's: not by their cursor, not of their node, not when it is too old", async () => {
    const [mine, theirs] = [await device(bob), await device(ann)];
    await Promise.all([mine.pull(), theirs.pull()]);
    const cursor = theirs.cursor;
    theirs.cursor = mine.cursor;
    expect((await theirs.ask()).status).toBe(400);
    theirs.cursor = cursor;
    expect((await as(at, eve)("GET", `/api/edge-sync/sync/delta?node=${mine.id}`)).status).toBe(404);
    expect((await as(at, eve)("GET", `/api/edge-sync/nodes/${mine.id}`)).status).toBe(404);
  });
});

describe("a node", () => {
  it("says whose it is, to its person and to whoever administers nodes", async () => {
    const { id } = await device(bob);
    const { data } = (await as(at, bob)("GET", `/api/edge-sync/nodes/${id}`)).body;
    expect(data).toMatchObject({ userId: bob.userId, userName: expect.stringMatching(/\w/) });
    const headers = { authorization: `Bearer ${await at.tokenOf("system_admin")}` };
    const all: any[] = (await at.http("GET", "/api/edge-sync/nodes?limit=100", { headers })).body.data;
    expect(all.find((node) => node.id === id)).toMatchObject({ userName: data.userName });
  });

  it("does not take a status without a readiness for one that is ready", async () => {
    const node = await device(bob);
    const { id } = await resource({ readiness: "lost" });
    await node.pull();
    const answers = await node.push({
      ...{ entity: "resource", id, op: "set", field: "status", value: { reason: null } },
      bases: basesOf(node.state(id), "status"),
    });
    expect(answers).toMatchObject([{ status: "rejected", code: "VALIDATION_ERROR" }]);
    expect((await shownAt(`/api/resources/${id}`)).readiness).toBe("lost");
  });

  const refusal = async (node: Device) => {
    const body = node.signed([{ seq: node.seq + 1, entity: "resource", id: uuid(), op: "delete", hlc: hlcAt(0) }]);
    const replies = [await node.send(body), await node.ask()];
    return [...new Set(replies.map(({ status, body: { error } }) => `${status} ${error?.code}`))];
  };

  it("is enrolled with a DID of the account alone, and refused at once when it is revoked", async () => {
    const node = await device(bob);
    await node.pull();
    const body = { name: "Copy", did: node.did };
    expect((await node.call("POST", "/api/edge-sync/nodes", body)).status).toBe(409);
    expect((await as(at, eve)("POST", "/api/edge-sync/nodes", body)).body.error.code).toBe("DID_NOT_BOUND");
    expect((await as(at, eve)("DELETE", `/api/edge-sync/nodes/${node.id}`)).status).toBe(404);
    expect((await as(at, bob)("DELETE", `/api/edge-sync/nodes/${node.id}`)).status).toBe(204);
    expect(await refusal(node)).toEqual(["403 NODE_REVOKED"]);
    expect((await as(at, bob)("POST", "/api/edge-sync/nodes", body)).status).toBe(201);
  });

  it("is refused at once when its DID is cut off in an emergency; what lies in one problem set is let go of", async () => {
    const node = await device(ann);
    await node.pull();
    const cut = async (who: Person | null, place: object) => {
      const found = await at.http("POST", "/api/discovery/observations", {
        ...(who && { as: who.token }),
        body: { ...place, devices: [{ name: "Tablet", did: node.did }] },
      });
      const id = found.body.data.created[0];
      const reply = await at.http("POST", `/api/discovery/devices/${id}/emergency-disconnect`, {
        ...(who && { as: who.token }),
        body: { reason: "lost" },
      });
      if (reply.status >= 300) throw new Error(reply.text);
    };
    await cut(ann, { problemSetId: set });
    const [page] = await node.pull();
    expect([page!.purge.length > 0, node.held.size]).toEqual([true, 0]);
    const { id } = await resource();
    expect(statuses(await node.push({ entity: "resource", id, op: "set", field: "name", value: "x" }))).toEqual([
      "CUT_OFF",
    ]);
    await cut(null, {});
    const later = await node.ask();
    expect([401, 403]).toContain(later.status);
  });
});

it("a cursor that is older than tombstones are kept begins anew, and what was deleted by then stays deleted", async () => {
  const node = await device(bob);
  const { id } = await resource();
  await node.pull();
  const edit = {
    entity: "resource",
    id,
    op: "set" as const,
    field: "name",
    value: "Late",
    bases: basesOf(node.state(id), "name"),
  };
  await as(at, bob)("DELETE", `/api/resources/${id}`);
  await eventually(
    async () => (await node.pull(), node.held.has(id)),
    (isHeld) => !isHeld,
  );
  at.clock.advance(91 * 86_400_000);
  await forget.call(at.service("edge-sync"));
  bob.token = await signIn(at, bob.email);
  const old = await node.ask();
  expect([old.status, old.body.error.code]).toEqual([410, "CURSOR_EXPIRED"]);
  node.cursor = undefined;
  expect((await node.pull())[0]!.reset).toBe(true);
  expect(statuses(await node.push(edit))).toEqual(["NOT_FOUND"]);
});
