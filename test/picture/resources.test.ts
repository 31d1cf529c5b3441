import { deflateSync, gzipSync, brotliCompressSync } from "node:zlib";
import { CAPABILITY_CODES, withParents } from "../../services/picture/resources/registry/capabilities.ts";
import { eventually, type TestWorld } from "../mesh.ts";
import { as, openStaffedSet, type Person } from "../workspace/people.ts";
import { staffedWorld } from "./staffed-set.ts";

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person, eve: Person;
let set: string, other: string, red: string;
beforeAll(async () => {
  ({ at, ann, bob, cleo, eve, set, red } = await staffedWorld());
  other = await openStaffedSet(at, ann, { planner: bob });
}, 120_000);
afterAll(() => at.stop());

const call = (who: Person, method: string, tail: string, body?: object) =>
  as(at, who)(method, `/api/resources${tail}`, body);
async function add(who: Person, fields: object = {}): Promise<any> {
  const { status, body, text } = await call(who, "POST", "", { problemSetId: set, name: "Truck", ...fields });
  if (status !== 201) throw new Error(text);
  return body.data;
}
const named = (reply: { body: any }): string[] => reply.body.data.map(({ name }: any) => name).sort();

describe("the registry", () => {
  it("finds a resource by what it can do, a parent its children, and by where it is, over the 180th meridian too", async () => {
    await add(bob, {
      name: "Ferry",
      capabilities: ["mobility.crossing.ferrying"],
      location: { latitude: 1, longitude: 179.9 },
    });
    await add(bob, {
      name: "Bridge",
      capabilities: ["mobility.crossing.bridging"],
      location: { latitude: 1, longitude: -179.9 },
    });
    await add(bob, { name: "Far", capabilities: ["mobility.ground"], location: { latitude: 1, longitude: 150 } });
    const found = async (query: string) => named(await call(cleo, "GET", `?problemSetId=${set}&${query}`));
    expect(await found("capability=mobility.crossing")).toEqual(["Bridge", "Ferry"]);
    expect(await found("capability=mobility")).toEqual(["Bridge", "Far", "Ferry"]);
    expect(await found("bbox=179,0,-179,2")).toEqual(["Bridge", "Ferry"]);
    expect(await found("near=180,1,12000")).toEqual(["Bridge", "Ferry"]);
    const half = await as(at, cleo)("GET", "/api/resources?near=51.92&bbox=1,2,3");
    expect(half.body.error.details).toEqual([
      { path: "bbox", message: "Must be `west,south,east,north`." },
      { path: "near", message: "Must be `longitude,latitude,metres`." },
    ]);
    expect(await found("near=180,1,12000&capability=mobility.crossing.ferrying")).toEqual(["Ferry"]);
    const { meta } = (await call(cleo, "GET", `?problemSetId=${set}&bbox=179,0,-179,2&limit=1`)).body;
    expect(meta).toMatchObject({ total: 2, limit: 1 });
    expect((await call(cleo, "GET", "?bbox=1,2,3")).body.error.details[0].path).toBe("bbox");
    expect((await call(cleo, "GET", "?capability=flying")).body.error.details[0].path).toBe("capability");
  });

  it("searches words and their beginnings, without accents, and counts only what its reader sees", async () => {
    await add(bob, { name: "Généraleur Élise", serial: "GX-4711", readiness: "limited" });
    await add(bob, { name: "Genera secreta", serial: "GX-4712", compartments: [red] });
    const found = async (who: Person, q: string) =>
      named(await call(who, "GET", `/registry/search?q=${encodeURIComponent(q)}`));
    expect(await found(cleo, "genera elise")).toEqual(["Généraleur Élise"]);
    expect(await found(cleo, "gx 471")).toEqual(["Généraleur Élise"]);
    expect(await found(bob, "gx 471")).toEqual(["Genera secreta", "Généraleur Élise"]);
    expect(await found(eve, "gx 471")).toEqual([]);
    const stats = async (who: Person) => (await call(who, "GET", `/registry/stats?problemSetId=${set}`)).body.data;
    const [seen, all] = [await stats(cleo), await stats(bob)];
    expect([all.total - seen.total, seen.byReadiness.limited, seen.located]).toEqual([1, 1, 3]);
    expect(seen.byCapability).toMatchObject({ mobility: 3, "mobility.crossing": 2, "mobility.crossing.ferrying": 1 });
    expect((await call(eve, "GET", `/registry/stats?problemSetId=${set}`)).status).toBe(404);
  });

  it("has capabilities as a tree, in which each code begins with its parent's", async () => {
    const { data } = (await call(eve, "GET", "/registry/capabilities")).body;
    const codes: string[] = [];
    const walk = (node: any, parent?: string): void => {
      if (parent) expect(node.code.startsWith(`${parent}.`)).toBe(true);
      codes.push(node.code);
      for (const child of node.children ?? []) walk(child, node.code);
    };
    data.forEach((node: any) => walk(node));
    expect(codes.sort()).toEqual([...CAPABILITY_CODES].sort());
    expect(withParents(["a.b.c", "a.d"])).toEqual(["a", "a.b", "a.b.c", "a.d"]);
  });

  it("enters a resource under a DID of one's own, once, and finds it by the DID, percent signs and all", async () => {
    const { did } = (await as(at, bob)("POST", "/api/identity/did/create", { method: "key" })).body.data;
    const register = (who: Person, fields: object) =>
      call(who, "POST", "/registry/register", { problemSetId: set, name: "Radio", did, ...fields });
    expect((await register(ann, {})).body.error.details[0].path).toBe("challenge");
    expect((await register(cleo, {})).status).toBe(403);
    const made = await register(bob, {});
    expect([made.status, made.body.data.did]).toEqual([201, did]);
    expect((await register(bob, {})).status).toBe(409);
    expect((await call(cleo, "GET", `/did/${encodeURIComponent(did)}`)).body.data.id).toBe(made.body.data.id);
    expect((await call(eve, "GET", `/did/${encodeURIComponent(did)}`)).status).toBe(404);
    expect((await call(cleo, "GET", `/did/${encodeURIComponent("did:web:host%3A8080")}`)).body.error.message).toContain(
      "did:web:host%3A8080",
    );
    const plain = await add(bob);
    const second = (await as(at, bob)("POST", "/api/identity/did/create", { method: "key" })).body.data.did;
    expect((await register(bob, { did: second, resourceId: plain.id, name: undefined })).body.data).toMatchObject({
      id: plain.id,
      did: second,
    });
  });
});

