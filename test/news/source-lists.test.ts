import { systemActor } from "../../core/access/access.ts";
import { world, type TestWorld } from "../mesh.ts";

let node: TestWorld;
let sourceIds: number[];

beforeAll(async () => {
  node = await world();
  const sources = ["a", "b", "c"].map((name) => ({ name, url: `https://${name}.feeds.invalid/rss`, domain: "energy" }));
  sourceIds = (await node.http("POST", "/api/sources/bulk", { body: { sources } })).body.data.created.map(
    ({ id }: { id: number }) => id,
  );
});
afterAll(() => node.stop());

const save = async (name: string, ids: number[]) =>
  (await node.http("POST", "/api/sources/lists", { as: "analyst", body: { name, sourceIds: ids } })).body.data as {
    id: number;
  };
const active = async (on: TestWorld = node) =>
  (await on.http("GET", "/api/sources/lists/active", { as: "reader" })).body.data;
const visible = (params: object = {}, on: TestWorld = node) =>
  on.call("source-lists.visible", params, systemActor("test"));

it("saves a list: 201, a number, name and sourceIds, each source once, not active", async () => {
  const { status, body, headers } = await node.http("POST", "/api/sources/lists", {
    as: "analyst",
    body: { name: "Desk", sourceIds: [sourceIds[1], sourceIds[0], sourceIds[1]] },
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    id: expect.any(Number),
    name: "Desk",
    sourceIds: [sourceIds[1], sourceIds[0]],
    active: false,
  });
  expect(headers.get("location")).toBe(`/api/sources/lists/${body.data.id}`);
  expect((await node.http("GET", `/api/sources/lists/${body.data.id}`, { as: "reader" })).body.data).toMatchObject({
    name: "Desk",
    active: false,
  });
});

it("refuses lists that name unknown sources, naming them", async () => {
  const body = { name: "Ghosts", sourceIds: [sourceIds[0], 777_777, sourceIds[1], 888_888] };
  const { id } = await save("Living", [sourceIds[0]!]);
  for (const refused of [
    await node.http("POST", "/api/sources/lists", { body }),
    await node.http("PUT", `/api/sources/lists/${id}`, { body }),
  ]) {
    expect([refused.status, refused.body.error.code]).toEqual([422, "UNKNOWN_SOURCES"]);
    expect(refused.body.error.details).toEqual([
      { path: "sourceIds.1", message: "There is no source 777777." },
      { path: "sourceIds.3", message: "There is no source 888888." },
    ]);
  }
  expect((await node.http("GET", `/api/sources/lists/${id}`)).body.data.name).toBe("Living");
});

it.each([
  [{ sourceIds: [] }, "name"],
  [{ name: "x" }, "sourceIds"],
  [{ name: "x", sourceIds: ["1"] }, "sourceIds.0"],
  [{ name: "x", sourceIds: [1.5] }, "sourceIds.0"],
  [{ name: "x", sourceIds: [], active: true }, "active"],
])("refuses %j, naming %s", async (body, field) => {
  const refused = await node.http("POST", "/api/sources/lists", { body });
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, field]);
});

it("changes name and sources, each alone or together", async () => {
  const { id } = await save("Before", [sourceIds[0]!]);
  const put = async (body: object) =>
    (await node.http("PUT", `/api/sources/lists/${id}`, { as: "analyst", body })).body.data;
  expect(await put({ name: "After" })).toMatchObject({ name: "After", sourceIds: [sourceIds[0]] });
  expect(await put({ sourceIds: [sourceIds[2]] })).toMatchObject({ name: "After", sourceIds: [sourceIds[2]] });
});

