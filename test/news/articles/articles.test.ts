import { systemActor } from "../../../core/access/access.ts";
import { DOMAINS } from "../../../services/news/sources/events.ts";
import { world, type TestWorld } from "../../mesh.ts";
import { articlesOf, DAY_MS, HOUR_MS, item, source, type TestArticles } from "./articles-setup.ts";

let node: TestWorld;
let articles: TestArticles;

beforeAll(async () => {
  node = await world();
  articles = articlesOf(node);
});
afterAll(() => node.stop());

const ago = (milliseconds: number) => new Date(node.clock.now() - milliseconds).toISOString();
const get = async (path: string) => (await node.http("GET", `/api/articles${path}`, { as: "reader" })).body;
const titles = async (query: string): Promise<string[]> =>
  (await get(query)).data.map(({ title }: { title: string }) => title);
const idOf = async (title: string): Promise<number> =>
  (await get("?limit=100")).data.find((row: { title: string }) => row.title === title).id;

describe("the list", () => {
  beforeAll(async () => {
    await articles.store(source(101, { name: "Energy Wire", domain: "energy" }), [
      item(1, { title: "Oldest", publishedAt: ago(30 * DAY_MS) }),
      item(2, { title: "Middle", publishedAt: ago(2 * DAY_MS) }),
      item(3, { title: "Newest", publishedAt: ago(HOUR_MS) }),
    ]);
    await articles.store(source(102, { name: "Health Post", domain: "health" }), [
      item(4, { title: "Ward", publishedAt: ago(3 * HOUR_MS) }),
    ]);
  });

  it("has exactly Document 1's fields, and the story", async () => {
    const { data, meta } = await get("?sourceId=101");
    expect(meta).toEqual({ total: 3, page: 1, limit: 20 });
    expect(data[0]).toEqual({
      id: expect.any(Number),
      title: "Newest",
      url: "https://news.example/articles/3",
      source: { id: 101, name: "Energy Wire" },
      domain: "energy",
      summary: expect.any(String),
      confidence: expect.any(Number),
      verified: false,
      publishedAt: expect.stringMatching(/Z$/),
      ingestedAt: expect.stringMatching(/Z$/),
      storyId: expect.any(String),
      reportId: expect.any(String),
    });
  });

  it("is ordered by publication, newest first, or as asked", async () => {
    expect(await titles("?sourceId=101")).toEqual(["Newest", "Middle", "Oldest"]);
    expect(await titles("?sourceId=101&sort=publishedAt")).toEqual(["Oldest", "Middle", "Newest"]);
    const byConfidence = (await get("?sort=-confidence")).data.map(
      ({ confidence }: { confidence: number }) => confidence,
    );
    expect(byConfidence).toEqual(byConfidence.toSorted((a: number, b: number) => b - a));
    expect((await get("?sort=ingestedAt")).data.map(({ id }: { id: number }) => id)).toEqual(
      (await get("?sort=ingestedAt")).data
        .map(({ id }: { id: number }) => id)
        .toSorted((a: number, b: number) => a - b),
    );
  });

  it("is narrowed by domain, source, time (bounds included) and confidence, together", async () => {
    expect(await titles("?domain=health")).toEqual(["Ward"]);
    const { publishedAt } = (await get("?sourceId=101")).data[1];
    expect(await titles(`?from=${publishedAt}&to=${publishedAt}`)).toEqual(["Middle"]);
    expect(await titles(`?domain=energy&from=${publishedAt}`)).toEqual(["Newest", "Middle"]);
    expect(await titles(`?sourceId=101&to=${publishedAt.slice(0, 10)}`)).toContain("Middle");
    expect(await titles("?domain=health&sourceId=101")).toEqual([]);
    const { confidence } = (await get("?domain=health")).data[0];
    expect(await titles(`?domain=health&minConfidence=${confidence}`)).toEqual(["Ward"]);
    expect(await titles("?minConfidence=1")).toEqual([]);
    expect(await titles("?verified=true")).toEqual([]);
  });

  it("comes in pages, clamped, with a link to the next", async () => {
    const page = await node.http("GET", "/api/articles?sourceId=101&limit=2&page=2", { as: "reader" });
    expect(page.body).toMatchObject({ data: [{ title: "Oldest" }], meta: { total: 3, page: 2, limit: 2 } });
    expect((await get("?limit=5000")).meta.limit).toBe(100);
    expect((await node.http("GET", "/api/articles?sourceId=101&limit=2")).headers.get("link")).toContain("page=2");
  });

  it.each([
    ["domain=sport", "domain"],
    ["sourceId=x", "sourceId"],
    ["verified=perhaps", "verified"],
    ["minConfidence=1.1", "minConfidence"],
    ["minConfidence=-0.1", "minConfidence"],
    ["from=yesterday", "from"],
    ["from=2026-02-30", "from"],
    ["from=2026-02-02&to=2026-02-01", "to"],
    ["page=0", "page"],
    ["sort=title", "sort"],
    ["colour=red", "colour"],
  ])("refuses ?%s, naming %s", async (query, field) => {
    const { status, body } = await node.http("GET", `/api/articles?${query}`, { as: "reader" });
    expect([status, body.error.code, body.error.details[0].path]).toEqual([400, "VALIDATION_ERROR", field]);
  });
});

