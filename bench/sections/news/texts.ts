import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textReader } from "../../../adapters/texts/index.ts";
import { pageAt } from "../../../core/text/citations.ts";
import { locate } from "../../../core/text/locate.ts";
import { sentences } from "../../../core/text/words/sentences.ts";
import { form } from "../../../test/knowledge/documents.requests.ts";
import { docx, odt, p, pdf } from "../../../test/knowledge/files.ts";
import { eventually, world } from "../../../test/mesh.ts";
import { as, openSet, person } from "../../../test/workspace/people.ts";
import { many, median, round } from "../../measure.ts";
import { hostile, readAll } from "./hostile-texts.ts";

/** Texts of documents: what is read of odd files, whether quotes find their page, and what hostile ones cost. */

const ROOT = join(import.meta.dirname, "../../..");
/** Prose that packages ship: their own pages of documentation, without code. */
const prose = (): string[][] =>
  globSync("node_modules/{zod,rxjs,ajv,undici,moleculer,pdfjs-dist,mongodb,socket.io,yauzl,saxes}/**/*.md", {
    cwd: ROOT,
  })
    .sort()
    .slice(0, 60)
    .map((file) =>
      readFileSync(join(ROOT, file), "utf8")
        .replaceAll(/```[^]*?```/g, "\n")
        .replaceAll(/[^\x20-\x7e\n]/g, "")
        .split(/\n{2,}/)
        .map((block) => block.replaceAll(/\s+/g, " ").trim())
        .filter((block) => /^[A-Z]/.test(block) && !/[|<>{}[\]`*#_]/.test(block) && block.length > 40),
    )
    .filter((blocks) => blocks.length >= 3);

const inPages = (blocks: readonly string[], size = 6): string[][] =>
  Array.from({ length: Math.ceil(blocks.length / size) }, (_, at) => blocks.slice(at * size, (at + 1) * size));

/** What other programs, mail and disks do to a PDF. */
const DAMAGES: Record<string, (bytes: Buffer) => Buffer> = {
  whole: (bytes) => bytes,
  "bytes before its head": (bytes) => Buffer.concat([Buffer.from("From: a mail program\r\n\r\n"), bytes]),
  "bytes behind its end": (bytes) => Buffer.concat([bytes, Buffer.alloc(4_000)]),
  "no trailer": (bytes) => bytes.subarray(0, bytes.lastIndexOf("trailer")),
  "no table of objects": (bytes) => bytes.subarray(0, bytes.lastIndexOf("xref\n")),
  "a table that points elsewhere": (bytes) =>
    Buffer.from(bytes.toString("latin1").replaceAll(/^0\d{9} 00000 n/gm, "0000000099 00000 n"), "latin1"),
  "an end that points elsewhere": (bytes) =>
    Buffer.from(bytes.toString("latin1").replace(/startxref\n\d+/, "startxref\n7"), "latin1"),
  "lengths that lie": (bytes) =>
    Buffer.from(bytes.toString("latin1").replaceAll(/\/Length \d+/g, "/Length 3"), "latin1"),
  "another version in its head": (bytes) =>
    Buffer.from(bytes.toString("latin1").replace(/^%PDF-1\.\d/, "%PDF-9.9"), "latin1"),
  "cut by a tenth": (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.9)),
  "cut in half": (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)),
};

async function oddFiles(reader: ReturnType<typeof textReader>, files: readonly { bytes: Buffer; pages: number }[]) {
  const rows = [];
  for (const [name, damage] of Object.entries(DAMAGES)) {
    let opened = 0,
      got = 0,
      all = 0;
    for (const { bytes, pages } of files) {
      const read = await readAll(reader, damage(bytes), "pdf");
      all += pages;
      if (typeof read === "string") continue;
      opened += 1;
      got += read.pages.filter(({ start, end }) => end > start).length;
    }
    rows.push({ name, opened, files: files.length, got, all });
  }
  return rows;
}

const pairsOf = (text: string): Map<string, number> => {
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < letters.length; at++) {
    const pair = letters.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
};
const wordsOf = (text: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};
function f1(found: Map<string, number>, wanted: Map<string, number>): number {
  const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((total, count) => total + count, 0);
  let common = 0;
  for (const [key, count] of found) common += Math.min(count, wanted.get(key) ?? 0);
  return (2 * common) / (sum(found) + sum(wanted));
}

const hasPdftotext = (): boolean => spawnSync("pdftotext", ["-v"]).error === undefined;
function byPdftotext(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "texts-"));
  try {
    writeFileSync(join(folder, "a.pdf"), bytes);
    return execFileSync("pdftotext", [join(folder, "a.pdf"), "-"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Pages a CPU second of the whole process, from the upload through the gateway until the text is there. */
async function throughput(): Promise<number> {
  const at = await world();
  try {
    const ann = await person(at, "ann");
    const problemSetId = await openSet(at, ann);
    const page = prose().flat().slice(0, 12);
    const rates: number[] = [];
    const pages = many(600, 10);
    for (let round = 0; round < many(3); round++) {
      const bytes = await pdf(Array.from({ length: pages }, (_, nth) => [`# Page ${nth} of ${round}`, ...page]));
      const before = process.cpuUsage();
      const sent = await at.http("POST", "/api/documents/upload", {
        as: ann.token,
        body: form(bytes, `${round}.pdf`, { problemSetId }),
      });
      await eventually(
        async () => (await as(at, ann)("GET", `/api/documents/${sent.body.data.id}`)).body.data.status,
        (status) => status === "ready",
        120_000,
      );
      const { user, system } = process.cpuUsage(before);
      rates.push((pages * 1e6) / (user + system));
    }
    return median(rates);
  } finally {
    await at.stop();
  }
}

