import fc from "fast-check";
import { systemActor } from "../../core/access/access.ts";
import { ERASE, GATHER } from "../../core/records/keeping/personal-data.ts";
import {
  daysLeft,
  isSufficient,
  perDay,
  shortage,
  usedUp,
} from "../../services/picture/resources/consumables/stock.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { as, openCompartment, openStaffedSet, person, persons, type Person } from "../workspace/people.ts";

// Personnel and consumables: what stands behind resources, and runs out.

let at: TestWorld;
let ann: Person, dan: Person, bob: Person, cleo: Person;
let set: string, other: string;
beforeAll(async () => {
  at = await world();
  [ann, dan, bob, cleo] = await persons(at, "ann", "dan", "bob", "cleo");
  set = await openStaffedSet(at, ann, { deputy: dan, planner: bob, observer: cleo });
  other = await openStaffedSet(at, ann, { deputy: dan });
}, 120_000);
afterAll(() => at.stop());

const call = (who: Person, method: string, tail: string, body?: object) =>
  as(at, who)(method, `/api/resources${tail}`, body);

describe("personnel", () => {
  const add = (who: Person, fields: object = {}) =>
    call(who, "POST", "/personnel", { problemSetId: set, name: "Ada Moreau", ...fields });
  const unitIn = async (problemSetId: string): Promise<string> =>
    (await as(at, ann)("POST", "/api/command/units", { problemSetId, name: "2nd" })).body.data.id;

  it("is kept by deputies, seen by members, and moved to units of its own problem set alone", async () => {
    expect((await add(bob)).status).toBe(403);
    const made = await add(dan, { rank: "Captain", skills: ["driver", "medic", "driver"] });
    expect(made.body.data.skills).toEqual(["driver", "medic"]);
    const path = `/personnel/${made.body.data.id}`;
    expect((await call(cleo, "GET", path)).body.data).toMatchObject({ name: "Ada Moreau", status: "available" });
    const [unit, elsewhere] = [await unitIn(set), await unitIn(other)];
    expect((await call(dan, "PATCH", `${path}/unit`, { unitId: unit })).body.data.unitId).toBe(unit);
    const { status, body } = await call(dan, "PATCH", `${path}/unit`, { unitId: elsewhere });
    expect([status, body.error.code]).toEqual([422, "OTHER_PLACE"]);
    expect((await call(dan, "PATCH", path, { unitId: "none" })).status).toBe(422);
    // Whoever sees the person would be told of a unit in a compartment.
    const red = await openCompartment(at, set, ann, "Red", dan);
    const unseen = { problemSetId: set, compartments: [red], name: "Unseen" };
    const { id: unitId } = (await as(at, dan)("POST", "/api/command/units", unseen)).body.data;
    expect((await call(dan, "PATCH", `${path}/unit`, { unitId })).body.error.code).toBe("OTHER_PLACE");
    expect((await add(dan, { unitId, compartments: [red] })).status).toBe(201);
    expect((await call(cleo, "GET", `/personnel?problemSetId=${set}&unitId=${unit}`)).body.meta.total).toBe(1);
    expect((await call(dan, "PATCH", `${path}/unit`, { unitId: null })).body.data.unitId).toBeUndefined();
    await call(dan, "PATCH", path, { unitId: unit });
    await call(dan, "PATCH", `${path}/unit`, { unitId: unit });
    const told = async () =>
      (await as(at, dan)("GET", `/api/problem-sets/${set}/activity?limit=100`)).body.data
        .filter(({ subject }: any) => subject?.id === made.body.data.id)
        .map(({ summary }: any) => summary);
    await eventually(told, (all) => all.length >= 4);
    expect((await told()).sort()).toEqual([
      "Ada Moreau is in no unit any more.",
      "Ada Moreau was added to the personnel.",
      "Ada Moreau was moved to another unit.",
      "Ada Moreau was moved to another unit.",
    ]);
    expect((await as(at, ann)("DELETE", `/api/command/units/${unit}`)).status).toBe(204);
    await eventually(
      async () => (await call(dan, "GET", path)).body.data,
      (shown) => shown.unitId === undefined,
    );
    expect((await call(dan, "DELETE", path)).status).toBe(204);
    expect((await call(dan, "GET", path)).status).toBe(404);
  });

  it("of an account is that person's data: with their export, and gone with their account", async () => {
    const stranger = await person(at, "stranger");
    expect((await add(dan, { did: stranger.did })).body.error.code).toBe("NO_MEMBER");
    expect((await add(dan, { did: cleo.did, phone: "+33 1" })).body.data).toMatchObject({ userId: cleo.userId });
    const mine = () => at.call(`resources.${GATHER}`, { userId: cleo.userId }, systemActor("test"));
    expect(JSON.stringify(await mine())).toContain("+33 1");
    await at.call(`resources.${ERASE}`, { userId: cleo.userId }, systemActor("test"));
    expect(await mine()).toEqual({});
  });

  it("comes in by the hundred, each row by itself, under a key but once", async () => {
    const rows = Array.from({ length: 120 }, (_, n) => ({ externalId: `P-${n}`, name: n === 7 ? "" : `Person ${n}` }));
    const bring = () =>
      as(at, dan)(
        "POST",
        `/api/resources/personnel/bulk-import?problemSetId=${set}`,
        { rows },
        { "idempotency-key": "bulk" },
      );
    const { created, failed } = (await bring()).body.data;
    expect([created.length, failed]).toEqual([
      119,
      [{ index: 7, code: "VALIDATION_ERROR", path: "name", message: expect.any(String) }],
    ]);
    expect((await bring()).body.data.created).toEqual(created);
  });
});

