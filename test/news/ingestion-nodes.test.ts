import type { ServerResponse } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Collection } from "../../core/records/documents.ts";
import { eventually, itInside, world } from "../mesh.ts";
import { FeedServer, rss, stories } from "./feed-server.ts";

const FEEDS = 30;

/** Whatever is asked of it fails. */
function cutOff(collection: Collection): void {
  for (const method of [
    "find",
    "findOne",
    "findById",
    "findByIds",
    "count",
    "insert",
    "updateById",
    "updateMany",
    "claim",
    "bulk",
  ] as const)
    Object.assign(collection, { [method]: () => Promise.reject(new Error("cut off")) });
}

it("two nodes on one store fetch each source once, and the other goes on when one stops", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-two-"));
  const publishers = await Promise.all([2, 3, 4].map((last) => FeedServer.start(`127.0.2.${last}`)));
  const feeds = Array.from({ length: FEEDS }, (_, at) =>
    publishers[at % 3]!.on(`/feed${at}`, (_req, res) => {
      setTimeout(() => res.end(rss(stories(`two${at}`, 4))), 30);
    }),
  );
  const settings = { DATA_DIR: dataDir, INGEST_CONCURRENCY: "4" };
  const one = await world({ ...settings, NODE_ID: "one" });
  const two = await world({ ...settings, NODE_ID: "two" });
  const served = () => publishers.reduce((sum, { asked }) => sum + asked.length, 0);
  const sources = async () =>
    (await two.http("GET", "/api/sources?limit=100")).body.data as { articleCount: number; lastFetch: string | null }[];
  try {
    const add = (from: number, to: number) =>
      one.http("POST", "/api/sources/bulk", {
        body: { sources: feeds.slice(from, to).map((url, at) => ({ name: `two${from + at}`, url, domain: "health" })) },
      });
    expect((await add(0, FEEDS - 10)).body.data.created).toHaveLength(FEEDS - 10);
    await eventually(sources, (all) => all.every(({ lastFetch }) => lastFetch !== null));
    expect(served()).toBe(FEEDS - 10);
    await add(FEEDS - 10, FEEDS);
    await one.stop({ keep: true });
    const all = await eventually(
      sources,
      (some) => some.length === FEEDS && some.every(({ lastFetch }) => lastFetch !== null),
      40_000,
    );
    expect(all.map(({ articleCount }) => articleCount)).toEqual(Array(FEEDS).fill(4));
    // What the first node had in hand when it stopped was cut off and fetched again: four at most.
    expect(served()).toBeLessThanOrEqual(FEEDS + 4);
  } finally {
    await two.stop({ keep: true });
    await Promise.all(publishers.map((publisher) => publisher.stop()));
    await rm(dataDir, { recursive: true, force: true });
  }
}, 180_000);

itInside(
  "a node that goes in the middle of a round is followed by one that has worked before, as soon as its lease ends",
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-gone-"));
    const publisher = await FeedServer.start("127.0.2.5");
    let gone = false;
    const hanging = new Set<ServerResponse>();
    const url = publisher.on("/slow", (_req, res) => {
      if (gone) res.end(rss(stories("slow", 4)));
      else hanging.add(res);
    });
    const one = await world({ DATA_DIR: dataDir, NODE_ID: "one" });
    const two = await world({ DATA_DIR: dataDir, NODE_ID: "two" });
    // Each has had a round, and so has taken over what dead ones left when it began.
    for (const node of [one, two]) await node.service("sources").rounds.turn();
    two.service("sources").rounds.turn = async () => {};
    try {
      const { id } = (await one.http("POST", "/api/sources", { body: { name: "slow", url, domain: "health" } })).body
        .data;
      await eventually(
        () => hanging.size,
        (count) => count === 1,
      );
      // From here on nothing that the first does reaches the store.
      gone = true;
      for (const name of ["sources", "leases"]) cutOff(await one.commons("sources").world.documents.collection(name));
      for (const res of hanging) res.destroy();
      Reflect.deleteProperty(two.service("sources").rounds, "turn");
      two.clock.advance(30_000);
      const source = await eventually(
        async () => (await two.http("GET", `/api/sources/${id}`)).body.data,
        ({ lastFetch }) => lastFetch !== null,
      );
      expect(source).toMatchObject({ articleCount: 4, health: "active" });
    } finally {
      await Promise.all([one, two].map((node) => node.stop({ keep: true })));
      await publisher.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

it("an activation on one node is in force on the other when it is acknowledged", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-lists-"));
  const one = await world({ DATA_DIR: dataDir, NODE_ID: "one" });
  const two = await world({ DATA_DIR: dataDir, NODE_ID: "two" });
  try {
    const lists = await Promise.all(
      ["first", "second"].map(
        async (name) =>
          (await one.http("POST", "/api/sources/lists", { body: { name, sourceIds: [] } })).body.data.id as number,
      ),
    );
    for (let round = 0; round < 20; round += 1) {
      const [here, there] = round % 2 ? [one, two] : [two, one];
      await here.http("POST", `/api/sources/lists/${lists[round % 2]}/activate`);
      expect((await there.http("GET", "/api/sources/lists/active")).body.data.id).toBe(lists[round % 2]);
    }
    await one.http("DELETE", "/api/sources/lists/active");
    expect((await two.http("GET", "/api/sources/lists/active")).body.data).toBeNull();
  } finally {
    await one.stop({ keep: true });
    await two.stop({ keep: true });
    await rm(dataDir, { recursive: true, force: true });
  }
});
