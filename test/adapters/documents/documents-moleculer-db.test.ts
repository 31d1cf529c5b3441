import { ServiceBroker, type ServiceSchema } from "moleculer";
import DbService from "moleculer-db";
import { MoleculerDbAdapter } from "../../../adapters/documents/moleculer-db.ts";
import type { Documents } from "../../../core/records/documents.ts";
import { engines } from "./engines.ts";

/** A stock service of moleculer-db, its actions as they come, on every engine at hand. */
describe.each(engines().map((engine) => [engine.name, engine] as const))("moleculer-db on %s", (_name, engine) => {
  let broker: ServiceBroker;
  let documents: Documents;

  const service = (name: string, rest: object = {}): ServiceSchema =>
    ({
      name,
      mixins: [DbService as unknown as ServiceSchema],
      adapter: new MoleculerDbAdapter(documents, { indexes: [{ fields: ["votes"] }] }),
      ...rest,
    }) as ServiceSchema;

  beforeAll(async () => {
    documents = engine.open();
    broker = new ServiceBroker({ logger: false });
    broker.createService(
      service("posts", {
        settings: { idField: "id", fields: ["id", "title", "votes", "author"], populates: { author: "users.get" } },
      }),
    );
    broker.createService(service("users", { collection: "people" }));
    await broker.start();
  });
  afterAll(async () => {
    await broker.stop();
    await documents.close();
    await engine.clean();
  });
  beforeEach(async () => {
    for (const name of ["posts", "people"]) await (await documents.collection(name)).clear();
  });

  const call = <T = any>(action: string, params?: object): Promise<T> => broker.call(action, params) as Promise<T>;

  it("creates, gets, updates and removes, with the service's own name for the id", async () => {
    const created = await call("posts.create", { title: "First", votes: 2, hidden: true });
    expect(created).toEqual({ id: expect.stringMatching(/^[0-9a-f]{8}-/), title: "First", votes: 2 });
    expect(await call("posts.get", { id: created.id })).toEqual(created);
    expect(await call("posts.update", { id: created.id, votes: 9 })).toEqual({ ...created, votes: 9 });
    expect(await (await documents.collection("posts")).findById(created.id)).toEqual({
      _id: created.id,
      title: "First",
      votes: 9,
      hidden: true,
    });
    await call("posts.remove", { id: created.id });
    await expect(call("posts.get", { id: created.id })).rejects.toMatchObject({ code: 404 });
    await expect(call("posts.update", { id: created.id, votes: 1 })).rejects.toMatchObject({ code: 404 });
    await expect(call("posts.remove", { id: created.id })).rejects.toMatchObject({ code: 404 });
  });

  it("keeps an id that is given, and the collection's name of the schema", async () => {
    expect(await call("users.create", { _id: 7, name: "ada" })).toEqual({ _id: 7, name: "ada" });
    expect(await (await documents.collection("people")).findById(7)).toEqual({ _id: 7, name: "ada" });
    expect(await call("users.insert", { entity: { name: "bob" } })).toMatchObject({
      _id: expect.any(String),
      name: "bob",
    });
  });

  it("inserts many, finds, lists page by page and counts", async () => {
    const inserted = await call("posts.insert", {
      entities: Array.from({ length: 25 }, (_, n) => ({ title: `P${n}`, votes: n })),
    });
    expect(inserted).toHaveLength(25);
    expect(new Set(inserted.map(({ id }: { id: string }) => id)).size).toBe(25);
    const page = await call("posts.list", { page: 2, pageSize: 10, sort: "-votes" });
    expect(page).toMatchObject({ total: 25, page: 2, pageSize: 10, totalPages: 3 });
    expect(page.rows.map(({ votes }: { votes: number }) => votes)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
    expect(await call("posts.count", { query: { votes: { $gte: 20 } } })).toBe(5);
    const found = await call("posts.find", { query: { votes: { $lt: 5 } }, sort: "votes,-title", limit: 2, offset: 1 });
    expect(found.map(({ votes }: { votes: number }) => votes)).toEqual([1, 2]);
    expect(await call("posts.get", { id: inserted.slice(0, 3).map(({ id }: { id: string }) => id) })).toHaveLength(3);
    expect(Object.keys(await call("posts.get", { id: [inserted[0].id], mapping: true }))).toEqual([inserted[0].id]);
    expect(await call("posts.find", { fields: ["title"], query: { votes: 3 } })).toEqual([{ title: "P3" }]);
  });

  it("searches in fields, text taken as it stands, and keeps the query in force", async () => {
    await call("posts.insert", {
      entities: [
        { title: "C++ (part 1)", votes: 1 },
        { title: "c++ (Part 2)", votes: 2 },
        { title: "C", votes: 3 },
      ],
    });
    expect(await call("posts.count", { search: "c++ (part", searchFields: ["title"] })).toBe(2);
    expect(
      await call("posts.find", { search: "C++ (part", searchFields: "title", query: { votes: { $gt: 1 } } }),
    ).toMatchObject([{ votes: 2 }]);
    await expect(call("posts.find", { search: "x" })).rejects.toThrow("searchFields");
  });

  it("populates from another service", async () => {
    const ada = await call("users.create", { name: "ada" });
    const post = await call("posts.create", { title: "By ada", author: ada._id });
    expect(await call("posts.get", { id: post.id, populate: ["author"] })).toMatchObject({ author: { name: "ada" } });
  });

  it("refuses a query with operators the port does not know", async () => {
    await expect(call("posts.find", { query: { $where: "true" } })).rejects.toThrow("$where");
  });
});
