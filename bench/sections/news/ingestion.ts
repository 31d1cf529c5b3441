import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readEnv } from "../../../config/env.ts";
import { systemActor } from "../../../core/access/access.ts";
import { startMesh, type Mesh } from "../../../mesh/mesh.ts";
import type { Sources } from "../../../services/news/sources/host.ts";
import { many, median, round, start } from "../../measure.ts";

const FEEDS = many(50, 4);
const ITEMS = many(100, 20);
/**
 * One set of feeds after the other, each of its own articles: the first meets code that V8 has not yet compiled, the
 * last a node that has been at work.
 */
const SETS = many(4, 2);
const LOOK_MS = 25;
const VISITS = many(200, 2);

interface Figures {
  whole: number;
  main: number;
  seconds: number;
}

/**
 * Follows one set of feeds and waits until all their articles can be found; processor microseconds an item of the whole
 * process and of its main thread.
 */
async function followed(mesh: Mesh, base: string, set: number): Promise<Figures> {
  const urls = Array.from({ length: FEEDS }, (_, n) => `${base}/${set * FEEDS + n}`);
  const cpu = process.cpuUsage(),
    own = process.threadCpuUsage();
  const began = performance.now();
  // Sources that were never fetched are due at once: the schedule finds them within a second.
  await mesh.broker.call(
    "sources.createMany",
    { sources: urls.map((url, n) => ({ name: `Feed ${set * FEEDS + n}`, url, domain: "science" })) },
    { meta: { actor: systemActor("bench") } },
  );
  while ((await mesh.world.search.count()) < (set + 1) * FEEDS * ITEMS) await pause(LOOK_MS);
  const seconds = (performance.now() - began) / 1_000;
  const whole = process.cpuUsage(cpu),
    main = process.threadCpuUsage(own);
  return {
    whole: (whole.user + whole.system) / (FEEDS * ITEMS),
    main: (main.user + main.system) / (FEEDS * ITEMS),
    seconds,
  };
}

/** A feed that answers 304, alone in its round: processor microseconds of the whole process, the median of all rounds. */
async function unchanged({ broker, world }: Mesh): Promise<number> {
  const { ingestion: at, rounds } = broker.getLocalService("sources") as unknown as Sources;
  const sources = await world.documents.collection("sources");
  const [{ _id } = { _id: 0 }] = await sources.find({ limit: 1, fields: ["_id"] });
  const spent: number[] = [];
  for (let visit = 0; visit < VISITS; visit++) {
    await sources.updateMany({ _id }, { $set: { dueAt: new Date(0).toISOString() } });
    at.due.afresh();
    const cpu = process.cpuUsage();
    await rounds!.turn();
    const { user, system } = process.cpuUsage(cpu);
    spent.push(user + system);
  }
  return median(spent);
}

const row = (what: string, { whole, main, seconds }: Figures): string =>
  `| ${what} | ${round(whole, 0)} | ${round(main, 0)} | ${Math.round(1e6 / whole).toLocaleString("en")} | ${Math.round((FEEDS * ITEMS) / seconds).toLocaleString("en")} |`;

/**
 * From feed bytes to searchable articles: the whole pipeline, through HTTP, parser, store and index. `around` may watch
 * a set.
 */
export async function ingestion(
  around: <T>(set: number, run: () => Promise<T>) => Promise<T> = (_, run) => run(),
): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const feeds = await start("feeds", "feeds.ts", [String(SETS * FEEDS), String(ITEMS)]);
  const mesh = await startMesh(
    readEnv({
      PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: "bench@example.org",
      ADMIN_PASSWORD: "correct horse battery staple 42",
      ALLOW_PRIVATE_FEEDS: "on",
      RATE_LIMIT_TIER: "development",
      INGEST_INTERVAL_MINUTES: "10000",
    }),
    { quiet: true },
  );
  try {
    const sets: Figures[] = [];
    for (let set = 0; set < SETS; set++) sets.push(await around(set, () => followed(mesh, feeds.url, set)));
    return [
      "## Feed bytes to searchable articles",
      "",
      `Sets of ${FEEDS} feeds of ${ITEMS} items over HTTP on loopback, one after the other; parsing, cleaning, recognising stories, confidence, storing with fsync, and indexing. CPU of the whole process (the main thread, the reader of feeds, V8's and SQLite's helpers); the server of the feeds is a process of its own.`,
      "",
      "| Set | CPU µs an item | of them on the main thread | items a second and core (by CPU) | items a second (wall) |",
      "|---|---|---|---|---|",
      row("first, on a node that was just started", sets[0]!),
      row(`${SETS}th`, sets.at(-1)!),
      "",
      `A feed that has not changed (304), alone in its round, medians of ${VISITS}: ${round(await unchanged(mesh), 0)} µs.`,
      "",
    ].join("\n");
  } finally {
    await mesh.stop();
    feeds.end();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  console.log(await ingestion());
  process.exit(0);
}
