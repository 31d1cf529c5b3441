import fc from "fast-check";
import { keyOf, filingFields, type Container } from "../../services/knowledge/strategic/environments/environments.ts";
import { eventually, world, type Reply, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { put } from "./documents.requests.ts";

let at: TestWorld;
let ann: Person, ben: Person, eve: Person, far: Person;
let set: string, red: string;
let n = 0;
beforeAll(async () => {
  at = await world();
  [ann, ben, eve, far] = await persons(at, "ann", "ben", "eve", "far");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, eve, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
});
afterAll(() => at.stop());

const ask = (who: Person, method: string, path: string, body?: unknown): Promise<Reply> =>
  as(at, who)(method, `/api/strategic${path}`, body);
const dataOf = async (who: Person, path: string): Promise<any> => (await ask(who, "GET", path)).body.data;
const environment = (who: Person): Promise<any> => dataOf(who, `/environments/by-problem-set/${set}`);
async function made(who: Person, noun: "categories" | "containers", fields: object): Promise<any> {
  const reply = await ask(who, "POST", `/environments/${set}/${noun}`, fields);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
}
const document = async (who: Person, fields: object = {}): Promise<string> =>
  (await put(at, who, `Paper ${++n} on the crossing.`, "paper.txt", { problemSetId: set, ...fields })).id;
const file = (who: Person, id: string, ...containerIds: string[]): Promise<Reply> =>
  ask(who, "PUT", `/documents/${id}/containers`, { containerIds });
const ids = (rows: any[]): string[] => rows.map(({ id }) => id);
const inside = async (who: Person, container: string): Promise<string[]> =>
  ids(await dataOf(who, `/containers/${container}/documents`));
const unorganized = async (who: Person): Promise<string[]> =>
  ids(await dataOf(who, `/environments/${set}/unorganized?limit=100`));
const errorOf = ({ status, body }: Reply): unknown => [status, body.error?.code];

describe("the environment of a problem set", () => {
  it("is there without anybody making it, and reading it writes nothing", async () => {
    const empty = await openSet(at, ann, { name: "Quiet" });
    const path = `/environments/by-problem-set/${empty}`;
    expect(await dataOf(ann, path)).toEqual({
      ...{ id: empty, problemSetId: empty, categories: [] },
      ...{ containers: 0, documents: 0, unorganized: 0 },
    });
    expect(await dataOf(ann, path)).toEqual(await dataOf(ann, path));
    for (const name of ["strategic_categories", "strategic_containers", "strategic_filings"])
      expect(await (await at.mesh.world.documents.collection(name)).count({ query: { problemSetId: empty } })).toBe(0);
    expect(errorOf(await ask(far, "GET", path))).toEqual([404, "NOT_FOUND"]);
    expect(errorOf(await ask(eve, "POST", `/environments/${set}/categories`, { name: "Mine" }))).toEqual([
      403,
      "FORBIDDEN",
    ]);
  });

  it("carries its categories by position, each with the containers that the reader sees", async () => {
    const [last, first] = [
      await made(ann, "categories", { name: "Moves", position: 2 }),
      await made(ben, "categories", { name: "Ground", position: 1 }),
    ];
    await made(ben, "containers", { name: "Fords", categoryId: first.id });
    await made(ben, "containers", { name: "Fords in secret", categoryId: first.id, compartments: [red] });
    const shown = async (who: Person) =>
      (await environment(who)).categories.map(({ name, containers }: any) => [name, containers]);
    expect(await shown(ben)).toEqual([
      ["Ground", 2],
      ["Moves", 0],
    ]);
    expect(await shown(eve)).toEqual([
      ["Ground", 1],
      ["Moves", 0],
    ]);
    const renamed = await ask(ann, "PUT", `/categories/${last.id}`, { name: "Marches" });
    expect(renamed.body.data.name).toBe("Marches");
    expect(errorOf(await ask(eve, "PUT", `/categories/${last.id}`, { name: "x" }))).toEqual([403, "FORBIDDEN"]);
  });

  it("lets a category with containers go only to another one, those that nobody asked about with it", async () => {
    const [from, to, narrow] = [
      await made(ann, "categories", { name: "Old" }),
      await made(ann, "categories", { name: "New" }),
      await made(ben, "categories", { name: "Red things", compartments: [red] }),
    ];
    const hidden = await made(ben, "containers", { name: "Hidden", categoryId: from.id, compartments: [red] });
    const open = await made(ann, "containers", { name: "Open", categoryId: from.id });
    const remove = (who: Person, query = "") => ask(who, "DELETE", `/categories/${from.id}${query}`);
    expect([errorOf(await remove(ann)), (await remove(eve)).status]).toEqual([[409, "CONFLICT"], 403]);
    expect((await remove(ann)).body.error.details).toEqual({ containers: 1 });
    expect(errorOf(await remove(ben, `?moveTo=${narrow.id}`))).toEqual([422, "NARROWER_CATEGORY"]);
    expect((await remove(ann, `?moveTo=${narrow.id}`)).body.error.details[0].path).toBe("moveTo");
    expect((await remove(ann, `?moveTo=${to.id}`)).status).toBe(204);
    const under = async (who: Person, id: string) =>
      ids(await dataOf(who, `/environments/${set}/containers?categoryId=${id}`));
    expect(new Set(await under(ben, to.id))).toEqual(new Set([hidden.id, open.id]));
    // With hidden ones alone it is empty as far as she can tell, and they stand under none afterwards.
    await ask(ann, "PUT", `/containers/${open.id}`, { categoryId: null });
    expect((await ask(ann, "DELETE", `/categories/${to.id}`)).status).toBe(204);
    const left = (await dataOf(ben, `/environments/${set}/containers?limit=100`)).find(
      ({ id }: any) => id === hidden.id,
    );
    expect(left.categoryId).toBeUndefined();
  });

  it("keeps a container within its category's compartments", async () => {
    const narrow = await made(ben, "categories", { name: "Red matters", compartments: [red] });
    const container = await made(ben, "containers", { name: "Agents", categoryId: narrow.id });
    expect(container.compartments).toEqual([red]);
    const open = await made(ben, "containers", { name: "Roads" });
    const moved = await ask(ben, "PUT", `/containers/${open.id}`, { categoryId: narrow.id });
    expect(errorOf(moved)).toEqual([422, "NARROWER_CATEGORY"]);
    expect(
      (await ask(ann, "PUT", `/containers/${open.id}`, { categoryId: narrow.id })).body.error.details[0].path,
    ).toBe("categoryId");
    expect((await ask(ann, "GET", `/containers/${container.id}/documents`)).status).toBe(404);
  });
});

describe("documents in containers", () => {
  it("are placed the moment they are there, in several, and all at once by one call", async () => {
    const [one, two] = [
      await made(ann, "containers", { name: "Spans" }),
      await made(ann, "containers", { name: "Boats" }),
    ];
    const id = await document(ann);
    expect(await unorganized(eve)).toContain(id);
    expect(ids((await file(ben, id, one.id, two.id, one.id)).body.data)).toEqual([one.id, two.id]);
    expect([await inside(eve, one.id), await inside(eve, two.id)]).toEqual([[id], [id]]);
    expect(await unorganized(eve)).not.toContain(id);
    const [row] = await dataOf(eve, `/containers/${one.id}/documents`);
    expect(row).toMatchObject({ id, title: "paper", placedBy: ben.userId, placedByName: expect.any(String) });
    const counted = (await dataOf(eve, `/environments/${set}/containers?limit=100`)).find(
      (each: any) => each.id === one.id,
    );
    expect(counted.documents).toBe(1);
    expect((await ask(ben, "DELETE", `/documents/${id}/containers/${one.id}`)).status).toBe(204);
    expect((await ask(ben, "DELETE", `/documents/${id}/containers/${one.id}`)).status).toBe(204);
    expect(ids(await dataOf(eve, `/documents/${id}/containers`))).toEqual([two.id]);
    expect([errorOf(await file(eve, id)), errorOf(await file(far, id))]).toEqual([
      [403, "FORBIDDEN"],
      [404, "NOT_FOUND"],
    ]);
    expect((await file(ben, id, two.id, "nowhere")).body.error.details).toEqual([
      { path: "containerIds.1", message: expect.any(String) },
    ]);
  });

  it("are unorganized again when their container is removed, and leave it when they are withdrawn", async () => {
    const container = await made(ann, "containers", { name: "For a while" });
    const [kept, withdrawn] = [await document(ann), await document(ann)];
    for (const id of [kept, withdrawn]) await file(ann, id, container.id);
    await as(at, ann)("DELETE", `/api/documents/${withdrawn}`);
    await eventually(
      () => inside(ann, container.id),
      (found) => found.length === 1,
    );
    expect((await ask(ann, "GET", `/documents/${withdrawn}/containers`)).status).toBe(404);
    expect((await ask(ann, "DELETE", `/containers/${container.id}`)).status).toBe(204);
    expect(await dataOf(ann, `/documents/${kept}/containers`)).toEqual([]);
    expect(await unorganized(ann)).toContain(kept);
    const placements = await at.mesh.world.documents.collection("strategic_placements");
    expect(await placements.count({ query: { containerId: container.id } })).toBe(0);
  });

  it("sit in containers that others do not see without their learning of it, whatever they set", async () => {
    const [open, secret] = [
      await made(ann, "containers", { name: "Plain" }),
      await made(ben, "containers", { name: "Secret", compartments: [red] }),
    ];
    const id = await document(ann);
    const tag = async () => (await ask(ann, "GET", `/documents/${id}/containers`)).headers.get("etag");
    const before = [await environment(ann), await tag()];
    await file(ben, id, secret.id);
    expect([await environment(ann), await tag()]).toEqual(before);
    expect([(await unorganized(ann)).includes(id), (await unorganized(ben)).includes(id)]).toEqual([true, false]);
    expect(await dataOf(ann, `/documents/${id}/containers`)).toEqual([]);
    expect((await file(ann, id, secret.id)).body.error.details[0].path).toBe("containerIds.0");
    await file(ann, id, open.id);
    expect(ids(await dataOf(ben, `/documents/${id}/containers`))).toEqual([secret.id, open.id]);
    await file(ann, id);
    expect(ids(await dataOf(ben, `/documents/${id}/containers`))).toEqual([secret.id]);
    const inRed = await document(ben, { compartments: red });
    await file(ben, inRed, open.id, secret.id);
    expect([await inside(ann, open.id), await inside(ben, open.id)]).toEqual([[], [inRed]]);
    const counts = async (who: Person) =>
      (await dataOf(who, `/environments/${set}/containers?limit=100`)).find((each: any) => each.id === open.id)
        .documents;
    expect([await counts(ann), await counts(ben)]).toEqual([0, 1]);
  });

  it("end where the last of many set them at once, and lists agree with it", async () => {
    const containers = await Promise.all([1, 2, 3, 4].map((each) => made(ann, "containers", { name: `Race ${each}` })));
    const id = await document(ann);
    const sets = containers.map((container, at) => [container.id, containers[(at + 1) % 4]!.id]);
    const replies = await Promise.all(sets.map((some) => file(ann, id, ...some)));
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const sits = await eventually(
      async () => ids(await dataOf(ann, `/documents/${id}/containers`)),
      (found) => found.length === 2,
    );
    expect(sets.map((some) => [...some].sort().join())).toContain([...sits].sort().join());
    for (const container of containers)
      expect(await inside(ann, container.id)).toEqual(sits.includes(container.id) ? [id] : []);
  });
});

it("finds a document unorganized for exactly those who see none of its containers", () => {
  const places = fc.uniqueArray(fc.constantFrom<string>("a", "b", "c"), { maxLength: 3 });
  fc.assert(
    fc.property(places, fc.array(places, { maxLength: 4 }), places, (compartments, lying, held) => {
      fc.pre(compartments.every((one) => held.includes(one)));
      const isSeen = (inside: readonly string[]): boolean => inside.every((one) => held.includes(one));
      const containers = lying.map((inside, n) => ({ id: String(n), compartments: inside }) as Container);
      const placings = containers.map(({ id }) => ({ containerId: id, by: "x", at: "2026-01-01T00:00:00.000Z" }));
      const { isFiled, narrow } = filingFields({ compartments }, placings, containers);
      const unseen = lying.filter((inside) => !isSeen(inside)).map(keyOf);
      expect(!isFiled && narrow.every((key) => unseen.includes(key))).toBe(!lying.some(isSeen));
    }),
  );
});

describe("agents on a container", () => {
  it("are those that are built in, put to work and taken off by whoever shapes the environment", async () => {
    const agents = await dataOf(eve, "/agents");
    const teams = await dataOf(eve, "/teams");
    for (const { agentIds } of teams) for (const id of agentIds) expect(ids(agents)).toContain(id);
    const { id } = await made(ann, "containers", { name: "Plans" });
    const put1 = await ask(ben, "POST", `/containers/${id}/agents`, { agentId: "objective-finder" });
    expect([put1.status, put1.body.data[0]]).toMatchObject([201, { id: "objective-finder", by: ben.userId }]);
    expect((await ask(ann, "POST", `/containers/${id}/agents`, { agentId: "objective-finder" })).body.data).toEqual(
      put1.body.data.map((agent: any) => ({ ...agent })),
    );
    expect((await ask(ann, "POST", `/containers/${id}/agents`, { agentId: "nobody" })).body.error.details[0].path).toBe(
      "agentId",
    );
    expect((await ask(eve, "POST", `/containers/${id}/agents`, { agentId: "objective-finder" })).status).toBe(403);
    expect((await ask(ann, "DELETE", `/containers/${id}/agents/objective-finder`)).status).toBe(204);
    expect((await ask(ann, "DELETE", `/containers/${id}/agents/objective-finder`)).status).toBe(204);
    expect(await dataOf(eve, `/containers/${id}/agents`)).toEqual([]);
  });

  it("start once on each document that comes in, with the powers of whoever placed it, and say what came of it", async () => {
    const { id } = await made(ann, "containers", { name: "Plans to read" });
    const there = await document(ann);
    await file(ann, there, id);
    for (const agentId of ["objective-finder", "document-reviewer"])
      await ask(ann, "POST", `/containers/${id}/agents`, { agentId });
    const [first, second] = [await document(ann), await document(ann)];
    await file(ann, first, id);
    await file(ann, first, id);
    await file(ben, second, id);
    const runs = await eventually(
      () => dataOf(eve, `/containers/${id}/runs`),
      (found) => found.length === 4 && found.every(({ status }: any) => status !== "waiting"),
    );
    expect(runs.map(({ documentId, agentId, userId }: any) => `${documentId} ${agentId} ${userId}`).sort()).toEqual(
      [
        [first, ann],
        [second, ben],
      ]
        .flatMap(([each, who]) =>
          ["objective-finder", "document-reviewer"].map((agent) => `${each} ${agent} ${(who as Person).userId}`),
        )
        .sort(),
    );
    const served = (name: string) => at.mesh.broker.registry.actions.get(name) !== undefined;
    const starts: Record<string, string> = {
      "objective-finder": "strategic.extractions.begin",
      "document-reviewer": "strategic.reviews.begin",
    };
    for (const { agentId, status, note, jobId } of runs)
      if (served(starts[agentId]!)) expect([status, typeof jobId]).toEqual(["started", "string"]);
      else expect([status, note]).toEqual(["unavailable", "What it does is not served here."]);
    await ask(ann, "DELETE", `/containers/${id}`);
    const records = await at.mesh.world.documents.collection("strategic_agent_runs");
    await eventually(
      () => records.count({ query: { containerId: id } }),
      (left) => left === 0,
    );
  });
});
