import { FeedError, limits, type ParsedFeed } from "../../../adapters/feeds/feed.ts";
import { parseFixture, parseText, rss } from "../../fixtures/feeds/read.ts";

function outcomeOf(text: string): ParsedFeed | FeedError {
  try {
    return parseText(text);
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
}

const items = (name: string) => parseFixture(name).items;

describe("damaged XML is read as far as it makes sense", () => {
  it("unescaped ampersands and HTML's entities", () => {
    expect(parseFixture("damage-unescaped-ampersands.xml")).toMatchObject({
      title: "Salt & Pepper",
      siteUrl: "https://damage.example/?a=1&b=2",
      items: [
        {
          title: "Fish & chips at the pier",
          text: "Battered & fried €5",
          guid: "https://damage.example/item?id=1&section=food&copy=2",
          url: "https://damage.example/item?id=1&section=food&copy=2",
        },
      ],
    });
  });

  it("HTML that is not escaped at all", () => {
    const [raw, after] = items("damage-unescaped-html.xml");
    expect(raw).toMatchObject({
      title: "Markup in the title",
      url: "https://damage.example/raw",
      publishedAt: "2026-05-04T07:00:00.000Z",
    });
    expect(raw!.text).toBe("First\nline & more\n\nSecond with a link and 5 < 6");
    expect(raw!.html).toContain(
      '<a href="https://damage.example/x" rel="noopener noreferrer">a link</a> and 5 &lt; 6</p>',
    );
    expect(after).toMatchObject({ title: "After it", url: "https://damage.example/after" });
  });

  it("end tags that are missing or too many", () => {
    expect(items("damage-unclosed-elements.xml")).toMatchObject([
      { title: "First has no end", url: "https://damage.example/1", guid: "u-1", text: "One" },
      { title: "Second ends", url: "https://damage.example/2", guid: "u-2" },
      { title: "Third", url: "https://damage.example/3" },
    ]);
  });

  it("a document that breaks off: the item that was cut is left out, a complete one kept", () => {
    const cut = parseFixture("damage-truncated.xml");
    expect(cut.items.map(({ guid }) => guid)).toEqual(["t-1"]);
    expect(cut.warnings).toEqual(["The document breaks off within an item, which was left out."]);
    expect(parseFixture("damage-cut-between-elements.xml")).toMatchObject({
      items: [{ guid: "c-1", text: "All of it." }],
      warnings: [],
    });
  });

  it.each([
    ["in its head", "<rss><channel><title>Gazette</title><link>https://gaz"],
    ["before its first item", "<rss><channel><title>Gazette</title>"],
    ["within its first item", "<rss><channel><title>Gazette</title><item><title>One</title><guid>g"],
  ])("a document that breaks off %s is none", (_, cut) => {
    expect(() => parseText(cut)).toThrow(
      expect.objectContaining({
        kind: "malformed",
        message: "The document breaks off before its first item is complete: nothing came with it.",
      }),
    );
  });

  it.each([
    ["of RSS", rss("")],
    ["of Atom", '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>'],
    ["of Atom, in one tag", '<feed xmlns="http://www.w3.org/2005/Atom"/>'],
  ])("an empty feed %s is whole", (_, empty) => {
    expect(parseText(empty)).toMatchObject({ items: [], warnings: [] });
  });

  it("cut at any byte, it says that nothing came or gives what came whole, and never invents an item", () => {
    const whole = rss(
      '<item><title>One &amp; two</title><guid>g-1</guid><description><![CDATA[<p>Text <a href="/x">x</a></p>]]></description></item><item><title>Next</title><guid>g-2</guid></item>',
    );
    for (let at = whole.indexOf("<channel>"); at < whole.length; at += 1) {
      const cut = whole.slice(0, at);
      const read = outcomeOf(cut);
      if (cut.includes("</item>")) expect(read).not.toBeInstanceOf(FeedError);
      if (read instanceof FeedError) expect(read.message).toMatch(/^The document breaks off before its first item/);
      else expect(read.items).not.toEqual([]);
      for (const [index, item] of read instanceof FeedError ? [] : read.items.entries()) {
        expect(item.guid).toBe(`g-${index + 1}`);
        // All of the text or none, never half of it.
        expect(["", "Text x"]).toContain(item.text);
      }
    }
  });

  it("warnings of a script before, junk behind", () => {
    expect(parseFixture("damage-junk-around.xml")).toMatchObject({
      title: "Behind a warning",
      items: [{ guid: "j-1", title: "Still read" }],
    });
  });

  it("prefixes that are not declared, or declared under other names", () => {
    expect(items("damage-undeclared-prefixes.xml")).toMatchObject([
      {
        author: "Ann Author",
        publishedAt: "2026-05-04T05:00:00.000Z",
        html: "<p>Whole text.</p>",
        image: "https://damage.example/t.jpg",
      },
    ]);
    expect(items("damage-renamed-prefixes.xml")).toMatchObject([
      { title: "Other prefixes", author: "Real Author", html: "<p>Text.</p>", url: "https://damage.example/1" },
    ]);
  });

  it("names in capitals", () => {
    expect(items("damage-upper-case.xml")).toMatchObject([
      {
        guid: "L1",
        title: "In capitals",
        url: "https://damage.example/1",
        text: "Shouted.",
        publishedAt: "2026-05-04T07:00:00.000Z",
      },
    ]);
  });

  it("Atom without its namespace, and Atom's names in RSS", () => {
    expect(items("damage-atom-without-namespace.xml")).toMatchObject([
      { title: "Entry", html: "<p>HTML without saying so</p>", url: "https://site.example/e" },
    ]);
    expect(parseFixture("damage-atom-in-rss.xml")).toMatchObject({
      siteUrl: "https://site.example/",
      items: [
        {
          guid: "x",
          title: "Atom names",
          url: "https://site.example/1",
          text: "Sum",
          author: "Mixer",
          publishedAt: "2026-05-01T10:00:00.000Z",
          dateInferred: false,
        },
      ],
    });
  });
});

describe("texts", () => {
  it("escaped twice", () => {
    const feed = parseFixture("damage-double-escaped.xml");
    expect(feed.title).toBe("Twice & thrice");
    expect(feed.items).toMatchObject([
      { title: "It’s R&D", text: "One & two\n\nThree", html: "<p>One &amp; two</p><p>Three</p>" },
      { title: "Bold claim" },
      { title: "The <foo> element and 1 < 2" },
    ]);
  });

  it("too long: cut, and said so", () => {
    const long = "word ".repeat(limits.html / 4);
    const feed = parseText(
      rss(
        `<item><title>${"t".repeat(2_000)}</title><guid>${"g".repeat(5_000)}</guid><description>&lt;p&gt;${long}&lt;/p&gt;</description></item><item><title>x</title><guid>${"g".repeat(5_001)}</guid></item>`,
      ),
    );
    const [item, other] = feed.items;
    expect(item!.title).toHaveLength(limits.title);
    expect(item!.html.length).toBeLessThanOrEqual(limits.html + 10);
    expect(item!.html.endsWith("</p>")).toBe(true);
    expect(item!.summary.length).toBeLessThanOrEqual(limits.summary);
    expect(item!.summary.endsWith("word…")).toBe(true);
    expect(item!.guid).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(item!.guid).not.toBe(other!.guid);
    expect(feed.warnings).toEqual(["An item is too large or too deeply nested; only its beginning was kept."]);
  });

  it("never end in half a character", () => {
    const feed = parseText(
      rss(
        `<item><title>${"😀".repeat(400)}</title><guid>g</guid><description>${"😀".repeat(400)}</description></item>`,
      ),
    );
    expect(feed.items[0]!.title.isWellFormed()).toBe(true);
    expect(feed.items[0]!.summary.isWellFormed()).toBe(true);
  });
});

describe("addresses", () => {
  it("relative ones follow xml:base, the channel's link, the feed's address; only http and https count", () => {
    const urls = items("damage-relative-links.xml").map(({ url }) => url);
    expect(urls).toEqual([
      "https://site.example/news/a.html",
      "https://site.example/b",
      "https://www.site.example/c",
      "https://site.example/d%20path",
      undefined,
      "https://elsewhere.example/x/f",
    ]);
    expect(items("damage-relative-links.xml")[0]!.html).toBe(
      '<a href="https://site.example/news/b.html" rel="noopener noreferrer">b</a> <img src="https://cdn.example/c.jpg" loading="lazy" referrerpolicy="no-referrer"> <a href="https://site.example/news/#note" rel="noopener noreferrer">note</a>',
    );
    expect(
      parseText("<rss><channel><title>x</title><item><title>a</title><link>a.html</link></item></channel></rss>")
        .items[0]!.url,
    ).toBe("https://feeds.example/dir/a.html");
  });

  it("the original behind a counter", () => {
    expect(items("damage-feedburner.xml")).toMatchObject([
      { url: "https://site.example/original", html: "<p>Text</p>" },
    ]);
    expect(items("damage-feedburner.xml")[0]).not.toHaveProperty("image");
  });
});

describe("identity", () => {
  it("items without guid, link, title or text", () => {
    const read = items("damage-missing-guids-and-dates.xml");
    expect(read).toMatchObject([
      { title: "Only a title", text: "" },
      { title: "Bare", url: "https://damage.example/only-a-link" },
      { title: "Only a description that says something." },
      { title: "Bare", guid: "only-a-picture", image: "https://damage.example/p.jpg" },
    ]);
    expect(read).toHaveLength(4);
    for (const item of read)
      expect(item).toMatchObject({ publishedAt: "2026-05-04T10:00:00.000Z", dateInferred: true });
  });

  it("what has neither title nor text is headed by its enclosure, or its categories and the feed, by date", () => {
    const at = "<pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate>";
    const headed = parseText(
      rss(
        `<item><link>https://a.example/1</link><enclosure url="https://a.example/x/Morning%20bulletin.mp3?id=7" type="audio/mpeg"/>${at}</item>` +
          `<item><link>https://a.example/2</link><enclosure url="https://a.example/9f3a-77.mp3"/><category>Weather</category><category>Coast</category>${at}</item>` +
          `<item><link>https://a.example/3</link>${at}</item>`,
      ),
    );
    expect(headed.items.map(({ title }) => title)).toEqual([
      "Morning bulletin.mp3",
      `Weather, Coast (${headed.title}, 2026-05-04 10:00)`,
      `${headed.title}, 2026-05-04 10:00`,
    ]);
    const attached = { id: "7", attachments: [{ url: "https://a.example/a.pdf", title: "Minutes of the council" }] };
    const json = parseText(
      JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "x", items: [attached] }),
    );
    expect(json.items[0]!.title).toBe("Minutes of the council");
  });

  it("one guid for all is none; the same item twice is one, the newer", () => {
    const feed = parseFixture("damage-shared-guids.xml");
    expect(feed.items.map(({ guid, title }) => [guid, title])).toEqual([
      [undefined, "One"],
      [undefined, "Two"],
      ["own", "Own, newer"],
    ]);
    expect(feed.warnings).toEqual([
      "Several items share one identifier; they are told apart by their addresses.",
      "1 item repeats another and was left out.",
    ]);
  });

  it("of very many items the newest are kept, in their order", () => {
    const dated = (n: number) =>
      `<item><guid>g-${n}</guid><title>${n}</title><pubDate>${new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toUTCString()}</pubDate></item>`;
    const oldestFirst = parseText(rss(Array.from({ length: 5_000 }, (_, n) => dated(n)).join("")));
    expect(oldestFirst.items).toHaveLength(limits.items);
    expect([oldestFirst.items[0]!.guid, oldestFirst.items.at(-1)!.guid]).toEqual(["g-4000", "g-4999"]);
    expect(oldestFirst.warnings).toEqual(["The feed holds 5000 items; the newest 1000 were read."]);
    const undated = parseText(
      rss(Array.from({ length: 3_000 }, (_, n) => `<item><guid>g-${n}</guid></item>`).join("")),
    );
    expect([undated.items.length, undated.items[0]!.guid, undated.items.at(-1)!.guid]).toEqual([1_000, "g-0", "g-999"]);
  });
});