describe("a resource", () => {
  it("is changed by planners, its readiness by all who report, and tells since when it is so", async () => {
    const truck = await add(bob);
    expect((await call(cleo, "PATCH", `/${truck.id}`, { name: "Mine" })).status).toBe(403);
    expect((await call(eve, "GET", `/${truck.id}`)).status).toBe(404);
    const edited = await call(bob, "PATCH", `/${truck.id}`, { serial: "S-1", location: { latitude: 4, longitude: 5 } });
    expect(edited.body.data).toMatchObject({ serial: "S-1", locatedAt: expect.any(String) });
    expect((await call(bob, "PATCH", `/${truck.id}`, { location: null })).body.data.locatedAt).toBeUndefined();
    const down = await call(bob, "PATCH", `/${truck.id}/status`, { readiness: "maintenance", reason: "Axle" });
    expect(down.body.data).toMatchObject({ readiness: "maintenance", readinessReason: "Axle" });
    const up = (await call(bob, "PATCH", `/${truck.id}/status`, { readiness: "ready" })).body.data;
    expect([up.readinessReason, up.readinessAt >= down.body.data.readinessAt]).toEqual([undefined, true]);
    expect((await call(bob, "PATCH", `/${truck.id}/status`, { readiness: "fine" })).body.error.details[0].path).toBe(
      "readiness",
    );
    await eventually(
      async () => (await as(at, cleo)("GET", `/api/problem-sets/${set}/activity`)).text,
      (text) => text.includes('The resource \\"Truck\\" is in maintenance.'),
    );
    await call(bob, "PATCH", `/${truck.id}`, { readiness: "lost" });
    await eventually(
      async () => (await as(at, cleo)("GET", `/api/problem-sets/${set}/activity`)).text,
      (text) => text.includes('The resource \\"Truck\\" is lost.'),
    );
  });

  it("outside of all sets is everybody's of one mode, and made by those whose roles let them", async () => {
    const free = await add(eve, { problemSetId: undefined, name: "Platform mast" });
    expect((await call(cleo, "GET", `/${free.id}`)).body.data.problemSetId).toBeUndefined();
    expect((await at.http("PATCH", `/api/resources/${free.id}`, { as: "reader", body: { name: "x" } })).status).toBe(
      403,
    );
    expect((await at.http("POST", "/api/resources", { as: "reader", body: { name: "x" } })).status).toBe(403);
    expect((await call(eve, "POST", "", { name: "x", compartments: [red] })).body.error.details[0].path).toBe(
      "compartments",
    );
  });

  it("outside of all sets is listed alone: sensors, people, groups, supplies, alarms, and what the picture may contradict or show", async () => {
    const thresholds = [{ id: "low", key: "fuel", when: "below", raise: 20 }];
    const posts = [
      [{ problemSetId: set, name: "In the set" }, (path: string, body: object) => as(at, ann)("POST", path, body)],
      [{ name: "Of everybody" }, (path: string, body: object) => at.http("POST", path, { body })],
    ] as const;
    for (const [place, post] of posts) {
      const { id } = (await post("/api/resources", { ...place, thresholds })).body.data;
      await post("/api/resources/telemetry", { resourceId: id, key: "fuel", value: 7 });
      for (const path of ["/api/resources/personnel", "/api/sensors"])
        expect((await post(path, place)).status).toBe(201);
      expect((await post("/api/resources/groups", place)).status).toBe(201);
      // At its minimum: it is short at once.
      expect((await post("/api/resources/consumables", { ...place, unit: "l" })).status).toBe(201);
    }
    for (const path of [
      "resources/alarms",
      "resources/personnel",
      "resources/groups",
      "resources/consumables",
      "resources/consumables/low-stock",
      "sensors",
    ]) {
      const rows = (query: string) => as(at, bob)("GET", `/api/${path}?limit=100${query}`);
      const places = async (query: string) => [
        ...new Set((await rows(query)).body.data.map((one: any) => one.problemSetId)),
      ];
      expect([path, await places("&outside=true")]).toEqual([path, [undefined]]);
      expect([path, await places(`&problemSetId=${set}`)]).toEqual([path, [set]]);
      const both = await rows(`&outside=true&problemSetId=${set}`);
      expect([path, both.status, both.body.error.details[0].path]).toEqual([path, 400, "outside"]);
    }
    for (const path of ["conflicts", "linkages/pending"]) {
      const rows = (query: string) => as(at, bob)("GET", `/api/cop/${path}?outside=true${query}`);
      expect([path, (await rows("")).status]).toEqual([path, 200]);
      expect([path, (await rows(`&problemSetId=${set}`)).status]).toEqual([path, 400]);
    }
  });

  it("has its name of another system once where its readers see it, so that a hidden one is not told of", async () => {
    await add(bob, { externalId: "X-1", compartments: [red] });
    await add(ann, { externalId: "X-1" });
    expect((await call(ann, "POST", "", { problemSetId: set, name: "x", externalId: "X-1" })).status).toBe(409);
  });

  it("tells by no revision of groups that its reader does not see, nor a group of members", async () => {
    const open = await add(ann),
      hidden = await add(bob, { compartments: [red] });
    const make = async (fields: object) =>
      (await call(bob, "POST", "/groups", { problemSetId: set, name: "Column", ...fields })).body.data;
    const [group, secret] = [await make({}), await make({ compartments: [red] })];
    const seen = async () => {
      const answers = await Promise.all(
        [`/${open.id}`, `/groups/${group.id}`, `/groups/${group.id}/members`].map((path) => call(cleo, "GET", path)),
      );
      return answers.map(({ body, headers }) => [body, headers.get("etag")]);
    };
    const before = await seen();
    const put = (groupId: string, resourceId: string) =>
      call(bob, "POST", `/groups/${groupId}/members`, { resourceId });
    expect((await put(group.id, hidden.id)).status).toBe(201);
    expect((await put(secret.id, open.id)).status).toBe(201);
    expect(await seen()).toEqual(before);
    expect((await call(bob, "DELETE", `/groups/${group.id}/members/${hidden.id}`)).status).toBe(204);
    expect((await call(bob, "DELETE", `/groups/${secret.id}`)).status).toBe(204);
    expect(await seen()).toEqual(before);
    const mission = { problemSetId: set, name: "Hidden", compartments: [red] };
    const { id } = (await as(at, bob)("POST", "/api/missions", mission)).body.data;
    expect((await call(bob, "PATCH", `/${open.id}`, { missionIds: [id] })).body.error.details[0].path).toBe(
      "missionIds.0",
    );
  });

  it("is found by the mission that it is assigned to, which activity tells, and to none that is over", async () => {
    const mission = async (fields: object) =>
      (await as(at, bob)("POST", "/api/missions", { problemSetId: set, ...fields })).body.data;
    const [evacuation, dam, hidden] = [
      await mission({ name: "Evacuate Kostelec" }),
      await mission({ name: "Raise the dam" }),
      await mission({ name: "Sting", compartments: [red] }),
    ];
    const [boat, spare] = [await add(bob, { name: "Boat 1" }), await add(bob, { name: "Boat 2" })];
    const unmarked = await add(bob, { name: "Unmarked", compartments: [red], missionIds: [hidden.id, dam.id] });
    const assign = (id: string, ...missionIds: string[]) => call(bob, "PATCH", `/${id}`, { missionIds });
    await assign(boat.id, evacuation.id, dam.id);
    await assign(spare.id, evacuation.id);
    const of = async (who: Person, { id }: { id: string }) => {
      const reply = await call(who, "GET", `?missionId=${id}&sort=name`);
      return reply.status === 200 ? named(reply) : reply.status;
    };
    expect([await of(cleo, evacuation), await of(cleo, dam), await of(bob, dam)]).toEqual([
      ["Boat 1", "Boat 2"],
      ["Boat 1"],
      ["Boat 1", "Unmarked"],
    ]);
    expect([await of(bob, hidden), await of(cleo, hidden)]).toEqual([["Unmarked"], 404]);
    const complete = await as(at, bob)("POST", `/api/missions/${evacuation.id}/activate`);
    expect(complete.status).toBe(200);
    await as(at, bob)("POST", `/api/missions/${evacuation.id}/complete`, {});
    expect((await assign(spare.id, evacuation.id, dam.id)).status).toBe(200);
    expect((await assign((await add(bob)).id, evacuation.id)).body.error.details).toEqual([
      { path: "missionIds.0", message: "The mission is completed: nothing is assigned to it any more." },
    ]);
    await assign(spare.id);
    await call(bob, "PATCH", `/${unmarked.id}`, { missionIds: [] });
    await eventually(
      async () => (await as(at, cleo)("GET", `/api/problem-sets/${set}/activity?limit=100`)).text,
      (text) =>
        [
          'The resource \\"Boat 1\\" was assigned to \\"Evacuate Kostelec\\", \\"Raise the dam\\".',
          'The resource \\"Boat 2\\" was assigned to \\"Raise the dam\\".',
          'The resource \\"Boat 2\\" was taken off \\"Evacuate Kostelec\\", \\"Raise the dam\\".',
        ].every((told) => text.includes(told)) && !text.includes("Sting"),
    );
  });

  it("goes, or is taken up: never both, however close together", async () => {
    const group = (await call(bob, "POST", "/groups", { problemSetId: set, name: "Race" })).body.data;
    for (let n = 0; n < 10; n++) {
      const one = await add(ann);
      const [added, removed] = await Promise.all([
        call(ann, "POST", `/groups/${group.id}/members`, { resourceId: one.id }),
        call(bob, "DELETE", `/${one.id}`),
      ]);
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([added.status, removed.status]);
      expect((await call(bob, "GET", `/${one.id}`)).status).toBe(removed.status === 204 ? 404 : 200);
    }
  });

  it("in a compartment is named by no consumable or sensor that others see", async () => {
    const { id: resourceId } = await add(bob, { compartments: [red] });
    const stock = (fields: object) =>
      call(bob, "POST", "/consumables", { problemSetId: set, name: "Diesel", unit: "l", level: 1, ...fields });
    const mast = (fields: object) =>
      as(at, bob)("POST", "/api/sensors", { problemSetId: set, name: "Mast", kind: "radar", ...fields });
    for (const make of [stock, mast]) {
      expect((await make({ resourceId })).body.error.code).toBe("OTHER_PLACE");
      expect((await make({ resourceId, compartments: [red] })).status).toBe(201);
      const { id } = (await make({})).body.data;
      const path = make === stock ? `/api/resources/consumables/${id}` : `/api/sensors/${id}`;
      expect((await as(at, bob)("PATCH", path, { resourceId })).body.error.code).toBe("OTHER_PLACE");
    }
    expect((await call(cleo, "GET", `?problemSetId=${set}&limit=100`)).text).not.toContain(resourceId);
  });

  it("is not removed while a group or a mission that its remover sees uses it; the answer names them", async () => {
    const truck = await add(ann);
    const make = async (fields: object) =>
      (await call(bob, "POST", "/groups", { problemSetId: set, name: "Column", ...fields })).body.data;
    const [group, hidden] = [await make({}), await make({ name: "Hidden", compartments: [red] })];
    const put = (who: Person, groupId: string, resourceId: string) =>
      call(who, "POST", `/groups/${groupId}/members`, { resourceId });
    expect((await put(ann, group.id, truck.id)).status).toBe(201);
    expect((await put(ann, group.id, truck.id)).status).toBe(200);
    expect((await put(bob, hidden.id, truck.id)).status).toBe(201);
    expect((await put(bob, group.id, (await add(bob, { problemSetId: other })).id)).body.error.code).toBe(
      "OTHER_PLACE",
    );
    const mission = (await as(at, ann)("POST", "/api/missions", { problemSetId: set, name: "Relief" })).body.data;
    expect((await call(bob, "PATCH", `/${truck.id}`, { missionIds: ["none"] })).body.error.details[0].path).toBe(
      "missionIds.0",
    );
    await call(bob, "PATCH", `/${truck.id}`, { missionIds: [mission.id] });
    const refused = (await call(bob, "DELETE", `/${truck.id}`)).body.error;
    expect(refused.message).toMatch(/: take it out there, and take the mission off its `missionIds` first\.$/);
    expect([refused.code, refused.details.usedBy.map(({ type, name }: any) => `${type} ${name}`).sort()]).toEqual([
      "CONFLICT",
      ["group Column", "group Hidden", "mission Relief"],
    ]);
    expect(refused.message).toContain('the group "Column"');
    expect(refused.message).toContain('the mission "Relief"');
    const supplies = { problemSetId: set, name: "Tarpaulins", unit: "pieces", resourceId: truck.id };
    const held = (await call(bob, "POST", "/consumables", supplies)).body.data;
    await call(bob, "PATCH", `/${truck.id}`, { missionIds: [] });
    expect((await call(bob, "DELETE", `/groups/${hidden.id}`)).status).toBe(204);
    expect(named(await call(cleo, "GET", `/groups/${group.id}/members`))).toEqual(["Truck"]);
    expect((await call(ann, "DELETE", `/groups/${group.id}/members/${truck.id}`)).status).toBe(204);
    expect((await call(ann, "DELETE", `/groups/${group.id}/members/${truck.id}`)).status).toBe(404);
    expect((await call(bob, "DELETE", `/${truck.id}`)).status).toBe(204);
    expect((await call(bob, "GET", `/${truck.id}`)).status).toBe(404);
    await eventually(
      async () => (await call(bob, "GET", `/consumables/${held.id}`)).body.data,
      (shown) => shown.resourceId === undefined,
    );
  });
});