it("says of an article whose feed gave it no date that its date is inferred, in the list and by itself", async () => {
  await articles.store(source(109, { name: "Undated" }), [item(9, { title: "Undated", dateInferred: true })]);
  const [row] = (await get("?sourceId=109")).data;
  expect(row).toMatchObject({ title: "Undated", dateInferred: true });
  expect((await get(`/${row.id}`)).data).toMatchObject({ title: "Undated", dateInferred: true });
});

describe("one article", () => {
  it("has exactly Document 1's fields, its HTML and its story", async () => {
    await articles.store(source(111, { name: "First Paper" }), [
      item(11, { title: "Detail", text: "The whole text of it.", html: "<p>The whole text of it.</p>" }),
    ]);
    const { data } = await get(`/${await idOf("Detail")}`);
    expect(data).toEqual({
      id: expect.any(Number),
      title: "Detail",
      url: "https://news.example/articles/11",
      content: "The whole text of it.",
      html: "<p>The whole text of it.</p>",
      source: { id: 111, name: "First Paper", domain: "energy" },
      confidence: expect.any(Number),
      verified: false,
      publishedAt: expect.any(String),
      storyId: expect.any(String),
      reportId: expect.any(String),
      verification: { score: data.confidence, sources: [], claims: [] },
    });
  });

  it("names the other sources of its event, whose confidence another voice lifts, and no copy", async () => {
    const wire =
      "ORVIK, Nov 21 (Coast Wire) - The bridge over the Sund was closed on Friday after divers found a crack in its third pier, the road authority said. Repairs will take seven months. Some 40,000 cars cross the bridge every day. The minister Greta Holm promised two more ferries from Monday.";
    await articles.store(source(112, { name: "Wire A" }), [
      item(12, { title: "Sund bridge closed after crack", text: wire }),
    ]);
    const before = (await get(`/${await idOf("Sund bridge closed after crack")}`)).data;
    await articles.store(source(113, { name: "Wire B" }), [
      item(13, {
        title: "Ferries to replace bridge",
        text: `${wire.slice(31)} Shops in Orvik fear for their Christmas trade.`,
      }),
    ]);
    const rowsOf = async () => (await get(`?storyId=${before.storyId}`)).data;
    const [copy] = (await rowsOf()).filter(({ title }: { title: string }) => title === "Ferries to replace bridge");
    expect(copy.reportId).toBe(before.reportId);
    expect((await get(`/${before.id}`)).data).toMatchObject({
      confidence: before.confidence,
      verification: { sources: [] },
    });

    await articles.store(source(114, { name: "Own Voice" }), [
      item(14, {
        title: "Crack closes Sund bridge for seven months",
        text: "Nobody will drive over the Sund before summer. A crack that divers discovered in one of the piers of the bridge has closed it, for seven months as Greta Holm, the minister, told commuters in Orvik. Ferries are to carry what they can of 40,000 cars a day.",
      }),
    ]);
    expect((await rowsOf()).map((row: { source: { name: string } }) => row.source.name).sort()).toEqual([
      "Own Voice",
      "Wire A",
      "Wire B",
    ]);
    const after = (await get(`/${before.id}`)).data;
    expect(after.verification.sources).toEqual(["Own Voice"]);
    expect(after.confidence).toBeGreaterThan(before.confidence);
  });

  it("404 for one that is not there; `stats` is no id", async () => {
    expect((await node.http("GET", "/api/articles/999999")).body.error.code).toBe("NOT_FOUND");
    expect((await node.http("GET", "/api/articles/stats")).status).toBe(200);
    expect((await node.http("GET", "/api/articles/none")).status).toBe(400);
  });
});

