import { gzipSync } from "node:zlib";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { FeedServer, rss, stories } from "./feed-server.ts";

/** Feeds that do their worst, beside feeds that do as they should; each publisher has an address of its own. */
let node: TestWorld;
let hostile: FeedServer;
let slow: FeedServer;
let good: FeedServer;
const log: string[] = [];

beforeAll(async () => {
  [hostile, slow, good] = await Promise.all([
    FeedServer.start("127.0.0.2"),
    FeedServer.start("127.0.0.3"),
    FeedServer.start("127.0.0.4"),
  ]);
  node = await world({ INGEST_CONCURRENCY: "6" });
  const sources = node.service("sources") as unknown as { logger: { info(line: string): void } };
  sources.logger.info = (line) => void log.push(line);
});
afterAll(async () => {
  for (const server of [hostile, slow, good]) server.hangUp();
  await node.stop();
  await Promise.all([hostile, slow, good].map((server) => server.stop()));
});

const addAll = async (urls: Record<string, string>): Promise<Map<string, number>> => {
  const sources = Object.entries(urls).map(([name, url]) => ({ name, url, domain: "security" }));
  const { created, failed } = (await node.http("POST", "/api/sources/bulk", { body: { sources } })).body.data;
  expect(failed).toEqual([]);
  return new Map(created.map(({ name, id }: { name: string; id: number }) => [name, id]));
};
const source = async (id: number) => (await node.http("GET", `/api/sources/${id}`)).body.data;

const entityBomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a0 "lol">${Array.from({ length: 20 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join("")}]><rss version="2.0"><channel><title>&a20;</title><item><title>&a20;</title></item></channel></rss>`;
const hanging: Parameters<FeedServer["on"]>[1] = () => {};
const dripping: Parameters<FeedServer["on"]>[1] = (_req, res) => {
  res.writeHead(200, { "content-type": "application/rss+xml" });
  const drip = setInterval(() => res.write(" "), 100);
  res.on("close", () => clearInterval(drip));
};

it("none of them stops another: the good ones are read while the worst still hang, and each failure is told in words", async () => {
  const bad = await addAll({
    hang1: slow.on("/hang1", hanging),
    hang2: slow.on("/hang2", hanging),
    drip: slow.on("/drip", dripping),
    drip2: slow.on("/drip2", dripping),
    bomb: hostile.on("/bomb", { body: entityBomb }),
    gzipBomb: hostile.on("/gzip", {
      body: gzipSync(Buffer.alloc(64 * 1024 * 1024)),
      headers: { "content-encoding": "gzip" },
    }),
    huge: hostile.on("/huge", { body: Buffer.alloc(6 * 1024 * 1024, 0x61) }),
    deep: hostile.on("/deep", { body: `<rss><channel>${"<a>".repeat(5_000)}` }),
    reset: hostile.on("/reset", (_req, res) => void res.destroy()),
    cut: hostile.on("/cut", (_req, res) => {
      res.writeHead(200, { "content-length": "1000" });
      res.write("<rss>", () => res.destroy());
    }),
    garbage: hostile.on("/garbage", {
      body: Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 256)),
    }),
    circle: hostile.on("/circle", { status: 302, headers: { location: "/circle" } }),
    metadata: hostile.on("/metadata", { status: 302, headers: { location: "http://169.254.169.254/latest" } }),
    unknownHost: "https://no-such-name.feeds.invalid/rss",
    refused: "http://127.0.0.5:9/rss",
  });
  const names = Array.from({ length: 30 }, (_, at) => `good${at}`);
  const fine = await addAll(
    Object.fromEntries(names.map((name) => [name, good.on(`/${name}`, { body: rss(stories(name, 5)) })])),
  );

  for (const id of fine.values())
    await eventually(
      () => source(id),
      ({ lastFetch }) => lastFetch !== null,
    );
  for (const id of fine.values())
    expect(await source(id)).toMatchObject({ health: "active", articleCount: 5, lastError: null });
  for (const name of ["hang1", "hang2"]) expect((await source(bad.get(name)!)).lastFetch).toBeNull();
  expect(slow.most).toBeLessThanOrEqual(2);
  expect(good.most).toBeLessThanOrEqual(2);

  const messages: Record<string, RegExp> = {
    gzipBomb: /larger than/,
    huge: /larger than/,
    deep: /nests its elements/,
    reset: /closed the connection|broke off/,
    cut: /./,
    garbage: /neither a feed nor a web page|no feed/,
    circle: /circle/,
    metadata: /not on the public internet/,
    unknownHost: /no-such-name/,
    refused: /refuses the connection/,
  };
  for (const [name, message] of Object.entries(messages)) {
    const { lastError, health } = await eventually(
      () => source(bad.get(name)!),
      ({ lastFetch }) => lastFetch !== null,
    );
    expect([name, lastError, health]).toEqual([name, expect.stringMatching(message), "degraded"]);
  }
  // A bomb is read without its entities: harmless, and not even a failure.
  const bomb = await eventually(
    () => source(bad.get("bomb")!),
    ({ lastFetch }) => lastFetch !== null,
  );
  expect(bomb.articleCount).toBeLessThanOrEqual(1);

  // Those that hang are cut off in the end, and the source says why.
  slow.hangUp();
  for (const name of ["hang1", "hang2", "drip", "drip2"]) {
    const end = await eventually(
      () => {
        slow.hangUp();
        return source(bad.get(name)!);
      },
      ({ lastFetch }) => lastFetch !== null,
    );
    expect(end).toMatchObject({ health: "degraded", lastError: expect.any(String) });
  }

  const LINE =
    /^Ingestion: (\d+) sources? in \d+\.\d s: (\d+) new articles?, \d+ updated, \d+ unchanged, (\d+) failed\.$/;
  const sum = (at: number) => log.reduce((total, line) => total + Number(LINE.exec(line)?.[at] ?? 0), 0);
  await eventually(
    () => sum(1),
    (sources) => sources === bad.size + fine.size,
  );
  expect(sum(2)).toBeGreaterThanOrEqual(5 * fine.size);
  expect(sum(3)).toBeGreaterThanOrEqual(bad.size - 1);
}, 90_000);

it("a feed that hangs alone in its round holds up none that comes due behind it", async () => {
  const waiting = (await addAll({ alone: slow.on("/alone", hanging) })).get("alone")!;
  await eventually(
    () => slow.open,
    (open) => open === 1,
  );
  // One after the other, so that each is found by a hand that had nothing to do.
  for (const name of ["first", "second", "third"]) {
    const behind = (await addAll({ [name]: good.on(`/${name}`, { body: rss(stories(name, 3)) }) })).get(name)!;
    await eventually(
      () => source(behind),
      ({ lastFetch }) => lastFetch !== null,
    );
    expect((await source(waiting)).lastFetch).toBeNull();
  }
  slow.hangUp();
}, 90_000);
