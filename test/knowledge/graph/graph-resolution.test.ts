import { answer, modelStandIn, type StandIn } from "../../../adapters/llm/stand-in.ts";
import { isUnicode } from "../../../core/contract/input/unicode.ts";
import { sha256 } from "../../../core/ids.ts";
import { limits } from "../../../services/knowledge/graph/centrality/measuring.ts";
import { EXTENSION } from "../../../services/knowledge/graph/stix/mapping.ts";
import { eventually, itInside, world, type Reply, type TestWorld } from "../../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../../workspace/people.ts";
import { put } from "../documents.requests.ts";
import { pdf } from "../files.ts";
import { identity, relationship, type Thing } from "./stix.ts";

let at: TestWorld;
let model: StandIn;
let ann: Person, ben: Person, eve: Person;
let set: string, red: string;
beforeAll(async () => {
  model = await modelStandIn();
  model.respond(({ shape }) => answer(shape === "container_summary" ? { sentences: [] } : { entities: [] }));
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
  [ann, ben, eve] = await persons(at, "ann", "ben", "eve");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, eve, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
}, 60_000);
afterAll(async () => {
  await at.stop();
  await model.close();
});

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
const everything = async (who: Person): Promise<{ path: string; told: string }[]> =>
  Promise.all(
    [
      `/?problemSetId=${set}`,
      "/master-view",
      `/resolution/duplicates?problemSetId=${set}`,
      `/stix?problemSetId=${set}`,
      `/tensions?problemSetId=${set}`,
      `/centrality-comparison?problemSetId=${set}`,
    ].map(async (path) => {
      const { status, text } = await ask(who, "GET", path);
      expect({ path, status }).toEqual({ path, status: 200 });
      return { path, told: sha256(text) };
    }),
  );

