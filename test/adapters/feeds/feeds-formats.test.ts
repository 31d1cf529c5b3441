import { parseFeed as referenceParse } from "feedsmith";
import { FeedError } from "../../../adapters/feeds/feed.ts";
import { withoutTracking } from "../../../adapters/feeds/html/links.ts";
import { fixture, parseFixture, parseText, rss } from "../../fixtures/feeds/read.ts";

describe("formats", () => {
  it("RSS 2.0 with content, dc, media and atom", () => {
    const feed = parseFixture("rss-2.0.xml");
    expect(feed).toMatchObject({
      format: "rss",
      title: "Harbour & River Gazette",
      siteUrl: "https://gazette.example/",
      language: "en-GB",
      ttlMinutes: 45,
      hub: "https://hub.example/",
      warnings: [],
    });
    expect(feed.items[0]).toEqual({
      guid: "gazette-1001",
      url: "https://gazette.example/2026/ferry",
      title: "Ferry returns after “refit”",
      html: '<p>The ferry is <b>back</b> after the winter.</p><p>Read <a href="https://gazette.example/2026/timetable" rel="noopener noreferrer">the timetable</a>.</p>',
      text: "The ferry is back after the winter.\n\nRead the timetable.",
      summary: "The ferry is back.",
      author: "Ann Author",
      categories: ["Transport", "Ferries & quays"],
      image: "https://gazette.example/img/ferry.jpg",
      publishedAt: "2026-05-04T05:30:00.000Z",
      dateInferred: false,
    });
    expect(feed.items[1]).toMatchObject({
      author: "The Desk",
      text: "High water at noon.",
      image: "https://gazette.example/img/tide.png",
      url: "https://gazette.example/2026/tides",
    });
  });

  it("RSS 0.91 with a DOCTYPE and HTML's entities", () => {
    expect(parseFixture("rss-0.91.xml")).toMatchObject({
      format: "rss",
      title: "Café Notes",
      language: "fr",
      items: [
        {
          title: "Le café ouvre tôt",
          text: "Dès six heures.",
          url: "http://cafe.example/1",
          publishedAt: "2026-05-02T10:00:00.000Z",
          dateInferred: true,
        },
      ],
    });
  });

  it("RSS 0.92, items without titles", () => {
    const [swallows, heron] = parseFixture("rss-0.92.xml").items;
    expect(swallows!.title).toBe("The swallows are back under the bridge, three weeks before last year, and…");
    expect(swallows!.title.length).toBeLessThanOrEqual(80);
    expect(heron).toMatchObject({ title: "A heron stands at the lock.", url: "http://thoughts.example/heron.mp3" });
    expect(heron).not.toHaveProperty("guid");
  });

  it("RSS 1.0 and 0.90, which are RDF", () => {
    const feed = parseFixture("rss-1.0.rdf");
    expect(feed).toMatchObject({
      format: "rdf",
      title: "Weather Station",
      siteUrl: "https://station.example/",
      language: "de",
      ttlMinutes: 30,
      warnings: [],
    });
    expect(feed.items).toMatchObject([
      {
        guid: "https://station.example/frost",
        url: "https://station.example/frost",
        title: "Frost in May",
        author: "Observer",
        categories: ["Frost"],
        publishedAt: "2026-05-04T03:00:00.000Z",
      },
      { guid: "https://station.example/hail", publishedAt: "2026-05-03T00:00:00.000Z", dateInferred: false, text: "" },
    ]);
    expect(parseFixture("rss-0.90.rdf")).toMatchObject({
      format: "rdf",
      title: "First of its kind",
      items: [{ title: "Only a title and a link", url: "http://first.example/a" }],
    });
  });

  it("Atom 1.0 with xml:base, XHTML and inherited authors", () => {
    const feed = parseFixture("atom-1.0.xml");
    expect(feed).toMatchObject({
      format: "atom",
      title: "Observatory & Dome",
      siteUrl: "https://observatory.example/",
      language: "en",
      hub: "https://hub.example/atom",
    });
    const [comet, seeing, plain] = feed.items;
    expect(comet).toEqual({
      guid: "tag:observatory.example,2026:comet",
      url: "https://observatory.example/blog/2026/comet",
      title: "A comet, seen & drawn",
      html: '<div><p>Seen <em>low</em> in the west, <a href="https://observatory.example/blog/2026/comet-map" rel="noopener noreferrer">see the map</a>.</p><p>5 &lt; 7 &amp; rising</p></div>',
      text: "Seen low in the west, see the map.\n\n5 < 7 & rising",
      summary: "Seen low in the west.",
      author: "Bo Watcher",
      categories: ["Comets"],
      image: "https://observatory.example/img/comet.jpg",
      publishedAt: "2026-05-04T03:15:00.000Z",
      dateInferred: false,
      updatedAt: "2026-05-04T08:00:00.000Z",
    });
    expect(seeing).toMatchObject({
      title: "On seeing",
      author: "Night Crew",
      html: "<p>The air was <b>still</b>.</p>",
      publishedAt: "2026-05-02T10:00:00.000Z",
      dateInferred: false,
    });
    expect(plain).toMatchObject({
      html: "<p>Use 3 &lt; 4 here.</p>\n<p>Second paragraph.</p>",
      text: "Use 3 < 4 here.\n\nSecond paragraph.",
    });
  });

  it("Atom 0.3 with its modes", () => {
    expect(parseFixture("atom-0.3.xml")).toMatchObject({
      format: "atom",
      title: "Lighthouse Log",
      items: [
        {
          title: "Lamp replaced",
          html: "<p>Brighter now.</p>",
          publishedAt: "2026-05-03T12:00:00.000Z",
          updatedAt: "2026-05-03T13:00:00.000Z",
        },
        { title: "Coded message", html: "<p>Ship ahoy.</p>", publishedAt: "2026-05-02T12:00:00.000Z" },
      ],
    });
  });

  it("JSON Feed 1.0 and 1.1", () => {
    expect(parseFixture("json-feed-1.0.json")).toMatchObject({
      format: "json",
      title: "Mill Stream",
      items: [
        {
          guid: "17",
          url: "https://mill.example/wheel",
          author: "The Miller",
          categories: ["Water", "Wheels"],
          html: "<p>First line.<br>Second line.</p>\n<p>Next paragraph with 1 &lt; 2.</p>",
          publishedAt: "2026-05-03T06:00:00.000Z",
        },
      ],
    });
    const feed = parseFixture("json-feed-1.1.json");
    expect(feed).toMatchObject({
      format: "json",
      language: "en-US",
      hub: "https://hub.example/json",
      siteUrl: "https://signal.example/",
    });
    expect(feed.items).toHaveLength(2);
    expect(feed.items[0]).toMatchObject({
      html: '<p>Trains run <a href="https://signal.example/plan" rel="noopener noreferrer">to plan</a>.</p>',
      summary: "Trains run again.",
      author: "Dispatcher, Second Hand",
      updatedAt: "2026-05-04T07:00:00.000Z",
    });
    expect(feed.items[1]).toMatchObject({
      url: "https://other.example/story",
      title: "A link with a remark.",
      dateInferred: true,
    });
  });

  it("podcasts and video channels", () => {
    expect(parseFixture("podcast.xml").items).toMatchObject([
      {
        guid: "ep-1",
        title: "On knots",
        url: "https://talk.example/audio/1.mp3",
        text: "Three knots that every passenger should know.",
        author: "Cora Cordage",
        image: "https://talk.example/img/1.jpg",
        categories: ["knots", "ropes", "ships"],
        publishedAt: "2026-05-01T11:00:00.000Z",
      },
    ]);
    expect(parseFixture("video.xml").items).toMatchObject([
      {
        title: "Through the lock",
        url: "https://films.example/watch?v=1",
        image: "https://films.example/t/1.jpg",
        text: "How a boat goes uphill.\n\nFilmed in one day.",
      },
    ]);
  });

  it("an empty feed is a feed", () => {
    expect(parseText(rss(""))).toMatchObject({ format: "rss", items: [], warnings: [] });
    expect(parseText('{"version":"https://jsonfeed.org/version/1.1","title":"None","items":[]}')).toMatchObject({
      format: "json",
      items: [],
    });
  });
});

