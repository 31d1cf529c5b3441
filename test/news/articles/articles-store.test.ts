import fc from "fast-check";
import type { ParsedItem } from "../../../adapters/feeds/feed.ts";
import { world, type TestWorld } from "../../mesh.ts";
import {
  articlesOf,
  DAY_MS,
  holdSchedule,
  item,
  prose,
  sameStores,
  source,
  type TestArticles,
} from "./articles-setup.ts";

let node: TestWorld;
let articles: TestArticles;
let next = 1_000;
/** A source of its own for each test: they do not see each other's articles by identity. */
const fresh = (name?: string) => source(++next, name === undefined ? {} : { name });

beforeAll(async () => {
  node = await world();
  articles = articlesOf(node);
});
afterAll(() => node.stop());

const of = async (id: number) => (await articles.whole()).filter(({ sourceId }) => sourceId === id);
const COUNTS = { created: 0, updated: 0, unchanged: 0, skipped: 0 };

describe("identity", () => {
  it("the same items again change nothing, whatever happens around them", async () => {
    const from = fresh();
    const items = [item(1), item(2), item(3)];
    expect(await articles.store(from, items)).toEqual({ ...COUNTS, created: 3 });
    // The index feed takes the marks off at its own time.
    const unmarked = async () => (await of(from.id)).map(({ unindexed: _mark, ...article }) => article);
    const before = await unmarked();
    expect(await articles.store(from, items)).toEqual({ ...COUNTS, unchanged: 3 });
    expect(await unmarked()).toEqual(before);
  });

  it("the GUID says what an item is: another title, text and address update it", async () => {
    const from = fresh();
    await articles.store(from, [item(1)]);
    const [before] = await of(from.id);
    expect(
      await articles.store(from, [
        item(1, { title: "Corrected", url: "https://news.example/moved", text: prose(900) }),
      ]),
    ).toEqual({ ...COUNTS, updated: 1 });
    const after = await of(from.id);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({
      id: before!.id,
      title: "Corrected",
      url: "https://news.example/moved",
      text: prose(900),
      storyId: before!.storyId,
      publishedAt: before!.publishedAt,
      rev: before!.rev + 1,
    });
  });

  it("without a GUID the address says it, tracking parameters or not", async () => {
    const from = fresh();
    await articles.store(from, [item(1, { guid: undefined })]);
    expect(
      await articles.store(from, [
        item(1, { guid: undefined, url: "https://news.example/articles/1?utm_source=feed", text: "Rewritten wholly." }),
      ]),
    ).toEqual({ ...COUNTS, updated: 1 });
  });

  it("without either the content says it", async () => {
    const from = fresh();
    const bare = item(1, { guid: undefined, url: undefined });
    await articles.store(from, [bare]);
    expect(await articles.store(from, [bare, item(2, { guid: undefined, url: undefined })])).toEqual({
      ...COUNTS,
      created: 1,
      unchanged: 1,
    });
  });

  it("an item published again under a new GUID is the same article; another at that address is not", async () => {
    const from = fresh();
    await articles.store(from, [item(1)]);
    expect(await articles.store(from, [item(1, { guid: "new-guid", text: `${prose(1)} amended` })])).toEqual({
      ...COUNTS,
      updated: 1,
    });
    expect(await articles.store(from, [item(1, { guid: "third", title: "Something else", text: prose(77) })])).toEqual({
      ...COUNTS,
      created: 1,
    });
    expect(await of(from.id)).toHaveLength(2);
  });

  describe("a site that moves, with new GUIDs and addresses", () => {
    const moved = (n: number, traits: Partial<ParsedItem> = {}) =>
      item(n, { guid: `post-${n}`, url: `https://www.new-site.example/?p=${n}`, ...traits });

    it("keeps its articles, at their new addresses, with all that is known of them", async () => {
      const from = fresh();
      const items = [1, 2, 3].map((n) => item(n, { publishedAt: `2026-01-0${n}T08:15:00.000Z` }));
      await articles.store(from, items, "2026-01-05T00:00:00.000Z");
      const before = await of(from.id);
      const { id } = before.find(({ title }) => title === items[0]!.title)!;
      await articles.call("assess", { id, score: 0.7, sources: ["Harbour Gazette"] });
      const there = items.map(({ publishedAt }, at) => moved(at + 1, { publishedAt }));
      there[1]!.text = `${there[1]!.text} Read more on our new site.`;
      const outcome = await articles.store(from, there, "2026-01-06T00:00:00.000Z");
      expect(outcome).toEqual({ ...COUNTS, updated: 3 });
      const after = await of(from.id);
      expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect(after.every(({ url }) => url.includes("new-site"))).toBe(true);
      const read = (await node.http("GET", `/api/articles/${id}`)).body.data;
      expect(read.verification).toMatchObject({ score: 0.7, sources: ["Harbour Gazette"] });
      // Another address is no change of the report.
      expect(read).not.toHaveProperty("changedAt");
      expect(await articles.store(from, there, "2026-01-07T00:00:00.000Z")).toEqual({ ...COUNTS, unchanged: 3 });
    });

    it("does not bring back what was removed", async () => {
      const from = fresh();
      const publishedAt = new Date().toISOString();
      await articles.store(from, [item(1, { publishedAt })]);
      const { id } = (await of(from.id))[0]!;
      await node.http("DELETE", `/api/articles/${id}`, { as: "admin" });
      expect(await articles.store(from, [moved(1, { publishedAt })])).toEqual({ ...COUNTS, skipped: 1 });
    });

    it.each<[string, Partial<ParsedItem>]>([
      ["another text", { text: prose(78) }],
      ["another moment", { publishedAt: "2026-01-02T08:15:00.000Z" }],
      ["another title", { title: "Evening briefing" }],
      ["other figures in the same words", { text: `The index closed at 4,512 points. ${prose(1)}` }],
      ["no date of its own", { dateInferred: true }],
    ])("is not what a series is, with %s", async (_what, traits) => {
      const from = fresh();
      const given = { title: "Morning briefing", publishedAt: "2026-01-01T08:15:00.000Z" };
      await articles.store(from, [
        item(1, { ...given, text: traits.text ? `The index closed at 4,498 points. ${prose(1)}` : prose(1) }),
      ]);
      expect(await articles.store(from, [moved(1, { ...given, ...traits })])).toEqual({ ...COUNTS, created: 1 });
    });
  });

  it("items that all link to the front page stay apart", async () => {
    const from = fresh();
    const items = [1, 2, 3].map((n) => item(n, { guid: undefined, url: "https://news.example/" }));
    expect(await articles.store(from, items)).toEqual({ ...COUNTS, created: 3 });
    expect(await articles.store(from, items)).toEqual({ ...COUNTS, unchanged: 3 });
  });

  it("one item twice in a batch is one article, the newer edition", async () => {
    const from = fresh();
    const old = item(1, { title: "Old", updatedAt: "2026-01-01T00:00:00.000Z" }),
      late = item(1, { title: "Late", updatedAt: "2026-01-02T00:00:00.000Z" });
    expect(await articles.store(from, [late, old])).toEqual({ ...COUNTS, created: 1, unchanged: 1 });
    expect((await of(from.id)).map(({ title }) => title)).toEqual(["Late"]);
  });

  it("an older fetch that arrives late does not undo a newer one", async () => {
    const from = fresh();
    await articles.store(from, [item(1, { title: "Second" })], "2026-01-02T00:00:00.000Z");
    expect(await articles.store(from, [item(1, { title: "First" })], "2026-01-01T00:00:00.000Z")).toEqual({
      ...COUNTS,
      unchanged: 1,
    });
    expect((await of(from.id))[0]!.title).toBe("Second");
  });

  it("a date that was only inferred gives way to a real one", async () => {
    const from = fresh();
    await articles.store(from, [item(1, { dateInferred: true })]);
    await articles.store(from, [item(1, { publishedAt: "2026-02-02T00:00:00.000Z", text: "With a date." })]);
    expect((await of(from.id))[0]).toMatchObject({ publishedAt: "2026-02-02T00:00:00.000Z", dateInferred: false });
  });

  it("two batches of one source at the same time make no doubles", async () => {
    const from = fresh();
    const items = Array.from({ length: 50 }, (_, n) => item(n));
    const outcomes = await Promise.all([
      articles.store(from, items),
      articles.store(from, items),
      articles.store(from, items.slice(10, 30)),
    ]);
    expect(outcomes.reduce((sum, { created }) => sum + created, 0)).toBe(50);
    expect(await of(from.id)).toHaveLength(50);
  });

  it("two nodes on one store make no doubles and lose no batch", async () => {
    const other = await world(sameStores(node));
    try {
      const from = fresh();
      const items = Array.from({ length: 60 }, (_, n) => item(n));
      const there = articlesOf(other);
      const outcomes = await Promise.all([
        articles.store(from, items),
        there.store(from, items),
        articles.store(from, items.toReversed()),
        there.store(from, items.slice(20)),
      ]);
      expect(
        outcomes.map(({ created, updated, unchanged, skipped }) => created + updated + unchanged + skipped),
      ).toEqual([60, 60, 60, 40]);
      const stored = await of(from.id);
      expect(stored).toHaveLength(60);
      expect(stored.map(({ text, title }) => [title, text])).toEqual(
        expect.arrayContaining(items.map(({ title, text }) => [title, text])),
      );
    } finally {
      await other.stop({ keep: true });
    }
  });
});