it("at most one list is active: none, one, the other, none again; the lists stay", async () => {
  expect((await node.http("GET", "/api/sources/lists/active")).body).toEqual({ data: null });
  expect(await visible()).toBeNull();
  const [one, two] = [await save("One", [sourceIds[0]!]), await save("Two", [sourceIds[1]!, sourceIds[2]!])];
  const activate = (id: number) => node.http("POST", `/api/sources/lists/${id}/activate`, { as: "analyst" });
  expect((await activate(one.id)).body.data).toMatchObject({ id: one.id, active: true });
  expect(await active()).toMatchObject({ id: one.id, name: "One", active: true });
  expect(await visible()).toEqual({ listId: one.id, sourceIds: [sourceIds[0]] });
  await activate(two.id);
  expect(await active()).toMatchObject({ id: two.id });
  const lists = (await node.http("GET", "/api/sources/lists?limit=100")).body;
  expect(lists.meta.total).toBe(lists.data.length);
  expect(lists.data.filter((list: { active: boolean }) => list.active).map(({ id }: { id: number }) => id)).toEqual([
    two.id,
  ]);
  expect(await visible({ sourceListId: one.id })).toEqual({ listId: one.id, sourceIds: [sourceIds[0]] });
  expect((await node.http("DELETE", "/api/sources/lists/active", { as: "analyst" })).status).toBe(204);
  expect((await node.http("DELETE", "/api/sources/lists/active")).status).toBe(204);
  expect([await active(), await visible()]).toEqual([null, null]);
  expect((await node.http("GET", `/api/sources/lists/${two.id}`)).body.data).toMatchObject({
    name: "Two",
    active: false,
  });
});

it("one is active after twenty activations at once", async () => {
  const lists = await Promise.all(["r1", "r2", "r3", "r4"].map((name) => save(name, sourceIds)));
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => node.http("POST", `/api/sources/lists/${lists[at % 4]!.id}/activate`)),
  );
  const all = (await node.http("GET", "/api/sources/lists?limit=100")).body.data;
  expect(all.filter((list: { active: boolean }) => list.active)).toHaveLength(1);
  await node.http("DELETE", "/api/sources/lists/active");
});

it("a change of the active list is in force when it is acknowledged", async () => {
  const { id } = await save("Moving", [sourceIds[0]!]);
  await node.http("POST", `/api/sources/lists/${id}/activate`);
  await node.http("PUT", `/api/sources/lists/${id}`, { body: { sourceIds: [sourceIds[2]] } });
  expect(await visible()).toEqual({ listId: id, sourceIds: [sourceIds[2]] });
});

it("removing the active list ends its filter", async () => {
  const { id } = await save("Short-lived", [sourceIds[0]!]);
  await node.http("POST", `/api/sources/lists/${id}/activate`);
  expect((await node.http("DELETE", `/api/sources/lists/${id}`, { as: "analyst" })).status).toBe(204);
  expect([await active(), await visible()]).toEqual([null, null]);
  expect((await node.http("GET", `/api/sources/lists/${id}`)).status).toBe(404);
  await expect(visible({ sourceListId: id })).rejects.toMatchObject({ code: 404, type: "NOT_FOUND" });
});

it("nobody but the mesh asks what is visible, and readers change nothing", async () => {
  await expect(node.call("source-lists.visible")).rejects.toMatchObject({ code: 403 });
  const { id } = await save("Guarded", []);
  const tries = [
    ["POST", "/api/sources/lists"],
    ["PUT", `/api/sources/lists/${id}`],
    ["DELETE", `/api/sources/lists/${id}`],
    ["POST", `/api/sources/lists/${id}/activate`],
    ["DELETE", "/api/sources/lists/active"],
  ];
  for (const [method, path] of tries)
    expect((await node.http(method!, path!, { as: "reader", body: {} })).status).toBe(403);
});

it("hints at every change, so that nodes drop what they remembered", async () => {
  const heard: unknown[] = [];
  const ear = {
    name: "ear-of-lists",
    events: {
      "news.source-list.changed": { context: true, handler: (ctx: { params: unknown }) => void heard.push(ctx.params) },
    },
  };
  const listening = await world({}, { services: [ear] });
  try {
    await listening.mesh.broker.waitForServices(["ear-of-lists"]);
    const { id } = (await listening.http("POST", "/api/sources/lists", { body: { name: "Heard", sourceIds: [] } })).body
      .data;
    await listening.http("PUT", `/api/sources/lists/${id}`, { body: { name: "Heard twice" } });
    await listening.http("POST", `/api/sources/lists/${id}/activate`);
    await listening.http("DELETE", "/api/sources/lists/active");
    await listening.http("DELETE", `/api/sources/lists/${id}`);
    expect(heard).toEqual(Array.from({ length: 5 }, () => ({ listId: id })));
  } finally {
    await listening.stop();
  }
});