// A second opinion: where a document is sound, a strict parser must read the same in it.
describe("agreement with feedsmith", () => {
  interface Entry {
    title?: string;
    guid?: string;
    link?: string;
    date?: number;
  }
  const at = (text: unknown) => (typeof text === "string" ? Date.parse(text) : undefined);

  /** feedsmith keeps each format's own shape: the few fields compared, under one name. */
  function entriesOf(name: string): Entry[] {
    const { format, feed } = referenceParse(fixture(name).toString("utf8"));
    if (format === "rss")
      return (feed.items ?? []).map((item) => ({
        title: item.title,
        guid: item.guid?.value,
        link: item.link,
        date: at(item.pubDate),
      }));
    if (format === "rdf")
      return (feed.items ?? []).map((item) => ({
        title: item.title,
        guid: item.rdf?.about,
        link: item.link,
        date: at(item.dc?.dates?.[0]),
      }));
    if (format === "atom")
      return (feed.entries ?? []).map((entry) => ({ guid: entry.id, date: at(entry.published ?? entry.updated) }));
    return (feed.items ?? []).map((item) => ({
      title: item.title,
      guid: item.id,
      link: item.url,
      date: at(item.date_published),
    }));
  }

  it.each(["rss-2.0.xml", "rss-1.0.rdf", "atom-1.0.xml", "video.xml", "podcast.xml"])("%s", (name) => {
    const expected = entriesOf(name);
    const items = parseFixture(name).items;
    expect(items).toHaveLength(expected.length);
    expect(expected.length).toBeGreaterThan(0);
    for (const [index, { title, guid, link, date }] of expected.entries()) {
      const item = items[index]!;
      expect(item.guid).toBe(guid);
      if (title !== undefined) expect(item.title).toBe(title);
      if (link !== undefined) expect(item.url).toBe(withoutTracking(link));
      if (date !== undefined && !Number.isNaN(date)) expect(Date.parse(item.publishedAt)).toBe(date);
    }
  });
});

