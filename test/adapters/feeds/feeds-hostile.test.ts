import { FeedError, limits, type ParsedFeed } from "../../../adapters/feeds/feed.ts";
import { feedParser, type FeedParser } from "../../../adapters/feeds/worker-pool.ts";
import { hostile } from "../../fixtures/feeds/hostile.ts";
import { about, rss } from "../../fixtures/feeds/read.ts";

// Claim 15. The worker ends whatever takes two seconds of processor time or 256 MB; none of these may come to that, so a
// document that is stopped fails its test. By the clock it has four times as long: a busy machine is no fault of it.
let parser: FeedParser;
const sound = Buffer.from(rss("<item><guid>ok</guid><title>Sound</title></item>"));

beforeAll(async () => {
  parser = feedParser({ timeoutMs: 2_000, maxHeapMb: 256 });
  await parser.parse(sound, about);
});
afterAll(() => parser.close());

const outcome = (bytes: Uint8Array): Promise<ParsedFeed | FeedError> =>
  parser.parse(bytes, about).catch((error: unknown) => {
    if (error instanceof FeedError) return error;
    throw error;
  });

describe("hostile documents", () => {
  it("are more than the twenty that are claimed", () => expect(Object.keys(hostile).length).toBeGreaterThan(20));

  it.each(Object.keys(hostile))("%s: read or refused within its limits, and the parser goes on", async (name) => {
    const bytes = hostile[name]!();
    const result = await outcome(bytes);
    if (result instanceof FeedError)
      expect(["too-large", "too-deep", "malformed", "not-a-feed"]).toContain(result.kind);
    else {
      expect(result.items.length).toBeLessThanOrEqual(limits.items);
      for (const item of result.items) {
        expect(item.title.length).toBeLessThanOrEqual(limits.title);
        expect(item.html.length).toBeLessThan(limits.html * 6);
        expect(item.text).not.toMatch(/lollol|root:/);
        expect(item.guid?.length ?? 0).toBeLessThanOrEqual(limits.guid);
        expect(item.categories.length).toBeLessThanOrEqual(limits.categories);
      }
    }
    expect((await parser.parse(sound, about)).items[0]!.title).toBe("Sound");
  });

  it("an entity is never expanded, and nothing is fetched", async () => {
    for (const name of ["billion laughs", "external entity of a file", "inclusion of another document"]) {
      const feed = await parser.parse(hostile[name]!(), about);
      expect(feed.items[0]).toMatchObject({ guid: "h-1", title: "Hostile" });
      expect(feed.items[0]!.text.length).toBeLessThan(20);
    }
    expect((await parser.parse(hostile["billion laughs"]!(), about)).warnings).toEqual([
      "The document declares entities of its own; they were not expanded.",
    ]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("the main loop goes on turning", async () => {
    const documents = Object.values(hostile).map((make) => make());
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const [thread, whole] = [process.threadCpuUsage(), process.cpuUsage()];
    await Promise.all(documents.map(outcome));
    const [own, all] = [process.threadCpuUsage(thread), process.cpuUsage(whole)];
    clearInterval(timer);
    // A loop that waited for each document would have turned once for each, and done the work itself.
    expect(turns).toBeGreaterThan(documents.length * 2);
    expect((own.user + own.system) / (all.user + all.system)).toBeLessThan(0.5);
  });
});

it("names that every JavaScript object has mean nothing", async () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    const inner = `<${name} ${name}="x" xmlns:${name}="${name}" xmlns:p="${name}"><p:x/>text</${name}>`;
    const feed = await parser.parse(
      Buffer.from(
        rss(
          `${inner}<item><guid>g</guid>${inner}<description><![CDATA[<${name} ${name}="x">text</${name}>]]></description></item>`,
        ),
      ),
      { ...about, contentType: `text/xml; charset=${name}` },
    );
    // `<_` begins no tag in HTML: it is text, and stands escaped.
    expect(feed.items).toMatchObject([{ guid: "g", html: expect.stringMatching(/^[^<]*text$/) }]);
    await expect(parser.parse(Buffer.from(`<${name}>text</${name}>`), about)).rejects.toMatchObject({
      kind: "not-a-feed",
    });
  }
});