describe("stories", () => {
  const stories = async (ids: number[]) =>
    (await articles.whole()).filter(({ sourceId }) => ids.includes(sourceId)).map(({ storyId }) => storyId);

  it("the same wire report from ten sources at once is one story with ten sources", async () => {
    const report = prose(5_000, 200);
    const sources = Array.from({ length: 10 }, () => fresh());
    await Promise.all(
      sources.map((from, n) =>
        articles.store(from, [
          item(1, {
            title: "Wire report",
            guid: `w${n}`,
            url: `https://s${n}.example/wire`,
            text:
              n % 2
                ? `CITY ${n}, Friday - ${report.replace(/\w+$/, "amended")} (edited by desk ${n} for the morning paper)`
                : report,
          }),
          item(6_000 + n),
        ]),
      ),
    );
    const found = (await articles.whole()).filter(
      ({ title, sourceId }) => title === "Wire report" && sources.some(({ id }) => id === sourceId),
    );
    expect(found).toHaveLength(10);
    expect(new Set(found.map(({ storyId }) => storyId)).size).toBe(1);
    const others = (await articles.whole()).filter(
      ({ title, sourceId }) => title !== "Wire report" && sources.some(({ id }) => id === sourceId),
    );
    expect(new Set(others.map(({ storyId }) => storyId)).size).toBe(10);
  });

  it("the same text a week later is another story", async () => {
    const [one, two] = [fresh(), fresh()];
    const text = prose(7_000, 150);
    await articles.store(one, [item(1, { text, publishedAt: "2026-03-01T00:00:00.000Z" })]);
    await articles.store(two, [item(1, { text, publishedAt: "2026-03-08T00:00:00.000Z" })]);
    expect(new Set(await stories([one.id, two.id])).size).toBe(2);
  });
});

