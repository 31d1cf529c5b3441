/**
 * Parts of an article's page that are not the article: menus, lists of other stories, invitations to subscribe,
 * captions, lines of dates and authors. Judged by their place, their share of links, their class names, and, for short
 * blocks only, their words.
 */

import { authored, called, credited, dated, ending, inviting, pointing } from "./furniture-words.ts";

/** The part of the DOM that is used, whichever parser made it. */
interface Node {
  nodeType: number;
  textContent: string | null;
  childNodes: ArrayLike<Node>;
}
interface Element extends Node {
  localName: string;
  getAttribute(name: string): string | null;
  remove(): void;
}
const isElement = (node: Node): node is Element => node.nodeType === 1;

const blockNames = new Set(
  (
    "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr " +
    "ul"
  ).split(" "),
);
const headings = /^h[1-6]$/;
/** Within these every line counts, however short. */
const untouchable = new Set(["pre", "table", "blockquote"]);

/** One block of text without blocks in it. */
interface Block {
  element: Element;
  text: string;
  /** Characters of it within links. */
  linked: number;
}
/** How much text an element holds, white space apart, and how much of that is in links. */
interface Measure {
  text: number;
  linked: number;
  links: number;
  /** Somebody is quoted in it. */
  quotes: boolean;
}

/** A part with this share of the whole is the article, whatever its class is. */
const mostOfArticle = 0.25;
/** Where less than this share would remain, the page is of another kind, and stays whole. */
const leastLeft = 0.15;

const nameOf = (element: Element): string =>
  `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`
    .slice(0, 300)
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase();

