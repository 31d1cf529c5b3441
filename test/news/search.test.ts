import { systemActor } from "../../core/access/access.ts";
import { FORMS } from "../../services/news/search/syntax.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import {
  articlesOf,
  HOUR_MS,
  item,
  sameStores,
  source,
  type TestArticles,
  type TestSource,
} from "./articles/articles-setup.ts";

let node: TestWorld;
let articles: TestArticles;

const WIRE = source(901, { name: "Example Wire", domain: "science" });
const POST = source(902, { name: "Other Post", domain: "economics" });
let n = 0;
const story = (title: string, text: string, hoursAgo = 1) =>
  item(++n, { title, text, summary: "", publishedAt: new Date(node.clock.now() - hoursAgo * HOUR_MS).toISOString() });
const store = (from: TestSource, ...items: ReturnType<typeof story>[]) => articles.store(from, items);
const search = (query: string, as = "reader") => node.http("GET", `/api/search?${query}`, { as });
const found = async (q: string, more = ""): Promise<string[]> =>
  (await search(`q=${encodeURIComponent(q)}${more}`)).body.data.map(({ title }: { title: string }) => title);
/** Nothing waits any more: what was stored can be found. */
const indexed = () =>
  eventually(
    () => node.http("GET", "/api/search/status").then(({ body }) => body.data),
    ({ waiting, indexed: has, stored }) => waiting === 0 && has === stored,
  );

/** For each example of the syntax page: a title that it finds, and one that it must not. */
const EXAMPLES: Record<string, { finds: string; misses: string; missesFrom?: TestSource }> = {
  "climate summit": { finds: "Summit on the climate opens", misses: "Climate report is out" },
  '"interest rates"': { finds: "Bank lifts interest rates", misses: "Rates of interest in chess" },
  "solar | wind": { finds: "Offshore wind grows", misses: "Coal output falls" },
  "apple -fruit": { finds: "Apple unveils a laptop", misses: "Apple is the fruit of the year" },
  'bank -"river bank"': { finds: "Bank profits rise", misses: "Flood at the river bank" },
  "title:vaccine": { finds: "Vaccine approved", misses: "Health agency reports" },
  'source:"example wire" election': {
    finds: "Election results are in",
    misses: "Election campaign begins",
    missesFrom: POST,
  },
  "domain:science telescope": {
    finds: "Telescope sees early galaxy",
    misses: "Telescope prices fall",
    missesFrom: POST,
  },
  "(oil embargo) | sanctions": { finds: "Talks about an oil embargo", misses: "Oil price is stable" },
  "cyber*": { finds: "Cyberattack on a port", misses: "Storm closes a port" },
  "title\\:page": { finds: "A title page from 1600", misses: "A page without its title" },
};

beforeAll(async () => {
  node = await world();
  articles = articlesOf(node);
  await store(WIRE, ...Object.values(EXAMPLES).map(({ finds }) => story(finds, "Nothing more is said of it.")));
  for (const { misses, missesFrom = WIRE } of Object.values(EXAMPLES))
    await store(
      missesFrom,
      story(misses, misses === "Health agency reports" ? "A vaccine is near." : "Nothing more is said of it."),
    );
  await store(
    WIRE,
    story("Glacier <b>melts</b>", "The glacier & its lake: <script>alert(1)</script> glaciers retreat.", 50),
    story("Lake level", "A glacier feeds the lake.", 30),
  );
  await store(POST, story("Glacier tourism", "Hotels near the ice.", 2));
  await indexed();
});
afterAll(() => node.stop());

