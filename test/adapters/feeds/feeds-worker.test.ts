import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { FeedError } from "../../../adapters/feeds/feed.ts";
import { parseFeed } from "../../../adapters/feeds/parse.ts";
import { feedParser, type FeedParser, type FeedParserSettings } from "../../../adapters/feeds/worker-pool.ts";
import { about, fixture, rss } from "../../fixtures/feeds/read.ts";

const parsers: FeedParser[] = [];
const make = (settings?: FeedParserSettings) => {
  const parser = feedParser(settings);
  parsers.push(parser);
  return parser;
};
afterAll(() => Promise.all(parsers.map((parser) => parser.close())));

const failure = async (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error("it was read");
    },
    (error: Error) => error,
  );
const sound = Buffer.from(rss("<item><guid>ok</guid><title>Sound</title></item>"));
/** Many megabytes of ordinary items. */
const large = (items: number) =>
  Buffer.from(
    rss(
      Array.from(
        { length: items },
        (_, n) =>
          `<item><guid>${n}</guid><title>Item ${n}</title><description><![CDATA[${`<p>Paragraph ${n} <b>bold</b></p>`.repeat(150)}]]></description></item>`,
      ).join(""),
    ),
  );

describe("parsing in a worker", () => {
  it("gives what parsing here gives, for many feeds at once, and leaves the caller's bytes alone", async () => {
    const parser = make({ timeoutMs: 20_000 });
    const names = ["rss-2.0.xml", "atom-1.0.xml", "rss-1.0.rdf", "json-feed-1.1.json", "damage-truncated.xml"];
    const documents = names.map(fixture);
    const feeds = await Promise.all(documents.map((bytes) => parser.parse(bytes, about)));
    expect(feeds).toEqual(names.map((name) => parseFeed(fixture(name), about)));
    expect(documents).toEqual(names.map(fixture));
  });

  it("a feed too large for one message comes whole and in order", async () => {
    const bytes = large(900);
    const feed = await make({ timeoutMs: 20_000 }).parse(bytes, about);
    expect(feed).toEqual(parseFeed(bytes, about));
    expect(feed.items.reduce((sum, { html, text }) => sum + html.length + text.length, 0)).toBeGreaterThan(
      3 * 1024 * 1024,
    );
  });

  it("passes errors on: those of documents with their kind and links, those of the caller as they are", async () => {
    const parser = make({ timeoutMs: 20_000 });
    const error = await failure(parser.parse(fixture("page-with-feeds.html"), about));
    expect(error).toBeInstanceOf(FeedError);
    expect(error).toMatchObject({ kind: "not-a-feed", links: [{ title: "News & views" }, {}, {}] });
    expect(await failure(parser.parse(sound, { ...about, fetchedAt: "now" }))).toMatchObject({
      name: "RangeError",
      message: 'fetchedAt is no ISO 8601 date: "now"',
    });
    expect(await failure(parser.parse(new Uint8Array(), about))).toMatchObject({ kind: "empty" });
  });

  it("extracts articles from the bytes of pages", async () => {
    const parser = make({ timeoutMs: 20_000 });
    await expect(
      parser.article(fixture("page-article.html"), { url: "https://site.example/news/dredger" }),
    ).resolves.toMatchObject({ title: "The dredger comes in spring", byline: "Ann Author" });
    await expect(parser.article(Buffer.from("<p>short</p>"), { url: "https://site.example/" })).resolves.toBeNull();
  });
});

describe("a document that goes too far", () => {
  it("is given up after its time, and the next ones are read by a new worker", async () => {
    const parser = make({ timeoutMs: 100 });
    const slow = failure(parser.parse(large(2_000), about));
    const next = [1, 2, 3].map(() => parser.parse(sound, about));
    expect(await slow).toMatchObject({ kind: "too-slow", message: "The document takes too long to read." });
    for (const feed of await Promise.all(next)) expect(feed.items[0]!.title).toBe("Sound");
  });

  it("is given up when it fills the memory, and the next ones are read", async () => {
    const parser = make({ timeoutMs: 30_000, maxHeapMb: 40 });
    await parser.parse(sound, about);
    // JSON of a few megabytes that is many times as large as objects.
    const filling = Buffer.from(`{"items":[${"[[]],".repeat(1_900_000)}1]}`);
    expect(await failure(parser.parse(filling, about))).toMatchObject({ kind: "out-of-memory" });
    expect((await parser.parse(sound, about)).items[0]!.title).toBe("Sound");
  });
});

describe("a worker without work", () => {
  it("is let go after a while, and the next document is read by another", async () => {
    const workers: Worker[] = [];
    const note = (worker: Worker) => void workers.push(worker);
    process.on("worker", note);
    try {
      const parser = make({ timeoutMs: 20_000, restMs: 50 });
      await parser.parse(sound, about);
      await once(workers[0]!, "exit");
      expect((await parser.parse(sound, about)).items[0]!.title).toBe("Sound");
      expect(workers).toHaveLength(2);
    } finally {
      process.off("worker", note);
    }
  });
});

describe("closing", () => {
  it("refuses what runs, what waits and what comes", async () => {
    const parser = make({ timeoutMs: 20_000 });
    const pending = [1, 2, 3].map(() => failure(parser.parse(large(500), about)));
    await parser.close();
    for (const error of await Promise.all(pending)) expect(error).toMatchObject({ kind: "closed" });
    expect(await failure(parser.parse(sound, about))).toMatchObject({ kind: "closed" });
    await parser.close();
  });
});
