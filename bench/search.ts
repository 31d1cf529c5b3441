import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSearch } from "../adapters/search/index.ts";
import { parseQuery } from "../core/text/query-language.ts";
import type { SearchDocument } from "../core/records/search.ts";
import { corpus, queries } from "./corpus.ts";
import { isQuick, many, round } from "./measure.ts";

const SIZES = (process.env["BENCH_SIZES"] ?? (isQuick ? "500" : "50000,200000")).split(",").map(Number);
const QUERIES = many(400, 20);
const NOW = "2026-11-21T00:00:00.000Z";

/** All-terms queries of two and three words on the embedded index, snippets and totals included, at two sizes. */
export async function search(): Promise<string> {
  const rows: string[] = [];
  for (const size of SIZES) {
    const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
    const index = openSearch({ dataDir });
    let batch: SearchDocument[] = [];
    const sample: SearchDocument[] = [];
    const cpuPut = process.cpuUsage();
    for (const document of corpus(size)) {
      batch.push(document);
      if (sample.length < 2_000) sample.push(document);
      if (batch.length === 500) {
        await index.put(batch);
        batch = [];
      }
    }
    await index.put(batch);
    const put = process.cpuUsage(cpuPut);
    for (const words of [2, 3]) {
      const asked = queries(sample, words);
      const trees = Array.from({ length: QUERIES }, () => parseQuery(asked.next().value!).tree!);
      const times: number[] = [];
      let found = 0;
      const before = process.cpuUsage();
      for (const tree of trees) {
        const began = performance.now();
        found += (await index.search({ tree, limit: 20, now: NOW })).total;
        times.push(performance.now() - began);
      }
      const { user, system } = process.cpuUsage(before);
      times.sort((a, b) => a - b);
      rows.push(
        `| ${size.toLocaleString("en")} | ${words} words | ${Math.round(found / QUERIES)} | ${round((user + system) / QUERIES, 0)} | ${round(times[QUERIES / 2]!, 2)} | ${round(times[Math.floor(QUERIES * 0.99)]!, 2)} |`,
      );
    }
    rows.push(
      `| ${size.toLocaleString("en")} | indexing, a document | | ${round((put.user + put.system) / size, 0)} | | |`,
    );
    await index.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    "## Search, embedded index",
    "",
    `${QUERIES} all-terms queries with a limit of 20, snippets and totals included, on made-up news with Zipf's word frequencies.`,
    "",
    "| Articles | What | found, mean | CPU µs | p50 ms | p99 ms |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

if (import.meta.main) console.log(await search());
