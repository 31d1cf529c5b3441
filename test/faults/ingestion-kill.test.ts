import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";

/** A whole node as a process of its own, killed in the middle of ingesting and started again on the same data. */
const ADMIN = { email: "admin@example.org", password: "correct horse battery staple 42" };
const NODE = join(import.meta.dirname, "../../node_modules/.bin/node");
const FEEDS = 40;
const ITEMS = 25;

class NodeProcess {
  url = "";
  readonly output: string[] = [];
  readonly #child: ChildProcess;
  #token = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding("utf8").on("data", (text: string) => this.output.push(text));
  }

  static async start(dataDir: string): Promise<NodeProcess> {
    const env = {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      PORT: "0",
      SECRET: "11".repeat(32),
      ALLOW_PRIVATE_FEEDS: "on",
      RATE_LIMIT_TIER: "development",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      INGEST_CONCURRENCY: "4",
      INGEST_INTERVAL_MINUTES: "1000",
      LOG_LEVEL: "info",
    };
    const node = new NodeProcess(
      spawn(NODE, ["scripts/start.ts"], {
        cwd: join(import.meta.dirname, "../.."),
        env,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    node.url = await eventually(
      () => /API\s+(http:\S+)\/api/.exec(node.output.join(""))?.[1] ?? "",
      (url) => url !== "",
      60_000,
    ).catch(async () => {
      await node.end("SIGKILL");
      throw new Error(node.output.join(""));
    });
    node.#token = (await node.http("POST", "/api/auth/login", ADMIN)).data.token;
    return node;
  }

  async http(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await fetch(this.url + path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { "content-type": "application/json", authorization: `Bearer ${this.#token}` },
    });
    return answer.json();
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill(signal);
    await gone;
  }
}

it("kill -9 in the middle of ingesting loses nothing and doubles nothing", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-kill-"));
  const publishers = await Promise.all([2, 3, 4, 5].map((last) => FeedServer.start(`127.0.1.${last}`)));
  let served = 0;
  const feeds = Array.from({ length: FEEDS }, (_, at) => {
    const body = rss(stories(`kill${at}`, ITEMS));
    return publishers[at % publishers.length]!.on(`/feed${at}`, (_req, res) => {
      served += 1;
      setTimeout(() => res.writeHead(200, { etag: `"${at}"` }).end(body), 40);
    });
  });
  let node = await NodeProcess.start(dataDir);
  const said: string[][] = [node.output];
  try {
    const added = await node.http("POST", "/api/sources/bulk", {
      sources: feeds.map((url, at) => ({ name: `kill${at}`, url, domain: "science" })),
    });
    expect(added.data.created).toHaveLength(FEEDS);
    for (const enough of [8, 20]) {
      await eventually(
        () => served,
        (count) => count >= enough,
        60_000,
      );
      await node.end("SIGKILL");
      node = await NodeProcess.start(dataDir);
      said.push(node.output);
    }
    const sources = await eventually(
      async () =>
        (await node.http("GET", "/api/sources?limit=100")).data as {
          id: number;
          name: string;
          lastFetch: string | null;
          articleCount: number;
          health: string;
        }[],
      (all) => all.every(({ lastFetch }) => lastFetch !== null),
      120_000,
    );
    expect(sources.map(({ articleCount, health }) => [articleCount, health])).toEqual(
      sources.map(() => [ITEMS, "active"]),
    );
    for (const { id, name } of sources) {
      const { data, meta } = await node.http("GET", `/api/articles?sourceId=${id}&limit=100`);
      expect([name, meta.total, new Set(data.map(({ url }: { url: string }) => url)).size]).toEqual([
        name,
        ITEMS,
        ITEMS,
      ]);
    }
    // Each kill cost at most what was in hand: four fetches.
    expect(served).toBeLessThanOrEqual(FEEDS + 2 * 4);
    // Whichever node came to the end of a round, or to ten seconds of one, says how it went.
    await eventually(
      () => said.flat().join(""),
      (output) => /Ingestion: \d+ sources? in \d+\.\d s: \d+ new articles?/.test(output),
    );
  } finally {
    await node.end("SIGTERM");
    await Promise.all(publishers.map((publisher) => publisher.stop()));
    await rm(dataDir, { recursive: true, force: true });
  }
}, 240_000);