describe("initial confidence", () => {
  it("has named factors that add up to it, and tells articles apart", async () => {
    const from = fresh();
    await articles.store(from, [
      item(1, {
        title: "Ministry publishes budget report",
        text: `The ministry said on Monday that spending rose 4.2 percent to $3 billion, according to the report. "It is in line with the plan", the minister told reporters. ${prose(1, 300)}`,
      }),
      item(2, { title: "SHOCKING!!! YOU WON'T BELIEVE THIS", text: "Some say it is over! Many believe so! Unreal!" }),
    ]);
    const [sober, shrill] = await of(from.id);
    for (const { confidence, factors } of [sober!, shrill!]) {
      expect(factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(confidence, 9);
      expect(factors.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["prior", "source-record", "corroboration", "recency", "text"]),
      );
    }
    expect(sober!.confidence).toBeGreaterThan(shrill!.confidence);
  });
});

interface Arrival {
  n: number;
  version: number;
}
/** Editions of items, in any order and number; the fetch rises with the version. */
const arrivals = fc.array(fc.record({ n: fc.integer({ min: 0, max: 7 }), version: fc.integer({ min: 0, max: 2 }) }), {
  minLength: 1,
  maxLength: 14,
});

/** The first three items of a feed come without a GUID. */
const editionOf = ({ n, version }: Arrival, base: number): ParsedItem =>
  item(base + n, {
    title: `Report ${base + n}, edition ${version}`,
    text: `${prose(base + n, 160)} edition ${version}`,
    ...(n < 3 && { guid: undefined }),
  });
const fetchOf = (version: number) => `2026-01-0${version + 1}T00:00:00.000Z`;

it("storing is idempotent: repetition, splitting and reordering of batches lead to the same articles", async () => {
  let base = 20_000;
  await fc.assert(
    fc.asyncProperty(arrivals, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), async (given, chance) => {
      base += 100;
      const [plain, mixed] = [fresh(), fresh()];
      for (const version of [0, 1, 2]) {
        const batch = given.filter((one) => one.version === version);
        if (batch.length)
          await articles.store(
            plain,
            batch.map((one) => editionOf(one, base)),
            fetchOf(version),
          );
      }
      const dice = chance.values();
      const roll = (sides: number) => (dice.next().value ?? 0) % sides;
      const left = [...given, ...given.filter((_, at) => at % 2 === 0)];
      while (left.length) {
        const first = left.splice(roll(left.length), 1)[0]!;
        const batch = [first, ...left.filter(({ version }) => version === first.version).slice(0, roll(4))];
        await articles.store(
          mixed,
          batch.map((one) => editionOf(one, base)),
          fetchOf(first.version),
        );
      }
      const summary = async (id: number) =>
        (await of(id))
          .map(({ title, text, url, publishedAt }) =>
            JSON.stringify({ title, text, url, publishedAt: publishedAt.slice(0, 10) }),
          )
          .sort();
      expect(await summary(mixed.id)).toEqual(await summary(plain.id));
      expect(await of(plain.id)).toHaveLength(new Set(given.map(({ n }) => n)).size);
    }),
    { numRuns: 25, seed: 7 },
  );
}, 120_000);

