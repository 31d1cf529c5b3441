import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { ElasticSearch } from "../../adapters/search/elastic.ts";
import { EmbeddedSearch } from "../../adapters/search/embedded.ts";
import { nameTokens, tokens } from "../../core/analysis.ts";
import { parseQuery } from "../../core/query-language.ts";
import type { Node, SearchDocument, SearchIndex, SearchRequest } from "../../core/search.ts";

const NOW = "2026-11-21T12:00:00.000Z";
const WORDS = ["storm", "storms", "harbour", "port", "wind", "farm", "prices", "price", "rose", "fell", "the", "2024", "5", "covid-19", "Zürich"];
const DOMAINS = ["energy", "health", "science"];

const document = (id: number, fields: Partial<SearchDocument> = {}): SearchDocument => ({
  id, title: `Title ${id}`, text: `Text of ${id}.`, summary: "", url: `https://example.org/${id}`, sourceId: (id % 3) + 1, source: ["Harbour Gazette", "The Wire", "Northern Post"][id % 3]!,
  domain: DOMAINS[id % 3]!, confidence: (id % 10) / 10, verified: false, publishedAt: new Date(Date.parse(NOW) - id * 3_600_000).toISOString(), storyId: `s${id}`, rev: 1, ...fields,
});

const engines: [string, () => Promise<SearchIndex>][] = [
  ["embedded", async () => new EmbeddedSearch(":memory:")],
  ...(process.env["ELASTICSEARCH_URL"] ? [["Elasticsearch", async () => new ElasticSearch(process.env["ELASTICSEARCH_URL"]!, `t${Math.random().toString(36).slice(2)}`)] as [string, () => Promise<SearchIndex>]] : []),
];

/** What a query means, word by word: the oracle both engines are held to. */
function meant(node: Node, doc: SearchDocument): boolean {
  const beside = (wanted: string[], among: string[]) => wanted.length > 0 && among.some((_, at) => wanted.every((token, n) => among[at + n] === token));
  switch (node.kind) {
    case "and": return node.nodes.every((one) => meant(one, doc));
    case "or": return node.nodes.some((one) => meant(one, doc));
    case "not": return !meant(node.node, doc);
    default: {
      if (node.field === "source") return beside(nameTokens(node.text), nameTokens(doc.source));
      if (node.field === "domain") return beside(nameTokens(node.text), nameTokens(doc.domain));
      const wanted = tokens(node.text);
      return beside(wanted, tokens(doc.title)) || (node.field !== "title" && beside(wanted, tokens(doc.text)));
    }
  }
}

