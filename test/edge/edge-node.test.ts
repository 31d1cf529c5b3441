import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpLink } from "../../edge/sync/link.ts";
import { openEdge, type RunningEdge } from "../../edge/open.ts";
import { world, type TestWorld } from "../mesh.ts";
import { Dice } from "../simulation.ts";
import { as, openCompartment, openStaffedSet, persons, signIn, type Person } from "../workspace/people.ts";
import { FaultyLine, type Fate } from "./hub-double.ts";

// Two edge nodes and a hub, over lines that lose and double what goes along them.

const DAY_MS = 86_400_000;
const FATES: Fate[] = ["well", "well", "lost", "answer lost", "twice"];

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person;
let set: string;
let folder: string;
let post: RunningEdge, boat: RunningEdge;
const lines = new Map<string, FaultyLine>();

/** A node whose clock is off by `skew`, and whose line does what `lines` says. */
function node(name: string, skew: number, token?: string): Promise<RunningEdge> {
  return openEdge({
    ...{ folder: join(folder, name), hub: at.url, name, token, problemSetIds: [set] },
    clock: { now: () => at.clock.now() + skew },
    linkTo(hub) {
      const link = new HttpLink(hub);
      const line = new FaultyLine((...asked) => link.ask(...asked), link);
      lines.set(name, line);
      return line;
    },
  });
}

/** Rounds until one goes through from end to end. */
async function through(edge: RunningEdge): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return void (await edge.sync.round());
    } catch (error) {
      if (tries >= 200) throw error;
    }
}
const cut = (): void => {
  for (const line of lines.values()) line.fate = () => "lost";
};
const faulty = (seed: number): void => {
  const dice = new Dice(seed);
  for (const line of lines.values()) line.fate = () => dice.pick(FATES);
};
const well = (): void => {
  for (const line of lines.values()) line.fate = () => "well";
};

const resource = (id: string) => ({ entity: "resource", id });
const fieldsAt = async (edge: RunningEdge, id: string, entity = "resource"): Promise<any> =>
  (await edge.node.read({ entity, id })).fields;
