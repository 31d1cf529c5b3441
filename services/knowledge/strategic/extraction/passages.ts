import type { WholeText } from "../../documents/client.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import { words, type Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";

type Layout = Pick<WholeText, "text" | "blocks">;
type Block = WholeText["blocks"][number];

/** The kind of goal that a heading announces; `none` where nothing below it is an objective here. */
export type Heading = "end-state" | "goal" | "objective" | "task" | "none";

/** A part of the text that may contain an objective, with the headings above it. */
export interface ObjectivePassage extends Span {
  kind: "item" | "prose" | "row";
  /** What the nearest meaningful heading announces, and how many other headings are in between. */
  heading?: { means: Heading; distance: number };
}

const index = lazily(() => {
  const { goals, endStates, tasks, broad, notGoals } = lexicon.directives;
  return phraseIndex({ goals, endStates, tasks, broad, notGoals });
});

const LONGEST_HEADING = 90;
const MOST_HEADING_WORDS = 10;
/** A number, a letter or a bullet before a heading or an item; an item's is followed by white space. */
const NUMBER = /^\s*(?:(?:\d{1,3}|[a-z]|[ivx]{1,5})(?:\.\d{1,3}){0,4}[.)]?|\([a-z\d]{1,4}\)|§\s?\d+)\s+/i;
const MARKER =
  /^\s*(?:[-–—•*▪●◦‣·o]\s+|\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-z]|[ivx]{1,5})[.)]\s+|\d{1,3}(?:\.\d{1,3}){1,4}\s+|\[[ x]?\]\s*)/i;

const BULLET = /^[-–—•*▪●◦‣·]\s/;

/** What a heading announces; undefined where it is unclear. */
export function meaningOf(heading: string): Heading | undefined {
  const plain = heading.replace(NUMBER, "");
  const hits = index().find(plain, words(plain));
  const says = (label: string): boolean => hits.some((hit) => hit.label === label);
  if (says("notGoals")) return "none";
  if (!says("goals")) return undefined;
  return says("endStates") ? "end-state" : says("tasks") ? "task" : says("broad") ? "goal" : "objective";
}

/** Whether a line of running text is a heading: short, not a sentence, with the look or the words of one. */
function isHeadingLine(line: string): boolean {
  const plain = line.trim();
  if (BULLET.test(plain)) return false;
  if (plain === "" || plain.length > LONGEST_HEADING || /[.!?;,]$/.test(plain)) return false;
  const bare = plain.replace(NUMBER, "").replace(/:$/, "");
  const spoken = words(bare);
  if (!spoken.length || spoken.length > MOST_HEADING_WORDS || /:\s/.test(bare)) return false;
  if (plain.endsWith(":") || (/\p{Lu}{2}/u.test(bare) && bare === bare.toUpperCase())) return true;
  return !MARKER.test(plain) || /^\s*\d/.test(plain) ? spoken.length <= 5 && meaningOf(bare) !== undefined : false;
}

/** The lines of a block as pieces: headings, items with their continuation lines, and prose. */
function* piecesOf(text: string, { start, end }: Block): Generator<Span & { kind: "heading" | "item" | "prose" }> {
  let open: (Span & { kind: "item" | "prose" }) | undefined;
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
      open = { kind: "item", start: at + marker[0].length, end: to };
    } else if (line.trim() === "") {
      if (open) yield open;
      open = undefined;
    } else if (open) open.end = to;
    else open = { kind: "prose", start: at, end: to };
    at = to + 1;
  }
  if (open) yield open;
}

/** Headings in running text have no level: they are below all others, those with a colon last. */
const COLON_LEVEL = 8;
const lineLevel = (line: string): number => (line.trimEnd().endsWith(":") ? COLON_LEVEL : COLON_LEVEL - 1);

/** The headings above a place. */
class Headings {
  readonly #stack: { level: number; means: Heading | undefined; items?: true }[] = [];

  enter(text: string, level: number, isTitle = false): void {
    while (this.#stack.length && this.#stack.at(-1)!.level >= level) this.#stack.pop();
    const means = meaningOf(text);
    this.#stack.push({ level, means: isTitle && means === "none" ? undefined : means });
  }

  /** A line with a colon announces the list below it, but not the prose after the list. */
  meet(kind: ObjectivePassage["kind"]): void {
    const last = this.#stack.at(-1);
    if (last?.level !== COLON_LEVEL) return;
    if (kind !== "prose") last.items = true;
    else if (last.items) this.#stack.pop();
  }

  get now(): ObjectivePassage["heading"] {
    if (this.#stack.some(({ means }) => means === "none")) return { means: "none", distance: 0 };
    const at = this.#stack.findLastIndex(({ means }) => means !== undefined);
    return at < 0 ? undefined : { means: this.#stack[at]!.means!, distance: this.#stack.length - 1 - at };
  }
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

/** The parts of a text that may contain objectives, in order; without running heads and notes. */
export function* objectivePassages({ text, blocks }: Layout): Steps<ObjectivePassage[]> {
  const [found, headings]: [ObjectivePassage[], Headings] = [[], new Headings()];
  const add = (kind: ObjectivePassage["kind"], { start: from, end }: Span): void => {
    const { start, means } = kind === "row" ? { start: from } : runIn(text, { start: from, end });
    headings.meet(kind);
    const above = headings.now;
    const heading = means && above?.means !== "none" ? { means, distance: 0 } : above;
    if (heading?.means === "none") return;
    for (const portion of portions(text, { start, end })) found.push({ kind, ...portion, ...(heading && { heading }) });
  };
  const title = titleOf(blocks);
  for (const block of blocks) {
    yield;
    if (block.kind === "running-head" || block.kind === "note") continue;
    if (block.kind === "heading") {
      headings.enter(text.slice(block.start, block.end), block.level ?? 1, block === title);
      continue;
    }
    if (block.kind === "table-row") {
      add("row", block);
      continue;
    }
    for (const piece of piecesOf(text, block)) {
      yield;
      if (piece.kind === "heading" && block.kind !== "list-item")
        headings.enter(text.slice(piece.start, piece.end), lineLevel(text.slice(piece.start, piece.end)));
      else add(block.kind === "list-item" || piece.kind !== "prose" ? "item" : "prose", piece);
    }
  }
  return found;
}
