import { eventually, world, type Reply, type TestWorld } from "../../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../../workspace/people.ts";
import { identity, relationship, type Thing } from "./stix.ts";

let at: TestWorld;
let ann: Person, ben: Person, eve: Person;
let set: string, red: string;
beforeAll(async () => {
  at = await world();
  [ann, ben, eve] = await persons(at, "ann", "ben", "eve");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, eve, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
}, 60_000);
afterAll(() => at.stop());

const ask = (who: Person, method: string, path: string, body?: unknown): Promise<Reply> =>
  as(at, who)(method, `/api/graph${path}`, body);
async function data(who: Person, method: string, path: string, body?: unknown): Promise<any> {
  const reply = await ask(who, method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.body.data;
}
const bring = (who: Person, things: readonly Thing[], compartments: string[] = []): Promise<any> =>
  data(who, "POST", "/stix", { problemSetId: set, compartments, bundle: { type: "bundle", objects: things } });
const named = async (who: Person, name: string): Promise<any[]> =>
  (await data(who, "GET", `/?problemSetId=${set}&q=${encodeURIComponent(name)}`)).nodes;
const duplicates = async (who: Person): Promise<any[]> =>
  data(who, "GET", `/resolution/duplicates?problemSetId=${set}&limit=100`);
/** All that somebody is told of the graph, to the byte. */
const everything = async (who: Person): Promise<string[]> =>
  Promise.all(
    [
      `/?problemSetId=${set}`,
      "/master-view",
      `/resolution/duplicates?problemSetId=${set}`,
      `/stix?problemSetId=${set}`,
      `/tensions?problemSetId=${set}`,
      `/centrality-comparison?problemSetId=${set}`,
    ].map(async (path) => (await ask(who, "GET", path)).text),
  );

describe("entities that may be the same", () => {
  const port = identity("organization", "Harwick Port Authority");
  const [full, other] = [identity("individual", "Dmitri Sokolov"), identity("individual", "Дмитрий Соколов")];
  const [brother, boss] = [identity("individual", "Pavel Sokolov"), identity("individual", "Vera Lindqvist")];

  it("are found across scripts, with what speaks for and against it; nothing is merged by it", async () => {
    await bring(ann, [port, full, other, brother, boss]);
    await bring(ann, [
      relationship(full, "works-for", port),
      relationship(other, "works-for", port),
      relationship(boss, "leads", port),
    ]);
    const rows = await duplicates(eve);
    const found = rows.map(({ one, other: two }) => [one.name, two.name].sort());
    expect(found).toEqual([["Dmitri Sokolov", "Дмитрий Соколов"]]);
    const [best] = rows;
    expect(best.why.map(({ feature }: any) => feature).sort()).toEqual(["name", "neighbours"]);
    expect(best.why.reduce((sum: number, part: any) => sum + part.weight, 0)).toBeGreaterThan(0);
    expect([best.nameAlone, best.unsure, best.ambiguous]).toEqual([false, false, []]);
    expect(await named(ann, "соколов")).toHaveLength(1);
  });

  it("are one by a judgement, under the oldest id, and every id leads there; separated, all is as it was", async () => {
    const before = await everything(ann);
    const [[one], [two]] = [await named(ann, "Dmitri"), await named(ann, "Дмитрий")];
    const judged = await data(ann, "POST", "/resolution/merge", {
      ...{ problemSetId: set, entityIds: [two.id, one.id], reason: "Same passport" },
    });
    const [merged] = await named(eve, "Dmitri");
    expect([merged.id, merged.canonicalId, merged.aliases]).toEqual([one.id, one.id, ["Дмитрий Соколов"]]);
    expect(await data(eve, "GET", `/?problemSetId=${set}&entityId=${two.id}`)).toMatchObject({
      nodes: expect.arrayContaining([expect.objectContaining({ id: one.id })]),
    });
    expect(await duplicates(ann)).toEqual([]);
    expect((await ask(ann, "POST", "/resolution/merge", { problemSetId: set, entityIds: [one.id, two.id] })).status).toBe(409);
    const path = `/resolution/judgements/${judged.id}/separate`;
    expect((await ask(eve, "POST", path, {})).status).toBe(403);
    await data(ben, "POST", path, { leave: "nothing" });
    expect(await everything(ann)).toEqual(before);
    expect((await ask(ben, "POST", path, {})).status).toBe(409);
  });

  it("that somebody judged apart stay apart: to join them is 409, which says by whom and why", async () => {
    const [[one], [two]] = [await named(ann, "Dmitri"), await named(ann, "Дмитрий")];
    const entityIds = [one.id, two.id];
    const apart = { problemSetId: set, entityIds, verdict: "negative", reason: "Father and son" };
    const { id } = await data(ben, "POST", "/resolution/merge", apart);
    expect(await duplicates(ann)).toEqual([]);
    const refused = await ask(ann, "POST", "/resolution/merge", { problemSetId: set, entityIds });
    expect(refused.status).toBe(409);
    expect(refused.body.error.details).toMatchObject({ judgementId: id, reason: "Father and son", decidedBy: ben.userId });
    await data(ben, "POST", `/resolution/judgements/${id}/separate`, { leave: "nothing" });
    expect(await duplicates(ann)).toHaveLength(1);
  });

  it("in a compartment are nobody else's: not as a candidate, not as a merge, not in a total", async () => {
    const before = await everything(eve);
    const agent = identity("individual", "Dmitry Sokolow");
    await bring(ben, [agent, relationship(agent, "works-for", port)], [red]);
    expect(await everything(eve)).toEqual(before);
    expect((await duplicates(ben)).length).toBeGreaterThan(1);
    const [[open], [hidden]] = [await named(ben, "Dmitri"), await named(ben, "Sokolow")];
    expect((await ask(eve, "POST", "/resolution/merge", { problemSetId: set, entityIds: [open.id, hidden.id] })).status).toBe(403);
    const merge = { problemSetId: set, entityIds: [open.id, hidden.id] };
    const refused = await ask(ann, "POST", "/resolution/merge", merge);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "entityIds.1"]);
    const judged = await data(ben, "POST", "/resolution/merge", merge);
    expect(judged.compartments).toEqual([red]);
    expect(await everything(eve)).toEqual(before);
    expect(await data(eve, "GET", `/resolution/judgements?problemSetId=${set}`)).not.toContainEqual(
      expect.objectContaining({ id: judged.id }),
    );
    expect((await ask(ann, "POST", `/resolution/judgements/${judged.id}/separate`, {})).status).toBe(404);
    expect((await named(ben, "Sokolow"))[0].id).toBe(open.id);
  });
});