describe("entities that may be the same", () => {
  const port = identity("organization", "Harwick Port Authority");
  const [full, other] = [identity("individual", "Dmitri Sokolov"), identity("individual", "Дмитрий Соколов")];
  const [brother, boss] = [identity("individual", "Pavel Sokolov"), identity("individual", "Vera Lindqvist")];

  it("are found across scripts, with what speaks for and against it; nothing is merged by it", async () => {
    const town = ["Ada Quist", "Bo Lund", "Cy Marsh", "Di Novak", "Ed Oster", "Flo Pryce", "Gus Reed", "Hal Stone"];
    await bring(ann, [port, full, other, brother, boss, ...town.map((name) => identity("individual", name))]);
    await bring(ann, [
      relationship(full, "works-for", port),
      relationship(other, "works-for", port),
      relationship(boss, "leads", port),
      relationship(boss, "accuses", full),
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

  it("are looked for when a bundle came in, and when somebody ties an event to one of them", async () => {
    const mine = await openSet(at, ann, { name: "Looked for" });
    const near = (): Promise<any[]> => data(ann, "GET", `/resolution/duplicates?problemSetId=${mine}`);
    const looks = async (): Promise<unknown[]> => {
      const jobs = await (
        await at.mesh.world.documents.collection("jobs")
      ).find({ query: { kind: "graph.duplicates" } });
      return (jobs as any[])
        .filter(({ status, input }) => status === "completed" && input.problemSetId === mine)
        .map(({ result }) => result.sights);
    };
    const objects = [full, other];
    await data(ann, "POST", "/stix", { problemSetId: mine, bundle: { type: "bundle", objects: [port] } });
    // Nobody has asked yet for what may be the same here.
    expect(await eventually(looks, ({ length }) => length === 1)).toEqual([0]);
    expect(await near()).toEqual([]);
    await data(ann, "POST", "/stix", { problemSetId: mine, bundle: { type: "bundle", objects } });
    expect((await eventually(looks, ({ length }) => length === 2)).sort()).toEqual([0, 1]);
    const [found] = await near();
    expect([found.one.name, found.other.name].sort()).toEqual([full.name, other.name].sort());
    await data(ann, "POST", "/stix", { problemSetId: mine, bundle: { type: "bundle", objects } });
    const event = await data(ann, "POST", "/osint/events", { problemSetId: mine, title: "A meeting at the lock" });
    await data(ann, "POST", `/osint/events/${event.id}/link`, { entityId: found.one.id });
    expect((await eventually(looks, ({ length }) => length === 3)).sort()).toEqual([0, 1, 1]);
  });

  it("are one by a judgement, under the oldest id, and every id leads there; separated, all is as it was", async () => {
    const before = await everything(ann);
    const [[one], [two]] = [await named(ann, "Dmitri"), await named(ann, "Дмитрий")];
    const judged = await data(ann, "POST", "/resolution/merge", {
      ...{ problemSetId: set, entityIds: [two.id, one.id], reason: "Same passport" },
    });
    const [merged] = await named(eve, "Dmitri");
    // Brought in at once: as old as each other but for a millisecond, perhaps.
    const oldest = merged.id;
    expect([one.id, two.id]).toContain(oldest);
    expect([merged.canonicalId, merged.aliases]).toEqual([oldest, ["Дмитрий Соколов"]]);
    expect(await data(eve, "GET", `/?problemSetId=${set}&entityId=${two.id}`)).toMatchObject({
      nodes: expect.arrayContaining([expect.objectContaining({ id: oldest })]),
    });
    expect(await duplicates(ann)).toEqual([]);
    expect(
      (await ask(ann, "POST", "/resolution/merge", { problemSetId: set, entityIds: [one.id, two.id] })).status,
    ).toBe(409);
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
    expect(refused.body.error.details).toMatchObject({
      judgementId: id,
      reason: "Father and son",
      decidedBy: ben.userId,
    });
    await data(ben, "POST", `/resolution/judgements/${id}/separate`, { leave: "nothing" });
    expect(await duplicates(ann)).toHaveLength(1);
  });

  itInside("are one for every reader at once, though whoever judged is killed before they say so", async () => {
    const entityIds = [(await named(ann, "Dmitri"))[0].id, (await named(ann, "Дмитрий"))[0].id];
    await Promise.all([ben, eve].map((who) => named(who, "Dmitri")));
    const { documents } = at.mesh.world;
    const judgements = await documents.collection("graph_judgements");
    const marks = await documents.collection("graph_marks");
    const own = { insert: judgements.insert, updateMany: marks.updateMany, claim: marks.claim };
    judgements.insert = async (doc) => {
      const made = await own.insert.call(judgements, doc);
      const dead = () => Promise.reject(new Error("killed"));
      Object.assign(marks, { updateMany: dead, claim: dead });
      return made;
    };
    const cut = await ask(ann, "POST", "/resolution/merge", { problemSetId: set, entityIds });
    delete (judgements as Partial<typeof judgements>).insert;
    for (const way of ["updateMany", "claim"] as const) delete (marks as Partial<typeof marks>)[way];
    expect(cut.status).toBe(500);
    for (const who of [ben, eve]) expect(await named(who, "Dmitri")).toMatchObject([{ aliases: ["Дмитрий Соколов"] }]);
    // Whoever comes by after a while says it in their place.
    at.clock.advance(61_000);
    const { data: found } = (await ask(ben, "GET", `/resolution/judgements?problemSetId=${set}`)).body;
    expect(await named(ben, "Dmitri")).toHaveLength(1);
    expect(await marks.findById(set)).toMatchObject({ open: [] });
    await data(ben, "POST", `/resolution/judgements/${found[0].id}/separate`, { leave: "nothing" });
    expect(await named(eve, "Dmitri")).toMatchObject([{ aliases: [] }]);
  });

  it("in a compartment are nobody else's: not as a candidate, not as a merge, not in a total", async () => {
    const before = await everything(eve);
    const agent = identity("individual", "Dmitry Sokolow");
    await bring(ben, [agent, relationship(agent, "works-for", port)], [red]);
    expect(await everything(eve)).toEqual(before);
    expect((await duplicates(ben)).length).toBeGreaterThan(1);
    const [[open], [hidden]] = [await named(ben, "Dmitri"), await named(ben, "Sokolow")];
    expect(
      (await ask(eve, "POST", "/resolution/merge", { problemSetId: set, entityIds: [open.id, hidden.id] })).status,
    ).toBe(403);
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
    const [joined] = await named(ben, "Sokolow");
    expect([[open.id, hidden.id].includes(joined.id), joined.aliases.length]).toEqual([true, 1]);
  });
});

describe("a graph brought in as STIX", () => {
  it("goes out as it came in, in whatever order, with what nobody here understands; missing references are listed", async () => {
    const mine = await openSet(at, ann, { name: "Exchange" });
    const [north, south] = [identity("organization", "Northern Wing"), identity("organization", "Southern Wing")];
    const odd = {
      ...identity("x-odd", "Odd"),
      type: "x-odd",
      id: north.id.replace("identity", "x-odd"),
      deep: { kept: [1] },
    };
    const line = relationship(north, "supports", south, { x_note: "kept" });
    const take = (objects: readonly object[]) =>
      data(ann, "POST", "/stix", { problemSetId: mine, bundle: { type: "bundle", objects } });
    const first = await take([line, odd]);
    expect(first).toMatchObject({ imported: 2, refused: [] });
    expect(first.missing.map(({ property, ref }: any) => [property, ref])).toEqual([
      ["source_ref", north.id],
      ["target_ref", south.id],
    ]);
    const second = await take([south, line, north, { type: "identity", id: "nobody" }]);
    expect(second).toMatchObject({ imported: 2, unchanged: 1, missing: [], refused: [{ index: 3, code: "BAD_ID" }] });
    const graph = await data(ann, "GET", `/?problemSetId=${mine}`);
    expect(graph.edges.map(({ relation }: any) => relation)).toEqual(["supports"]);
    const out = await ask(ann, "GET", `/stix?problemSetId=${mine}`);
    const byId = (a: any, b: any) => (a.id < b.id ? -1 : 1);
    expect(out.body.objects).toEqual([line, odd, south, north].sort(byId));
    expect((await ask(ann, "GET", `/stix?problemSetId=${mine}`)).text).toBe(out.text);
    const copy = await openSet(at, ann, { name: "Copy" });
    await data(ann, "POST", "/stix", { problemSetId: copy, bundle: out.body });
    expect((await ask(ann, "GET", `/stix?problemSetId=${copy}`)).text).toBe(out.text);
  });

  it("is one whatever types, words and moments its objects have", async () => {
    const mine = await openSet(at, ann, { name: "Odd bundle" });
    const own = (name: string, entity_type: unknown) =>
      identity("organization", name, { extensions: { [EXTENSION]: { entity_type } } });
    const [one, other] = [own("Wing of no type", "spaceship"), own("Wing of type five", 5)];
    const words = `${"x".repeat(499)}\u{1F6A7}`;
    const objects = [
      ...[one, other, identity("constructor", "Builder"), own("Guild", "group")],
      identity("group", words, { aliases: [words], description: words.repeat(8) }),
      { ...one, type: "constructor", id: one.id.replace("identity", "constructor") },
      ...["constructor", "__proto__"].map((word) => relationship(one, word, other)),
      relationship(other, "owns", one, { start_time: "+275760-09-13T00:00:00Z", modified: "-000001-01-01T00:00:00Z" }),
    ];
    const { imported } = await data(ann, "POST", "/stix", { problemSetId: mine, bundle: { type: "bundle", objects } });
    expect(imported).toBe(objects.length);
    const reply = await ask(ann, "GET", `/?problemSetId=${mine}`);
    const { nodes, edges } = reply.body.data;
    const types = Object.fromEntries(nodes.map(({ name, type }: any) => [name, type]));
    expect(types).toMatchObject({
      ...{ "Wing of no type": "organisation", "Wing of type five": "organisation" },
      ...{ Builder: "other", Guild: "group" },
    });
    expect(edges.map(({ relation }: any) => relation).sort()).toEqual(["owns", "related-to"]);
    expect(isUnicode(reply.body)).toBe(true);
  });

  it("goes into no compartment that whoever brings it is not read into", async () => {
    const objects = [identity("individual", "Nobody's Agent")];
    const body = { problemSetId: set, compartments: [red], bundle: { type: "bundle", objects } };
    expect((await ask(ann, "POST", "/stix", body)).status).toBeGreaterThanOrEqual(400);
    expect(await named(ben, "Nobody's Agent")).toEqual([]);
  });
});

describe("tensions between actors", () => {
  it("are the mean of what independent stories tell, newer ones more, with trend and evidence", async () => {
    const mine = await openSet(at, ann, { name: "Tensions" });
    const [varnia, osten] = [identity("organization", "Varnia Front"), identity("organization", "Osten League")];
    const wire = identity("organization", "Wire");
    const days = (ago: number) => new Date(at.clock.now() - ago * 86_400_000).toISOString();
    const said = (relation: string, ago: number, by: object, note: string) =>
      relationship(varnia, relation, osten, { created: days(ago), modified: days(ago), note, ...by });
    const objects = [
      ...[varnia, osten, wire],
      said("supports", 50, {}, "first"),
      said("attacks", 5, { created_by_ref: wire.id }, "printed"),
      said("attacks", 4, { created_by_ref: wire.id }, "printed again"),
    ];
    await data(ann, "POST", "/stix", { problemSetId: mine, bundle: { type: "bundle", objects } });
    const [told, ...others] = await data(ann, "GET", `/tensions?problemSetId=${mine}`);
    expect(others).toEqual([]);
    expect(told.actors.map(({ name }: any) => name).sort()).toEqual(["Osten League", "Varnia Front"]);
    expect([told.stories, told.trend]).toEqual([2, { direction: "rising", recent: -1, before: 1 }]);
    const [old, recent] = [0.7 * 2 ** (-50 / 30), 0.7 * 2 ** (-4 / 30)];
    expect(told.balance).toBeCloseTo((old - recent) / (old + recent), 2);
    expect(told.evidence.map(({ relation }: any) => relation)).toEqual(["attacks", "attacks", "supports"]);
    expect(told.evidence[0].origin).toMatchObject({ kind: "import", format: "stix" });
  });
});

describe("a container's summary", () => {
  it("leaves out headings, and what runs along the heads of pages", async () => {
    const mine = await openSet(at, ann, { name: "Heads" });
    const asked = as(at, ann);
    const container = (await asked("POST", `/api/strategic/environments/${mine}/containers`, { name: "Orders" })).body
      .data.id;
    const matter = [
      "The ferry at Harwick carries forty vehicles an hour.",
      "The dyke at Orm was raised by thirty centimetres.",
      "Two pumps stand ready at the northern lock of Ansel.",
      "Shelters for nine hundred people are open in Brack.",
    ];
    const pages = matter.map((sentence, at) => [
      `This is page ${at + 1} of the plan that the headquarters keeps in Harwick.`,
      `# Part ${at + 1} of the plan for the flood in Harwick`,
      sentence,
    ]);
    const { id } = await put(at, ann, await pdf(pages), "plan.pdf", { problemSetId: mine });
    await asked("PUT", `/api/strategic/documents/${id}/containers`, { containerIds: [container] });
    const { points } = await eventually(
      () => data(ann, "GET", `/summary/${container}`),
      ({ documents }) => documents === 1,
    );
    expect(points.map(({ text }: any) => text).sort()).toEqual(matter.toSorted());
    for (const { text, citation } of points) expect(citation.quote).toBe(text);
  });

  it("cites its documents, is made anew when they change, and tells each reader of what they see", async () => {
    const mine = await openSet(at, ann, { name: "Summaries" });
    await admit(at, mine, ben, "planner");
    await admit(at, mine, eve, "observer");
    const blue = await openCompartment(at, mine, ann, "Blue", ben);
    const strategic = as(at, ann);
    const container = (await strategic("POST", `/api/strategic/environments/${mine}/containers`, { name: "Crossings" }))
      .body.data.id;
    const file = async (who: Person, text: string, compartments: string[] = []) => {
      const { id } = await put(at, who, text, "paper.txt", { problemSetId: mine, compartments });
      await as(at, who)("PUT", `/api/strategic/documents/${id}/containers`, { containerIds: [container] });
      return id;
    };
    const path = `/summary/${container}`;
    const summary = (who: Person, enough: (told: any) => boolean) => eventually(() => data(who, "GET", path), enough);
    await file(
      ann,
      "The ferry at Harwick carries forty vehicles an hour. The bridge at Harwick is closed until Friday.",
    );
    const before = await summary(eve, (told) => told.documents === 1);
    expect(before.points.map(({ text }: any) => text).sort()).toEqual([
      "The bridge at Harwick is closed until Friday.",
      "The ferry at Harwick carries forty vehicles an hour.",
    ]);
    expect(before.points[0].citation.quote).toBe(before.points[0].text);
    await file(ben, "An informant inside the ferry company reports that its crews will strike on Thursday.", [blue]);
    expect((await summary(ben, (told) => told.documents === 2)).points.map(({ text }: any) => text)).toContainEqual(
      expect.stringContaining("informant"),
    );
    expect(await data(eve, "GET", path)).toEqual(before);
    expect((await ask(eve, "POST", `${path}/invalidate`)).status).toBe(403);
    expect(await data(ann, "POST", `${path}/invalidate`)).toEqual({ containerId: container, invalidated: true });
    expect({ ...(await data(eve, "GET", path)), madeAt: "" }).toEqual({ ...before, madeAt: "" });
    expect(before).toMatchObject({ method: "heuristic" });
    model.next(
      answer({ sentences: ["The bridge at Harwick was blown up.", "The bridge at  Harwick is closed until Friday."] }),
    );
    await data(ann, "POST", `${path}/invalidate`);
    const chosen = await data(eve, "GET", path);
    expect([chosen.method, chosen.points]).toEqual([
      "llm",
      before.points.filter(({ text }: any) => text.startsWith("The bridge")),
    ]);
    expect(model.received.at(-1)!.messages.at(-1)!.content).not.toContain("informant");
    model.next({ kind: "fail", status: 400 });
    await data(ann, "POST", `${path}/invalidate`);
    const failed = await data(eve, "GET", path);
    expect([failed.method, failed.points, typeof failed.fault]).toEqual(["heuristic", before.points, "string"]);
    // Kept while the model has its rest, asked again afterwards, each time later; then the model has its part.
    const asked = model.received.length;
    expect(await data(eve, "GET", path)).toEqual(failed);
    expect(model.received).toHaveLength(asked);
    const restOf = ({ madeAt, retryAt }: any): number => Date.parse(retryAt) - Date.parse(madeAt);
    model.next({ kind: "fail", status: 400 });
    at.clock.advance(61_000);
    const again = await data(eve, "GET", path);
    expect([again.method, typeof again.fault, restOf(again) / restOf(failed)]).toEqual(["heuristic", "string", 2]);
    model.next(answer({ sentences: ["The bridge at Harwick is closed until Friday."] }));
    at.clock.advance(61_000);
    expect(await data(eve, "GET", path)).toEqual(again);
    at.clock.advance(60_000);
    const back = await data(eve, "GET", path);
    expect([back.method, back.points, back.fault, back.retryAt]).toEqual(["llm", chosen.points, undefined, undefined]);
    const other = await openSet(at, eve, { name: "Elsewhere" });
    expect(other).not.toBe(mine);
    const stranger = await persons(at, "stranger");
    expect((await ask(stranger[0], "GET", path)).status).toBe(404);
  });
});

describe("centrality of a graph", () => {
  it("sets the measures side by side, of what its reader sees", async () => {
    const told = await data(eve, "GET", `/centrality-comparison?problemSetId=${set}`);
    expect([told.status, told.exact, told.correlations.length]).toEqual(["done", true, 10]);
    const [first] = told.entities;
    expect([first.name, first.betweenness.rank]).toEqual(["Harwick Port Authority", 1]);
  });

  itInside(
    "of a large one is a job, and the answer is there when it is done",
    async () => {
      const large = await openSet(at, ann, { name: "Large" });
      const all = Array.from({ length: 60 }, (_, n) => identity("individual", `Member No ${n}`));
      const lines = all.map((one, n) => relationship(one, "met", all[(n * 7 + 1) % 60]!));
      await data(ann, "POST", "/stix", {
        problemSetId: large,
        bundle: { type: "bundle", objects: [...all, ...lines] },
      });
      const path = `/centrality-comparison?problemSetId=${large}&limit=3`;
      const usual = limits.atOnce;
      limits.atOnce = 100;
      const begun = await ask(ann, "GET", path);
      expect([begun.status, begun.body.data.status]).toEqual([202, "measuring"]);
      const told = await eventually(
        () => data(ann, "GET", path),
        ({ status }) => status === "done",
      );
      limits.atOnce = usual;
      expect([told.nodes, told.entities.length, told.exact]).toEqual([60, 3, true]);
    },
    60_000,
  );
});
