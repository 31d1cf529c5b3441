import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "../config/env.ts";
import { systemActor } from "../core/access.ts";
import { startMesh } from "../scripts/mesh.ts";
import { corpus } from "./corpus.ts";
import { round } from "./measure.ts";

const FEEDS = 50;
const ITEMS = 100;

const escape = (text: string): string => text.replace(/[<>&]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** From feed bytes to searchable articles: the whole pipeline, through HTTP, parser, store and index, CPU of the whole process. */
export async function ingestion(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const items = corpus(FEEDS * ITEMS, { seed: 7 });
  const bodies = Array.from({ length: FEEDS }, (_, feed) => {
    const entries = Array.from({ length: ITEMS }, (_, n) => {
      const { title, text, publishedAt } = items.next().value!;
      return `<item><guid>${feed}-${n}</guid><title>${escape(title)}</title><link>http://127.0.0.1/${feed}/${n}</link><pubDate>${new Date(publishedAt).toUTCString()}</pubDate><description>${escape(text)}</description></item>`;
    });
    return `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed ${feed}</title><link>http://127.0.0.1/</link><description>d</description>${entries.join("")}</channel></rss>`;
  });
  const server = createServer((req, res) => { res.writeHead(200, { "Content-Type": "application/rss+xml" }).end(bodies[Number(req.url!.slice(1))]); });
  await new Promise<void>((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mesh = await startMesh(readEnv({ PORT: "0", DATA_DIR: dataDir, ADMIN_EMAIL: "bench@example.org", ADMIN_PASSWORD: "correct horse battery staple 42", ALLOW_PRIVATE_FEEDS: "on", RATE_LIMIT_TIER: "development", INGEST_INTERVAL_MINUTES: "10000" }), { quiet: true });
  const meta = { actor: systemActor("bench") };
  try {
    const cpu = process.cpuUsage();
    const began = performance.now();
    // Sources that were never fetched are due at once: the schedule finds them within a second.
    await mesh.broker.call("sources.bulk", { sources: bodies.map((_, feed) => ({ name: `Feed ${feed}`, url: `${base}/${feed}`, domain: "science" })) }, { meta });
    while ((await mesh.world.search.count()) < FEEDS * ITEMS) await new Promise((resolve) => setTimeout(resolve, 10));
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return ["## Feed bytes to searchable articles", "", `${FEEDS} feeds of ${ITEMS} items over HTTP on loopback; parsing, cleaning, recognising stories, confidence, storing with fsync, and indexing. CPU of the whole process, the server of the feeds included.`, "", "| What | |", "|---|---|", `| CPU an item | ${round((user + system) / (FEEDS * ITEMS))} µs |`, `| items a second and core (by CPU) | ${Math.round(1e6 / ((user + system) / (FEEDS * ITEMS))).toLocaleString("en")} |`, `| items a second (wall) | ${Math.round((FEEDS * ITEMS) / seconds).toLocaleString("en")} |`, ""].join("\n");
  } finally {
    await mesh.stop();
    server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) { console.log(await ingestion()); process.exit(0); }