describe("GET /search", () => {
  it("has exactly Document 1's fields and meta, and ours beside them", async () => {
    const { status, body } = await search("q=hotels");
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        id: expect.any(Number),
        title: "Glacier tourism",
        snippet: expect.stringContaining("<mark>"),
        url: expect.stringMatching(/^https:/),
        source: "Other Post",
        domain: "economics",
        confidence: expect.any(Number),
        publishedAt: expect.stringMatching(/Z$/),
        relevance: expect.any(Number),
        storyId: expect.any(String),
      },
    ]);
    expect(body.meta).toEqual({
      query: "hotels",
      total: 1,
      took: expect.any(Number),
      page: 1,
      limit: 20,
      normalized: "hotels",
      warnings: [],
    });
  });

  it.each(Object.entries(EXAMPLES))("understands %s", async (q, { finds, misses }) => {
    const titles = await found(q);
    expect(titles).toContain(finds);
    expect(titles).not.toContain(misses);
  });

  it("narrows by domain and by time, bounds included, together with q", async () => {
    expect((await found("glacier")).sort()).toEqual(["Glacier <b>melts</b>", "Glacier tourism", "Lake level"]);
    expect(await found("glacier", "&domain=economics")).toEqual(["Glacier tourism"]);
    const { publishedAt } = (await search("q=lake%20level")).body.data[0];
    expect(await found("glacier", `&from=${publishedAt}&to=${publishedAt}`)).toEqual(["Lake level"]);
    expect(await found("glacier", `&to=${publishedAt}`)).toHaveLength(2);
    expect(await found("glacier", "&to=2001-01-01")).toEqual([]);
  });

  it("ranks titles over texts; relevance lies in 0..1 and falls", async () => {
    const { data } = (await search("q=glacier")).body;
    expect(data.at(-1).title).toBe("Lake level");
    const relevance = data.map((hit: { relevance: number }) => hit.relevance);
    expect(relevance).toEqual(relevance.toSorted((a: number, b: number) => b - a));
    expect(relevance.every((one: number) => one >= 0 && one <= 1)).toBe(true);
  });

  it("escapes everything in a snippet but its marks", async () => {
    for (const { snippet } of (await search("q=glacier%20lake")).body.data)
      expect(snippet.replace(/<\/?mark>/g, "")).not.toMatch(/[<>]/);
  });

  it("comes in pages", async () => {
    const [one, two] = await Promise.all([search("q=glacier&limit=2"), search("q=glacier&limit=2&page=2")]);
    expect(one.body.meta).toMatchObject({ total: 3, page: 1, limit: 2 });
    expect(one.headers.get("link")).toContain("page=2");
    expect([...one.body.data, ...two.body.data].map(({ id }: { id: number }) => id)).toEqual(
      (await search("q=glacier")).body.data.map(({ id }: { id: number }) => id),
    );
    expect((await search("q=glacier&limit=1000")).body.meta.limit).toBe(100);
  });

  it("counts by domain, source and month when asked", async () => {
    const { facets } = (await search("q=glacier&facets=true")).body.meta;
    expect(facets).toMatchObject({
      domain: { science: 2, economics: 1 },
      source: { "Example Wire": 2, "Other Post": 1 },
    });
    expect(Object.values<number>(facets.month).reduce((sum, one) => sum + one, 0)).toBe(3);
  });

  it("says what to ask where nothing is found", async () => {
    const advice = async (q: string, more = "") =>
      (await search(`q=${encodeURIComponent(q)}${more}`)).body.meta as { suggestion?: object; warnings: string[] };
    expect((await advice("glacire tuorism")).suggestion).toEqual({
      q: "glacier tourism",
      total: 1,
      reason: "Perhaps “glacier” for “glacire”, “tourism” for “tuorism”.",
    });
    expect((await advice("glacier hotels embargo -nothing")).suggestion).toMatchObject({
      q: "glacier hotels -nothing",
      total: 1,
      reason: expect.stringContaining("without embargo"),
    });
    expect((await advice("hotels", "&domain=science")).suggestion).toMatchObject({ q: "hotels", total: 1 });
    expect((await advice("qqqqq")).suggestion).toBeUndefined();
    expect((await advice("glacier")).suggestion).toBeUndefined();
  });

  it("says of a domain that there is none", async () => {
    const { body } = await search("q=domain%3Asport%20glacier");
    expect(body.meta.warnings).toEqual([expect.stringContaining("There is no domain “sport”; there are")]);
    expect(body.meta.suggestion).toMatchObject({ q: "glacier" });
    for (const q of ["domain:science", "domain:sci*", "-domain:economics glacier"])
      expect((await search(`q=${encodeURIComponent(q)}`)).body.meta.warnings).toEqual([]);
  });

  it("says which fields there are to whoever asks for another, and finds nothing", async () => {
    const warnings = async (q: string) => (await search(`q=${encodeURIComponent(q)}`)).body.meta.warnings;
    expect(await warnings("author:smith -glacier")).toEqual([
      "There is no field “author”, so that its colon was ignored; there are title, source, domain.",
    ]);
    expect(await warnings("title: qqqqq")).toEqual([
      "“title:” was read as a word: a field's word follows its colon at once, such as title:climate.",
    ]);
    for (const q of ["https://glacier.example", "10:30", '"author:smith"', "title:qqqqq"])
      expect(await warnings(q)).toEqual([]);
  });

  it("says of an operator that is spelled out that it is a word here, and which sign there is for it", async () => {
    const warnings = async (q: string) => (await search(`q=${encodeURIComponent(q)}`)).body.meta.warnings;
    expect(await warnings("glacier AND ice")).toEqual([
      "“AND” is looked for as a word; words side by side must all occur anyway.",
    ]);
    expect(await warnings("glacier OR (ice NOT snow)")).toEqual([
      "“OR” is looked for as a word; for either of two words write a bar, a | b.",
      "“NOT” is looked for as a word; to exclude a word write a dash before it, -a.",
    ]);
    for (const q of ["bread and butter", '"TO BE OR NOT TO BE"', "title:NOT"]) expect(await warnings(q)).toEqual([]);
  });

  it("says how it read a query and what it mended", async () => {
    const { meta } = (await search(`q=${encodeURIComponent('glacier "its lake')}`)).body;
    expect(meta).toMatchObject({
      total: 1,
      normalized: 'glacier "its lake"',
      warnings: [expect.stringContaining("closed")],
    });
  });

  it("finds nothing, and not everything, where no word is left", async () => {
    expect((await search("q=%3F%21%20%2A&facets=true")).body).toMatchObject({
      data: [],
      meta: { total: 0, facets: { domain: {}, source: {}, month: {} } },
    });
  });

  it.each([
    ["", "q"],
    ["q=", "q"],
    ["q=%20", "q"],
    ["q=-weather", "q"],
    ["q=a&q=b", "q"],
    [`q=${"x".repeat(1_001)}`, "q"],
    ["q=a&domain=sport", "domain"],
    ["q=a&from=soon", "from"],
    ["q=a&from=2026-02-02&to=2026-02-01", "to"],
    ["q=a&limit=0", "limit"],
    ["q=a&page=101&limit=100", "page"],
    ["q=a&facets=2", "facets"],
    ["q=a&p=1", "p"],
  ])("refuses ?%s, naming %s", async (query, field) => {
    const { status, body } = await search(query);
    expect([status, body.error.code, body.error.details[0].path]).toEqual([400, "VALIDATION_ERROR", field]);
    expect(body.error.details[0].message).toMatch(/^[A-Z](?! is )/);
  });

  it("is not narrowed by the active source list", async () => {
    const { id } = (await node.http("POST", "/api/sources/lists", { body: { name: "None", sourceIds: [] } })).body.data;
    await node.http("POST", `/api/sources/lists/${id}/activate`, {});
    expect(await found("glacier")).toHaveLength(3);
    await node.http("DELETE", "/api/sources/lists/active", {});
  });
});

