import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { deflateRawSync } from "node:zlib";
import { textReader } from "../../../adapters/texts/index.ts";
import type { IndexedPage } from "../../../adapters/texts/protocol.ts";
import { Unreadable, type Format } from "../../../adapters/texts/text.ts";
import { docx, exploding, odt, p, zip } from "../../../test/knowledge/files.ts";
import { many, round } from "../../measure.ts";

export interface Whole {
  text: string;
  pages: IndexedPage[];
}
/** Reads a whole text; why it cannot be read where it cannot. */
export async function readAll(
  reader: ReturnType<typeof textReader>,
  bytes: Uint8Array,
  format: Format,
): Promise<Whole | string> {
  try {
    const { text, pages } = await reader.read(bytes, format);
    return { text: Buffer.from(text).toString("utf16le"), pages: JSON.parse(Buffer.from(pages).toString()) };
  } catch (error) {
    if (error instanceof Unreadable) return error.reason;
    throw error;
  }
}

/** Files that are made to harm, by what they do. */
const HOSTILE: Record<string, () => [Buffer, Format]> = {
  "PDF, a page of 100 MB": () => [exploding(100_000_000), "pdf"],
  "PDF, a page of 900 MB": () => [exploding(900_000_000), "pdf"],
  "PDF, packed twice, 900 MB in 4 kB": () => [exploding(900_000_000, { times: 2 }), "pdf"],
  "PDF, the same called a picture": () => [exploding(900_000_000, { picture: true }), "pdf"],
  "PDF, a page just under the bound": () => [exploding(33_000_000), "pdf"],
  "DOCX, 1 GB of XML": () => [docx(p("a".repeat(2 ** 20)).repeat(500)), "docx"],
  "DOCX that lies about its size": () => [
    zip([
      { name: "[Content_Types].xml", data: "<Types/>" },
      { name: "word/document.xml", data: "<d>" + "<p>x</p>".repeat(20_000_000), claims: 100 },
    ]),
    "docx",
  ],
  "ODT, a million elements deep": () => [odt("<text:span>".repeat(1_000_000)), "odt"],
  "HTML, a million elements deep": () => [Buffer.from("<div>".repeat(1_000_000)), "html"],
  "Markdown, 200,000 quotes deep": () => [Buffer.from(`${">".repeat(200_000)} a`), "markdown"],
  "text, 50 MB on one line": () => [Buffer.alloc(50_000_000, "word "), "text"],
  "PDF, noise behind a head": () => [
    Buffer.concat([Buffer.from("%PDF-1.7\n"), deflateRawSync(Buffer.alloc(20_000_000, "1 0 obj <<"), { level: 0 })]),
    "pdf",
  ],
};

export interface Cost {
  outcome: string;
  cpuSeconds: number;
  mb: number;
}
/** Reads a file in a process of its own: what came of it, and what it cost at its worst, all of the process counted. */
export async function costOf(bytes: Buffer, format: Format): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), "texts-"));
  try {
    const file = join(folder, "hostile");
    writeFileSync(file, bytes);
    const flags = ["--max-old-space-size=1024", import.meta.filename, "--read", file, format];
    const { stdout } = await promisify(execFile)(process.execPath, flags);
    return JSON.parse(stdout) as Cost;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function readAlone(file: string, format: Format): Promise<void> {
  const reader = textReader();
  const before = process.cpuUsage();
  const outcome = await readAll(reader, readFileSync(file), format);
  const { user, system } = process.cpuUsage(before);
  await reader.close();
  // Of this program alone: what the system counts for the process has that of whoever started it as well.
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  const mb = round(Number(peak) / 1_000, 0);
  console.log(
    JSON.stringify({
      outcome: typeof outcome === "string" ? outcome : "read",
      cpuSeconds: round((user + system) / 1e6, 2),
      mb,
    } satisfies Cost),
  );
}

/** What each hostile file cost. */
export async function hostile(): Promise<[name: string, cost: Cost, bytes: number][]> {
  const costs: [string, Cost, number][] = [];
  for (const [name, make] of Object.entries(HOSTILE).slice(0, many(99, 2))) {
    const [bytes, format] = make();
    costs.push([name, await costOf(bytes, format), bytes.length]);
  }
  return costs;
}

if (basename(process.argv[1] ?? "") === "hostile-texts.ts" && process.argv[2] === "--read")
  await readAlone(process.argv[3]!, process.argv[4] as Format);