/** What stands in a DOCX or ODT and should be read: deleted words and instructions of fields should not. */
function office(blocks: readonly string[], make: "docx" | "odt"): { bytes: Buffer; wanted: string } {
  const plain = blocks.map((block) => block.replaceAll(/[&"]/g, " "));
  const cells = plain.slice(0, 4);
  const wanted = [...plain, ...cells, "A note at the foot."].join("\n");
  if (make === "odt")
    return {
      wanted,
      bytes: odt(
        plain
          .map((text, nth) =>
            nth % 9 ? `<text:p>${text}</text:p>` : `<text:h text:outline-level="1">${text}</text:h>`,
          )
          .join("") +
          `<table:table><table:table-row>${cells.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join("")}</table:table-row></table:table>` +
          "<text:p><text:note><text:note-body><text:p>A note at the foot.</text:p></text:note-body></text:note></text:p>",
      ),
    };
  const deleted = "<w:p><w:del><w:r><w:delText>Gone for good.</w:delText></w:r></w:del></w:p>";
  return {
    wanted,
    bytes: docx(
      plain
        .map((text, nth) => {
          // Word parts a paragraph wherever somebody corrected it.
          const middle = Math.floor(text.length / 2);
          return nth % 3
            ? p(text)
            : `<w:p><w:r><w:t xml:space="preserve">${text.slice(0, middle)}</w:t></w:r><w:r><w:t xml:space="preserve">${text.slice(middle)}</w:t></w:r></w:p>`;
        })
        .join("") +
        deleted +
        `<w:tbl><w:tr>${cells.map((text) => `<w:tc>${p(text)}</w:tc>`).join("")}</w:tr></w:tbl>`,
      `<w:footnote>${p("A note at the foot.")}</w:footnote>`,
    ),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

export async function texts(): Promise<string> {
  const reader = textReader();
  const written = prose().slice(0, many(30, 3));
  const made = await Promise.all(
    written.map(async (blocks, nth) => {
      const pages = inPages(blocks);
      // Every second one in two columns' width: lines are parted, words at their ends too.
      const options = nth % 2 ? { size: [320, 800] } : {};
      return { bytes: await pdf(pages, options), pages: pages.length, blocks, inPages: pages };
    }),
  );
  const shipped = globSync("node_modules/**/*.pdf", { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file)));

  const odd = await oddFiles(reader, made);
  const letters: number[] = [];
  const pdftotext = hasPdftotext();
  const quotes = { right: 0, all: 0 };
  for (const { bytes, blocks, inPages: pages } of made) {
    const read = await readAll(reader, bytes, "pdf");
    if (typeof read === "string") continue;
    letters.push(f1(pairsOf(read.text), pairsOf(pdftotext ? byPdftotext(bytes) : blocks.join(" "))));
    for (const [nth, own] of pages.entries())
      for (const { text } of own.flatMap((block) => sentences(block))) {
        // One that stands twice has no one page.
        if (text.length < 30 || blocks.join("\n").split(text).length > 2) continue;
        const found = locate(read.text, text);
        quotes.all += 1;
        // The maker breaks a page by itself where a block does not fit: quotes are judged on pages it did not break.
        if (found && pageAt(read.pages, found.start) - 1 === nth) quotes.right += 1;
        else if (read.pages.length !== pages.length) quotes.all -= 1;
      }
  }
  const words: Record<"docx" | "odt", number[]> = { docx: [], odt: [] };
  for (const format of ["docx", "odt"] as const)
    for (const blocks of written) {
      const { bytes, wanted } = office(blocks, format);
      const read = await readAll(reader, bytes, format);
      words[format].push(typeof read === "string" ? 0 : f1(wordsOf(read.text), wordsOf(wanted)));
    }
  const markdown = await Promise.all(
    globSync("node_modules/*/README.md", { cwd: ROOT })
      .slice(0, many(200, 5))
      .map((file) => readAll(reader, readFileSync(join(ROOT, file)), "markdown")),
  );
  const samples = await Promise.all(shipped.map((bytes) => readAll(reader, bytes, "pdf")));
  await reader.close();
  const costs = await hostile();
  const rate = await throughput();

  const [opened, all] = [odd.reduce((sum, row) => sum + row.opened, 0), odd.reduce((sum, row) => sum + row.files, 0)];
  const three = (value: number): string => value.toFixed(3);
  return [
    "## Texts of documents",
    "",
    `\`node bench/run.ts texts\`: ${made.length} PDFs made of prose that packages ship, each damaged in ${Object.keys(DAMAGES).length - 1} ways; DOCX and ODT of the same prose; ${markdown.length} README files and ${shipped.length} PDF of packages. Letters are held against ${pdftotext ? "pdftotext" : "the words that were written (pdftotext is not installed here)"}. Files that we make are kinder than the world's.`,
    "",
    "| What | got | aim |",
    "|---|---|---|",
    `| odd PDFs that open | ${three(opened / all)} (${opened} of ${all}) | .998 |`,
    `| letter pairs, F1, whole PDFs | ${three(mean(letters))} | .98 |`,
    `| quotes on the right page | ${three(quotes.right / quotes.all)} (${quotes.right} of ${quotes.all}) | .95 |`,
    `| words of DOCX, F1 | ${three(mean(words.docx))} | .96 |`,
    `| words of ODT, F1 | ${three(mean(words.odt))} | .97 |`,
    `| README files, PDFs of packages that are read | ${markdown.filter((read) => typeof read !== "string").length} of ${markdown.length}, ${samples.filter((read) => typeof read !== "string").length} of ${samples.length} | |`,
    `| pages a CPU second, from upload to text | ${round(rate, 0)} | 150 |`,
    "",
    "| PDF with | opened | pages with text |",
    "|---|---|---|",
    ...odd.map(
      ({ name, opened: some, files, got, all: pages }) => `| ${name} | ${some} of ${files} | ${got} of ${pages} |`,
    ),
    "",
    "| Hostile file | bytes | outcome | CPU s | MB at most, whole process |",
    "|---|---|---|---|---|",
    ...costs.map(
      ([name, { outcome, cpuSeconds, mb }, bytes]) => `| ${name} | ${bytes} | ${outcome} | ${cpuSeconds} | ${mb} |`,
    ),
    "",
  ].join("\n");
}