describe("a person's verdict", () => {
  const verdict = (id: number, body: object, as = "analyst", headers = {}) =>
    node.http("PUT", `/api/articles/${id}/verification`, { as, body, headers });
  let id: number;
  beforeAll(async () => {
    await articles.store(source(121), [item(21, { title: "To be judged" })]);
    id = await idOf("To be judged");
  });

  it("is kept with who said so and when, and shows in list and detail", async () => {
    const { status, body } = await verdict(id, { verified: true, notes: "Called the ministry." });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      verified: true,
      notes: "Called the ministry.",
      verifiedBy: expect.any(String),
      verifiedByName: "(no name)",
      verifiedAt: expect.stringMatching(/Z$/),
      confidence: 0.9,
    });
    const unchanged = (await get(`/${id}`)).data;
    expect(unchanged).toMatchObject({ verified: true, confidence: 0.9 });
    expect(unchanged.changedAt).toBeUndefined();
    expect(await titles("?verified=true")).toEqual(["To be judged"]);
  });

  it("is among what a person takes along", async () => {
    const { holdings } = (await node.http("GET", "/api/user-profile/export", { as: "analyst" })).body.data;
    expect(holdings.articles["Your verdicts on articles"]).toEqual([
      {
        articleId: id,
        title: "To be judged",
        url: "https://news.example/articles/21",
        sourceName: "Source 121",
        verified: true,
        notes: "Called the ministry.",
        verifiedAt: expect.any(String),
      },
    ]);
    const { holdings: others } = (await node.http("GET", "/api/user-profile/export", { as: "reader" })).body.data;
    expect(others.articles).toBeUndefined();
  });

  it("is taken back by another; confidence follows, the factors still add up to it", async () => {
    const { body } = await verdict(id, { verified: false });
    expect(body.data).toMatchObject({ verified: false, notes: "" });
    expect(body.data.confidence).toBeLessThanOrEqual(0.4);
    const [article] = await articles.call<{ confidence: number; factors: { name: string; contribution: number }[] }[]>(
      "many",
      { ids: [id] },
    );
    expect(article!.factors.filter(({ name }) => name === "manual")).toHaveLength(1);
    expect(article!.factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(
      article!.confidence,
      9,
    );
  });

  it("keeps the last word over a machine's finding and over a new edition of the article", async () => {
    await verdict(id, { verified: true });
    expect(
      await articles.call("assess", {
        id,
        score: 0.1,
        verified: false,
        claims: [{ text: "It rained.", verified: false }],
        sources: ["Someone"],
      }),
    ).toEqual({ kept: true, confidence: 0.9 });
    expect((await get(`/${id}`)).data).toMatchObject({
      verified: true,
      confidence: 0.9,
      verification: { score: 0.1, claims: [{ text: "It rained.", verified: false }], sources: ["Someone"] },
    });
    expect(
      await articles.store(source(121), [item(21, { title: "To be judged", text: "A new edition." })]),
    ).toMatchObject({ updated: 1 });
    const edited = (await get(`/${id}`)).data;
    expect(edited).toMatchObject({
      content: "A new edition.",
      verified: true,
      confidence: 0.9,
      verification: { score: 0.9, claims: [] },
    });
    expect(Date.parse(edited.changedAt)).toBeLessThanOrEqual(node.clock.now());
  });

  it("is said to be of an earlier text once the outlet changed it, until it is given on that", async () => {
    const standing = async () => {
      const { data } = (await node.http("GET", `/api/verification/summary/${id}`)).body;
      return [data.recommendation, data.humanVerdict.beforeChange];
    };
    expect(await standing()).toEqual([
      "A person verified an earlier text of it: read what its outlet changed since before you use it as verified.",
      true,
    ]);
    const { steps } = (await node.http("GET", `/api/verification/trail/${id}`)).body.data;
    expect(steps.at(-1).description).toMatch(/^a person verified an earlier text of it, which its outlet has changed/);
    await verdict(id, { verified: true, notes: "Called again." });
    expect(await standing()).toEqual(["A person verified it: it can be used as verified.", undefined]);
  });

  it("drops a machine's finding about a text that changed meanwhile", async () => {
    expect(await articles.call("assess", { id, contentHash: "another", score: 0.2 })).toMatchObject({ kept: false });
  });

  it("is refused to readers, without `verified`, and against a newer revision", async () => {
    expect((await verdict(id, { verified: true }, "reader")).status).toBe(403);
    const missing = await verdict(id, { notes: "?" });
    expect([missing.status, missing.body.error.details[0].path]).toEqual([400, "verified"]);
    expect((await verdict(999_999, { verified: true })).status).toBe(404);
    expect((await verdict(id, { verified: true }, "analyst", { "if-match": '"r1-x"' })).status).toBe(412);
  });
});

