import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Generation } from "../../../adapters/search/generation.ts";
import { openSearch } from "../../../adapters/search/index.ts";
import { Gathering } from "../../../adapters/search/postings/gathering.ts";
import { parseQuery } from "../../../core/text/searching/query-language.ts";
import { TOTAL_BOUND, type SearchIndex, type SearchRequest } from "../../../core/records/reading/search.ts";
import { ago, article, NOW, streamOf } from "./engines.ts";

const many = (count: number, text: string, from = 1) =>
  Array.from({ length: count }, (_, at) => article(from + at, { text, publishedAt: ago((from + at) * 3) }));
const ask = (index: SearchIndex, q: string, more: Partial<SearchRequest> = {}) =>
  index.search({ tree: parseQuery(q).tree!, limit: 20, now: NOW, ...more });
const ids = async (index: SearchIndex, q: string) =>
  (await ask(index, q)).hits.map(({ id }) => id).sort((a, b) => a - b);

describe("in memory", () => {
  let index: SearchIndex;
  beforeEach(() => {
    index = openSearch({ dataDir: ":memory:" });
  });
  afterEach(() => index.close());

  it("pages through many matches: none twice, none missing, relevance never rising, an old title among the first", async () => {
    const count = 1_250;
    await index.put([...many(count, "harbour works"), ...many(2 * count, "nothing of it", 10_000)]);
    // Long after: recency no longer outweighs the title, and still orders equals.
    const later = { now: "2031-01-01T00:00:00.000Z" };
    await index.put([article(5_000, { title: "Harbour works", text: "in brief", publishedAt: ago(10_000) })]);
    const hits = [];
    for (let offset = 0; offset <= count; offset += 100)
      hits.push(...(await ask(index, "harbour works", { ...later, limit: 100, offset })).hits);
    expect(hits.map(({ id }) => id).sort((a, b) => a - b)).toEqual([
      ...Array.from({ length: count }, (_, at) => at + 1),
      5_000,
    ]);
    expect(hits[0]!.id).toBe(5_000);
    for (let at = 1; at < hits.length; at++) expect(hits[at]!.relevance).toBeLessThanOrEqual(hits[at - 1]!.relevance);
    // Equals: by time.
    expect(hits.slice(1).map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect((await ask(index, "harbour works", { facets: true })).facets!.domain).toEqual({
      energy: 416,
      health: 417,
      science: 418,
    });
  });

  it("counts exactly below the bound and says the bound above it", async () => {
    await index.put(many(TOTAL_BOUND - 1, "dike"));
    expect((await ask(index, "dike", { limit: 1 })).total).toBe(TOTAL_BOUND - 1);
    await index.put(many(2, "dike", TOTAL_BOUND));
    expect(await ask(index, "dike", { limit: 1 })).toMatchObject({ total: TOTAL_BOUND, hits: [{ id: 1 }] });
    expect((await ask(index, "dike -dike")).total).toBe(0);
    expect((await ask(index, "dike", { limit: 20, offset: TOTAL_BOUND - 5 })).hits).toHaveLength(5);
  }, 60_000);

  it("gives the event loop its turns while it writes and rebuilds", async () => {
    let turns = 0,
      counting = true;
    const count = () => {
      if (counting) {
        turns++;
        setImmediate(count);
      }
    };
    const long = "harbour works in the wind ".repeat(200);
    setImmediate(count);
    // Turns are given by time: so much work takes several of them on any machine.
    await index.put(many(1_000, long));
    const written = turns;
    await index.rebuild(streamOf(many(1_000, long)));
    counting = false;
    expect(written).toBeGreaterThan(2);
    expect(turns - written).toBeGreaterThan(4);
  });
});

describe("in files", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "signalmesh-search-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));
  const files = async () => (await readdir(dataDir)).filter((name) => name.endsWith(".db")).sort();

  it("has after a restart what it had", async () => {
    const first = openSearch({ dataDir });
    await first.put([article(7, { text: "storm" })]);
    await first.rebuild(streamOf([article(7, { text: "storm" }), article(8, { text: "storm" })]));
    await first.close();
    const second = openSearch({ dataDir });
    expect([await ids(second, "storm"), await second.outdated(), await second.count()]).toEqual([[7, 8], false, 2]);
    await second.close();
  });

  it("is one index for all who open it: a rebuild by one is seen by the others, and misses none of their writes", async () => {
    const one = openSearch({ dataDir }),
      other = openSearch({ dataDir });
    await other.put([article(1, { text: "storm" })]);
    expect(await ids(one, "storm")).toEqual([1]);
    await one.rebuild(
      (async function* () {
        yield article(2, { text: "storm" });
        await other.put([article(3, { text: "storm" })]);
        await other.remove([4]);
        yield article(4, { text: "storm" });
      })(),
    );
    expect([await ids(one, "storm"), await ids(other, "storm"), await other.outdated()]).toEqual([
      [2, 3],
      [2, 3],
      false,
    ]);
    await other.put([article(5, { text: "storm" })]);
    expect(await ids(one, "storm")).toEqual([2, 3, 5]);
    await Promise.all([one.close(), other.close()]);
    expect(await files()).toEqual(["search.db", expect.stringMatching(/^search-[0-9a-f-]{36}\.db$/)].sort());
  });

  it("clears away what a killed rebuild left behind, with the next one", async () => {
    const index = openSearch({ dataDir });
    await index.put([article(1, { text: "storm" })]);
    await writeFile(join(dataDir, "search-00000000-0000-4000-8000-000000000000.db"), "");
    await index.rebuild(streamOf([article(1, { text: "storm" })]));
    expect(await files()).toHaveLength(2);
    await index.close();
  });

  it("begins empty and outdated where its file is of an older layout", async () => {
    const index = openSearch({ dataDir });
    await index.rebuild(streamOf([article(1, { text: "storm" })]));
    await index.close();
    const [name] = (await files()).filter((file) => file !== "search.db");
    await rm(join(dataDir, name!));
    const older = new DatabaseSync(join(dataDir, name!));
    older.exec(
      "create table articles (key integer primary key, id integer not null unique); insert into articles values (1, 1)",
    );
    older.close();
    const again = openSearch({ dataDir });
    expect([await again.count(), await again.outdated()]).toEqual([0, true]);
    await again.rebuild(streamOf([article(1, { text: "storm" })]));
    expect([await ids(again, "storm"), await again.outdated(), await files()]).toEqual([
      [1],
      false,
      expect.not.arrayContaining([name]),
    ]);
    await again.close();
  });

  it("begins empty and outdated where its file is damaged or lost", async () => {
    const index = openSearch({ dataDir });
    await index.rebuild(streamOf([article(1, { text: "storm" })]));
    await index.close();
    for (const damage of [
      (path: string) => writeFile(path, "This is no database. ".repeat(500)),
      (path: string) => rm(path),
    ]) {
      const [name] = (await files()).filter((file) => file !== "search.db");
      await damage(join(dataDir, name!));
      const again = openSearch({ dataDir });
      expect([await again.count(), await again.outdated()]).toEqual([0, true]);
      await again.put([article(2, { text: "storm" })]);
      expect(await ids(again, "storm")).toEqual([2]);
      await again.close();
    }
  });
});

it("a rebuild's stream passes over what a writer put already in the same revision or a newer one", () => {
  const generation = new Generation(":memory:", "draft");
  const title = (): unknown => generation.file.row("select title from articles")![0];
  const put = (rev: number, titled: string, streamed: boolean): void => {
    const gathering = new Gathering();
    gathering.add({ ...article(1), rev, title: titled });
    generation.transaction(() =>
      generation.write(
        { gathering, columns: gathering.columns(), blocks: gathering.blocks(() => false).next().value! },
        streamed,
      ),
    );
  };
  put(2, "second", false);
  put(2, "streamed", true);
  put(1, "old", true);
  put(1, "older", false);
  expect(title()).toBe("second");
  put(3, "third", true);
  expect(title()).toBe("third");
  put(3, "again", false);
  expect(title()).toBe("again");
  expect(generation.count()).toBe(1);
  generation.close();
});
