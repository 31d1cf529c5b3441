import fc from "fast-check";
import { parseQuery } from "../../../core/text/searching/query-language.ts";
import {
  TOTAL_BOUND,
  type SearchDocument,
  type SearchIndex,
  type SearchRequest,
} from "../../../core/records/reading/search.ts";
import { ago, article, dropTestIndices, engines, meant, NOW, onElasticsearch, streamOf } from "./engines.ts";

const WORDS = [
  "storm",
  "storms",
  "stormy",
  "harbour",
  "port",
  "wind",
  "farm",
  "prices",
  "price",
  "rose",
  "fell",
  "the",
  "2024",
  "5",
  "3.5",
  "covid-19",
  "Zürich",
  "U.S.",
  "東京",
  "Ukraine's",
  "O'Brien",
];
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const atom = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: sentence.map((text) => `"${text}"`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "title:storm",
      "source:harbour",
      "source:har*",
      "domain:energy",
      "domain:ene*",
      'title:"wind farm"',
      "sto*",
      "stormi*",
      "pric*",
      "title:pric*",
      'source:"the wire"',
      "東",
      "title:(storm | farm)",
      '"the wind"',
    ),
  },
);
const { query } = fc.letrec<{ query: string; item: string }>((tie) => ({
  query: fc
    .array(fc.tuple(fc.constantFrom("", "", "", "-", "| "), tie("item")), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([sign, text]) => sign + text).join(" ")),
  item: fc.oneof(
    { maxDepth: 2 },
    { weight: 5, arbitrary: atom },
    { weight: 1, arbitrary: tie("query").map((inner) => `(${inner})`) },
  ),
}));
const treeOf = (q: string) => {
  try {
    return parseQuery(q).tree;
  } catch {
    return null;
  }
};

afterAll(dropTestIndices);