it("takes from a table several skills of a person, of several words too", async () => {
  const raw = 'name,skills\nJansen,"first aid, diver"\nVisser,boat driver;medic|cook\n';
  const path = `/api/resources/personnel/bulk-import?problemSetId=${set}`;
  const { created } = (await at.http("POST", path, { as: dan.token, raw, type: "text/csv" })).body.data;
  const skills = created.map(
    async ({ id }: { id: string }) => (await call(dan, "GET", `/personnel/${id}`)).body.data.skills,
  );
  expect(await Promise.all(skills)).toEqual([
    ["diver", "first aid"],
    ["boat driver", "cook", "medic"],
  ]);
});

describe("consumables", () => {
  const add = async (fields: object = {}): Promise<any> =>
    (
      await call(bob, "POST", "/consumables", {
        problemSetId: set,
        name: "Diesel",
        unit: "l",
        level: 100,
        minimum: 10,
        ...fields,
      })
    ).body.data;
  const level = async (id: string, body: object): Promise<any> =>
    (await call(bob, "PATCH", `/consumables/${id}/level`, body)).body;
  const low = async (): Promise<any[]> =>
    (await call(cleo, "GET", `/consumables/low-stock?problemSetId=${set}`)).body.data;

  it("are short at their minimum exactly, told once a crossing, and sufficient again a tenth above", async () => {
    const { id } = await add({ name: "Water" });
    expect((await level(id, { level: 10.01 })).data.low).toBeNull();
    expect((await level(id, { level: 10 })).data.low).toMatchObject({ reason: "minimum" });
    expect((await low()).map(({ name }) => name)).toEqual(["Water"]);
    expect((await level(id, { delta: 0.5 })).data.low).toBeNull();
    expect((await level(id, { delta: -1 })).data.low).toMatchObject({ reason: "minimum" });
    await level(id, { level: 12 });
    await level(id, { level: 9 });
    const words = async () => {
      const { data } = (await as(at, cleo)("GET", `/api/problem-sets/${set}/activity?limit=100`)).body;
      return data.filter(({ subject }: any) => subject?.id === id).map(({ text, words }: any) => text ?? words);
    };
    const told = await eventually(words, (all) => all.length >= 3);
    expect(told).toHaveLength(3);
    expect((await level(id, { delta: -10 })).error.code).toBe("BELOW_ZERO");
    expect((await level(id, {})).error.details[0].path).toBe("level");
    expect((await call(cleo, "PATCH", `/consumables/${id}/level`, { level: 1 })).status).toBe(403);
    const room = (await call(bob, "PATCH", `/consumables/${id}`, { capacity: 1 })).body.error;
    expect([room.code, room.details[0].path]).toEqual(["ABOVE_CAPACITY", "capacity"]);
    expect((await call(bob, "PATCH", `/consumables/${id}`, { level: 1 })).body.error.details).toEqual([
      { path: "level", message: "Set the level, or change it by an amount, at `PATCH …/level`." },
    ]);
    expect((await call(bob, "PATCH", `/consumables/${id}`, { level: 4 })).body.error.details[0].path).toBe("level");
  });

  it("are short by forecast where they will be used up before more can come, and a refill is no use", async () => {
    const { id } = await add({ name: "Kerosene", leadTimeDays: 3 });
    at.clock.advance(86_400_000);
    const used = (await level(id, { delta: -20 })).data;
    expect([Math.round(used.perDay), Math.round(used.daysLeft), used.low]).toEqual([21, 4, null]);
    at.clock.advance(86_400_000);
    const short = (await level(id, { delta: -25 })).data;
    expect(short.low).toMatchObject({ reason: "forecast" });
    at.clock.advance(86_400_000);
    const full = (await level(id, { level: 100 })).data;
    expect([full.low, full.perDay]).toEqual([null, short.perDay]);
  });

  it("are not short by a count that is put right at once: a use of seconds tells of no day", async () => {
    const { id } = await add({ level: 4_000, minimum: 500, leadTimeDays: 2 });
    at.clock.advance(5_000);
    expect((await level(id, { delta: -200 })).data).toMatchObject({ perDay: 0, daysLeft: null, low: null });
    at.clock.advance(2 * 3_600_000);
    const burning = (await level(id, { delta: -800 })).data;
    expect(burning).toMatchObject({ level: 3_000, low: { reason: "forecast" } });
    expect(Math.round(burning.perDay / 100)).toBe(120);
  });

  it("are not set back by a count that was made before the last one", async () => {
    const { id } = await add({ level: 400 });
    const yesterday = new Date(at.clock.now()).toISOString();
    at.clock.advance(86_400_000);
    await level(id, { level: 250 });
    expect((await level(id, { level: 390, at: yesterday })).error).toMatchObject({
      code: "CONFLICT",
      message: "It was counted or changed since: say by how much it changed (`delta`).",
    });
    // What was taken away then is taken away still.
    expect((await level(id, { delta: -20, at: yesterday })).data.level).toBe(230);
  });

  it("are forecast by when it was used, though that is told late", async () => {
    const { id } = await add({ level: 8_000, minimum: 500, leadTimeDays: 2 });
    const ago = (hours: number): string => new Date(at.clock.now() - hours * 3_600_000).toISOString();
    for (const hours of [70, 48, 60, 36, 24, 12]) await level(id, { delta: -1_000, at: ago(hours) });
    const late = (await call(cleo, "GET", `/consumables/${id}`)).body.data;
    expect(late).toMatchObject({ level: 2_000, low: { reason: "forecast" } });
    expect([Math.round(late.perDay / 100), Math.round(late.daysLeft)]).toEqual([20, 1]);
    at.clock.advance(2 * 3_600_000);
    expect(Math.round((await level(id, { delta: -10 })).data.perDay / 100)).toBe(19);
  });

  it("count every one of many changes at once", async () => {
    const { id } = await add({ level: 50, minimum: 0 });
    await Promise.all(Array.from({ length: 20 }, () => level(id, { delta: -2 })));
    expect((await call(cleo, "GET", `/consumables/${id}`)).body.data.level).toBe(10);
  });

  it("a steady use is found whatever the intervals, and short is never both short and sufficient", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 1_000, noNaN: true }),
        fc.array(fc.integer({ min: 60_000, max: 86_400_000 }), { minLength: 60, maxLength: 90 }),
        (rate, intervals) => {
          let use = { used: 0, days: 0 };
          for (const ms of intervals) use = usedUp(use, (rate * ms) / 86_400_000, ms);
          expect(perDay(use) / rate).toBeGreaterThan(0.99);
          expect(perDay(use) / rate).toBeLessThan(1.1);
          expect(usedUp(use, -5, 86_400_000)).toEqual(use);
          for (const level of [0, rate, rate * 5]) {
            const stock = { ...use, level, minimum: rate, leadTimeDays: 2 };
            expect(shortage(stock) !== null && isSufficient(stock)).toBe(false);
            expect(daysLeft(stock)).toBeCloseTo(level / perDay(use), 6);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
