import type { WholeText } from "../../documents/client.ts";
import { words, type Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import {
  columnOf,
  Headings,
  isHeadingLine,
  isItemTitle,
  leadOf,
  MARKER,
  meaningOf,
  type Heading,
  type HeadingAbove,
} from "./headings.ts";

type Layout = Pick<WholeText, "text" | "blocks">;
type Block = WholeText["blocks"][number];

/** A part of the text that may contain an objective, with the headings above it. */
export interface ObjectivePassage extends Span {
  kind: "item" | "prose" | "row";
  heading?: HeadingAbove;
  /** The heads of a row's columns. */
  heads?: readonly string[];
  /** Items with one number stand in one list. */
  list?: number;
}

interface Piece extends Span {
  kind: "heading" | "item" | "prose";
  /** How an item is marked. */
  style?: string;
}

/** "(3) " and "(4) " are of one style, "c. " is of another. */
const styleOf = (marker: string): string =>
  marker
    .trim()
    .toLowerCase()
    .replace(/\d+/g, "1")
    .replace(/[a-z]+/g, "a");

/** The lines of a block as pieces: headings, items with their continuation lines, and prose. */
function* piecesOf(text: string, { start, end }: Block): Generator<Piece> {
  let open: Piece | undefined;
  for (let at = start; at < end;) {
    const newline = text.indexOf("\n", at);
    const to = newline < 0 || newline > end ? end : newline;
    const line = text.slice(at, to);
    const marker = MARKER.exec(line);
    if (isHeadingLine(line)) {
      if (open) yield open;
      open = undefined;
      yield { kind: "heading", start: at, end: to };
    } else if (marker) {
      if (open) yield open;
      open = { kind: "item", start: at + marker[0].length, end: to, style: styleOf(marker[0]) };
    } else if (line.trim() === "") {
      if (open) yield open;
      open = undefined;
    } else if (open) open.end = to;
    else open = { kind: "prose", start: at, end: to };
    at = to + 1;
  }
  if (open) yield open;
}

/** The only heading of its level, before all others: it covers the whole document. */
function titleOf(blocks: readonly Block[]): Block | undefined {
  const headings = blocks.filter(({ kind }) => kind === "heading");
  const [first] = headings;
  return headings.filter(({ level = 1 }) => level <= (first?.level ?? 1)).length === 1 ? first : undefined;
}

/** The most characters in one step of work. */
const MOST_AT_ONCE = 8_000;

/** A part of a text in pieces for one step each: cut between sentences, else between words. */
export function* portions(text: string, { start: from, end }: Span): Generator<Span> {
  let start = from;
  while (end - start > MOST_AT_ONCE) {
    const most = start + MOST_AT_ONCE;
    const cuts = [text.lastIndexOf(". ", most) + 1, text.lastIndexOf("\n", most), text.lastIndexOf(" ", most)];
    const cut = cuts.find((at) => at > start + MOST_AT_ONCE / 4) ?? most;
    const whole = /[\uDC00-\uDFFF]/.test(text[cut] ?? "") ? cut - 1 : cut;
    yield { start, end: whole };
    start = whole;
  }
  yield { start, end };
}

/** "Enemy. The enemy will ...", "Protect. Replace ...": a heading within the line. */
const RUN_IN = /^\s*(?<title>\p{Lu}[\p{L}' -]{1,40})[.:]\s+(?=\S)/u;
const MOST_RUN_IN_WORDS = 4;

function runIn(text: string, piece: Span): { start: number; means?: Heading } {
  const match = RUN_IN.exec(text.slice(piece.start, Math.min(piece.end, piece.start + 60)));
  const title = match?.groups?.["title"];
  if (!title || words(title).length > MOST_RUN_IN_WORDS) return piece;
  const means = meaningOf(title);
  return {
    start: means || match[0].trimEnd().endsWith(".") ? piece.start + match[0].length : piece.start,
    ...(means && { means }),
  };
}

const headsOf = (row: string): string[] | undefined => {
  const heads = row.split("\t");
  return heads.some((head) => columnOf(head)) && !/\d{2}|[.;]\s/.test(row) ? heads : undefined;
};

/** The parts of a text that may contain objectives, in order; without running heads and notes. */
export function* objectivePassages({ text, blocks }: Layout): Steps<ObjectivePassage[]> {
  const [found, headings]: [ObjectivePassage[], Headings] = [[], new Headings()];
  let list = 0;
  let heads: string[] | undefined;
  let before: Block | undefined;
  const add = (kind: ObjectivePassage["kind"], { start: from, end }: Span): void => {
    const { start, means } = kind === "row" ? { start: from } : runIn(text, { start: from, end });
    headings.meet(kind);
    if (kind !== "item") list += 1;
    const above = headings.now;
    const heading = means && above?.means !== "none" ? { means, distance: 0 } : above;
    if (heading?.means === "none") return;
    const more = {
      ...(heading && { heading }),
      ...(kind === "item" && { list }),
      ...(kind === "row" && heads && { heads }),
    };
    for (const portion of portions(text, { start, end })) found.push({ kind, ...portion, ...more });
  };
  const enter = ({ start, end }: Span, level?: number, isTitle = false): void => {
    list += 1;
    headings.enter(text.slice(start, end), level, isTitle);
  };
  const title = titleOf(blocks);
  for (const block of blocks) {
    yield;
    const last = before;
    before = block;
    if (block.kind === "running-head" || block.kind === "note") continue;
    if (block.kind === "heading") {
      enter(block, block.level ?? 1, block === title);
      continue;
    }
    if (block.kind === "table-row") {
      if (last?.kind !== "table-row") heads = headsOf(text.slice(block.start, block.end));
      if (last?.kind === "table-row" || !heads) add("row", block);
      continue;
    }
    for (const piece of piecesOf(text, block)) {
      yield;
      const own = text.slice(piece.start, piece.end);
      if (piece.style !== undefined) headings.enterItem(piece.style, isItemTitle(own) ? own : undefined);
      if (piece.style !== undefined && isItemTitle(own)) list += 1;
      else if (piece.kind === "heading" && block.kind !== "list-item") enter(piece);
      else {
        add(block.kind === "list-item" || piece.kind !== "prose" ? "item" : "prose", piece);
        const lead = own.trimEnd().endsWith(":") ? leadOf(own) : undefined;
        if (lead !== undefined) headings.enter(lead);
      }
    }
  }
  return found;
}
