import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as ArticleReader from "../../../adapters/feeds/article.ts";
import type * as Charset from "../../../adapters/feeds/charset.ts";
import type { ParsedItem } from "../../../adapters/feeds/feed.ts";
import type * as Parser from "../../../adapters/feeds/parse.ts";
import { ENCODINGS, type EncodingCase } from "./encodings.ts";
import { FEEDS, type FeedCase, type Part, type Wanted } from "./feeds.ts";
import { PAGES, type PageCase } from "./pages.ts";

/**
 * `node bench/judgement/feeds/score.ts [--wrong] [folder]`: how well feeds, encodings and pages are read, by the
 * adapters of this checkout or of another one. `--wrong` lists what was read wrong.
 */
const given = process.argv.slice(2);
const wrong = given.includes("--wrong");
const folder = resolve(given.find((word) => !word.startsWith("--")) ?? join(import.meta.dirname, "../../.."));
const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join(folder, "adapters/feeds", name)).href)) as T;
const { parseFeed } = await load<typeof Parser>("parse.ts");
const { decodeDocument } = await load<typeof Charset>("charset.ts");
const { extractArticle } = await load<typeof ArticleReader>("article.ts");

const flat = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const share = (right: number, all: number) => (all === 0 ? 1 : right / all).toFixed(3);
const say = (...words: unknown[]) => void (wrong && process.stdout.write(`  ${words.join(" | ")}\n`));

function itemsOf({ bytes, contentType }: FeedCase): ParsedItem[] | "refused" | "threw" {
  try {
    return parseFeed(bytes, { url: "https://gazette.example/feed", contentType, fetchedAt: "2026-11-17T12:00:00Z" })
      .items;
  } catch (error) {
    return (error as Error).name === "FeedError" ? "refused" : "threw";
  }
}
const right = (item: ParsedItem | undefined, { title, text, url }: Wanted) =>
  item !== undefined && item.title === title && flat(item.text) === flat(text) && item.url === url;

function feeds(cases: readonly FeedCase[]): [read: string, titles: string] {
  let read = 0;
  let titles = 0;
  let all = 0;
  for (const one of cases) {
    const items = itemsOf(one);
    const { wanted } = one;
    const list = typeof items === "string" ? [] : items;
    const whole =
      wanted === "refused"
        ? items === "refused"
        : list.length === wanted.length && wanted.every((want, at) => right(list[at], want));
    read += Number(whole);
    if (wanted !== "refused") {
      all += wanted.length;
      titles += wanted.filter(({ title }, at) => list[at]?.title === title).length;
    }
    if (!whole)
      say(
        "feed",
        one.part,
        one.name,
        typeof items === "string" ? items : JSON.stringify(list[0] ?? null).slice(0, 300),
      );
  }
  return [`${share(read, cases.length)} (${read} of ${cases.length})`, share(titles, all)];
}

function encodings(cases: readonly EncodingCase[]): string {
  const good = cases.filter(({ bytes, wanted, ...of }) => {
    const fine = flat(decodeDocument(bytes).text).includes(flat(wanted));
    if (!fine) say("encoding", of.part, of.language, of.encoding, of.form);
    return fine;
  });
  return `${share(good.length, cases.length)} (${good.length} of ${cases.length})`;
}

const FOUR = 4;
function shingles(text: string): Map<string, number> {
  const tokens = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, tokens.length - FOUR + 1); at += 1) {
    const key = tokens.slice(at, at + FOUR).join(" ");
    if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Precision and recall of four words in a row, each averaged over the pages. */
function pages(cases: readonly PageCase[]): string {
  let precision = 0;
  let recall = 0;
  for (const { html, url, wanted, name, part } of cases) {
    const found = shingles(extractArticle(html, url)?.text ?? "");
    const want = shingles(wanted);
    const sum = (map: Map<string, number>) => [...map.values()].reduce((total, count) => total + count, 0);
    const common = [...found].reduce((total, [key, count]) => total + Math.min(count, want.get(key) ?? 0), 0);
    const [p, r] = [sum(found) === 0 ? 0 : common / sum(found), common / sum(want)];
    precision += p / cases.length;
    recall += r / cases.length;
    if (p < 0.97 || r < 0.97) say("page", part, name, p.toFixed(2), r.toFixed(2));
  }
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return `${f1.toFixed(3)} (${precision.toFixed(3)}, ${recall.toFixed(3)})`;
}

const of = <T extends { part: Part }>(cases: readonly T[], part: Part) => cases.filter((one) => one.part === part);
const column = (part: Part) => {
  const [read, titles] = feeds(of(FEEDS, part));
  const [own, any] = [of(ENCODINGS, part).filter(({ encoding }) => !encoding.startsWith("utf")), of(ENCODINGS, part)];
  return [read, titles, encodings(any), encodings(own), pages(of(PAGES, part))];
};
const [tune, held] = [column("tune"), column("held")];
const rows = [
  "feeds read whole",
  "titles",
  "encodings without a declaration",
  "of these not Unicode",
  "full text: F1 (precision, recall)",
];
process.stdout.write("| | tune | held out |\n|---|---|---|\n");
for (const [at, name] of rows.entries()) process.stdout.write(`| ${name} | ${tune[at]} | ${held[at]} |\n`);
