/**
 * The part of an article that shows why it was found. Made from the stored plain text by the analysis that made the
 * index, so that it does not depend on an engine's highlighter: a phrase is one mark, an excluded term is never marked.
 * Where only the title matches, the title leads the snippet.
 */
import {
  isFunctionWord,
  treeMatches,
  nameTokens,
  positiveLeaves,
  type Analysed,
  type Leaf,
} from "../words/analysis.ts";
import { TokenScan } from "../words/token-scan.ts";
import { stem } from "../words/stem.ts";
import { hasWord, scanWords, wordsBetween } from "../words/words.ts";

/** Characters a snippet aims at; a word is never cut for it where the text has spaces. */
export const SNIPPET_LENGTH = 240;
/** How far the cut looks for a space before it cuts between characters (text without spaces). */
const SLACK = 40;

interface Mark {
  start: number;
  end: number;
  leaf: Leaf;
}
/** A word of the text that may begin or continue a leaf. */
interface Sighting {
  token: string;
  form: string;
  position: number;
  start: number;
  end: number;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
/** Text made safe inside HTML elements and attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);

/** What is searched for in a text, made once for a query. */
interface Matcher {
  leaves: readonly Leaf[];
  wanted: ReadonlySet<string>;
  prefixes: readonly string[];
  /** Finds the parts of a text that may contain it. */
  scan: TokenScan;
  /** A leaf requires adjacent words. */
  hasPhrases: boolean;
}

const matcherOf = (leaves: readonly Leaf[]): Matcher => ({
  leaves,
  wanted: new Set(leaves.flatMap((leaf) => (leaf.prefix ? [] : leaf.tokens))),
  prefixes: leaves.filter((leaf) => leaf.prefix).map((leaf) => leaf.tokens[0]!),
  scan: new TokenScan(leaves.flatMap(({ tokens }) => tokens)),
  hasPhrases: leaves.some((leaf) => leaf.tokens.length > 1),
});

/** A matcher of the leaves that `applies` selects, made once for each query. */
function matchers(applies: (leaf: Leaf) => boolean): (tree: Analysed) => Matcher {
  const made = new WeakMap<Analysed, Matcher>();
  return (tree) => {
    let matcher = made.get(tree);
    if (!matcher)
      made.set(
        tree,
        (matcher = matcherOf(positiveLeaves(tree).filter((leaf) => leaf.tokens.length > 0 && applies(leaf)))),
      );
    return matcher;
  };
}
const bodyMatcher = matchers(({ field }) => field === undefined);
const titleMatcher = matchers(({ field }) => field === undefined || field === "title");

/**
 * The leaves' words, found in the parts of the text that may contain them. Adjacent words have consecutive positions.
 */
function sightings(text: string, { wanted, prefixes, scan, hasPhrases }: Matcher): Sighting[] {
  const found: Sighting[] = [];
  let position = 0,
    read = 0;
  const visit = (start: number, end: number): void => {
    if (!scan.mayBegin(text, start)) {
      position++;
      return;
    }
    for (const form of wordsBetween(text, start, end)) {
      const token = stem(form);
      if (wanted.has(token) || prefixes.some((prefix) => form.startsWith(prefix) || token.startsWith(prefix)))
        found.push({ token, form, position, start, end });
      position++;
    }
  };
  scan.eachStretch(text, (begin, end) => {
    // Skipped text counts as one word if it has any, so that no phrase reaches across it.
    if (hasPhrases && hasWord(text, read, begin)) position++;
    scanWords(text, visit, begin, end);
    read = end;
  });
  return found;
}

/** Whether the leaf matches at `index` of the sightings; answers the index of its last word, or -1. */
function endOfMatch(seen: readonly Sighting[], index: number, leaf: Leaf): number {
  const first = seen[index]!;
  if (leaf.prefix)
    return first.form.startsWith(leaf.tokens[0]!) || first.token.startsWith(leaf.tokens[0]!) ? index : -1;
  for (let step = 0; step < leaf.tokens.length; step++) {
    const word = seen[index + step];
    if (!word || word.token !== leaf.tokens[step] || word.position !== first.position + step) return -1;
  }
  return index + leaf.tokens.length - 1;
}

function marksIn(text: string, matcher: Matcher): Mark[] {
  const seen = sightings(text, matcher);
  const marks: Mark[] = [];
  for (let index = 0; index < seen.length; index++) {
    for (const leaf of matcher.leaves) {
      const last = endOfMatch(seen, index, leaf);
      if (last >= 0) marks.push({ start: seen[index]!.start, end: seen[last]!.end, leaf });
    }
  }
  return marks;
}

/**
 * The best marks that fit one window: first by the number of different ranked leaves, then of leaves, then of marks,
 * then the earliest.
 */
function bestRun(marks: readonly Mark[], width: number): readonly [from: number, to: number] {
  const within = new Map<Leaf, number>();
  let value = 0,
    best = -1,
    run: readonly [number, number] = [0, 0],
    from = 0;
  const worth = (leaf: Leaf) => (leaf.ranked ? 10_000 : 100);
  for (let to = 0; to < marks.length; to++) {
    const { leaf, end } = marks[to]!;
    const already = within.get(leaf) ?? 0;
    within.set(leaf, already + 1);
    if (already === 0) value += worth(leaf);
    for (; from < to && end - marks[from]!.start > width; from++) {
      const left = marks[from]!.leaf;
      const rest = within.get(left)! - 1;
      within.set(left, rest);
      if (rest === 0) value -= worth(left);
    }
    const total = value + Math.min(to - from, 99);
    if (total > best) {
      best = total;
      run = [from, to];
    }
  }
  return run;
}

const isSpace = (char: string | undefined): boolean => char !== undefined && /\s/.test(char);
const splitsCharacter = (text: string, at: number): boolean =>
  at > 0 && at < text.length && /^[\udc00-\udfff\p{M}\u200d]/u.test(text.slice(at, at + 2));

/** A cut at or after `at` (but not after `limit`) that leaves words whole where spaces allow. */
function cutForward(text: string, at: number, limit: number): number {
  if (at <= 0) return 0;
  for (let to = at; to <= Math.min(limit, at + SLACK); to++) if (isSpace(text[to - 1])) return to;
  while (at < limit && splitsCharacter(text, at)) at++;
  return Math.min(at, limit);
}
function cutBackward(text: string, at: number, limit: number): number {
  if (at >= text.length) return text.length;
  for (let to = at; to >= Math.max(limit, at - SLACK); to--) if (isSpace(text[to])) return to;
  while (at > limit && splitsCharacter(text, at)) at--;
  return Math.max(at, limit);
}

/** Merges overlapping marks, so that the HTML nests correctly. */
function spans(marks: readonly Mark[], from: number, to: number): { start: number; end: number }[] {
  const joined: { start: number; end: number }[] = [];
  for (const mark of marks) {
    const start = Math.max(mark.start, from),
      end = Math.min(mark.end, to);
    if (start >= end) continue;
    const last = joined.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

function render(text: string, marks: readonly Mark[], from: number, to: number): string {
  const tidy = (start: number, end: number) => escapeHtml(text.slice(start, end).replace(/\s+/g, " "));
  let html = "",
    at = from;
  for (const { start, end } of spans(marks, from, to)) {
    html += `${tidy(at, start)}<mark>${tidy(start, end)}</mark>`;
    at = end;
  }
  return `${from > 0 ? "…" : ""}${(html + tidy(at, to)).trim()}${to < text.length ? "…" : ""}`;
}

function windowAround(text: string, first: number, last: number): readonly [number, number] {
  const spare = Math.max(0, SNIPPET_LENGTH - (last - first));
  const ideal = Math.max(0, first - (spare >> 1));
  const end = Math.min(text.length, Math.max(ideal + SNIPPET_LENGTH, Math.min(last, first + SNIPPET_LENGTH)));
  const start = Math.max(0, Math.min(ideal, end - SNIPPET_LENGTH));
  return [cutForward(text, start, first), cutBackward(text, end, Math.min(last, end))];
}

/** The parts of a document that the snippet is made from. */
export interface SnippetSource {
  title: string;
  body: string;
  source: string;
  domain: string;
}

function holdsElsewhere(leaf: Leaf, { title, source, domain }: SnippetSource): boolean {
  if (leaf.tokens.length === 0) return false;
  if (leaf.field === "source" || leaf.field === "domain") {
    const name = nameTokens(leaf.field === "source" ? source : domain);
    return name.some((_, at) =>
      leaf.tokens.every((token, step) =>
        leaf.prefix ? name[at + step]?.startsWith(token) : name[at + step] === token,
      ),
    );
  }
  return marksIn(title, matcherOf([leaf])).length > 0;
}

/**
 * The matches to mark: those of leaves that made the document a hit and are not function words, or all where there are
 * only such.
 */
function telling(marks: readonly Mark[], because: ReadonlySet<Leaf>): readonly Mark[] {
  const matched = marks.filter((mark) => because.has(mark.leaf));
  const some = matched.filter((mark) => !isFunctionWord(mark.leaf));
  return some.length > 0 ? some : matched;
}

const beginning = (text: string, length: number): string =>
  length > 0 ? render(text, [], 0, cutBackward(text, length, 0)) : "";

/** The part of a text around the best cluster of marks. */
function around(text: string, marks: readonly Mark[]): string {
  const [from, to] = bestRun(marks, SNIPPET_LENGTH);
  const [start, end] = windowAround(text, marks[from]!.start, marks[to]!.end);
  return render(text, marks, start, end);
}

/**
 * The snippet of a document for an analysed query: HTML-escaped text of about SNIPPET_LENGTH characters around the best
 * cluster of matches, each in <mark>. Without a match in the text it is the title with its matches, then the beginning
 * of the text. Linear in the text.
 */
export function snippet(shown: SnippetSource, tree: Analysed): string {
  const marks = marksIn(shown.body, bodyMatcher(tree));
  const present = new Set(marks.map((mark) => mark.leaf));
  const because = new Set<Leaf>();
  treeMatches(tree, (leaf) => present.has(leaf) || holdsElsewhere(leaf, shown), because);
  const inBody = telling(marks, because);
  if (inBody.length > 0) return around(shown.body, inBody);
  const inTitle = telling(marksIn(shown.title, titleMatcher(tree)), because);
  if (inTitle.length === 0) return beginning(shown.body, SNIPPET_LENGTH);
  return [around(shown.title, inTitle), beginning(shown.body, SNIPPET_LENGTH - shown.title.length)]
    .filter(Boolean)
    .join(" — ");
}
