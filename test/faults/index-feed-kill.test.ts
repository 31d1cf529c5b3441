import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";

/** A whole node as a process of its own, killed while it stores and indexes, and started again on the same data. */
const FEEDS = 12;
const ITEMS = 60;
const KILLS = 2;

it("kill -9 while articles are stored and indexed: the index comes to show exactly what is stored", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-index-"));
  const site = await FeedServer.start("127.0.4.1");
  // Each feed comes a little later than the one before, so that every kill falls into the work.
  const urls = Array.from({ length: FEEDS }, (_, at) =>
    site.on(`/feed${at}`, (_req, res) => {
      setTimeout(
        () => res.writeHead(200, { "content-type": "application/rss+xml" }).end(rss(stories(`feed${at}`, ITEMS))),
        at * 60,
      );
    }),
  );
  let node: NodeProcess = await startNode({ DATA_DIR: dataDir });
  let token = await signIn(node.url);
  const http = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${node.url}/api${path}`, {
      method,
      body: body && JSON.stringify(body),
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    });
    return (await answer.json()) as any;
  };
  try {
    await http("POST", "/sources/bulk", {
      sources: urls.map((url, at) => ({ name: `feed${at}`, url, domain: "science" })),
    });
    for (let kill = 1; kill <= KILLS; kill++) {
      await eventually(
        () => http("GET", "/articles?limit=1"),
        ({ meta }) => meta.total >= (kill * FEEDS * ITEMS) / (KILLS + 2),
        60_000,
      );
      await node.kill();
      node = await startNode({ DATA_DIR: dataDir });
      token = await signIn(node.url);
    }
    await eventually(
      () => http("GET", "/articles?limit=1"),
      ({ meta }) => meta.total === FEEDS * ITEMS,
      60_000,
    );
    await eventually(
      () => http("GET", "/search/status"),
      ({ data }) => data.waiting === 0 && data.indexed === FEEDS * ITEMS,
      60_000,
    );
    for (let feed = 0; feed < FEEDS; feed++) {
      const { data, meta } = await http("GET", `/search?q=source:feed${feed}&limit=100`);
      expect([meta.total, new Set(data.map(({ title }: { title: string }) => title)).size]).toEqual([ITEMS, ITEMS]);
    }
  } finally {
    await node.stop();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 240_000);
