import { Ajv2020 } from "ajv/dist/2020.js";
import { SET_ROLE_NAMES } from "../../config/set-roles.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, persons, type Person } from "./people.ts";

// Positions, panels and roles of a problem set.

let at: TestWorld;
let ann: Person, bob: Person, eve: Person;
let id: string;
beforeAll(async () => {
  at = await world();
  [ann, bob, eve] = await persons(at, "ann", "bob", "eve");
});
beforeEach(async () => {
  id = await openSet(at, ann);
  await admit(at, id, bob, "planner");
});
afterAll(() => at.stop());

const positions = (method: string, tail = "", body?: unknown, who = ann) =>
  as(at, who)(method, `/api/problem-sets/${id}/positions${tail}`, body);

it("keeps a staff list: positions, who holds them, and in which phases they take part", async () => {
  const {
    body: { data: made },
  } = await positions("POST", "", { title: "Operations officer", abbreviation: "S3", holderDid: bob.did });
  expect(made).toMatchObject({ title: "Operations officer", holderDid: bob.did, phases: [] });
  const phases = [
    { phase: "coa-development", part: "lead" },
    { phase: "coa-analysis", part: "support" },
  ];
  expect((await positions("PUT", `/${made.id}/phase-mappings`, { phases })).body.data.phases).toEqual(phases);
  expect(await positions("PUT", `/${made.id}/phase-mappings`, { phases: [phases[0], phases[0]] })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "phases" }] } },
  });
  expect(await positions("PUT", `/${made.id}/phase-mappings`, { phases: [{ phase: "lunch" }] })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "phases.0.phase" }] } },
  });
  expect(
    (await positions("PATCH", `/${made.id}`, { abbreviation: null, title: "Operations" })).body.data,
  ).not.toHaveProperty("abbreviation");
  expect((await positions("GET", "?sort=title")).body).toMatchObject({
    data: [{ title: "Operations", phases }],
    meta: { total: 1 },
  });
  expect((await positions("DELETE", `/${made.id}`)).status).toBe(204);
  expect((await positions("GET")).body.data).toEqual([]);
});

it("refuses a holder who is no member, a title twice, another set's position, and readers", async () => {
  expect(await positions("POST", "", { title: "Liaison", holderDid: eve.did })).toMatchObject({
    status: 422,
    body: { error: { code: "NOT_A_MEMBER", details: [{ path: "holderDid" }] } },
  });
  const {
    body: { data: made },
  } = await positions("POST", "", { title: "Liaison" });
  expect((await positions("POST", "", { title: "Liaison" })).body.error).toMatchObject({
    code: "CONFLICT",
    message: "Another position has the same title.",
  });
  const other = await openSet(at, ann);
  expect(
    (await as(at, ann)("PATCH", `/api/problem-sets/${other}/positions/${made.id}`, { title: "Mine" })).status,
  ).toBe(404);
  await admit(at, id, eve, "observer");
  expect((await positions("POST", "", { title: "Own" }, eve)).status).toBe(403);
  expect(
    (
      await as(at, ann)(
        "PATCH",
        `/api/problem-sets/${id}/positions/${made.id}`,
        { title: "X" },
        { "if-match": '"r9-x"' },
      )
    ).status,
  ).toBe(412);
});

it("makes many at once, each for itself", async () => {
  const {
    body: { data },
  } = await positions("POST", "/bulk", {
    positions: [
      { title: "One" },
      { title: "One" },
      { title: "" },
      "text",
      { title: "Two", nonsense: 1 },
      { title: "Three" },
    ],
  });
  expect(data.created.map((one: any) => one.title)).toEqual(["One", "Three"]);
  expect(data.failed).toEqual([
    { index: 1, code: "CONFLICT", message: expect.any(String) },
    { index: 2, code: "VALIDATION_ERROR", message: expect.stringContaining("positions.2.title") },
    { index: 3, code: "VALIDATION_ERROR", message: expect.stringContaining("positions.3") },
    { index: 4, code: "VALIDATION_ERROR", message: expect.stringContaining("nonsense") },
  ]);
});

it("leaves a position vacant when its holder goes", async () => {
  await positions("POST", "", { title: "Planner", holderDid: bob.did });
  await as(at, ann)("DELETE", `/api/problem-sets/${id}/members/${bob.did}`);
  await eventually(
    async () => (await positions("GET")).body.data[0],
    (position) => !("holderDid" in position),
  );
});

it("changes the panel layout only from the revision that was read", async () => {
  const path = `/api/problem-sets/${id}/panel-config`;
  const read = await as(at, bob)("GET", path);
  const tag = read.headers.get("etag")!;
  expect(read.body.data.panels.length).toBeGreaterThan(0);
  const panels = [{ id: "map", kind: "map", column: 0, row: 0, width: 12, height: 8, settings: { zoom: 4 } }];
  const put = (body: unknown, match?: string, who = bob) =>
    as(at, who)("PUT", path, body, match ? { "if-match": match } : undefined);
  expect(await put({ panels })).toMatchObject({ status: 428, body: { error: { code: "PRECONDITION_REQUIRED" } } });
  expect((await put({ panels }, tag)).body.data).toMatchObject({ panels, rev: 2 });
  expect(await put({ panels: [] }, tag, ann)).toMatchObject({ status: 412, body: { error: { code: "STALE" } } });
  const now = (await as(at, bob)("GET", path)).headers.get("etag")!;
  const both = await Promise.all([ann, bob].map((who) => put({ panels: [] }, now, who)));
  expect(both.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  await admit(at, id, eve, "observer");
  expect((await put({ panels }, "*", eve)).status).toBe(403);
});

it("holds the layout against the schema that it publishes, and panels apart from one another", async () => {
  const valid = new Ajv2020({ strict: false }).compile(
    (await as(at, bob)("GET", "/api/problem-sets/panel-schema")).body,
  );
  const panel = { id: "a", kind: "map", column: 0, row: 0, width: 6, height: 2 };
  const put = (panels: unknown[]) =>
    as(at, ann)("PUT", `/api/problem-sets/${id}/panel-config`, { panels }, { "if-match": "*" });
  for (const wrong of [
    { ...panel, kind: "clock" },
    { ...panel, width: 0 },
    { ...panel, id: "Not An Id" },
    { ...panel, extra: 1 },
    { ...panel, settings: { nested: { deep: 1 } } },
  ]) {
    expect(valid({ panels: [wrong] })).toBe(false);
    expect((await put([wrong])).status).toBe(400);
  }
  expect(valid({ panels: [panel] })).toBe(true);
  expect(await put([panel, { ...panel, id: "b", column: 5 }])).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "panels.1", message: expect.stringContaining("a") }] } },
  });
  expect(await put([{ ...panel, column: 7 }])).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "panels.0.width" }] } },
  });
  expect(await put([panel, { ...panel, column: 6 }])).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "panels.1.id" }] } },
  });
  expect((await put([panel, { ...panel, id: "b", column: 6 }])).status).toBe(200);
});

it("tells its roles from highest to lowest and what each allows", async () => {
  const { data } = (await as(at, bob)("GET", `/api/problem-sets/${id}/roles`)).body;
  expect(data.map((one: any) => one.role)).toEqual([...SET_ROLE_NAMES]);
  expect(data[0]).toEqual({ role: "commander", rank: 1, permits: ["*"] });
  expect((await as(at, eve)("GET", `/api/problem-sets/${id}/roles`)).status).toBe(404);
});
