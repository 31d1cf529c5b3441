import fc from "fast-check";
import { lastValueFrom, toArray } from "rxjs";
import type { ParsedFeed, ParsedItem } from "../../adapters/feeds/feed.ts";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import type { Collection, Doc } from "../../core/records/documents.ts";
import type { ArticleBatch, Ground } from "../../services/news/sources/ingestion/fetching.ts";
import { Ingestion } from "../../services/news/sources/ingestion/ingestion.ts";
import { draftedSource, Source } from "../../services/news/sources/sources.ts";
import { TestClock } from "../mesh.ts";

/**
 * Kills at every write: a process is an Ingestion whose stores stop answering after so many writes, the one it was cut
 * off in done or not; the next one takes over. Whatever the schedule of kills, at the end no article is missing, none
 * is double, and every source is settled once for each document.
 */
const item = (name: string): ParsedItem => ({
  guid: name,
  title: name,
  html: "",
  text: name,
  summary: name,
  categories: [],
  publishedAt: "2026-01-01T00:00:00.000Z",
  dateInferred: false,
});

/** The articles' store: idempotent by item, as its contract says. */
class Articles {
  readonly stored = new Map<string, number>();
  store({ source, items }: ArticleBatch) {
    const fresh = items.filter(({ guid }) => !this.stored.has(`${source.id}/${guid}`));
    for (const { guid } of fresh) this.stored.set(`${source.id}/${guid}`, 1);
    return { created: fresh.length, updated: 0, unchanged: items.length - fresh.length };
  }
  count(sourceId: number) {
    return [...this.stored.keys()].filter((key) => key.startsWith(`${sourceId}/`)).length;
  }
}

class Killed extends Error {}

/**
 * Lets so many writes through; the next one is cut off, before or after it took effect, and nothing answers any more.
 */
class Life {
  #left: number;
  readonly #effect: boolean;
  constructor(writes: number, effect: boolean) {
    this.#left = writes;
    this.#effect = effect;
  }
  async write<T>(work: () => Promise<T>): Promise<T> {
    if (this.#left-- > 0) return work();
    if (this.#left === -1 && this.#effect) await work();
    throw new Killed();
  }
  get over(): boolean {
    return this.#left < 0;
  }
}

const mortal = (collection: Collection, life: Life): Collection =>
  new Proxy(collection, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      if (typeof method !== "function") return method;
      const writes = ["claim", "bulk", "updateMany", "insert", "updateById"].includes(String(name));
      return (...args: unknown[]) =>
        writes ? life.write(() => method.apply(target, args)) : method.apply(target, args);
    },
  });

const SOURCES = 3;
const ITEMS = 450; // three batches
const body = (id: number) => Buffer.from(`document ${id}`);

async function simulate(kills: readonly { writes: number; effect: boolean }[]): Promise<void> {
  const documents = new EmbeddedDocuments(":memory:");
  const clock = new TestClock();
  const articles = new Articles();
  const sources = await documents.collection("sources", { indexes: Source.indexes });
  const fetches = await documents.collection("source_fetches");
  for (let id = 1; id <= SOURCES; id += 1) {
    const { id: _id, ...fields } = Source.record.parse({
      id,
      rev: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      createdBy: "test",
      ...draftedSource(
        { name: `S${id}`, url: `https://s${id}.example/`, domain: "energy" },
        "2026-01-01T00:00:00.000Z",
      ),
    });
    await sources.insert({ _id, ...fields } as Doc);
  }
  let served = 0;
  const feedOf = (id: number): ParsedFeed => ({
    format: "rss",
    title: "T",
    warnings: [],
    items: Array.from({ length: ITEMS }, (_, at) => item(`${id}-${at}`)),
  });
  const process = async (life: Life, holder: string): Promise<void> => {
    const ground: Ground = {
      sources: mortal(sources, life),
      fetches: mortal(fetches, life),
      clock,
      intervalMs: 3_600_000,
      concurrency: 2,
      holder,
      random: () => 0,
      ended: () => {},
      troubled: () => {},
      visitor: {
        outbound: {
          async get(url, options) {
            served += 1;
            const id = Number(/s(\d)/.exec(url)![1]);
            const known = options?.headers?.["if-none-match"] === `"${id}"`;
            return {
              status: known ? 304 : 200,
              url,
              headers: { etag: `"${id}"` },
              body: known ? Buffer.alloc(0) : body(id),
            };
          },
        },
        parse: async (bytes) => feedOf(Number(/\d/.exec(Buffer.from(bytes).toString())![0])),
        now: () => clock.now(),
      },
      storeArticles: (batch) => life.write(async () => articles.store(batch)),
      countArticles: async (id) => articles.count(id),
      unreadPages: async () => ({ count: 0 }),
    };
    const ingestion = new Ingestion(ground);
    try {
      await ingestion.due.recover();
      await lastValueFrom(ingestion.run().pipe(toArray()));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    await ingestion.stop();
  };
  for (const [at, { writes, effect }] of kills.entries()) await process(new Life(writes, effect), `node-${at}`);
  // A process that lives on meets the same fault of ours a minute later; the dead one's claims it frees at its start.
  clock.advance(61_000);
  await process(new Life(Infinity, false), "survivor");

  expect(articles.stored.size).toBe(SOURCES * ITEMS);
  const settled = await sources.find({ sort: ["_id"] });
  expect(settled.map(({ articleCount }) => articleCount)).toEqual(Array(SOURCES).fill(ITEMS));
  expect(settled.map(({ etag, claim, claimedBy, claims, health }) => [etag, claim, claimedBy, claims, health])).toEqual(
    [1, 2, 3].map((id) => [`"${id}"`, undefined, undefined, 0, "active"]),
  );
  expect(served).toBeLessThanOrEqual(SOURCES * (kills.length + 1));
  await documents.close();
}

it("loses and doubles nothing when it is killed at any write, as often as it may be", async () => {
  const kill = fc.record({ writes: fc.integer({ min: 0, max: 18 }), effect: fc.boolean() });
  await fc.assert(fc.asyncProperty(fc.array(kill, { maxLength: 4 }), simulate), { numRuns: 25 });
}, 60_000);

it.each(Array.from({ length: 19 }, (_, writes) => writes))(
  "survives a kill at write %i, done or not",
  async (writes) => {
    await simulate([{ writes, effect: true }]);
    await simulate([{ writes, effect: false }]);
  },
);