describe("an import", () => {
  const CSV =
    '\ufeffexternalId;name;kind;capabilities;latitude;longitude\r\nA-1;"Truck; ""red""";vehicle;mobility.ground|logistics.supply;48,1;11.5\r\nA-2;Boat;ship;;;\r\nA-1;Again;;;;\r\nA-3;Tent;facility;;;\r\n';
  const bring = (raw: string | Buffer, type: string, query = "", headers: Record<string, string> = {}) =>
    at.http("POST", `/api/resources/bulk-import?problemSetId=${set}${query}`, {
      as: bob.token,
      raw: raw as string,
      type,
      headers,
    });

  it("takes a table with semicolons and a byte order mark row by row, tells what a dry run would, and updates the second time", async () => {
    const dry = (await bring(CSV, "text/csv", "&dryRun=true")).body.data;
    const wet = (await bring(CSV, "text/csv; charset=utf-8")).body.data;
    const failed = [
      { index: 1, code: "VALIDATION_ERROR", path: "kind", message: expect.any(String) },
      { index: 2, code: "DUPLICATE_ROW", path: "externalId", message: "Row 0 has the same externalId." },
    ];
    expect(dry).toEqual({ dryRun: true, created: [{ index: 0 }, { index: 3 }], updated: [], failed });
    expect(wet).toMatchObject({ dryRun: false, created: [{ index: 0 }, { index: 3 }], failed });
    const truck = (await call(cleo, "GET", `/${wet.created[0].id}`)).body.data;
    expect(truck).toMatchObject({
      name: 'Truck; "red"',
      capabilities: ["logistics.supply", "mobility.ground"],
      location: { latitude: 48.1, longitude: 11.5 },
    });
    await call(bob, "PATCH", `/${truck.id}/status`, { readiness: "limited" });
    const again = (await bring(CSV, "text/csv")).body.data;
    expect([again.created, again.updated.map(({ id }: any) => id)]).toEqual([[], wet.created.map(({ id }: any) => id)]);
    expect((await call(cleo, "GET", `/${truck.id}`)).body.data).toMatchObject({
      readiness: "limited",
      kind: "vehicle",
    });
  });

  it("takes JSON in gzip and deflate, counts what is inflated, and refuses bombs, other codings and broken ones", async () => {
    const json = JSON.stringify({ rows: [{ name: "Zipped" }] });
    const send = (raw: Buffer, coding: string) => bring(raw, "application/json", "", { "content-encoding": coding });
    expect((await send(gzipSync(json), "gzip")).body.data.created).toHaveLength(1);
    expect((await send(deflateSync(json), "Deflate")).body.data.created).toHaveLength(1);
    const bomb = gzipSync(JSON.stringify({ rows: [{ name: "x".repeat(11_000_000) }] }));
    expect(bomb.length).toBeLessThan(20_000);
    expect(await send(bomb, "gzip")).toMatchObject({ status: 413, body: { error: { code: "TOO_LARGE" } } });
    expect((await send(brotliCompressSync(json), "br")).headers.get("accept-encoding")).toBe("gzip, deflate, identity");
    expect((await send(gzipSync(json), "gzip, gzip")).status).toBe(415);
    expect((await send(Buffer.from("no gzip"), "gzip")).status).toBe(400);
    expect((await send(gzipSync(json).subarray(0, 20), "gzip")).status).toBe(400);
    expect((await bring("<a/>", "text/xml")).headers.get("accept")).toBe("application/json, text/csv");
    expect((await bring(Buffer.from([0x61, 0xff]), "text/csv")).body.error.details[0].path).toBe("body");
    expect((await bring("name,name\na,b", "text/csv")).status).toBe(400);
    expect((await bring('name\n"a', "text/csv")).status).toBe(400);
    const { requestBody, parameters } = (await at.http("GET", "/api/openapi.json")).body.paths[
      "/api/resources/bulk-import"
    ].post;
    expect(Object.keys(requestBody.content)).toEqual(["application/json", "text/csv"]);
    expect(parameters.find(({ name }: any) => name === "Content-Encoding").schema.enum).toEqual([
      "gzip",
      "deflate",
      "identity",
    ]);
  });
});
