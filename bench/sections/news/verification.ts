import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "../../../config/env.ts";
import { systemActor } from "../../../core/access/access.ts";
import { startMesh } from "../../../mesh/mesh.ts";
import { many, round } from "../../measure.ts";
import { reports } from "./reports.ts";

/** By command `node bench/sections/news/verification.ts 150 50`: so many articles, in batches of so many. */
const [ARTICLES = many(1_000, 40), BATCH = 200] = import.meta.main ? process.argv.slice(2).map(Number) : [];
const STAGES: [string, string][] = [
  ["claims", "/claims/extract-recent"],
  ["cross-references", "/cross-reference/batch"],
  ["bias", "/bias/batch"],
  ["patterns", "/batch"],
];

/**
 * CPU of a heuristic verification, stage by stage, over stored articles: reading, judging, storing with fsync, and
 * telling the article.
 */
export async function verification(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const password = "correct horse battery staple 42";
  const mesh = await startMesh(
    readEnv({
      PORT: "0",
      DATA_DIR: dir,
      ADMIN_EMAIL: "bench@example.org",
      ADMIN_PASSWORD: password,
      LOG_LEVEL: "error",
      RATE_LIMIT_TIER: "development",
      REQUEST_TIMEOUT_MS: "600000",
      INGEST_INTERVAL_MINUTES: "10000",
      COMPARE_INTERVAL_MINUTES: "0",
    }),
    { quiet: true },
  );
  const system = { meta: { actor: systemActor("bench") } };
  const now = Date.now();
  const told = [...Map.groupBy(reports(ARTICLES), ({ outlet }) => outlet)];
  for (const [outlet, found] of told) {
    const items = found.map(({ title, text, ago }, n) => ({
      guid: `b${outlet}-${n}`,
      url: `https://bench.example/${outlet}/${n}`,
      title,
      text,
      html: `<p>${text}</p>`,
      summary: title,
      categories: [],
      publishedAt: new Date(now - ago * 60_000).toISOString(),
      dateInferred: false,
    }));
    await mesh.broker.call(
      "articles.store",
      {
        source: { id: outlet + 1, name: `Outlet ${outlet + 1}`, domain: "economics" },
        items,
        fetchedAt: new Date(now).toISOString(),
      },
      system,
    );
  }
  while ((await mesh.broker.call<{ waiting: number }, object>("articles.waiting", {}, system)).waiting > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const login = await fetch(`${mesh.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "bench@example.org", password }),
  });
  const {
    data: { token },
  } = (await login.json()) as { data: { token: string } };
  const rows: string[] = [];
  let all = 0;
  for (const [name, path] of STAGES) {
    const before = process.cpuUsage();
    let done = 0;
    for (let more = true; more;) {
      const answer = await fetch(`${mesh.url}/api/verification${path}?limit=${BATCH}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
      const { data } = (await answer.json()) as { data: { succeeded: number; more: boolean } };
      done += data.succeeded;
      more = data.more;
    }
    const { user, system: kernel } = process.cpuUsage(before);
    all += (user + kernel) / 1_000 / done;
    rows.push(`| ${name} | ${done.toLocaleString("en")} | ${round((user + kernel) / 1_000 / done, 2)} |`);
  }
  const claims = await (await mesh.world.documents.collection("claims")).groups({ by: "status" });
  const total = claims.reduce((sum, { count }) => sum + count, 0);
  const found = claims
    .map(({ key, count }) => `${count.toLocaleString("en")} ${key}`)
    .sort()
    .join(", ");
  await mesh.stop();
  await rm(dir, { recursive: true, force: true });
  return [
    "## Verification by heuristics",
    "",
    `${ARTICLES.toLocaleString("en")} articles of some 150 words, each event told by one to five of 24 outlets in their own words, one report in ten with another figure, amid sentences that no two share. CPU of the whole process in batches of ${BATCH}, storing and telling the article included; one run.`,
    "",
    "| Stage | articles | CPU ms an article |",
    "|---|---|---|",
    ...rows,
    `| all | | ${round(all, 2)} |`,
    "",
    `${total.toLocaleString("en")} claims found: ${found}.`,
    "",
  ].join("\n");
}

if (import.meta.main) {
  console.log(await verification());
  process.exit(0);
}