describe("dates of items", () => {
  it("fall back in order, and say so when they are not the item's own", () => {
    const read = Object.fromEntries(
      items("damage-dates.xml").map(({ guid, publishedAt, dateInferred }) => [guid, [publishedAt, dateInferred]]),
    );
    const ofFeed = ["2026-05-03T12:00:00.000Z", true];
    expect(read).toEqual({
      pubDate: ["2026-05-04T07:00:00.000Z", false],
      dc: ["2026-05-01T00:00:00.000Z", false],
      updated: ["2026-04-30T00:00:00.000Z", false],
      feed: ofFeed,
      future: ["2026-05-04T10:00:00.000Z", true],
      tonight: ["2026-05-04T23:00:00.000Z", false],
      epoch: ofFeed,
      impossible: ofFeed,
      changed: ["2026-05-01T07:00:00.000Z", false],
    });
    expect(items("damage-dates.xml").find(({ guid }) => guid === "changed")!.updatedAt).toBe(
      "2026-05-02T07:00:00.000Z",
    );
  });

  it("then Last-Modified, then the time of the fetch; a feed's date in the future is passed over", () => {
    const item = "<item><guid>g</guid></item>";
    const lastModified = "Sat, 02 May 2026 09:00:00 GMT";
    expect(parseText(rss(item), { lastModified }).items[0]).toMatchObject({
      publishedAt: "2026-05-02T09:00:00.000Z",
      dateInferred: true,
    });
    expect(
      parseText(rss(item, "<pubDate>Mon, 04 May 2099 07:00:00 GMT</pubDate>"), { lastModified }).items[0]!.publishedAt,
    ).toBe("2026-05-02T09:00:00.000Z");
    expect(parseText(rss(item), { lastModified: "never" }).items[0]).toMatchObject({
      publishedAt: "2026-05-04T10:00:00.000Z",
      dateInferred: true,
    });
  });
});
