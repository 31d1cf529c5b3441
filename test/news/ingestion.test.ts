import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { systemActor } from "../../core/access/access.ts";
import { adoptInterval } from "../../services/news/sources/ingestion/interval-change.ts";
import { DAY_MS } from "../../services/news/sources/ingestion/fetch-interval.ts";
import { eventually, itInside, world, type TestWorld } from "../mesh.ts";
import { FeedServer, rss, stories } from "./feed-server.ts";

const HOUR = 3_600_000;
let node: TestWorld;
let publisher: FeedServer;
const hints: { sourceId: number; outcome: string; created: number; updated: number }[] = [];

beforeAll(async () => {
  const ear = {
    name: "ear-of-fetches",
    events: {
      "news.source.fetched": { context: true, handler: (ctx: { params: never }) => void hints.push(ctx.params) },
    },
  };
  publisher = await FeedServer.start();
  node = await world({ INGEST_INTERVAL_MINUTES: "60" }, { services: [ear] });
});
afterAll(async () => {
  await node.stop();
  await publisher.stop();
});

interface Shown {
  id: number;
  url: string;
  feedUrl: string;
  health: string;
  lastFetch: string | null;
  lastError: string | null;
  nextFetch: string | null;
  articleCount: number;
  active: boolean;
}
interface Told {
  outcome: string;
  status: number | null;
  created: number;
  updated: number;
  error: string | null;
  kind: string | null;
  notes: string[];
  manual: boolean;
}

const add = async (name: string, url: string, domain = "technology"): Promise<number> => {
  const made = await node.http("POST", "/api/sources", { body: { name, url, domain } });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
};
const source = async (id: number): Promise<Shown> => (await node.http("GET", `/api/sources/${id}`)).body.data;
const history = async (id: number): Promise<Told[]> => (await node.http("GET", `/api/sources/${id}/fetches`)).body.data;
const refresh = async (id: number) => (await node.http("POST", `/api/sources/${id}/refresh`)).body.data;
const articles = async (id: number) => (await node.http("GET", `/api/articles?sourceId=${id}&limit=100`)).body;
const fetchedTimes = (id: number, times: number) =>
  eventually(
    () => history(id),
    (all) => all.length >= times,
  );
/** Adds a source and waits for its first fetch. */
const follow = async (name: string, url: string): Promise<number> => {
  const id = await add(name, url);
  await fetchedTimes(id, 1);
  return id;
};
/** Resolves when the node that fetches has asked for a lease and was told that it is another's. */
const refused = (name: string): Promise<void> =>
  new Promise((resolve) => {
    const { leases } = node.commons("sources");
    const real = leases.take.bind(leases);
    leases.take = async (asked, forMs) => {
      const fence = await real(asked, forMs);
      if (asked === name && fence === null) {
        leases.take = real;
        resolve();
      }
      return fence;
    };
  });
const waitOf = ({ nextFetch }: Shown): number => Date.parse(nextFetch!) - node.clock.now();

