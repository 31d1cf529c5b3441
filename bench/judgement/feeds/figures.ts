import type { extractArticle } from "../../../adapters/feeds/html/article.ts";
import type { decodeDocument } from "../../../adapters/feeds/charset.ts";
import type { ParsedItem } from "../../../adapters/feeds/feed.ts";
import type { parseFeed } from "../../../adapters/feeds/parse.ts";
import { ENCODINGS, type EncodingCase } from "./encodings.ts";
import type { FeedCase, Part, Wanted } from "./feed-documents.ts";
import { FEEDS } from "./feeds.ts";
import { PAGES, type PageCase } from "./pages.ts";

/** What is judged; `say` hears of each case that was read wrong. */
export interface Readers {
  parseFeed: typeof parseFeed;
  decodeDocument: typeof decodeDocument;
  extractArticle: typeof extractArticle;
  say?: (...words: unknown[]) => void;
}
export interface Share {
  right: number;
  all: number;
}
export interface Figures {
  /** Items, titles, texts and addresses all right, or a document refused that is no feed. */
  feeds: Share;
  titles: Share;
  encodings: Share;
  /** Without UTF-8 and UTF-16. */
  legacy: Share;
  fullText: { f1: number; precision: number; recall: number };
}

export const ratio = ({ right, all }: Share): number => (all === 0 ? 1 : right / all);
const flat = (text: string) => text.replaceAll(/\s+/g, " ").trim();

function itemsOf(readers: Readers, { bytes, contentType }: FeedCase): ParsedItem[] | "refused" | "threw" {
  const about = { url: "https://gazette.example/feed", contentType, fetchedAt: "2026-11-17T12:00:00Z" };
  try {
    return readers.parseFeed(bytes, about).items;
  } catch (error) {
    return (error as Error).name === "FeedError" ? "refused" : "threw";
  }
}
const isRight = (item: ParsedItem | undefined, { title, text, url }: Wanted) =>
  item !== undefined && item.title === title && flat(item.text) === flat(text) && item.url === url;

function feeds(readers: Readers, cases: readonly FeedCase[]): Pick<Figures, "feeds" | "titles"> {
  const read = { right: 0, all: cases.length };
  const titles = { right: 0, all: 0 };
  for (const one of cases) {
    const items = itemsOf(readers, one);
    const list = typeof items === "string" ? [] : items;
    const wanted = one.wanted === "refused" ? [] : one.wanted;
    const whole = list.length === wanted.length && wanted.every((want, at) => isRight(list[at], want));
    const right = one.wanted === "refused" ? items === "refused" : whole;
    read.right += Number(right);
    titles.all += wanted.length;
    titles.right += wanted.filter(({ title }, at) => list[at]?.title === title).length;
    if (!right) readers.say?.("feed", one.part, one.name, JSON.stringify(list[0] ?? items).slice(0, 300));
  }
  return { feeds: read, titles };
}

function encodings(readers: Readers, cases: readonly EncodingCase[]): Share {
  const right = cases.filter(({ bytes, wanted, part, language, encoding, form }) => {
    const found = flat(readers.decodeDocument(bytes).text).includes(flat(wanted));
    if (!found) readers.say?.("encoding", part, language, encoding, form);
    return found;
  });
  return { right: right.length, all: cases.length };
}

const WORDS = 4;
/** How often each four words in a row stand in a text. */
function shingles(text: string): Map<string, number> {
  const tokens = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, tokens.length - WORDS + 1); at += 1) {
    const key = tokens.slice(at, at + WORDS).join(" ");
    if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);

/** Precision and recall are each averaged over the pages. */
function fullText(readers: Readers, cases: readonly PageCase[]): Figures["fullText"] {
  let precision = 0;
  let recall = 0;
  for (const { html, url, wanted, name, part } of cases) {
    const found = shingles(readers.extractArticle(html, url)?.text ?? "");
    const want = shingles(wanted);
    const common = [...found].reduce((total, [key, count]) => total + Math.min(count, want.get(key) ?? 0), 0);
    const [p, r] = [sum(found) === 0 ? 0 : common / sum(found), common / sum(want)];
    precision += p / cases.length;
    recall += r / cases.length;
    if (p < 0.97 || r < 0.97) readers.say?.("page", part, name, p.toFixed(2), r.toFixed(2));
  }
  return { f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall), precision, recall };
}

export function figuresOf(readers: Readers, part: Part): Figures {
  const of = <T extends { part: Part }>(cases: readonly T[]) => cases.filter((one) => one.part === part);
  const all = of(ENCODINGS);
  return {
    ...feeds(readers, of(FEEDS)),
    encodings: encodings(readers, all),
    legacy: encodings(
      { ...readers, say: undefined },
      all.filter(({ encoding }) => !encoding.startsWith("utf")),
    ),
    fullText: fullText(readers, of(PAGES)),
  };
}