describe("what is no feed", () => {
  const refused = (text: string): FeedError => {
    try {
      parseText(text);
    } catch (error) {
      return error as FeedError;
    }
    throw new Error("it was read");
  };

  it("a page names its feeds, those of comments last", () => {
    const error = refused(fixture("page-with-feeds.html").toString());
    expect(error).toBeInstanceOf(FeedError);
    expect(error).toMatchObject({
      kind: "not-a-feed",
      message: "The address answers with a web page; it names 3 feeds, the first at https://site.example/de/feed.xml.",
    });
    expect(error.links).toEqual([
      { url: "https://site.example/de/feed.xml", title: "News & views", type: "application/rss+xml; charset=utf-8" },
      { url: "https://site.example/feed.json?a=1&b=2", title: undefined, type: "application/feed+json" },
      { url: "https://site.example/comments/feed", title: "Comments on everything", type: "application/rss+xml" },
    ]);
  });

  it("a page without them is searched for links that look like feeds", () => {
    expect(refused(fixture("page-with-links.html").toString()).links.map(({ url }) => url)).toEqual([
      "https://feeds.example/blog/feed/",
      "https://other.example/index.xml#x",
    ]);
    expect(refused("<div>Not found</div>")).toMatchObject({
      kind: "not-a-feed",
      links: [],
      message: "The address answers with a web page; it names no feed.",
    });
  });

  it.each([
    ["", "empty"],
    ["  \n ", "empty"],
    ["plain words", "not-a-feed"],
    ["<svg xmlns='http://www.w3.org/2000/svg'/>", "not-a-feed"],
    ['{"a":1}', "not-a-feed"],
    ["[1,2", "malformed"],
    ["%PDF-1.4", "not-a-feed"],
  ])("%j is refused as %s", (text, kind) => expect(refused(text).kind).toBe(kind));

  it("a wrong time of fetch is the caller's mistake", () => {
    expect(() => parseText(rss(""), { fetchedAt: "today" })).toThrow(
      new RangeError('fetchedAt is no ISO 8601 date: "today"'),
    );
  });
});