/** A sentence ends here, in whatever script. */
const sentenceEnd = /[.!?…。！？؟।:;]["'”’»)\]]*$/u;
const isAddress = (text: string): boolean =>
  !text.includes(" ") && /^(?:https?:\/\/|@|(?:twitter|facebook)\.com\/|[^@]+@[^@]+$)/i.test(text);

const wording = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** A character of these scripts says as much as two or three letters, and words are not spaced. */
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const weight = (text: string): number => text.length + 1.5 * (text.match(dense)?.length ?? 0);

const leastParagraph = 90;
const mostLabel = 40;
/** Whether this block is running text of the article. */
const isParagraph = ({ text, linked }: Block): boolean =>
  weight(text) >= leastParagraph && linked * 2 < text.length && !credited.test(text);
const isKept = ({ element }: Block): boolean => untouchable.has(element.localName);

const says = (text: string): boolean =>
  dated.test(text) || authored.test(text) || credited.test(text) || isAddress(text);

/** Whether a short line belongs to the page rather than to the text: it links elsewhere, invites, or credits. */
const isLineOfPage = (text: string): boolean =>
  text.length <= 350 &&
  (isAddress(text) || credited.test(text) || inviting.test(text) || (text.length <= 200 && pointing.test(text)));

class Pruner {
  readonly #root: Element;
  readonly #title: string;
  readonly #byline: string;
  readonly #measures = new Map<Node, Measure>();
  readonly #foreign = new Set<Node>();
  readonly #blocks: Block[] = [];

  constructor(root: Element, title: string, byline: string) {
    this.#root = root;
    this.#title = wording(title);
    this.#byline = wording(byline);
  }

  prune(): void {
    const whole = this.#measure(this.#root, false).text;
    this.#markParts(this.#root, whole);
    this.#collect(this.#root);
    this.#markBlocks();
    let left = whole;
    for (const part of this.#foreign) left -= this.#measures.get(part)!.text;
    if (left < whole * leastLeft) return;
    for (const part of this.#foreign) (part as Element).remove();
  }

  #measure(node: Node, within: boolean): Measure {
    const sum: Measure = { text: 0, linked: 0, links: 0, quotes: false };
    if (node.nodeType === 3) sum.text = (node.textContent ?? "").replaceAll(/\s+/g, "").length;
    const link = isElement(node) && node.localName === "a" && node.getAttribute("href") !== null;
    if (link) sum.links = 1;
    if (isElement(node) && node.localName === "blockquote") sum.quotes = true;
    if (within) sum.linked = sum.text;
    for (const child of Array.from(node.childNodes)) {
      const { text, linked, links, quotes } = this.#measure(child, within || link);
      sum.text += text;
      sum.linked += linked;
      sum.links += links;
      sum.quotes ||= quotes;
    }
    this.#measures.set(node, sum);
    return sum;
  }

  /** Marks parts by their class names, captions, and lists that are mostly links. */
  #markParts(element: Element, whole: number): void {
    for (const child of Array.from(element.childNodes)) {
      if (!isElement(child)) continue;
      const measure = this.#measures.get(child)!;
      if (measure.text > 0 && measure.text < whole * mostOfArticle && isForeign(child, measure))
        this.#foreign.add(child);
      else this.#markParts(child, whole);
    }
  }

  /** Collects blocks of text in order; answers whether the element has any. */
  #collect(element: Element): boolean {
    if (this.#foreign.has(element)) return false;
    let inner = false;
    if (!untouchable.has(element.localName))
      for (const child of Array.from(element.childNodes)) if (isElement(child) && this.#collect(child)) inner = true;
    if (inner || !blockNames.has(element.localName)) return inner;
    const text = (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();
    if (text === "") return false;
    const { text: all, linked } = this.#measures.get(element)!;
    this.#blocks.push({ element, text, linked: all === 0 ? 0 : Math.round((linked / all) * text.length) });
    return true;
  }

  /** Before the first paragraph and after the last, only sentences and headings belong to the text. */
  #markBlocks(): void {
    const first = this.#blocks.findIndex(isParagraph);
    const last = this.#blocks.findLastIndex(isParagraph);
    const end = endOf(this.#blocks);
    for (const [at, block] of this.#blocks.entries()) {
      if (at < end && isKept(block)) continue;
      const outside = (at < first && this.#isHead(block)) || (first >= 0 && at > last && this.#isTail(block));
      if (at >= end || outside || isPointer(block)) this.#foreign.add(block.element);
    }
  }

  #isHead({ text, linked }: Block): boolean {
    const words = wording(text);
    if (this.#title.startsWith(words)) return true;
    if (this.#byline !== "" && (words === this.#byline || words === `by ${this.#byline}`)) return true;
    if (says(text)) return true;
    return (
      !sentenceEnd.test(text) &&
      (linked * 2 > text.length || (words.split(" ").length <= 4 && weight(text) < mostLabel))
    );
  }

  #isTail({ element, text, linked }: Block): boolean {
    if (says(text) || (this.#byline !== "" && wording(text).startsWith(this.#byline))) return true;
    return !sentenceEnd.test(text) && (linked * 2 > text.length || headings.test(element.localName));
  }
}

const lists = new Set(["ul", "ol", "div", "section", "aside"]);

function isForeign(element: Element, { text, linked, links, quotes }: Measure): boolean {
  const { localName } = element;
  if (localName === "figcaption" || localName === "nav" || localName === "button") return true;
  if (!blockNames.has(localName) && localName !== "span" && localName !== "time") return false;
  if (links >= 2 && linked >= text * 0.7 && lists.has(localName)) return true;
  return !quotes && !untouchable.has(localName) && called.test(nameOf(element));
}

/** Readers' comments and notes about the author are not part of the text, however long they are. */
const foreignBehind = /^[\W_]*(?:comments?|leave a (?:reply|comment)|about the author)\W*$/iu;

/**
 * After a late heading that announces other stories, the text is over, unless paragraphs without links follow ("More on
 * the vote" may head a part of the text).
 */
function endOf(blocks: readonly Block[]): number {
  const total = blocks.reduce((sum, { text }) => sum + text.length, 0);
  let behind = 0;
  let linked = 0;
  let paragraphs = 0;
  let end = blocks.length;
  for (const [at, block] of [...blocks.entries()].reverse()) {
    const { text } = block;
    const others = foreignBehind.test(text) || paragraphs === 0 || linked > behind * 0.4;
    if (total - behind > total * 0.6 && others && text.length < 80 && ending.test(text)) end = at;
    behind += text.length;
    linked += block.linked;
    paragraphs += Number(isParagraph(block));
  }
  return end;
}

function isPointer({ element, text, linked }: Block): boolean {
  if (isLineOfPage(text)) return true;
  if (headings.test(element.localName) || element.localName === "li") return false;
  return text.length <= 250 && linked >= text.length * 0.9;
}

/**
 * Removes the furniture from an article's element, in place. `title` and `byline` are those stored beside the text.
 * Costs one pass over the nodes and one over the blocks.
 */
export function withoutFurniture(root: unknown, title: string, byline: string): void {
  new Pruner(root as Element, title, byline).prune();
}

/** Lines that WordPress and similar software append to an item of a feed. */
const closing = new RegExp(
  [
    String.raw`^the post .{1,300} (?:appeared first|first appeared) on .{1,200}$|^(?:der beitrag|l['’]article|`,
    String.raw`la entrada|o post) .{1,300} (?:erschien zuerst|est apparu en premier|se publicó primero|`,
    String.raw`apareceu primeiro) .{1,200}$`,
  ].join(""),
  "iu",
);
/** A cut-off teaser with a link to the rest. */
const cutOff = new RegExp(
  [
    String.raw`(?:\[(?:…|\.{3}|&hellip;)\]|\(?(?:read more|continue reading|read the (?:full|whole) (?:story|`,
    String.raw`article)|weiterlesen|mehr lesen|lire la suite|leer más|leia mais|leggi tutto|`,
    String.raw`читать далее)\)?)[\s.…»›→>]{0,6}$`,
  ].join(""),
  "iu",
);

/** The text of a feed's item without lines that link elsewhere or invite, and without the link that ends a teaser. */
export function withoutPointers(text: string): string {
  const lines = text.split("\n\n");
  const kept = lines.filter((line) => !(line.length <= 500 && closing.test(line)) && !isLineOfPage(line));
  const last = kept.at(-1);
  if (last === undefined) return text;
  kept[kept.length - 1] = last.slice(0, -200) + last.slice(-200).replace(cutOff, "").trimEnd();
  return kept.join("\n\n").trim() || text;
}