describe("a source that was added", () => {
  it("is fetched by itself; its articles are there, and the source says so", async () => {
    const id = await follow("first", publisher.on("/first", { body: rss(stories("first", 12)) }));
    const { meta, data } = await articles(id);
    expect(meta.total).toBe(12);
    expect(data[0]).toMatchObject({ source: { id, name: "first" }, domain: "technology" });
    expect(await source(id)).toMatchObject({
      health: "active",
      articleCount: 12,
      lastError: null,
      lastFetch: expect.any(String),
    });
    expect(hints.filter(({ sourceId }) => sourceId === id)).toEqual([
      { sourceId: id, outcome: "fetched", created: 12, updated: 0 },
    ]);
    expect(publisher.of("/first")[0]!.headers["user-agent"]).toMatch(/^Signalmesh\//);
    expect(await history(id)).toMatchObject([
      { outcome: "fetched", status: 200, created: 12, updated: 0, manual: false, error: null },
    ]);
    expect((await node.http("GET", `/api/sources/${id}/stats`)).body).toEqual({
      data: {
        articleCount: 12,
        verifiedCount: 0,
        lastWeekArticles: expect.any(Number),
        fetchErrors: 0,
        avgConfidence: expect.any(Number),
      },
    });
  });

  it("whose fetches fail at times gives its articles less confidence", async () => {
    const health = async (id: number): Promise<number> => {
      const [article] = await node.call(
        "articles.many",
        { ids: [(await articles(id)).data[0].id] },
        systemActor("test"),
      );
      return article.factors.find(({ name }: { name: string }) => name === "source-health").contribution;
    };
    const steady = await follow("steady", publisher.on("/steady", { body: rss(stories("steady", 1)) }));
    const shaky = await follow("shaky", publisher.on("/shaky", { status: 500 }));
    publisher.on("/shaky", { body: rss(stories("shaky", 1)) });
    await refresh(shaky);
    await eventually(
      () => articles(shaky),
      ({ meta }) => meta.total === 1,
    );
    expect(await health(shaky)).toBeLessThan(await health(steady));
  });

  it("is fetched again when its time comes, and not before", async () => {
    const id = await follow("again", publisher.on("/again", { body: rss(stories("again", 1)) }));
    const wait = waitOf(await source(id));
    expect(wait).toBeGreaterThan(0.9 * HOUR);
    expect(wait).toBeLessThanOrEqual(1.1 * HOUR);
    publisher.on("/again", { body: rss(stories("again", 3)) });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(publisher.of("/again")).toHaveLength(1);
    node.clock.advance(1.2 * HOUR);
    await fetchedTimes(id, 2);
    expect((await history(id))[0]).toMatchObject({ outcome: "fetched", created: 2 });
    expect(await source(id)).toMatchObject({ articleCount: 3 });
  });

  it("is not fetched while it is off", async () => {
    const id = await follow("off", publisher.on("/off", { body: rss(stories("off", 1)) }));
    await node.http("PUT", `/api/sources/${id}`, { body: { active: false } });
    node.clock.advance(3 * HOUR);
    const witness = await follow("witness", publisher.on("/witness", { body: rss([]) }));
    expect(witness).toBeGreaterThan(id);
    expect(publisher.of("/off")).toHaveLength(1);
    expect((await node.http("POST", `/api/sources/${id}/refresh`)).status).toBe(409);
    await node.http("PUT", `/api/sources/${id}`, { body: { active: true } });
    await fetchedTimes(id, 2);
    expect(publisher.of("/off")).toHaveLength(2);
  });
});

describe("what was read before", () => {
  it("is asked for conditionally; 304 is a success with nothing new", async () => {
    const id = await follow(
      "conditional",
      publisher.on("/conditional", (req, res) => {
        const known =
          req.headers["if-none-match"] === '"v1"' &&
          req.headers["if-modified-since"] === "Thu, 01 Jan 2026 00:00:00 GMT";
        res.writeHead(known ? 304 : 200, {
          etag: '"v1"',
          "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
          "content-type": "application/rss+xml",
        });
        res.end(known ? undefined : rss(stories("conditional", 2)));
      }),
    );
    node.clock.advance(1.2 * HOUR);
    await fetchedTimes(id, 2);
    expect(await history(id)).toMatchObject([
      { outcome: "unchanged", status: 304, created: 0, error: null },
      { outcome: "fetched", created: 2 },
    ]);
    expect(await source(id)).toMatchObject({ health: "active", articleCount: 2 });
    expect(await refresh(id)).toMatchObject({ outcome: "fetched", created: 0, updated: 0, message: "Nothing new." });
    expect(publisher.of("/conditional").at(-1)!.headers).not.toHaveProperty("if-none-match");
  });

  itInside(
    "is asked for without a write before the answer, and the answer gives way to a change meanwhile",
    async () => {
      let late: (() => void) | undefined;
      const url = publisher.on("/patient", (req, res) => {
        if (req.headers["if-none-match"]) late = () => res.writeHead(304, { etag: '"p"' }).end();
        else res.writeHead(200, { etag: '"p"' }).end(rss(stories("patient", 1)));
      });
      const id = await follow("patient", url);
      const kept = await node.commons("sources").world.documents.collection("sources");
      const before = await kept.findById(id);
      node.clock.advance(1.2 * HOUR);
      await eventually(
        () => late,
        (is) => is !== undefined,
      );
      expect(await kept.findById(id)).toEqual(before);
      expect(await refresh(id)).toMatchObject({ outcome: "running" });
      const other = publisher.on("/patient-moved", { body: rss(stories("moved-on", 2)) });
      await node.http("PUT", `/api/sources/${id}`, { body: { url: other } });
      const ended = hints.filter(({ sourceId }) => sourceId === id).length;
      late!();
      await eventually(
        () => hints.filter(({ sourceId }) => sourceId === id).length,
        (count) => count === ended + 2,
      );
      expect(await history(id)).toMatchObject([
        { outcome: "fetched", created: 2 },
        { outcome: "fetched", created: 1 },
      ]);
      expect(await source(id)).toMatchObject({ feedUrl: other, articleCount: 3 });
    },
  );

  it("is not read again when the same bytes come without validators", async () => {
    const id = await follow("same", publisher.on("/same", { body: rss(stories("same", 2)) }));
    node.clock.advance(1.2 * HOUR);
    await fetchedTimes(id, 2);
    expect((await history(id))[0]).toMatchObject({ outcome: "unchanged", status: 200 });
  });

  it("is updated where it is published anew, and never doubled", async () => {
    const items = stories("edited", 3);
    const id = await follow("edited", publisher.on("/edited", { body: rss(items) }));
    publisher.on("/edited", {
      body: rss([
        {
          ...items[0]!,
          title: "A correction of the first story",
          text: "What was said before was wrong, says the editor.",
        },
        ...items.slice(1),
      ]),
    });
    expect(await refresh(id)).toMatchObject({
      outcome: "fetched",
      created: 0,
      updated: 1,
      message: "0 new articles, 1 updated article.",
    });
    const { data, meta } = await articles(id);
    expect(meta.total).toBe(3);
    expect(data.map(({ title }: { title: string }) => title)).toContain("A correction of the first story");
  });

  it("is counted right however large the feed is", async () => {
    const id = await follow(
      "large",
      publisher.on("/large", { body: gzipSync(rss(stories("large", 730))), headers: { "content-encoding": "gzip" } }),
    );
    expect((await articles(id)).meta.total).toBe(730);
    expect(await source(id)).toMatchObject({ articleCount: 730 });
  });
});

describe("a feed that lives elsewhere", () => {
  it("takes its address along when it has moved for good", async () => {
    const to = publisher.on("/moved-to", { body: rss(stories("moved", 1)) });
    const id = await follow("moved", publisher.on("/moved", { status: 301, headers: { location: "/moved-to" } }));
    expect(await source(id)).toMatchObject({ url: to, feedUrl: to, articleCount: 1 });
    expect((await history(id))[0]!.notes[0]).toBe(`The feed has moved for good to ${to}, which is used from now on.`);
    await refresh(id);
    expect(publisher.of("/moved")).toHaveLength(1);
  });

  it("keeps its address when it is away for a while", async () => {
    publisher.on("/away-at", { body: rss(stories("away", 1)) });
    const from = publisher.on("/away", { status: 302, headers: { location: "/away-at" } });
    const id = await follow("away", from);
    expect(await source(id)).toMatchObject({ url: from, feedUrl: from, articleCount: 1 });
  });

  it("is discovered at its site's address, and followed from then on", async () => {
    const feed = publisher.on("/site/feed.xml", { body: rss(stories("site", 2)) });
    const site = publisher.on("/site/", {
      headers: { "content-type": "text/html" },
      body: `<!doctype html><html><head><link rel="alternate" type="application/rss+xml" href="dead.xml"><link rel="alternate" type="application/rss+xml" href="feed.xml"></head></html>`,
    });
    const id = await follow("site", site);
    expect(await source(id)).toMatchObject({ url: site, feedUrl: feed, articleCount: 2, health: "active" });
    expect((await history(id))[0]!.notes[0]).toBe(
      `${site} is a web page; it names the feed ${feed}, which is used from now on.`,
    );
    await refresh(id);
    expect([publisher.of("/site/").length, publisher.of("/site/feed.xml").length]).toEqual([1, 2]);
    const twice = await node.http("POST", "/api/sources", { body: { name: "twice", url: feed, domain: "energy" } });
    expect([twice.status, twice.body.error.message]).toEqual([409, `The source ${id} (site) has this feed already.`]);
  });

  it("says what is wrong with a page that names no feed", async () => {
    const id = await follow(
      "page",
      publisher.on("/page", {
        headers: { "content-type": "text/html" },
        body: "<!doctype html><html><body><p>Nothing to subscribe to.</p></body></html>",
      }),
    );
    expect(await source(id)).toMatchObject({
      health: "degraded",
      lastError: expect.stringMatching(/web page; it names no feed/),
    });
  });

  it("is not fetched twice when it turns out to be another source's", async () => {
    const feed = publisher.on("/shared", { body: rss(stories("shared", 1)) });
    const owner = await follow("owner", feed);
    const id = await follow("guest", publisher.on("/guest", { status: 301, headers: { location: "/shared" } }));
    expect(await source(id)).toMatchObject({
      url: `${publisher.url}/guest`,
      articleCount: 0,
      lastError: `The feed at ${feed} is that of the source ${owner} (owner) already.`,
    });
  });
});

describe("a feed that fails", () => {
  it("has failed at once when it is gone, is tried daily, and recovers by a refresh", async () => {
    const id = await follow("vanished", `${publisher.url}/vanished`);
    const gone = await source(id);
    expect(gone).toMatchObject({ health: "failed", lastError: "There is nothing at this address (404)." });
    expect(waitOf(gone)).toBeGreaterThan(0.9 * DAY_MS);
    expect((await node.http("GET", `/api/sources/${id}/stats`)).body.data).toMatchObject({
      fetchErrors: 1,
      articleCount: 0,
      avgConfidence: 0,
    });
    publisher.on("/vanished", { body: rss(stories("vanished", 1)) });
    expect(await refresh(id)).toMatchObject({
      outcome: "fetched",
      created: 1,
      message: "1 new article, 0 updated articles.",
      source: { health: "degraded", lastError: null },
    });
    expect(waitOf(await source(id))).toBeLessThan(1.2 * HOUR);
  });

  it("is left alone for as long as it asks", async () => {
    const id = await follow(
      "busy",
      publisher.on("/busy", { status: 429, headers: { "retry-after": String(5 * 3_600) } }),
    );
    const busy = await source(id);
    expect(busy.lastError).toMatch(/asks us to come less often \(429\)/);
    expect(waitOf(busy)).toBeGreaterThan(4.9 * HOUR);
  });

  it("is tried less and less, then once a day; a refresh ends that", async () => {
    const id = await follow("broken", publisher.on("/broken", { status: 500 }));
    const waits = [waitOf(await source(id)) / HOUR];
    for (let round = 2; round <= 11; round += 1) {
      node.clock.advance(waitOf(await source(id)) + 1_000);
      await fetchedTimes(id, round);
      waits.push(waitOf(await source(id)) / HOUR);
    }
    for (const [at, expected] of [1, 2, 4, 8, 16].entries()) {
      expect(waits[at]).toBeGreaterThan(expected * 0.95);
      expect(waits[at]).toBeLessThan(expected * 1.11);
    }
    expect(waits.slice(5).every((wait) => wait > 23.9)).toBe(true);
    expect(await source(id)).toMatchObject({ health: "failed" });
    expect(await refresh(id)).toMatchObject({
      outcome: "failed",
      message: expect.stringMatching(/trouble of its own \(500\)/),
    });
    expect(waitOf(await source(id))).toBeLessThan(1.2 * HOUR);
    expect((await node.http("GET", `/api/sources/${id}/stats`)).body.data.fetchErrors).toBe(12);
  });

  it.each<[string, object, RegExp]>([
    ["asks for a login", { status: 401 }, /asks for a login/],
    ["refuses us", { status: 403 }, /does not let us read/],
    ["answers without content", { status: 204 }, /without any content/],
    [
      "breaks off before its first item",
      { body: "<rss><channel><title>Gazette</title><link>https://ga" },
      /breaks off before its first item/,
    ],
    ["answers with nothing", { status: 200, body: "" }, /empty document/],
    ["is no feed", { body: "just some words" }, /neither a feed nor a web page/],
    ["answers 304 to who did not ask", { status: 304 }, /was not asked that/],
    ["redirects nowhere", { status: 302 }, /answers with status 302/],
  ])("that %s says so", async (what, reply, message) => {
    const path = `/${what.replaceAll(" ", "-")}`;
    const id = await follow(what, publisher.on(path, reply));
    expect(await source(id)).toMatchObject({ health: "degraded", lastError: expect.stringMatching(message) });
  });
});

describe("a fault of ours", () => {
  const reading = (): { parse: unknown } => node.commons("sources").world.feedParser;
  const storing = (): { ask: unknown } => node.service("sources");

  itInside(
    "while a feed is read is a failed fetch in words, tried less and less, and over when it is mended",
    async () => {
      const parser = reading();
      const real = parser.parse;
      parser.parse = () => Promise.reject(new TypeError("Cannot read properties of undefined (reading 'element')"));
      const id = await follow("unlucky", publisher.on("/unlucky", { body: rss(stories("unlucky", 2)) })).finally(() => {
        parser.parse = real;
      });
      const after = await source(id);
      expect(after).toMatchObject({
        health: "degraded",
        lastError: expect.stringMatching(/^The document could not be read for a fault of ours: Cannot read/),
      });
      expect(waitOf(after)).toBeGreaterThan(0.9 * HOUR);
      expect(await history(id)).toMatchObject([{ outcome: "failed", kind: "defect", status: 200 }]);
      expect(await refresh(id)).toMatchObject({ outcome: "fetched", created: 2, source: { lastError: null } });
    },
  );

  itInside("while articles are stored is tried again at once, then told as a failed fetch", async () => {
    const service = storing();
    const real = service.ask as (action: string, ...rest: unknown[]) => Promise<unknown>;
    service.ask = (action: string, ...rest: unknown[]) =>
      action === "articles.store" ? Promise.reject(new TypeError("no such text")) : real.call(service, action, ...rest);
    const id = await add("poison", publisher.on("/poison", { body: rss(stories("poison", 1)) }));
    try {
      await eventually(
        async () => {
          node.clock.advance(61_000);
          return source(id);
        },
        ({ lastError }) => lastError !== null,
      );
    } finally {
      service.ask = real;
    }
    const after = await source(id);
    expect(after).toMatchObject({ health: "degraded", lastError: expect.stringMatching(/could not be stored/) });
    expect(waitOf(after)).toBeGreaterThan(0.9 * HOUR);
    expect(publisher.of("/poison")).toHaveLength(3);
  });
});

it("reads a feed that a script wrote behind, and says what it left out", async () => {
  const whole = rss(stories("appended", 2));
  const id = await follow("appended", publisher.on("/appended", { body: `${whole}<br/><script src="x.js"></script>` }));
  expect(await source(id)).toMatchObject({ health: "active", lastError: null, articleCount: 2 });
  expect((await history(id))[0]!.notes).toEqual(["Behind the feed's end stands more (br), which was left out."]);
});

it("keeps the last fifty fetches", async () => {
  const id = await follow("long", publisher.on("/long", { body: rss([]) }));
  for (let round = 0; round < 52; round += 1) await refresh(id);
  const all = await history(id);
  expect(all).toHaveLength(50);
  expect(all.every(({ manual }) => manual)).toBe(true);
});

it("answers a refresh of a source that is being fetched with what it knows", async () => {
  let open: (() => void) | undefined;
  const id = await add(
    "held",
    publisher.on("/held", (_req, res) => {
      open = () => res.writeHead(200).end(rss(stories("held", 1)));
    }),
  );
  await eventually(
    () => open,
    (is) => is !== undefined,
  );
  expect(await refresh(id)).toMatchObject({ outcome: "running", message: "It is being fetched at this moment." });
  open!();
  await fetchedTimes(id, 1);
  expect(await source(id)).toMatchObject({ articleCount: 1 });
});

itInside("a source that is removed or readdressed while it is fetched is not brought back by the fetch", async () => {
  const waiting: (() => void)[] = [];
  const hold = (path: string) =>
    publisher.on(path, (_req, res) => {
      waiting.push(() => res.writeHead(200, { etag: '"old"' }).end(rss(stories(path.slice(1), 1))));
    });
  const [removed, readdressed] = [
    await add("removed", hold("/removed")),
    await add("readdressed", hold("/readdressed")),
  ];
  await eventually(
    () => waiting.length,
    (count) => count === 2,
  );
  await node.http("DELETE", `/api/sources/${removed}`);
  await node.http("PUT", `/api/sources/${readdressed}`, {
    body: { url: publisher.on("/new-address", { body: rss(stories("newaddress", 2)) }) },
  });
  for (const go of waiting) go();
  for (const [id, count] of [
    [removed, 1],
    [readdressed, 2],
  ])
    await eventually(
      () => hints.filter(({ sourceId }) => sourceId === id).length,
      (ended) => ended === count,
    );
  const kept = await node.commons("sources").world.documents.collection("source_fetches");
  expect(await kept.findById(removed)).toBeNull();
  expect(await history(readdressed)).toMatchObject([{ outcome: "fetched", created: 2 }]);
  expect((await node.http("GET", `/api/sources/${removed}`)).status).toBe(404);
  expect(await source(readdressed)).toMatchObject({ feedUrl: `${publisher.url}/new-address`, health: "active" });
  expect(publisher.of("/new-address")[0]!.headers).not.toHaveProperty("if-none-match");
});

itInside(
  "a node whose lease became another's while it fetched stores nothing of that: the source is fetched anew",
  async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
    const id = await add(
      "parted",
      publisher.on("/parted", (_req, res) => ask(res)),
    );
    const answer = await asked;
    const leases = await node.mesh.world.documents.collection("leases");
    const until = new Date(node.clock.now() + 60_000).toISOString();
    expect(
      await leases.claim({ _id: "sources.ingestion" }, { $set: { holder: "another", until }, $inc: { fence: 1 } }),
    ).not.toBeNull();
    await refused("sources.ingestion");
    publisher.on("/parted", { body: rss(stories("of-the-heir", 2)) });
    answer.writeHead(200).end(rss(stories("of-the-late", 3)));
    // Its claim ends, and the other's lease too.
    node.clock.advance(10 * 60_000);
    await fetchedTimes(id, 1);
    const { meta, data } = await articles(id);
    expect([meta.total, data.filter(({ title }: { title: string }) => title.includes("late"))]).toEqual([2, []]);
    expect(await history(id)).toMatchObject([{ outcome: "fetched", created: 2 }]);
  },
);