it("leaves no body behind that nothing points at", async () => {
  const own = await world();
  try {
    const there = articlesOf(own);
    const from = source(1);
    await there.store(from, [item(1), item(2)]);
    for (let edition = 1; edition <= 3; edition++) await there.store(from, [item(1, { text: prose(edition + 300) })]);
    const texts = await own.mesh.world.documents.collection("article_texts");
    expect((await texts.find()).map(({ _id }) => _id).sort()).toEqual(
      (await there.whole()).map(({ textId }) => textId).sort(),
    );
  } finally {
    await own.stop();
  }
});

describe("retention and removal", () => {
  let own: TestWorld;
  let there: TestArticles;
  const titles = async () =>
    (await own.http("GET", "/api/articles?sort=publishedAt")).body.data.map(({ title }: { title: string }) => title);
  const old = (days: number) => new Date(own.clock.now() - days * DAY_MS).toISOString();

  beforeAll(async () => {
    own = await world({ RETENTION_DAYS: "30" });
    await holdSchedule(own, "retain");
    there = articlesOf(own);
  });
  afterAll(() => own.stop());

  it("removes what is older than the setting, keeps what a briefing cites, and does not take it in again", async () => {
    const from = source(1);
    const items = [
      item(1, { title: "Cited", publishedAt: old(20) }),
      item(2, { title: "Old", publishedAt: old(19) }),
      item(3, { title: "New", publishedAt: old(1) }),
      item(4, { title: "Too old from the start", publishedAt: old(31) }),
    ];
    expect(await there.store(from, items)).toEqual({ ...COUNTS, created: 3, skipped: 1 });
    const cited = (await there.whole()).find(({ title }) => title === "Cited")!.id;
    expect(await there.call("cited", { ids: [cited, 999] })).toEqual({ cited: 1 });
    expect(await there.call("cited", { ids: [cited] })).toEqual({ cited: 0 });
    expect(await there.call("retain")).toEqual({ removed: 0 });
    own.clock.advance(15 * DAY_MS);
    expect(await there.call("retain")).toEqual({ removed: 1 });
    expect(await titles()).toEqual(["Cited", "New"]);
    expect(await there.store(from, items)).toEqual({ ...COUNTS, unchanged: 2, skipped: 2 });
    expect(await titles()).toEqual(["Cited", "New"]);
  });

  it("removes more than a batch", async () => {
    const items = Array.from({ length: 200 }, (_, n) => item(n + 100, { publishedAt: old(29) }));
    for (const id of [2, 3, 4]) await there.store(source(id), items);
    own.clock.advance(2 * DAY_MS);
    expect(await there.call("retain")).toEqual({ removed: 600 });
  });

  it("an article that an administrator removes is gone, with its body, and stays gone", async () => {
    const from = source(9);
    await there.store(from, [item(900, { title: "Unlawful" })]);
    const { id, key } = (await there.whole()).find(({ title }) => title === "Unlawful")!;
    expect((await own.http("DELETE", `/api/articles/${id}`, { as: "analyst" })).status).toBe(403);
    expect((await own.http("DELETE", `/api/articles/${id}`, { as: "admin" })).status).toBe(204);
    expect((await own.http("GET", `/api/articles/${id}`)).status).toBe(404);
    expect((await own.http("DELETE", `/api/articles/${id}`, { as: "admin" })).status).toBe(404);
    const texts = await own.mesh.world.documents.collection("article_texts");
    expect((await texts.find()).filter(({ _id }) => String(_id).startsWith(key))).toEqual([]);
    expect(await there.store(from, [item(900, { title: "Unlawful" })])).toEqual({ ...COUNTS, skipped: 1 });
    expect(await there.store(from, [item(900, { guid: "again", title: "Unlawful" })])).toEqual({
      ...COUNTS,
      skipped: 1,
    });
    expect(await there.store(from, [item(901)])).toEqual({ ...COUNTS, created: 1 });
  });
});