it("GET /search/syntax explains every form by an example, and each is among those that run here", async () => {
  const { data } = (await node.http("GET", "/api/search/syntax", { as: "reader" })).body;
  expect(data.forms.map(({ example }: { example: string }) => example).sort()).toEqual(Object.keys(EXAMPLES).sort());
  expect(FORMS).toHaveLength(data.forms.length);
  for (const { explained } of data.forms) expect(explained).toMatch(/^Articles with .+\.$/);
});

describe("what happens to an article shows in search a moment later", () => {
  it("a new one is found, a new edition replaces the old one, a removed one is gone", async () => {
    await store(WIRE, story("Quokka census", "Counted on the island."));
    await eventually(
      () => found("quokka"),
      (titles) => titles.length === 1,
    );
    const { id } = (await search("q=quokka")).body.data[0];
    await store(WIRE, item(n, { title: "Wombat census", text: "Counted on the island." }));
    await eventually(
      () => found("wombat"),
      (titles) => titles.length === 1,
    );
    expect(await found("quokka")).toEqual([]);
    expect((await search("q=wombat")).body.data[0].id).toBe(id);
    await node.http("DELETE", `/api/articles/${id}`, { as: "admin" });
    await eventually(
      () => found("wombat"),
      (titles) => titles.length === 0,
    );
  });

  it("a verdict changes the confidence that hits show", async () => {
    const { id } = (await search("q=tourism")).body.data[0];
    await node.http("PUT", `/api/articles/${id}/verification`, { as: "analyst", body: { verified: true } });
    await eventually(
      async () => (await search("q=tourism")).body.data[0].confidence,
      (confidence) => confidence === 0.9,
    );
  });

  it("a source's new name can be searched for, its old one no longer, in all its articles", async () => {
    const made = (
      await node.http("POST", "/api/sources", {
        body: { name: "Before Gazette", url: "https://gazette.feeds.invalid/rss", domain: "health" },
      })
    ).body.data;
    await store(made, ...Array.from({ length: 150 }, (_, at) => story(`Gazette item ${at}`, `Number ${at} of many.`)));
    await eventually(
      () => search("q=source:before"),
      ({ body }) => body.meta.total === 150,
    );
    await node.http("PUT", `/api/sources/${made.id}`, { body: { name: "After Gazette", domain: "energy" } });
    await eventually(
      () => search("q=source:after%20domain:energy"),
      ({ body }) => body.meta.total === 150,
    );
    expect(await found("source:before")).toEqual([]);
    expect((await node.http("GET", `/api/articles?sourceId=${made.id}&domain=energy`)).body).toMatchObject({
      meta: { total: 150 },
      data: expect.arrayContaining([expect.objectContaining({ source: { id: made.id, name: "After Gazette" } })]),
    });
    await node.http("DELETE", `/api/sources/${made.id}`);
    expect((await node.http("GET", `/api/articles?sourceId=${made.id}`)).body.data[0].source.name).toBe(
      "After Gazette",
    );
  });
});

