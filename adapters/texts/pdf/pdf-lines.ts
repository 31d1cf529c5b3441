import type { TextBlock } from "../text.ts";

/** A piece of a page's text as pdf.js gives it. */
export interface Piece {
  str: string;
  width: number;
  height: number;
  transform: number[];
  hasEOL: boolean;
}

export interface PdfLine {
  text: string;
  /** Height of its letters, in points. */
  size: number;
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Joins the pieces of a page into lines. */
export function linesOf(pieces: readonly Piece[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let open: PdfLine | undefined;
  for (const { str, width, height, transform, hasEOL } of pieces) {
    const [left, bottom] = [transform[4] ?? 0, transform[5] ?? 0];
    const size = height || Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
    if (open && str.trim() && Math.abs(bottom - open.bottom) > Math.max(size, open.size) * 0.8) {
      lines.push(open);
      open = undefined;
    }
    if (str !== "") {
      open ??= { text: "", size: 0, left, bottom, right: left, top: bottom + size };
      open.text += str;
      if (str.trim()) {
        open.size = Math.max(open.size, size);
        open.left = Math.min(open.left, left);
        open.bottom = Math.min(open.bottom, bottom);
        open.right = Math.max(open.right, left + width);
        open.top = Math.max(open.top, bottom + size);
      }
    }
    if (hasEOL && open) {
      lines.push(open);
      open = undefined;
    }
  }
  if (open) lines.push(open);
  return lines.filter(({ text }) => text.trim() !== "");
}

/** The size of most letters. */
export function usualSize(pages: readonly (readonly PdfLine[])[]): number {
  const letters = new Map<number, number>();
  for (const line of pages.flat()) {
    const size = Math.round(line.size * 2) / 2;
    letters.set(size, (letters.get(size) ?? 0) + line.text.length);
  }
  return [...letters].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 0;
}

const LEAST_PAGES = 3;
/** Lines at the top and bottom of a page that may be running headers or footers. */
const AT_EDGES = 2;
const shapeOf = ({ text }: PdfLine): string => text.trim().replaceAll(/\d+/g, "#").toLowerCase();
const edgesOf = (lines: readonly PdfLine[]): PdfLine[] => [
  ...new Set([...lines.slice(0, AT_EDGES), ...lines.slice(-AT_EDGES)]),
];

/** Lines that recur at the top or bottom of most pages, ignoring numbers in them. */
export function runningHeads(pages: readonly (readonly PdfLine[])[]): Set<PdfLine> {
  if (pages.length < LEAST_PAGES) return new Set();
  const seen = new Map<string, PdfLine[]>();
  for (const lines of pages)
    for (const line of edgesOf(lines)) seen.set(shapeOf(line), [...(seen.get(shapeOf(line)) ?? []), line]);
  const running = [...seen.values()].filter((lines) => lines.length > pages.length / 2);
  return new Set(running.flat());
}

export interface PdfPassage extends Pick<TextBlock, "kind" | "level" | "box"> {
  text: string;
}

const HEADING = 1.15;
const BULLET = /^\s*(?:[\u2022\u25aa\u25cf\u2013*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/;

/** Joins a word hyphenated at the end of a line; elsewhere a line's end is a blank. */
function joined(text: string, next: string): string {
  const [before, after] = [text.trimEnd(), next.trimStart()];
  if (before.endsWith("\u00ad")) return before.slice(0, -1) + after;
  if (/\p{L}[-\u2010]$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
  return `${before} ${after}`;
}

const boxOf = (lines: readonly PdfLine[]): NonNullable<TextBlock["box"]> => {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return [
    round(Math.min(...lines.map(({ left }) => left))),
    round(Math.min(...lines.map(({ bottom }) => bottom))),
    round(Math.max(...lines.map(({ right }) => right))),
    round(Math.max(...lines.map(({ top }) => top))),
  ];
};

/** Whether a line continues the one before: the same size, at the usual distance. */
function goesOn(before: PdfLine, line: PdfLine): boolean {
  const gap = before.bottom - line.bottom;
  return (
    Math.abs(before.size - line.size) < 0.6 && gap > -before.size && gap < before.size * 1.75 && !BULLET.test(line.text)
  );
}

/** The paragraphs of a page. */
export function paragraphsOf(lines: readonly PdfLine[], usual: number, running: ReadonlySet<PdfLine>): PdfPassage[] {
  const groups: PdfLine[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && running.has(before) === running.has(line) && goesOn(before, line)) group.push(line);
    else groups.push([line]);
  }
  return groups.map((group): PdfPassage => {
    const [first] = group as [PdfLine];
    const text = group.slice(1).reduce((sum, line) => joined(sum, line.text), first.text);
    const box = boxOf(group);
    if (running.has(first)) return { kind: "running-head", text, box };
    if (first.size > usual * HEADING && text.length < 300)
      return { kind: "heading", level: first.size > usual * 1.6 ? 1 : first.size > usual * 1.3 ? 2 : 3, text, box };
    return { kind: BULLET.test(text) ? "list-item" : "paragraph", text, box };
  });
}
