import type { TextBlock, Format, PageSpan } from "../../../adapters/texts/text.ts";
import type { Edit } from "./client.ts";

/** In which form a changed text is kept: as it came where that was plain text, else as Markdown. */
export const rewrittenAs = (format: Format): Format => (format === "text" ? "text" : "markdown");

/** Marks of Markdown inside a line, taken by their word (CommonMark 2.4). */
const escaped = (line: string): string =>
  line
    .replaceAll(/[\\`*_[\]<>&|~#]/g, "\\$&")
    .replace(/^(\s*)([+=-])/, "$1\\$2")
    .replace(/^(\s*\d{1,9})([.)])/, "$1\\$2");
const lines = (text: string): string[] => text.split("\n").map((line) => line.trim());

function asMarkdown({ kind, level = 1 }: TextBlock, text: string): string {
  const [first = "", ...rest] = lines(text).map(escaped);
  if (kind === "heading") return `${"#".repeat(Math.min(level, 6))} ${[first, ...rest].join(" ")}`;
  if (kind === "list-item") return [`- ${first}`, ...rest.map((line) => `  ${line}`)].join("\n");
  return [first, ...rest].join("\n");
}

const rowOf = (cells: readonly string[]): string => `| ${cells.map((cell) => escaped(cell.trim())).join(" | ")} |`;

/** Rows that follow one another are a table; the first is its head. */
function tableOf(rows: readonly string[]): string {
  const parted = rows.map((row) => row.replaceAll("\n", " ").split("\t"));
  const width = Math.max(...parted.map(({ length }) => length));
  const [head, ...body] = parted.map((cells) => rowOf([...cells, ...Array<string>(width - cells.length).fill("")]));
  return [head, `|${" --- |".repeat(width)}`, ...body].join("\n");
}

/** The words of a block after the edits that lie in it. */
function edited(text: string, { start, end }: TextBlock, edits: readonly Edit[]): string {
  const within = edits.filter((edit) => edit.start >= start && edit.end <= end).sort((a, b) => b.start - a.start);
  return within.reduce(
    (words, edit) => words.slice(0, edit.start - start) + edit.with + words.slice(edit.end - start),
    text.slice(start, end),
  );
}

/** A text with its edits, written so that it is read as the same blocks again; blocks without words are left out. */
export function rewritten(
  { text, blocks, pages }: { text: string; blocks: readonly TextBlock[]; pages: readonly PageSpan[] },
  edits: readonly Edit[],
  format: Format,
): string {
  const left = blocks
    .map((block) => ({ block, words: edited(text, block, edits).trim() }))
    .filter(({ words }) => words !== "");
  if (format === "text") {
    const pageOf = Map.groupBy(left, ({ block }) => block.page);
    return pages.map(({ page }) => (pageOf.get(page) ?? []).map(({ words }) => words).join("\n\n")).join("\n\f");
  }
  const parts: string[] = [];
  let rows: string[] = [];
  for (const [at, { block, words }] of left.entries()) {
    if (block.kind === "table-row") rows.push(words);
    else parts.push(asMarkdown(block, words));
    if (rows.length && left[at + 1]?.block.kind !== "table-row") {
      parts.push(tableOf(rows));
      rows = [];
    }
  }
  return `${parts.join("\n\n")}\n`;
}