describe("statistics", () => {
  let other: TestWorld;
  let stored: TestArticles;
  const stats = async (query = "") =>
    (await other.http("GET", `/api/articles/stats${query}`, { as: "reader" })).body.data;
  const past = (milliseconds: number) => new Date(other.clock.now() - milliseconds).toISOString();

  beforeAll(async () => {
    other = await world();
    stored = articlesOf(other);
    const sources = ["a", "b"].map((name, at) => ({
      name,
      url: `https://${name}.feeds.invalid/rss`,
      domain: at ? "health" : "energy",
    }));
    await other.http("POST", "/api/sources/bulk", { body: { sources } });
    await stored.store(source(1, { domain: "energy" }), [
      item(1, { publishedAt: past(HOUR_MS) }),
      item(2, { publishedAt: past(40 * HOUR_MS) }),
      item(3, { publishedAt: past(400 * DAY_MS) }),
    ]);
    await stored.store(source(2, { domain: "health" }), [item(4, { publishedAt: past(2 * HOUR_MS) })]);
  });
  afterAll(() => other.stop());

  it("count the window that is asked for; last24h is always of 24 hours; every domain is named", async () => {
    expect(await stats()).toEqual({
      total: 2,
      verified: 0,
      last24h: 2,
      byDomain: { ...Object.fromEntries(DOMAINS.map((domain) => [domain, 0])), energy: 1, health: 1 },
      isFiltered: false,
    });
    expect(await stats("?hours=48")).toMatchObject({ total: 3, last24h: 2, byDomain: { energy: 2 } });
    expect(await stats("?hours=1.5")).toMatchObject({ total: 1, last24h: 2 });
    expect(await stats("?hours=8760")).toMatchObject({ total: 3 });
  });

  it.each(["hours=0", "hours=8761", "hours=x", "sourceListId=0"])("refuse ?%s", async (query) => {
    expect((await other.http("GET", `/api/articles/stats?${query}`)).status).toBe(400);
  });

  it("follow a list: the active one for list and figures at once, an explicit one before it, none when it ends", async () => {
    const { id } = (await other.http("POST", "/api/sources/lists", { body: { name: "Health", sourceIds: [2] } })).body
      .data;
    expect(await stats(`?sourceListId=${id}`)).toMatchObject({
      total: 1,
      isFiltered: true,
      byDomain: { energy: 0, health: 1 },
    });
    await other.http("POST", `/api/sources/lists/${id}/activate`, {});
    expect(await stats()).toMatchObject({ total: 1, isFiltered: true });
    const list = async (query = "") => (await other.http("GET", `/api/articles${query}`)).body.meta.total;
    expect(await list()).toBe(1);
    expect(await list("?sourceId=1")).toBe(0);
    expect(await list("?sourceId=2")).toBe(1);
    const empty = (await other.http("POST", "/api/sources/lists", { body: { name: "None", sourceIds: [] } })).body.data;
    expect(await stats(`?sourceListId=${empty.id}`)).toMatchObject({ total: 0, isFiltered: true });
    await other.http("DELETE", "/api/sources/lists/active", {});
    expect(await stats()).toMatchObject({ total: 2, isFiltered: false });
    expect(await list()).toBe(4);
    expect((await other.http("GET", "/api/articles/stats?sourceListId=777")).status).toBe(404);
  });

  it("of one source: all, verified, of the last week, mean confidence", async () => {
    const figures = await stored.call<{ avgConfidence: number }>("statsOfSource", { sourceId: 1 });
    const confidences = (await stored.whole())
      .filter(({ sourceId }) => sourceId === 1)
      .map(({ confidence }) => confidence);
    expect(figures).toEqual({
      articleCount: 3,
      verifiedCount: 0,
      lastWeekArticles: 2,
      avgConfidence: expect.any(Number),
    });
    expect(figures.avgConfidence).toBeCloseTo(confidences.reduce((sum, one) => sum + one, 0) / 3, 9);
    expect(await stored.call("statsOfSource", { sourceId: 99 })).toEqual({
      articleCount: 0,
      verifiedCount: 0,
      lastWeekArticles: 0,
      avgConfidence: 0,
    });
  });
});