it("keeps the articles of a removed source, under its name", async () => {
  const id = await follow("departed", publisher.on("/departed", { body: rss(stories("departed", 2)) }));
  await node.http("DELETE", `/api/sources/${id}`);
  const { data } = await articles(id);
  expect(data.map(({ source: { name } }: { source: { name: string } }) => name)).toEqual(["departed", "departed"]);
});

it("takes the articles of a removed source along where that is asked for, but those that a briefing cites", async () => {
  const id = await follow("taken-along", publisher.on("/taken-along", { body: rss(stories("taken", 3)) }));
  const [cited] = (await articles(id)).data;
  await node.call("articles.cited", { ids: [cited.id] }, systemActor("test"));
  expect((await node.http("DELETE", `/api/sources/${id}?articles=remove`)).status).toBe(204);
  const left = await eventually(
    () => articles(id),
    ({ data }) => data.length === 1,
  );
  expect(left.data).toMatchObject([{ id: cited.id }]);
});

it("says of a source that it was not fetched yet, in words beside its health", async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
  const id = await add(
    "unfetched",
    publisher.on("/unfetched", (_req, res) => ask(res)),
  );
  const answer = await asked;
  expect(await source(id)).toMatchObject({
    health: "active",
    lastFetch: null,
    healthNote: "It was not fetched yet.",
  });
  answer.writeHead(200).end(rss(stories("unfetched", 1)));
  await fetchedTimes(id, 1);
  expect(await source(id)).toMatchObject({ healthNote: "Its last fetches went well." });
  const { data } = (await node.http("GET", "/api/sources?limit=100")).body;
  expect(data.every(({ healthNote }: { healthNote: string }) => healthNote.length > 10)).toBe(true);
});

