import DbService from "moleculer-db";
import type { ServiceSchema } from "moleculer";
import { extraServices } from "../../mesh/extra-services.ts";
import { world, type TestWorld } from "../mesh.ts";

// People who know Moleculer bring stock services of moleculer-db; an operator names their files in EXTRA_SERVICES.

const EXTRA_SERVICES = "test/fixtures/extra/*.service.*";
const stores = [
  ["the embedded store", { MONGO_URL: "", TRANSPORTER: "" }],
  ...(process.env["MONGO_URL"] ? [["MongoDB", {}] as const] : []),
] as const;

describe.each(stores)("A stock service on %s", (_name, store) => {
  let at: TestWorld;
  const start = async (settings: Record<string, string> = {}): Promise<void> => {
    at = await world({ ...store, EXTRA_SERVICES, ...settings });
    await at.mesh.broker.waitForServices(["notes", "note-board"], 30_000, 20);
  };
  beforeAll(() => start());
  afterAll(() => at.stop());

  const ask = <T = any>(action: string, params: object = {}): Promise<T> =>
    at.mesh.broker.call(action, params) as Promise<T>;
  const bring = (schema: object): unknown =>
    at.mesh.broker.createService({ mixins: [DbService as unknown as ServiceSchema], ...schema } as ServiceSchema);

  it("keeps notes by its own settings and actions, also over a restart", async () => {
    const titles = ["Ferry at nine", "Pilot on board", "Tide turns late"];
    const [ferry] = await Promise.all(titles.map((title) => ask("notes.create", { title, hidden: "crew only" })));
    expect(ferry).toEqual({ id: expect.any(String), title: "Ferry at nine" });
    await expect(ask("notes.create", { title: "no" })).rejects.toMatchObject({ code: 422 });
    expect(await ask("notes.pin", { id: ferry.id })).toMatchObject({ pinned: true });
    await at.stop({ keep: true });
    await start({ DATA_DIR: at.dataDir });
    expect(await ask("notes.list", { sort: "title" })).toMatchObject({
      total: 3,
      pageSize: 2,
      rows: [{ id: ferry.id, title: "Ferry at nine", pinned: true }, { title: "Pilot on board" }],
    });
  });

  it("is reached by nobody from outside", async () => {
    const [{ id }] = await ask("notes.find", { limit: 1 });
    for (const path of [
      "/api/notes",
      "/api/notes/list",
      "/api/notes.list",
      `/api/notes/${id}`,
      "/notes",
      "/notes/list",
    ])
      expect([path, (await at.http("GET", path)).status]).toEqual([path, 404]);
    for (const path of ["/api/notes", "/api/notes/create", "/api/notes/pin"])
      expect([path, (await at.http("POST", path, { body: { title: "From outside" } })).status]).toEqual([path, 404]);
    expect((await at.http("GET", "/api/openapi.json")).text).not.toMatch(/"[^"]*\bnotes\.|\/notes\b/);
    const mcp = (method: string, params: object = {}) =>
      at.http("POST", "/mcp", {
        body: { jsonrpc: "2.0", id: 1, method, params },
        headers: { accept: "application/json, text/event-stream" },
      });
    expect((await mcp("tools/list")).text).not.toMatch(/"name":"notes/);
    for (const name of ["notes.list", "notes_list"])
      expect((await mcp("tools/call", { name, arguments: {} })).text).not.toContain("Ferry");
  });

  it("is published where an operator says so, to whom the permit lets in", async () => {
    expect((await at.http("GET", "/api/note-board/pinned", { as: "reader" })).body.data).toEqual([
      { title: "Ferry at nine" },
    ]);
    expect((await at.http("GET", "/api/note-board/pinned", { as: null })).status).toBe(401);
  });

  it("has no way round our permits, and none into our collections", async () => {
    await at.http("POST", "/api/sources", {
      body: { name: "Harbour", url: "http://127.0.0.1:9/feed.xml", domain: "economics" },
    });
    await expect(ask("notes.peek")).rejects.toMatchObject({ code: 401 });
    bring({ name: "harbour-list", collection: "sources" });
    await at.mesh.broker.waitForServices("harbour-list", 10_000, 20);
    expect(await ask("harbour-list.count")).toBe(0);
  });

  it("does not take the place of a service of ours", () => {
    expect(() => bring({ name: "sources" })).toThrow(
      "A service cannot be called sources: the platform's own sources is.",
    );
    expect(() => bring({ name: "articles", version: 1 })).toThrow("A service cannot be called v1.articles");
    expect(() => bring({ name: "gateway" })).toThrow("A service cannot be called gateway");
  });
});

it("says which pattern names no file, and which file no service", async () => {
  await expect(extraServices(["nowhere/*.service.js"])).rejects.toThrow(
    "EXTRA_SERVICES: no file is named nowhere/*.service.js.",
  );
  await expect(extraServices(["test/tiers.js"])).rejects.toThrow(
    /EXTRA_SERVICES: .*tiers\.js exports no service with a name by default\./,
  );
});
