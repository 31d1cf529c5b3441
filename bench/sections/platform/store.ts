import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../../../adapters/documents/index.ts";
import { many, median, round } from "../../measure.ts";

const WRITES = many(20_000, 640);
const READS = many(50_000, 500);

/** Durable acknowledged writes at 1 and 64 writers, and reads by id, on the embedded store in a file. */
export async function store(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const documents = openDocuments({ dataDir });
  const collection = await documents.collection("bench", {
    indexes: [{ fields: ["name"] }, { fields: ["-createdAt"] }],
  });
  let next = 0;
  const write = async (): Promise<void> => {
    const n = next++;
    await collection.insert({
      _id: n,
      name: `name ${n % 1_000}`,
      createdAt: new Date(1.7e12 + n).toISOString(),
      text: "x".repeat(300),
    });
  };
  const rate = async (writers: number, amount: number): Promise<{ persecond: number; micros: number }> => {
    const cpu = process.cpuUsage();
    const began = performance.now();
    await Promise.all(
      Array.from({ length: writers }, async () => {
        for (let n = 0; n < amount / writers; n++) await write();
      }),
    );
    const { user, system } = process.cpuUsage(cpu);
    return { persecond: amount / ((performance.now() - began) / 1_000), micros: (user + system) / amount };
  };
  await rate(64, WRITES);
  const rows: string[] = [];
  for (const [writers, amount] of [
    [1, 3_000],
    [64, WRITES],
  ] as const) {
    const rounds = [];
    for (let n = 0; n < 5; n++) rounds.push(await rate(writers, amount));
    rows.push(
      `| write, ${writers} writer${writers > 1 ? "s" : ""} | ${Math.round(median(rounds.map(({ persecond }) => persecond))).toLocaleString("en")} | ${round(median(rounds.map(({ micros }) => micros)))} |`,
    );
  }
  const reads: { persecond: number; micros: number }[] = [];
  for (let n = 0; n < 5; n++) {
    const cpu = process.cpuUsage();
    const began = performance.now();
    for (let read = 0; read < READS; read++) await collection.findById((read * 7_919) % next);
    const { user, system } = process.cpuUsage(cpu);
    reads.push({ persecond: READS / ((performance.now() - began) / 1_000), micros: (user + system) / READS });
  }
  rows.push(
    `| read by id | ${Math.round(median(reads.map(({ persecond }) => persecond))).toLocaleString("en")} | ${round(median(reads.map(({ micros }) => micros)))} |`,
  );
  await documents.close();
  await rm(dataDir, { recursive: true, force: true });
  return [
    "## Embedded store",
    "",
    "Documents of 400 bytes, two indexes, WAL with `synchronous=FULL`: a write is answered after its fsync. Median of 5 rounds.",
    "",
    "| What | a second | CPU µs |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

if (import.meta.main) console.log(await store());