const made = async (path: string, body: object): Promise<string> => {
  const reply = await as(at, bob)("POST", path, { problemSetId: set, ...body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.id;
};
const atHub = async (path: string): Promise<any> => (await as(at, ann)("GET", path)).body.data;

beforeAll(async () => {
  at = await world();
  folder = await mkdtemp(join(tmpdir(), "signalmesh-edge-"));
  [ann, bob, cleo] = await persons(at, "ann", "bob", "cleo");
  set = await openStaffedSet(at, ann, { planner: bob, deputy: cleo });
  post = await node("Post", -3 * 3_600_000, bob.token);
  boat = await node("Boat", DAY_MS, cleo.token);
}, 120_000);
afterAll(async () => {
  await Promise.all([post.close(), boat.close()]);
  await at.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(well);

it("comes together after a day apart over a line that loses and doubles, and no edit is lost", async () => {
  const bridge = await made("/api/resources", { name: "Bridge", description: "Open." });
  const sand = await made("/api/resources/consumables", { name: "Sandbags", unit: "piece", level: 400 });
  await Promise.all([through(post), through(boat)]);
  cut();
  const count = (edge: RunningEdge, value: number) =>
    edge.node.edit({ entity: "consumable", id: sand }, [{ op: "delta", field: "level", value }]);
  for (let n = 1; n <= 10; n++) {
    await count(post, -n);
    await count(boat, n === 5 ? 3 : -2);
  }
  await post.node.edit(resource(bridge), [{ op: "add", field: "capabilities", value: "mobility.ground" }]);
  const pump = await boat.node.make("resource", { problemSetId: set, name: "Pump", kind: "equipment" });
  await boat.node.edit(resource(pump.id), [
    { op: "set", field: "status", value: { readiness: "limited", reason: "No fuel" } },
    { op: "set", field: "location", value: { latitude: 48.8, longitude: 17 } },
  ]);
  await expect(post.sync.round()).rejects.toThrow("lost on its way");
  // One of them is put off and on again in between.
  await boat.close();
  boat = await node("Boat", DAY_MS);
  at.clock.advance(DAY_MS);
  ann = { ...ann, token: await signIn(at, ann.email) };
  await as(at, ann)("PATCH", `/api/resources/${bridge}`, { name: "Bridge at the mill" });
  await as(at, ann)("PATCH", `/api/resources/consumables/${sand}/level`, { delta: 100 });
  faulty(21);
  for (const edge of [post, boat, post]) await through(edge);
  expect((await atHub(`/api/resources/consumables/${sand}`)).level).toBe(400 + 100 - 55 - 15);
  expect(await atHub(`/api/resources/${pump.id}`)).toMatchObject({
    ...{ name: "Pump", readiness: "limited", readinessReason: "No fuel", location: { latitude: 48.8 } },
  });
  for (const edge of [post, boat]) {
    expect((await fieldsAt(edge, sand, "consumable")).level).toBe(430);
    expect(await fieldsAt(edge, bridge)).toMatchObject({
      name: "Bridge at the mill",
      capabilities: ["mobility.ground"],
    });
    expect((await fieldsAt(edge, pump.id)).status).toEqual({ readiness: "limited", reason: "No fuel" });
    expect(await edge.node.status()).toMatchObject({ unsent: 0, rejections: 0 });
  }
  expect((await post.node.status()).clock!.warning).toContain("3 h 0 min behind");
  expect((await boat.node.status()).clock!.warning).toContain("1 d 0 h ahead of");
});

it("shows what two said to both of them, until one decides", async () => {
  const id = await made("/api/resources", { name: "Ferry", description: "Runs." });
  await Promise.all([through(post), through(boat)]);
  await post.node.edit(resource(id), [{ op: "set", field: "description", value: "North landing is gone." }]);
  await boat.node.edit(resource(id), [{ op: "set", field: "description", value: "South landing is gone." }]);
  for (const edge of [post, boat, post]) await through(edge);
  const shown = await Promise.all([post, boat].map((edge) => edge.node.conflicts()));
  const values = shown.map((all) =>
    all
      .find((one) => one.id === id)!
      .conflicts[0]!.heads.map(({ value }) => value)
      .sort(),
  );
  expect(values).toEqual([
    ["North landing is gone.", "South landing is gone."],
    ["North landing is gone.", "South landing is gone."],
  ]);
  const [open] = shown[0]!.filter((one) => one.id === id);
  const seen = open!.conflicts[0]!.heads.map(({ dot }) => dot);
  await post.node.edit(resource(id), [{ op: "set", field: "description", value: "Both are gone.", seen }]);
  for (const edge of [post, boat]) await through(edge);
  expect([(await fieldsAt(post, id)).description, (await fieldsAt(boat, id)).description]).toEqual([
    "Both are gone.",
    "Both are gone.",
  ]);
  expect((await atHub(`/api/edge-sync/conflicts?problemSetId=${set}`)).map((one: any) => one.recordId)).toEqual([]);
});

it("shows what somebody deleted elsewhere as deleted, and brings nothing back by itself", async () => {
  const id = await made("/api/resources", { name: "Tent" });
  await Promise.all([through(post), through(boat)]);
  await post.node.edit(resource(id), [{ op: "delete" }]);
  await boat.node.edit(resource(id), [{ op: "set", field: "name", value: "Tent, repaired" }]);
  for (const edge of [post, boat, post]) await through(edge);
  for (const edge of [post, boat])
    expect(await edge.node.read(resource(id))).toMatchObject({ deleted: true, conflicts: [{ field: "" }] });
  const [found] = (await atHub(`/api/edge-sync/conflicts?problemSetId=${set}`)).filter(
    (one: any) => one.recordId === id,
  );
  await as(at, ann)("POST", `/api/edge-sync/conflicts/${found.id}/resolve`, { keep: "record", seen: found.seen });
  for (const edge of [post, boat]) await through(edge);
  expect([(await fieldsAt(post, id)).name, (await fieldsAt(boat, id)).name]).toEqual([
    "Tent, repaired",
    "Tent, repaired",
  ]);
});

it("refuses while it is cut off what the hub would refuse for its value, in the hub's words", async () => {
  const id = await made("/api/resources", { name: "Lorry" });
  await through(boat);
  cut();
  const wrong = (field: string, value: unknown, op: "set" | "add" = "set") =>
    boat.node.edit(resource(id), [{ op, field, value }]).then(
      () => "taken",
      ({ data: { details } }: { data: { details: { path: string; message: string }[] } }) =>
        details.map(({ path }) => path).join(),
    );
  expect(await wrong("status", { readiness: "tired", reason: null })).toBe("status.readiness");
  expect(await wrong("name", "")).toBe("name");
  expect(await wrong("kind", "rocket")).toBe("kind");
  expect(await wrong("location", { latitude: 95, longitude: 14 })).toBe("location.latitude");
  expect(await wrong("capabilities", "medical.magic", "add")).toBe("value");
  const asked = boat.node.make("resource", { problemSetId: set, name: "Row", status: { readiness: "ready" } });
  await expect(asked).rejects.toMatchObject({ code: 400, data: { details: [{ path: "status" }] } });
  await expect(boat.node.make("consumable", { problemSetId: set, name: "Row" })).rejects.toMatchObject({
    data: { details: [{ path: "unit", message: "Is required." }] },
  });
  expect(await wrong("serial", "L-7")).toBe("taken");
  expect(await boat.node.status()).toMatchObject({ unsent: 1 });
  well();
  await through(boat);
  expect(await boat.node.rejections()).toEqual([]);
  expect(await atHub(`/api/resources/${id}`)).toMatchObject({ serial: "L-7", readiness: "ready" });
});

it("has what was used while it was cut off counted as used then, and not when the line came back", async () => {
  const id = await made("/api/resources/consumables", { name: "Water", unit: "l", level: 400 });
  await through(boat);
  cut();
  at.clock.advance(3_600_000);
  const then = at.clock.now();
  await boat.node.edit({ entity: "consumable", id }, [{ op: "delta", field: "level", value: -40 }]);
  at.clock.advance(6 * 3_600_000);
  well();
  await through(boat);
  const { level, leveledAt } = await atHub(`/api/resources/consumables/${id}`);
  expect(level).toBe(360);
  // As exactly as the node knows the hub's clock.
  expect(Math.abs(Date.parse(leveledAt) - then)).toBeLessThan(60_000);
});

it("tells what the hub refused, with its reason, and goes on behind it", async () => {
  const id = await made("/api/resources/consumables", { name: "Diesel", unit: "l", level: 400, capacity: 500 });
  const diesel = { entity: "consumable", id };
  await through(boat);
  await boat.node.edit(diesel, [{ op: "set", field: "capacity", value: 300 }]);
  await boat.node.edit(diesel, [{ op: "set", field: "description", value: "In the yard" }]);
  await through(boat);
  const [refusal] = await boat.node.rejections();
  expect(refusal).toMatchObject({ id, field: "capacity", code: "ABOVE_CAPACITY", value: 300 });
  expect(refusal!.message).toMatch(/^There is room for 300\./);
  expect(await atHub(`/api/resources/consumables/${id}`)).toMatchObject({ capacity: 500, description: "In the yard" });
  expect(await fieldsAt(boat, id, "consumable")).toMatchObject({ capacity: 500, description: "In the yard" });
  await boat.node.dismiss(refusal!.seq);
});

it("lets go of what its person may no longer see, on a line that loses, and goes on with the rest", async () => {
  const red = await openCompartment(at, set, ann, "Red", bob, cleo);
  const secret = await made("/api/resources", { name: "Convoy at four", compartments: [red] });
  await Promise.all([through(post), through(boat)]);
  expect((await fieldsAt(boat, secret)).name).toBe("Convoy at four");
  await boat.node.edit(resource(secret), [{ op: "set", field: "description", value: "I saw it." }]);
  const path = `/api/problem-sets/${set}/compartments/${red}/members/${encodeURIComponent(cleo.did)}`;
  expect((await as(at, ann)("DELETE", path)).status).toBeLessThan(300);
  faulty(5);
  await through(boat);
  await expect(boat.node.read(resource(secret))).rejects.toMatchObject({ code: 404 });
  const [refusal] = await boat.node.rejections();
  expect(refusal).toMatchObject({ id: secret, code: "NOT_FOUND" });
  expect(refusal).not.toHaveProperty("value");
  await boat.node.dismiss(refusal!.seq);
  expect((await fieldsAt(post, secret)).name).toBe("Convoy at four");
  expect((await boat.node.list("resource")).length).toBeGreaterThan(2);
});

it("is told nothing and taken nothing from once it was revoked, and keeps what it could not send", async () => {
  const id = await made("/api/resources", { name: "Crane" });
  await through(boat);
  cleo = { ...cleo, token: await signIn(at, cleo.email) };
  expect((await as(at, cleo)("DELETE", `/api/edge-sync/nodes/${boat.enrolled.node}`)).status).toBe(204);
  await boat.node.edit(resource(id), [{ op: "set", field: "name", value: "Mine" }]);
  await expect(boat.loop.now()).rejects.toMatchObject({ code: "NODE_REVOKED" });
  expect(await boat.node.status()).toMatchObject({ unsent: 1, hub: { state: "refused", code: "NODE_REVOKED" } });
  expect((await atHub(`/api/resources/${id}`)).name).toBe("Crane");
  expect((await fieldsAt(boat, id)).name).toBe("Mine");
});