itInside(
  "lets sources wait by a new interval at once, but not those whose server asked for a longer time",
  async () => {
    const plain = await follow("plain-wait", publisher.on("/plain-wait", { body: rss(stories("plain", 1)) }));
    const asked = await follow(
      "asked-wait",
      publisher.on("/asked-wait", (_req, res) =>
        res.writeHead(200, { "cache-control": "max-age=36000" }).end(rss(stories("asked", 1))),
      ),
    );
    const [before, longer] = [await source(plain), await source(asked)];
    expect(waitOf(before)).toBeGreaterThan(0.9 * HOUR);
    const settings = await node.mesh.world.documents.collection("source_settings");
    const sources = await node.mesh.world.documents.collection("sources");
    await adoptInterval(settings, sources, HOUR / 60, () => 0);
    expect(Date.parse((await source(plain)).nextFetch!)).toBe(Date.parse(before.lastFetch!) + HOUR / 60);
    expect(await source(asked)).toMatchObject({ nextFetch: longer.nextFetch });
    await adoptInterval(settings, sources, HOUR, () => 0);
  },
);

it("finds the due sources by an index, however many there are", async () => {
  const sources = await node.mesh.world.documents.collection("sources");
  if (!("plan" in sources)) return; // the embedded store tells its plan
  const plan = (sources as { plan(find: object): string[] }).plan({
    query: { dueAt: { $lte: new Date().toISOString() }, host: { $nin: ["127.0.0.1"] } },
    sort: ["dueAt"],
  });
  expect(plan.join("\n")).toMatch(/USING (COVERING )?INDEX/);
  expect(plan.join("\n")).not.toMatch(/SCAN d(?! USING)|TEMP B-TREE/);
});

it("a reading tells which pages could not be read since the one before", async () => {
  const items = stories("walled", 2).map((one, at) => ({ ...one, link: `${publisher.url}/walled/${at}` }));
  publisher.on("/walled", { body: rss(items) });
  const body = { name: "Walled", url: `${publisher.url}/walled`, domain: "technology", fullText: true };
  const { id } = (await node.http("POST", "/api/sources", { body })).body.data;
  await fetchedTimes(id, 1);
  await node.call("articles.visitPages", {}, systemActor("test"));
  await refresh(id);
  const [last, first] = await history(id);
  expect(first!.notes).toEqual([]);
  expect(last!.notes.join()).toMatch(
    /^2 pages could not be read since the fetch before: of these articles there is the feed's text only\. The last is http\S*\/walled\/[01]\. The site answers 404: the page is not there\.$/,
  );
  await refresh(id);
  expect((await history(id))[0]!.notes).toEqual([]);
});
