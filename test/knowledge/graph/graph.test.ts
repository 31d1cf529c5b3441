import { eventually, world, type TestWorld } from "../../mesh.ts";
import { articlesOf, item, source } from "../../news/articles/articles-setup.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../../workspace/people.ts";
import { put } from "../documents.requests.ts";
import { built, report } from "../graph.requests.ts";

let at: TestWorld;
let ann: Person, ben: Person, eve: Person, far: Person;
let set: string, red: string;
beforeAll(async () => {
  at = await world();
  [ann, ben, eve, far] = await persons(at, "ann", "ben", "eve", "far");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, eve, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
});
afterAll(() => at.stop());

const ask = (who: Person, method: string, path: string, body?: unknown) =>
  as(at, who)(method, `/api/graph${path}`, body);
async function dataOf(who: Person, path: string): Promise<any> {
  const reply = await ask(who, "GET", path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data;
}
const errorOf = ({ status, body }: { status: number; body: any }): unknown => [status, body.error?.code];
const graph = (who: Person, query = ""): Promise<any> => dataOf(who, `?problemSetId=${set}${query}`);
const named = (nodes: any[], name: string): any => nodes.find((node) => node.name === name);
const names = (nodes: any[]): string[] => nodes.map(({ name }) => name).sort();
const read = (who: Person, text: string, fields: Record<string, string | string[]> = {}) =>
  report(at, who, text, { problemSetId: set, ...fields });

const FIRST =
  "President Ivan Petrov of Varland met Chancellor Anna Berg in Geneva. Petrov accused the Southern Liberation Front (SLF) of treason. The 4th Armoured Brigade, commanded by Colonel Marek Dvorak, moved to Karsk.";
const SECOND =
  "The 4th Armoured Brigade shelled Port Elin, said Marta Klein, a spokeswoman for the SLF. Colonel Marek Dvorak commands the 4th Armoured Brigade.";

describe("two reports", () => {
  let first: any, second: any;
  beforeAll(async () => {
    first = await read(ann, FIRST);
    second = await read(ben, SECOND);
  });

  it("become one graph in which every name and every line leads to its words", async () => {
    const { nodes, edges } = await graph(eve);
    expect(names(nodes)).toEqual(
      expect.arrayContaining(["Ivan Petrov", "Anna Berg", "Marek Dvorak", "4th Armoured Brigade", "Marta Klein"]),
    );
    const [dvorak, brigade] = [named(nodes, "Marek Dvorak"), named(nodes, "4th Armoured Brigade")];
    expect([dvorak.type, brigade.type, dvorak.sources, brigade.sources]).toEqual(["person", "unit", 2, 2]);
    const leads = edges.find((edge: any) => edge.relation === "leads" && edge.from === dvorak.id);
    expect(leads).toMatchObject({ to: brigade.id, voices: 2 });
    const texts = new Map(
      await Promise.all(
        [first, second].map(
          async ({ id }) => [id, (await as(at, eve)("GET", `/api/documents/${id}/text`)).body.data.text] as const,
        ),
      ),
    );
    for (const path of [`entityId=${dvorak.id}`, `entityId=${dvorak.id}&relationId=${encodeURIComponent(leads.id)}`]) {
      const statements = await dataOf(eve, `/statements?${path}&limit=100`);
      expect(statements.length).toBeGreaterThan(1);
      // What a line rests on says which line it is.
      for (const { predicate, object, relationId } of statements)
        expect(relationId?.split("~")[1]).toBe(object === undefined ? undefined : predicate);
      for (const { origin } of statements) {
        const { documentId, start, end, quote } = origin.citation;
        expect(texts.get(documentId)!.slice(start, end)).toBe(quote);
      }
    }
  });

  it("can be asked for what one of them names", async () => {
    const { nodes } = await graph(eve, `&documentId=${second.id}`);
    expect(names(nodes)).toEqual(expect.arrayContaining(["Marek Dvorak", "Marta Klein", "Port Elin"]));
    expect(names(nodes)).not.toContain("Anna Berg");
    expect((await graph(eve, "&storyId=none")).nodes).toEqual([]);
  });

  it("are read once, and say what they left out and why", async () => {
    const again = await ask(ann, "POST", `/graph/build/${first.id}`, {});
    expect([again.status, again.body.data.status]).toEqual([200, "completed"]);
    const before = await graph(eve);
    const odd = await put(at, ann, "ANNEX B TO THE STANDING ORDER OF THE CORPS\n\nThe Quillon was there.", "odd.txt", {
      problemSetId: set,
    });
    const { leftOut } = await built(at, ann, odd.id);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: "Quillon", reason: "not-known", why: expect.any(String) }),
        expect.objectContaining({ reason: "heading" }),
      ]),
    );
    expect((await graph(eve)).total).toEqual(before.total);
    // Which documents are in the graph, one asks at once.
    const rows = (query: string, who = eve) => dataOf(who, `/builds?limit=100${query}`);
    const [one] = await rows(`&documentIds=${first.id},none`);
    expect(one).toMatchObject({ documentId: first.id, status: "completed", version: 1, entities: expect.any(Number) });
    expect(one.leftOut).toBeUndefined();
    const ids = (await rows(`&problemSetId=${set}&status=completed`)).map(({ documentId }: any) => documentId);
    expect(ids).toEqual(expect.arrayContaining([first.id, second.id, odd.id]));
    expect(await rows(`&problemSetId=${set}&status=failed`)).toEqual([]);
    expect(await rows(`&documentIds=${first.id}`, far)).toEqual([]);
    expect(errorOf(await ask(eve, "POST", `/graph/build/${first.id}`, {}))).toEqual([403, "FORBIDDEN"]);
    expect(errorOf(await ask(far, "POST", `/graph/build/${first.id}`, {}))).toEqual([404, "NOT_FOUND"]);
  });

  it("say that they are in a language which the rules do not read, instead of making names of its words", async () => {
    const text =
      "Die Weisung gilt ab sofort. Die Versicherungsprämie ist bis zum Sommer zu senken, und das Fahrwasser von Minen " +
      "ist zu räumen. Der Kommandeur der Einsatzflottille legt einen Plan vor, und die Reedereien werden unterrichtet.";
    const foreign = await put(at, ann, text, "weisung.txt", { problemSetId: set });
    const begun = await ask(ann, "POST", `/graph/build/${foreign.id}`, {});
    expect(begun.body.data.notice).toMatch(/German/);
    const { notice, entities } = await built(at, ann, foreign.id);
    expect(notice).toBe(begun.body.data.notice);
    expect(entities).toBe(0);
  });

  it("take back just their own when one is withdrawn, and what a newer version does not say", async () => {
    const before = await graph(eve);
    const third = await read(ann, "Colonel Marek Dvorak met Olga Stein of the 4th Armoured Brigade.");
    expect(named((await graph(eve)).nodes, "Olga Stein")).toBeTruthy();
    await as(at, ann)("DELETE", `/api/documents/${third.id}`);
    await eventually(
      () => graph(eve),
      ({ nodes }) => !named(nodes, "Olga Stein"),
    );
    expect(await graph(eve)).toEqual(before);
  });

  it("say what their newest version says, once it was read", async () => {
    const { id } = await read(ann, "General Otto Kranz met Lena Fisk in Geneva.");
    expect(names((await graph(eve)).nodes)).toEqual(expect.arrayContaining(["Otto Kranz", "Lena Fisk"]));
    const form = new FormData();
    form.append("file", new File(["General Otto Kranz met Nora Blum in Geneva."], "report.txt"));
    await at.http("POST", `/api/documents/${id}/versions`, { as: ann.token, body: form });
    await eventually(
      () => as(at, ann)("GET", `/api/documents/${id}`),
      ({ body }) => body.data.version === 2 && body.data.status === "ready",
    );
    await built(at, ann, id);
    const now = names((await graph(eve)).nodes);
    expect(now).toEqual(expect.arrayContaining(["Otto Kranz", "Nora Blum"]));
    expect(now).not.toContain("Lena Fisk");
    await as(at, ann)("DELETE", `/api/documents/${id}`);
    await eventually(
      () => graph(eve),
      ({ nodes }) => !named(nodes, "Otto Kranz"),
    );
  });

  it("are asked about by name, by type, around somebody, at a moment, and within bounds", async () => {
    const { nodes } = await graph(eve, "&q=dvor");
    expect(names(nodes)).toEqual(["Marek Dvorak"]);
    const { nodes: units } = await graph(eve, "&type=unit");
    expect(names(units)).toEqual(["4th Armoured Brigade"]);
    const around = await graph(eve, `&entityId=${nodes[0].id}`);
    expect(names(around.nodes)).toEqual(expect.arrayContaining(["Marek Dvorak", "4th Armoured Brigade"]));
    expect((await graph(eve, "&at=2001-01-01T00:00:00Z")).nodes).toEqual([]);
    const few = await graph(eve, "&nodes=1");
    expect([few.nodes.length, few.truncated]).toEqual([1, true]);
    expect(errorOf(await ask(far, "GET", `?problemSetId=${set}`))).toEqual([404, "NOT_FOUND"]);
    expect((await dataOf(far, "")).nodes).toEqual([]);
  });

  it("have actors, who are found despite typing errors and in another script", async () => {
    const rows = await dataOf(eve, `/actors?problemSetId=${set}&type=person`);
    expect(names(rows)).toEqual(expect.arrayContaining(["Ivan Petrov", "Anna Berg", "Marek Dvorak"]));
    const found = async (text: string): Promise<string> =>
      (await dataOf(eve, `/actors/search/${encodeURIComponent(text)}?problemSetId=${set}`))[0]?.name;
    for (const text of ["Ivan Petrov", "petrov ivan", "Pertov", "Ivan Petr", "Иван Петров", "i petrov"])
      expect([text, await found(text)]).toEqual([text, "Ivan Petrov"]);
    expect(await found("q/x")).toBeUndefined();
    expect(names(await dataOf(eve, `/actors/search/SLF?problemSetId=${set}`))).toContain("Southern Liberation Front");
    const [{ id }] = await dataOf(eve, `/actors/search/Petrov?problemSetId=${set}`);
    const whole = await dataOf(eve, `/actors/${id}`);
    expect(whole).toMatchObject({ name: "Ivan Petrov", canonicalId: id, roles: ["President"] });
    expect(whole.relations.map(({ relation }: any) => relation)).toEqual(expect.arrayContaining(["met", "accuses"]));
    expect(errorOf(await ask(far, "GET", `/actors/${id}`))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("a compartment", () => {
  it("hides names, lines, degrees and totals of what lies in it, and links within it are seen inside", async () => {
    const before = await graph(eve);
    const [master, actors] = [await dataOf(eve, "/master-view"), await ask(eve, "GET", "/actors")];
    const secret = await read(
      ben,
      "Colonel Marek Dvorak of the 4th Armoured Brigade met Viktor Sokol. Sokol paid Marek Dvorak.",
      { compartments: [red] },
    );
    expect(names((await graph(ben)).nodes)).toContain("Viktor Sokol");
    expect(await graph(eve)).toEqual(before);
    expect(await dataOf(eve, "/master-view")).toEqual(master);
    expect((await ask(eve, "GET", "/actors")).body).toEqual(actors.body);
    const dvorak = named((await graph(ben)).nodes, "Marek Dvorak");
    expect(dvorak.sources).toBe(3);
    expect(dvorak.id).toBe(named(before.nodes, "Marek Dvorak").id);
    const [inside] = (await dataOf(ben, `/actors/search/Sokol?problemSetId=${set}`)) as any[];
    expect(errorOf(await ask(eve, "GET", `/actors/${inside.id}`))).toEqual([404, "NOT_FOUND"]);
    expect(await dataOf(eve, `/actors/search/Sokol?problemSetId=${set}`)).toEqual([]);
    expect(errorOf(await ask(eve, "GET", `/graph/build/${secret.id}`))).toEqual([404, "NOT_FOUND"]);
    expect(errorOf(await ask(eve, "GET", `/statements?entityId=${inside.id}`))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("a workspace", () => {
  it("is a part of the graph, as a graph and as a tree, and holds nothing itself", async () => {
    const document = await read(ann, "General Pavel Horak leads the 7th Infantry Division in Lindau.");
    const body = { problemSetId: set, name: "Horak", documentIds: [document.id] };
    const made = (await ask(ben, "POST", "/workspaces", body)).body.data;
    const inside = await dataOf(eve, `/workspaces/${made.id}/graph`);
    expect(names(inside.nodes)).toEqual(["7th Infantry Division", "Lindau", "Pavel Horak"]);
    expect(await dataOf(eve, `?workspaceId=${made.id}&nodes=2000&edges=10000`)).toEqual(inside);
    const pieces = await Promise.all(
      [1, 2, 3].map((piece) => dataOf(eve, `/workspaces/${made.id}/graph?nodes=1&piece=${piece}`)),
    );
    const idsOf = (parts: any[]): string[] => parts.map(({ id }) => id).sort();
    expect(idsOf(pieces.flatMap(({ nodes }) => nodes))).toEqual(idsOf(inside.nodes));
    expect(idsOf(pieces.flatMap(({ edges }) => edges))).toEqual(idsOf(inside.edges));
    expect(pieces.map(({ truncated }) => truncated)).toEqual([true, true, false]);
    const tree = await dataOf(eve, `/workspaces/${made.id}/tree`);
    expect(tree.children.map(({ type }: any) => type)).toEqual(["person", "unit", "place"]);
    expect(tree.children[0].children[0].children).toContainEqual(
      expect.objectContaining({ relation: "leads", direction: "out", name: "7th Infantry Division" }),
    );
    expect((await ask(ben, "PUT", `/workspaces/${made.id}`, { types: ["unit"] })).body.data.name).toBe("Horak");
    expect(names((await dataOf(eve, `/workspaces/${made.id}/graph`)).nodes)).toEqual(["7th Infantry Division"]);
    expect(errorOf(await ask(eve, "PUT", `/workspaces/${made.id}`, { name: "x" }))).toEqual([403, "FORBIDDEN"]);
    const before = await graph(eve);
    expect((await ask(ben, "DELETE", `/workspaces/${made.id}`)).status).toBe(204);
    expect(await graph(eve)).toEqual(before);
    expect(errorOf(await ask(eve, "GET", `?workspaceId=${made.id}`))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("an OSINT event", () => {
  it("of a story is one, brings what its articles name with their sentences, and counts copies as one voice", async () => {
    const text =
      "Prime Minister Dana Novak met Commander Jakub Vesely in Praha on Tuesday. Novak praised the Coast Guard of Selmar. ".repeat(
        3,
      );
    const articles = articlesOf(at);
    await articles.store(source(301, { name: "Selmar Wire" }), [item(1, { title: "Novak meets Vesely", text })]);
    await articles.store(source(302, { name: "Harbour Post" }), [item(2, { title: "Novak meets Vesely", text })]);
    const rows = (await at.http("GET", "/api/articles?limit=100")).body.data.filter(({ title }: any) =>
      title.startsWith("Novak meets"),
    );
    const [{ storyId }] = rows;
    expect(new Set(rows.map((row: any) => row.storyId)).size).toBe(1);
    const body = { problemSetId: set, storyId };
    const recorded = await ask(ben, "POST", "/osint/events", body);
    expect([recorded.status, recorded.body.data.title]).toEqual([201, "Novak meets Vesely"]);
    const { id } = recorded.body.data;
    const again = await ask(ben, "POST", "/osint/events", body);
    expect([again.status, again.body.data.id, again.body.data.existed]).toEqual([200, id, true]);
    const { links } = await eventually(
      () => dataOf(eve, `/osint/events/${id}`),
      (event) => event.links.length > 2,
    );
    const novak = links.find(({ entity }: any) => entity.name === "Dana Novak");
    expect(novak).toMatchObject({ relation: "involves", origin: { kind: "article", storyId } });
    expect(text.slice(novak.origin.start, novak.origin.end)).toBe(novak.origin.quote);
    const { edges, nodes } = await graph(eve);
    const met = edges.find(({ relation, from, to }: any) => relation === "met" && [from, to].includes(novak.entity.id));
    expect([met.voices, named(nodes, "Novak meets Vesely").type]).toEqual([1, "event"]);
    expect((await dataOf(eve, `/osint/events?problemSetId=${set}&storyId=${storyId}`)).length).toBe(1);
    expect(errorOf(await ask(ben, "POST", "/osint/events", { ...body, storyId: "999999" }))).toEqual([
      422,
      "NO_SUCH_STORY",
    ]);
    expect(errorOf(await ask(eve, "POST", "/osint/events", body))).toEqual([403, "FORBIDDEN"]);
  });

  it("is tied to an entity by hand, once, and only in the sight of those who see both", async () => {
    const made = await ask(ben, "POST", "/osint/events", {
      ...{
        problemSetId: set,
        title: "The bridge was closed",
        occurredAt: "2026-03-01T10:00:00Z",
        place: "Karsk Bridge",
      },
    });
    const { id, entityId } = made.body.data;
    const { nodes } = await graph(ben);
    const [sokol, brigade] = [named(nodes, "Viktor Sokol"), named(nodes, "4th Armoured Brigade")];
    const link = (entity: string, relation?: string) =>
      ask(ben, "POST", `/osint/events/${id}/link`, { entityId: entity, ...(relation && { relation }) });
    const [one, two] = [await link(brigade.id), await link(brigade.id)];
    expect([one.status, one.body.data.id]).toEqual([201, two.body.data.id]);
    expect((await link(sokol.id)).status).toBe(201);
    expect(errorOf(await link(sokol.id, "located-in"))).toEqual([422, "UNFIT_RELATION"]);
    expect((await link(entityId)).body.error.details[0].path).toBe("entityId");
    const tied = async (who: Person) =>
      (await dataOf(who, `/osint/events/${id}`)).links.map(({ entity }: any) => entity.name).sort();
    expect(await tied(eve)).toEqual(["4th Armoured Brigade", "Karsk Bridge"]);
    expect(await tied(ben)).toEqual(["4th Armoured Brigade", "Karsk Bridge", "Viktor Sokol"]);
    expect(errorOf(await ask(ann, "POST", `/osint/events/${id}/link`, { entityId: sokol.id }))).toEqual([
      400,
      "VALIDATION_ERROR",
    ]);
    const inMarch = await dataOf(
      eve,
      `/osint/events?problemSetId=${set}&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z`,
    );
    expect(inMarch.map((event: any) => event.id)).toEqual([id]);
  });
});