describe.each(engines)("%s", (_name, open) => {
  let index: SearchIndex;
  beforeEach(() => {
    index = open();
  });
  afterEach(() => index.close());
  const ask = (q: string, more: Partial<SearchRequest> = {}) =>
    index.search({ tree: parseQuery(q).tree!, limit: 100, now: NOW, ...more });
  const ids = async (q: string, more: Partial<SearchRequest> = {}) => (await ask(q, more)).hits.map(({ id }) => id);
  const sorted = async (q: string, more: Partial<SearchRequest> = {}) => (await ids(q, more)).sort((a, b) => a - b);

  it("finds what the query means, on any documents, queries and filters", async () => {
    let last = 0;
    const documents = fc.array(
      fc.record({
        title: sentence,
        text: sentence,
        confidence: fc.constantFrom(0, 0.05, 0.15, 0.35, 0.5, 0.73, 0.95, 1),
      }),
      { minLength: 1, maxLength: 12 },
    );
    const filters = fc.record(
      {
        domain: fc.constantFrom("energy", "health", "nowhere"),
        sourceIds: fc.constantFrom([], [1], [1, 3], [2, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        minConfidence: fc.constantFrom(0, 0.15, 0.5, 0.72, 0.73, 0.74, 0.95, 1),
        from: fc.integer({ min: 0, max: 40 }).map(ago),
        to: fc.integer({ min: 0, max: 40 }).map(ago),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.array(fc.tuple(query, filters), { minLength: 1, maxLength: 5 }),
        async (given, asked) => {
          const all = given.map((fields, at) => article(++last, { ...fields, publishedAt: ago(at * 3) }));
          await index.put(all);
          for (const [q, narrow] of asked) {
            const tree = treeOf(q);
            if (!tree) continue;
            const { hits, total } = await index.search({ tree, limit: 100, now: NOW, ...narrow });
            const right = (one: SearchDocument) =>
              meant(tree, one) &&
              (narrow.domain ?? one.domain) === one.domain &&
              ((narrow.sourceIds as readonly number[] | undefined)?.includes(one.sourceId) ?? true) &&
              one.confidence >= (narrow.minConfidence ?? 0) &&
              one.publishedAt >= (narrow.from ?? "") &&
              one.publishedAt <= (narrow.to ?? "9");
            expect([q, narrow, hits.map(({ id }) => id).sort((a, b) => a - b)]).toEqual([
              q,
              narrow,
              all.filter(right).map(({ id }) => id),
            ]);
            expect(total).toBe(hits.length);
            // Who reads no snippets is told of the same articles in the same order, page by page.
            const ranked = (window: { limit: number; offset?: number }) =>
              index.ranked({ tree, now: NOW, ...narrow, ...window });
            expect(await ranked({ limit: 100 })).toEqual(hits.map(({ id, relevance }) => ({ id, relevance })));
            expect((await ranked({ limit: 2, offset: 1 })).map(({ id }) => id)).toEqual(
              hits.slice(1, 3).map(({ id }) => id),
            );
            const relevances = hits.map(({ relevance }) => relevance);
            expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
            for (const relevance of relevances) expect(relevance > 0 && relevance < 1).toBe(true);
          }
          await index.remove(all.map(({ id }) => id));
        },
      ),
      { numRuns: onElasticsearch ? 20 : 200 },
    );
  }, 180_000);

  it("finds numbers, single characters and function words, alone and in phrases", async () => {
    await index.put([
      article(1, { text: "Under Article 5 the allies act." }),
      article(2, { text: "Covid 19 spread in 2024." }),
      article(3, { text: "Vitamin C and the Who." }),
    ]);
    expect(await ids('"Article 5"')).toEqual([1]);
    expect(await ids("covid 19")).toEqual([2]);
    expect(await ids("covid-19")).toEqual([2]);
    expect(await ids("2024")).toEqual([2]);
    expect(await ids("c")).toEqual([3]);
    expect(await ids('"the who"')).toEqual([3]);
    expect(await sorted("the")).toEqual([1, 3]);
  });

  it("finds phrases whose words come again", async () => {
    await index.put([
      article(1, { text: "Nine nine nine, called the operator." }),
      article(2, { text: "Nine called, and nine more." }),
      article(3, { text: `${"nine ".repeat(5_000)}called` }),
    ]);
    expect(await sorted('"nine nine nine"')).toEqual([1, 3]);
    expect(await sorted('"nine nine called"')).toEqual([1, 3]);
    expect(await sorted('"nine called and nine"')).toEqual([2]);
    expect(await sorted("nine-nine-nine-called")).toEqual([1, 3]);
    expect(await sorted(Array(60).fill("nine").join("-"))).toEqual([3]);
  });

  it("gives back every field of an article, and none of the others", async () => {
    const {
      text: _text,
      rev: _rev,
      ...shown
    } = article(7, { verified: true, summary: "Storm at sea", text: "A storm \ud800 was seen." });
    await index.put([article(7, { verified: true, summary: "Storm at sea", text: "A storm \ud800 was seen." })]);
    expect((await ask("storm")).hits).toEqual([
      { ...shown, snippet: expect.stringContaining("<mark>storm</mark>"), relevance: expect.any(Number) },
    ]);
  });

  it("ranks by numbers", async () => {
    await index.put(
      Array.from({ length: 9 }, (_, at) => article(at + 1, { text: `Flood: ${110 + at} dead.`, publishedAt: ago(1) })),
    );
    expect((await ids("flood | 114 | dead"))[0]).toBe(5);
  });

  it("folds the copies of a report under the best of them, over pages and filters, and names them oldest first", async () => {
    const report = (id: number, reportId: string, fields: Partial<SearchDocument> = {}) =>
      article(id, { text: "storm surge at the coast", reportId, publishedAt: ago(id), ...fields });
    await index.put([
      ...[1, 2, 3, 4].map((id) => report(id, "wire")),
      report(5, "own", { text: "storm" }),
      ...Array.from({ length: 30 }, (_, at) => report(100 + at, "spread")),
    ]);
    const { hits, total } = await ask("storm", { fold: true });
    const fields = (id: number) => ({ id, source: article(id).source, url: article(id).url, publishedAt: ago(id) });
    const wire = hits.find(({ reportId }) => reportId === "wire")!;
    expect([total, hits.length]).toEqual([35, 3]);
    expect([wire.id, wire.copyCount, wire.copies]).toEqual([1, 3, [4, 3, 2].map(fields)]);
    const spread = hits.find(({ reportId }) => reportId === "spread")!;
    expect([spread.copyCount, spread.copies!.map(({ id }) => id)]).toEqual([
      29,
      [129, 128, 127, 126, 125, 124, 123, 122, 121, 120],
    ]);
    expect(hits.find(({ id }) => id === 5)).toMatchObject({ copyCount: 0, copies: [] });
    const pages = [];
    for (let offset = 0; offset < 4; offset++)
      pages.push(...(await ask("storm", { fold: true, limit: 1, offset })).hits);
    expect(pages).toEqual(hits);
    const late = (await ask("storm", { fold: true, from: ago(2) })).hits;
    expect(late.map(({ id, copyCount }) => [id, copyCount])).toEqual([[1, 1]]);
    expect((await ids("storm")).length).toBe(35);
    expect((await index.ranked({ tree: parseQuery("storm").tree!, limit: 100, now: NOW })).length).toBe(35);
  });

  it("knows words near to a misspelt one, those of few edits and many articles first", async () => {
    await index.put([
      ...[1, 2, 3].map((id) => article(id, { text: "The elections were held." })),
      article(4, { title: "Erection of a bridge", text: "selection of stone, Zürich" }),
    ]);
    expect((await index.spellings("electoins"))[0]).toBe("elections");
    expect((await index.spellings("zurihc"))[0]).toBe("zurich");
    expect(await index.spellings("zz")).toEqual([]);
    expect(await index.spellings("xylophone")).toEqual([]);
  });

  it("counts by domain, source and month over all that match, filters applied", async () => {
    await index.put(
      Array.from({ length: 30 }, (_, at) =>
        article(at + 1, { text: "storm", publishedAt: at < 10 ? "2026-10-31T23:59:59.999Z" : ago(at) }),
      ),
    );
    expect(await ask("storm", { facets: true, limit: 3 })).toMatchObject({
      total: 30,
      facets: {
        domain: { energy: 10, health: 10, science: 10 },
        source: { "Harbour Gazette": 10, "The Wire": 10, "Northern Post": 10 },
        month: { "2026-10": 10, "2026-11": 20 },
      },
    });
    expect((await ask("storm", { facets: true, domain: "energy" })).facets!.domain).toEqual({ energy: 10 });
    expect(await ask("absent", { facets: true })).toEqual({
      hits: [],
      total: 0,
      facets: { domain: {}, source: {}, month: {} },
    });
  });

  it("keeps the newer revision, takes the same again, and takes one back that was removed", async () => {
    await index.put([article(1, { text: "storm", rev: 2 })]);
    await index.put([article(1, { text: "flood", rev: 1 })]);
    expect([await ids("storm"), await ids("flood")]).toEqual([[1], []]);
    await index.put([article(1, { text: "storm surge", rev: 2 })]);
    await index.put([article(1, { text: "flood", rev: 3, publishedAt: ago(500) })]);
    expect([await ids("storm"), await ids("flood"), await ids("flood", { from: ago(20) })]).toEqual([[], [1], []]);
    await index.remove([1, 99]);
    expect([await index.count(), await ids("flood")]).toEqual([0, []]);
    await index.put([article(1, { text: "flood", rev: 3 })]);
    expect(await ids("flood")).toEqual([1]);
  });

  it("keeps the order of writes that overlap", async () => {
    await Promise.all([
      index.put(Array.from({ length: 60 }, (_, at) => article(at + 1, { text: "storm" }))),
      index.remove([1, 2, 60]),
      index.put([article(2, { text: "storm" })]),
    ]);
    expect(await index.count()).toBe(58);
    expect((await ids("storm")).filter((id) => [1, 2, 60].includes(id))).toEqual([2]);
  });

  it("is outdated until it was built whole; a rebuild keeps what is written meanwhile and answers until then", async () => {
    await index.put([
      article(1, { text: "storm" }),
      article(2, { text: "storm" }),
      article(999, { text: "storm, gone from the store" }),
    ]);
    expect(await index.outdated()).toBe(true);
    const rebuilt = await index.rebuild(
      (async function* () {
        for (let id = 1; id <= 60; id++) yield article(id, { text: "storm" });
        await index.put([article(61, { text: "storm" }), article(5, { text: "flood", rev: 2 })]);
        await index.remove([1, 62]);
        expect(await sorted("storm")).toEqual([2, 61, 999]);
        // Read before those writes, arriving after them.
        yield article(1, { text: "storm" });
        yield article(5, { text: "storm" });
        yield article(62, { text: "storm" });
      })(),
    );
    expect([rebuilt, await index.count(), await index.outdated()]).toEqual([60, 60, false]);
    expect(await sorted("storm")).toEqual(
      [...Array.from({ length: 61 }, (_, at) => at + 1)].filter((id) => id !== 1 && id !== 5),
    );
    expect(await ids("flood")).toEqual([5]);
    await index.put([article(1, { text: "storm" }), article(62, { text: "storm" })]);
    expect(await index.count()).toBe(62);
  });

  it("keeps the old index where a rebuild fails, and lets the later of two rebuilds win", async () => {
    await index.put([article(1, { text: "storm" })]);
    await expect(
      index.rebuild(
        (async function* () {
          yield article(2);
          throw new Error("the store is away");
        })(),
      ),
    ).rejects.toThrow("the store is away");
    expect([await ids("storm"), await index.outdated()]).toEqual([[1], true]);
    let second: Promise<number> | undefined;
    const first = index.rebuild(
      (async function* () {
        for (let id = 1; id <= 5; id++) yield article(id, { text: "first" });
        await (second = index.rebuild(streamOf([article(8, { text: "second" })])));
        for (let id = 6; id <= 120; id++) yield article(id, { text: "first" });
      })(),
    );
    await expect(first).rejects.toMatchObject({ code: 409, type: "CONFLICT" });
    expect([await second, await ids("second"), await ids("first")]).toEqual([1, [8], []]);
  });

  it("prefers the title, then the recent; of equals the newer, of one moment what was stored first", async () => {
    await index.put([
      article(1, { text: "storm in the north" }),
      article(2, { title: "Storm in the north", text: "nothing else", publishedAt: ago(400) }),
      article(3, { text: "drought report", publishedAt: ago(24 * 300) }),
      article(4, { text: "drought report", publishedAt: ago(1) }),
      article(5, { text: "harbour works", publishedAt: ago(2) }),
      article(6, { text: "harbour works", publishedAt: ago(2) }),
      article(7, { text: "harbour works", publishedAt: ago(1) }),
    ]);
    expect((await ids("storm"))[0]).toBe(2);
    expect(await ids("drought")).toEqual([4, 3]);
    expect(await ids("harbour works")).toEqual([7, 5, 6]);
  });

  it("orders by time where it is asked to, whatever the words weigh, over pages, filters and copies", async () => {
    await index.put([
      article(1, { title: "Storm", text: "storm storm storm", publishedAt: ago(9) }),
      article(2, { text: "a storm", publishedAt: ago(3) }),
      article(3, { text: "a storm", publishedAt: ago(1) }),
      article(4, { text: "a storm", publishedAt: ago(1) }),
      article(5, { text: "a storm", publishedAt: ago(5), reportId: "wire" }),
      article(6, { text: "storm, storm", publishedAt: ago(7), reportId: "wire" }),
    ]);
    expect((await ids("storm"))[0]).toBe(1);
    expect(await ids("storm", { order: "newest" })).toEqual([3, 4, 2, 5, 6, 1]);
    expect(await ids("storm", { order: "oldest" })).toEqual([1, 6, 5, 2, 3, 4]);
    expect(await ids("storm", { order: "newest", limit: 2, offset: 2 })).toEqual([2, 5]);
    expect(await ids("storm", { order: "newest", limit: 1 })).toEqual([3]);
    expect(await ids("storm", { order: "oldest", from: ago(5), limit: 2 })).toEqual([5, 2]);
    const folded = (order: "newest" | "oldest") => ask("storm", { order, fold: true, from: ago(8), to: ago(2) });
    expect((await folded("newest")).hits.map(({ id, copies }) => [id, copies!.map((one) => one.id)])).toEqual([
      [2, []],
      [5, [6]],
    ]);
    expect((await folded("oldest")).hits.map(({ id, copies }) => [id, copies!.map((one) => one.id)])).toEqual([
      [6, [5]],
      [2, []],
    ]);
    // What an article is worth does not hang on the order.
    const worth = async (order: "relevance" | "newest") =>
      new Map((await ask("storm", { order })).hits.map(({ id, relevance }) => [id, relevance]));
    expect(await worth("newest")).toEqual(await worth("relevance"));
  });

  it("gives every match on exactly one page, relevance never rising", async () => {
    await index.put(
      Array.from({ length: 45 }, (_, at) =>
        article(at + 1, { text: `harbour works ${at % 4 ? "" : "harbour"}`, publishedAt: ago(Math.floor(at / 3)) }),
      ),
    );
    const pages = await Promise.all(
      Array.from({ length: 7 }, (_, page) => ask("harbour works", { limit: 7, offset: page * 7 })),
    );
    const hits = pages.flatMap((page) => page.hits);
    expect(new Set(hits.map(({ id }) => id)).size).toBe(45);
    expect(hits.map(({ id }) => id)).toEqual(await ids("harbour works"));
    expect(hits.map(({ relevance }) => relevance)).toEqual(
      hits.map(({ relevance }) => relevance).sort((a, b) => b - a),
    );
    expect(pages.every(({ total }) => total === 45)).toBe(true);
    expect(await ask("harbour", { limit: 0 })).toEqual({ hits: [], total: 45 });
    expect((await ask("harbour", { offset: TOTAL_BOUND + 5 })).hits).toEqual([]);
  });

  it.each([
    '" OR 1=1 --',
    'title : "x',
    "NEAR(storm flood, 2)",
    "storm AND OR NOT",
    "*:*",
    "{title body}: storm",
    "_exists_:title",
    "a^2 ~ /x.*/",
    "storm\u0000flood",
    "'; drop table articles",
  ])("takes %j for words", async (q) => {
    await index.put([article(1, { text: "storm" })]);
    const tree = treeOf(q);
    if (tree)
      expect((await index.search({ tree, limit: 5, now: NOW })).hits.map(({ id }) => id)).toEqual(
        [article(1, { text: "storm" })].filter((one) => meant(tree, one)).map(({ id }) => id),
      );
    expect(await index.count()).toBe(1);
  });
});
