import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSearch } from "../../../adapters/search/index.ts";
import { parseQuery } from "../../../core/text/searching/query-language.ts";
import type { SearchDocument } from "../../../core/records/reading/search.ts";
import { corpus, queries } from "../../corpus.ts";
import { isQuick, many, round } from "../../measure.ts";

const SIZES = (process.env["BENCH_SIZES"] ?? (isQuick ? "500" : "50000,200000")).split(",").map(Number);
const QUERIES = many(400, 20);
const SNIPPET_WORDS = 30;
const AT_ONCE = 12;
const NOW = "2026-11-21T00:00:00.000Z";

/** Processor microseconds of this process. */
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

interface Engine {
  name: string;
  put(batch: readonly SearchDocument[]): Promise<void>;
  /** How many a query of all these words, or of them as a phrase, finds; 20 with their snippets are made and left. */
  search(words: string, asPhrase: boolean): Promise<number>;
  close(): Promise<void>;
}

function ours(dataDir: string): Engine {
  const index = openSearch({ dataDir });
  return {
    name: "Signalmesh",
    put: (batch) => index.put(batch),
    search: async (words, asPhrase) => {
      const { tree } = parseQuery(asPhrase ? `"${words}"` : words);
      return (await index.search({ tree: tree!, limit: 20, now: NOW })).total;
    },
    close: () => index.close(),
  };
}

/** SQLite's own full-text index, in a file as ours is: one commit a batch, synced; ranked by bm25. */
function fts5(dataDir: string): Engine {
  const database = new DatabaseSync(join(dataDir, "fts5.db"));
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; create virtual table t using fts5(title, text, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare("insert into t (title, text) values (?, ?)");
  const count = database.prepare("select count(*) n from t where t match ?");
  const page = database.prepare(
    `select rowid, snippet(t, -1, '<b>', '</b>', '…', ${SNIPPET_WORDS}) s from t where t match ? order by rank limit 20`,
  );
  return {
    name: "FTS5",
    async put(batch) {
      database.exec("begin immediate");
      for (const { title, text } of batch) insert.run(title, text);
      database.exec("commit");
    },
    async search(words, asPhrase) {
      const all = (asPhrase ? [words] : words.split(" ")).map((one) => `"${one}"`).join(" ");
      page.all(all);
      return (count.get(all) as { n: number }).n;
    },
    async close() {
      database.close();
    },
  };
}

/** Phrases that somebody would quote: words that stand in a row in one of the articles. */
function* phrases(documents: readonly SearchDocument[], words: number): Generator<string> {
  for (let at = 0; ; at++) {
    const { text } = documents[(at * 7) % documents.length]!;
    const spoken = text.split(". ")[at % 3]?.toLowerCase().replaceAll(".", "").split(" ") ?? [];
    const from = spoken.length - words - (at % 3);
    if (from >= 0) yield spoken.slice(from, from + words).join(" ");
  }
}

const KINDS = [
  { asPhrase: false, kind: "words" },
  { asPhrase: true, kind: "words in a row" },
] as const;

/** All-terms queries and phrases of two and three words on the embedded index, snippets and totals included, at two sizes. */
export async function search(): Promise<string> {
  const rows: string[] = [];
  for (const size of SIZES) {
    const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
    const engines = [ours(dataDir), fts5(dataDir)];
    const put = new Map(engines.map((engine) => [engine, 0]));
    const sample: SearchDocument[] = [];
    let batch: SearchDocument[] = [];
    const flush = async (): Promise<void> => {
      for (const engine of engines) put.set(engine, put.get(engine)! + (await cpuOf(() => engine.put(batch))));
      batch = [];
    };
    for (const document of corpus(size)) {
      batch.push(document);
      if (sample.length < 2_000) sample.push(document);
      if (batch.length === 500) await flush();
    }
    if (batch.length) await flush();
    for (const { words, asPhrase, kind } of [2, 3].flatMap((words) => KINDS.map((one) => ({ words, ...one })))) {
      const made = (asPhrase ? phrases : queries)(sample, words);
      const asked = Array.from({ length: QUERIES }, () => made.next().value!);
      const figures = new Map(engines.map((engine) => [engine, { found: 0, cpu: 0, times: [] as number[] }]));
      // A dozen queries each in turn, so that a change of the machine's pace meets both.
      for (let at = 0; at < QUERIES; at += AT_ONCE)
        for (const engine of engines) {
          const figure = figures.get(engine)!;
          figure.cpu += await cpuOf(async () => {
            for (const query of asked.slice(at, at + AT_ONCE)) {
              const began = performance.now();
              figure.found += await engine.search(query, asPhrase);
              figure.times.push(performance.now() - began);
            }
          });
        }
      for (const [{ name }, { found, cpu, times }] of figures) {
        times.sort((x, y) => x - y);
        rows.push(
          `| ${size.toLocaleString("en")} | ${words} ${kind}, ${name} | ${Math.round(found / QUERIES)} | ${round(cpu / QUERIES, 0)} | ${round(times[QUERIES / 2]!, 2)} | ${round(times[Math.floor(QUERIES * 0.99)]!, 2)} |`,
        );
      }
    }
    for (const [{ name }, cpu] of put)
      rows.push(`| ${size.toLocaleString("en")} | indexing a document, ${name} | | ${round(cpu / size, 0)} | | |`);
    for (const engine of engines) await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    "## Search, embedded index",
    "",
    `${QUERIES} queries of each kind with a limit of 20, snippets and totals included, on made-up news with Zipf's word frequencies.`,
    "",
    "| Articles | What | found, mean | CPU µs | p50 ms | p99 ms |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    "FTS5 is SQLite's, with Porter's stemmer, in WAL with `synchronous=FULL`, a commit for each batch of 500, as many as ours makes one segment of. It ranks by bm25 alone. Tantivy is not among the packages of this repository: it was not measured.",
    "",
  ].join("\n");
}

if (import.meta.main) console.log(await search());