describe("for briefings", () => {
  it("gives the best of a period with their texts, and a story before its repetitions", async () => {
    const at = new Date("2024-05-01T12:00:00Z").toISOString();
    const copies = [item(31, { title: "Carried by three", publishedAt: at })];
    for (const id of [131, 132, 133]) await articles.store(source(id, { domain: "science" }), copies);
    await articles.store(source(134, { domain: "science" }), [
      item(32, { title: "Alone", publishedAt: at }),
      item(33, { title: "Another day", publishedAt: "2024-05-03T12:00:00.000Z" }),
    ]);
    const chosen = await articles.call<{ title: string; text: string; storyId: string; sourceId: number }[]>(
      "forBriefing",
      { from: "2024-05-01T00:00:00.000Z", to: "2024-05-02T00:00:00.000Z", domains: ["science"], limit: 10 },
    );
    expect(chosen.map(({ title }) => title).sort()).toEqual(["Alone", ...Array(3).fill("Carried by three")]);
    expect(chosen.slice(0, 2).map(({ title }) => title)).toContain("Alone");
    expect(chosen.find(({ title }) => title !== "Alone")!.text).toBe(item(31).text);
    expect(new Set(chosen.filter(({ title }) => title !== "Alone").map(({ storyId }) => storyId)).size).toBe(1);
    const period = { from: "2024-05-01T00:00:00.000Z", to: "2024-05-02T00:00:00.000Z" };
    expect(await articles.call("forBriefing", { ...period, sourceIds: [134], limit: 10 })).toHaveLength(1);
    expect(await articles.call("forBriefing", { ...period, domains: ["health"], limit: 10 })).toEqual([]);
    expect(await articles.call("forBriefing", { ...period, minConfidence: 1, limit: 10 })).toEqual([]);
    expect(await articles.call("forBriefing", { ...period, limit: 1 })).toHaveLength(1);
  });
});

it("what is the mesh's own is not for people", async () => {
  await expect(
    node.call("articles.store", { source: source(1), items: [], fetchedAt: new Date().toISOString() }),
  ).rejects.toMatchObject({ code: 403 });
  await expect(
    articles.call("store", { source: source(1), items: [{}], fetchedAt: new Date().toISOString() }),
  ).rejects.toMatchObject({ code: 400, type: "VALIDATION_ERROR" });
  await expect(node.call("articles.unindexed", { limit: 1 }, systemActor("test"))).resolves.toBeDefined();
});