describe.each(engines)("%s", (_name, open) => {
  let index: SearchIndex;
  beforeEach(async () => { index = await open(); });
  afterEach(() => index.close());
  const ask = async (q: string, more: Partial<SearchRequest> = {}) => index.search({ tree: parseQuery(q).tree!, limit: 100, now: NOW, ...more });
  const ids = async (q: string, more: Partial<SearchRequest> = {}) => (await ask(q, more)).hits.map(({ id }) => id);

  it("finds what the query means, on any documents and queries", async () => {
    let last = 0;
    const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
    const documents = fc.array(fc.record({ title: sentence, text: sentence }), { minLength: 1, maxLength: 12 });
    const atom = fc.oneof(fc.constantFrom(...WORDS), sentence.map((text) => `"${text}"`), fc.constantFrom("title:storm", "source:harbour", "domain:energy", 'title:"wind farm"'));
    const query = fc.array(fc.tuple(fc.constantFrom("", "", "-", "| "), atom), { minLength: 1, maxLength: 4 }).map((parts) => parts.map(([sign, text]) => sign + text).join(" "));
    await fc.assert(fc.asyncProperty(documents, fc.array(query, { minLength: 1, maxLength: 5 }), async (given, asked) => {
      // Numbers are never used again, here as in the store.
      const all = given.map((fields) => document(++last, fields));
      await index.put(all);
      for (const q of asked) {
        let tree: Node | null;
        try { ({ tree } = parseQuery(q)); } catch { continue; }
        if (!tree) continue;
        const { hits, total } = await index.search({ tree, limit: 100, now: NOW });
        expect([q, hits.map(({ id }) => id).sort((a, b) => a - b)]).toEqual([q, all.filter((doc) => meant(tree, doc)).map(({ id }) => id)]);
        expect(total).toBe(hits.length);
        expect(hits.map(({ relevance }) => relevance)).toEqual(hits.map(({ relevance }) => relevance).sort((a, b) => b - a));
      }
      await index.remove(all.map(({ id }) => id));
    }), { numRuns: process.env["ELASTICSEARCH_URL"] ? 15 : 60 });
  }, 120_000);

  it("narrows by domain, sources, confidence and time, and counts by each", async () => {
    await index.put(Array.from({ length: 30 }, (_, at) => document(at + 1, { text: "storm" })));
    expect((await ids("storm", { domain: "energy" })).every((id) => id % 3 === 0)).toBe(true);
    expect((await ids("storm", { sourceIds: [1, 2] })).every((id) => id % 3 < 2)).toBe(true);
    expect(await ids("storm", { sourceIds: [] })).toEqual([]);
    expect((await ids("storm", { minConfidence: 0.7 })).every((id) => id % 10 >= 7)).toBe(true);
    expect((await ids("storm", { from: new Date(Date.parse(NOW) - 5 * 3_600_000).toISOString() })).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    const { facets, total } = await ask("storm", { facets: true });
    expect(total).toBe(30);
    expect(facets).toMatchObject({ domain: { energy: 10, health: 10, science: 10 }, source: { "The Wire": 10 } });
    expect(Object.values(facets!.month).reduce((sum, count) => sum + count)).toBe(30);
  });

  it("keeps the newer edition, forgets what is removed, and builds itself anew", async () => {
    await index.put([document(1, { text: "storm", rev: 2 })]);
    await index.put([document(1, { text: "flood", rev: 1 })]);
    expect(await ids("storm")).toEqual([1]);
    await index.put([document(1, { text: "flood", rev: 3 })]);
    expect([await ids("storm"), await ids("flood")]).toEqual([[], [1]]);
    await index.remove([1]);
    expect(await index.count()).toBe(0);
    const rebuilt = await index.rebuild((async function* () { for (let id = 1; id <= 120; id++) yield document(id, { text: "storm" }); })());
    expect(rebuilt).toBe(120);
    expect((await ask("storm", { limit: 10 })).total).toBe(120);
    expect(await index.outdated()).toBe(false);
  });

  it("prefers the title, and of equals the newer; pages do not overlap", async () => {
    await index.put([document(1, { text: "storm in the north" }), document(2, { title: "Storm in the north", text: "nothing else" }), ...Array.from({ length: 20 }, (_, at) => document(at + 10, { text: "harbour works" }))]);
    expect((await ids("storm"))[0]).toBe(2);
    const pages = await Promise.all([0, 5, 10, 15].map((offset) => ids("harbour works", { limit: 5, offset })));
    expect(new Set(pages.flat()).size).toBe(20);
    expect(pages[0]![0]).toBe(10);
  });

  it("marks whole phrases and escapes the text; nothing of an exclusion is marked", async () => {
    await index.put([document(1, { text: 'The <b>wind</b> farm & "its" wind farm prices rose.' })]);
    const [{ snippet } = { snippet: "" }] = (await ask('"wind farm" -storm')).hits;
    expect(snippet).toContain("<mark>wind farm</mark>");
    expect(snippet).toContain("&lt;b&gt;");
    expect(snippet.replace(/<\/?mark>/g, "")).not.toMatch(/<[a-z]/i);
  });
});

it("an embedded index in a file is there after it was closed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-search-"));
  const first = new EmbeddedSearch(dataDir);
  await first.put([document(7, { text: "storm" })]);
  await first.close();
  const second = new EmbeddedSearch(dataDir);
  expect((await second.search({ tree: parseQuery("storm").tree!, limit: 5, now: NOW })).hits.map(({ id }) => id)).toEqual([7]);
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("says in words that a server is away, within its time", async () => {
  const index = new ElasticSearch("http://127.0.0.1:1", "away");
  await expect(index.search({ tree: parseQuery("storm").tree!, limit: 5, now: NOW })).rejects.toMatchObject({ code: 503, type: "UPSTREAM_SEARCH" });
  await index.close();
});