describe("the index", () => {
  it("is built anew for administrators, in the background, and finds the same", async () => {
    expect((await node.http("POST", "/api/search/reindex", { as: "analyst", body: {} })).status).toBe(403);
    await indexed();
    const before = await found("glacier");
    await node.mesh.world.search.remove((await search("q=glacier")).body.data.map(({ id }: { id: number }) => id));
    expect(await found("glacier")).toEqual([]);
    const started = await node.http("POST", "/api/search/reindex", { as: "admin", body: {} });
    expect(started.status).toBe(202);
    expect(started.body.data).toEqual({
      jobId: expect.any(String),
      status: expect.stringMatching(/^(queued|running)$/),
    });
    const state = await eventually(
      () => node.http("GET", "/api/search/status").then(({ body }) => body.data),
      ({ reindex }) => reindex.status === "completed" && reindex.jobId === started.body.data.jobId,
    );
    expect(state).toMatchObject({ waiting: 0, lagSeconds: 0, outdated: false });
    expect(state.indexed).toBe(state.stored);
    expect(await found("glacier")).toEqual(before);
  });

  it("is built anew at the start of a node where its files were lost, and changes made during a rebuild are in it", async () => {
    const own = await world();
    const there = articlesOf(own);
    const total = async (on: TestWorld) => (await on.http("GET", "/api/search?q=report")).body.meta.total;
    await there.store(
      WIRE,
      Array.from({ length: 120 }, (_, at) => item(at + 5_000)),
    );
    await eventually(
      () => total(own),
      (count) => count === 120,
    );
    await own.mesh.world.search.remove((await there.documents()).slice(0, 70).map(({ id }) => id));
    await own.stop({ keep: true });
    const again = await world(sameStores(own));
    try {
      await articlesOf(again).store(
        WIRE,
        Array.from({ length: 30 }, (_, at) => item(at + 6_000)),
      );
      await eventually(
        () => total(again),
        (count) => count === 150,
      );
      const started = (await again.http("POST", "/api/search/reindex", { body: {} })).body.data;
      await articlesOf(again).store(
        WIRE,
        Array.from({ length: 30 }, (_, at) => item(at + 7_000)),
      );
      await eventually(
        () => again.http("GET", `/api/jobs/${encodeURIComponent(started.jobId)}`),
        ({ body }) => body.data.status === "completed",
      );
      await eventually(
        () => total(again),
        (count) => count === 180,
      );
    } finally {
      await again.stop();
    }
  });

  it("tells how far it is behind", async () => {
    const { data } = (await node.http("GET", "/api/search/status", { as: "reader" })).body;
    expect(data).toMatchObject({ engine: expect.stringMatching(/embedded|elastic/), waiting: 0, lagSeconds: 0 });
    await expect(node.call("search.search", { q: "glacier" }, systemActor("test"))).resolves.toMatchObject({
      meta: { total: 3 },
    });
  });
});
