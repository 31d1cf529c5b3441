import { inflateSync } from "node:zlib";
import { ENDNOTES_HEADING } from "../../../adapters/channels/blocks.ts";
import { brokenLines, visualOrder } from "../../../services/news/briefings/render/bidi.ts";
import { compose } from "../../../services/news/briefings/writing/compose.ts";
import { CITED_HEADING } from "../../../services/news/briefings/writing/document.ts";
import { attached } from "../../../services/news/briefings/render/pdf.ts";
import { toHtml, toPdf, toText } from "../../../services/news/briefings/render/render.ts";
import { SOURCES } from "../../fixtures/briefings/articles.ts";
import { busyDay, BUSY_DAY_PERIOD } from "../../fixtures/briefings/busy-day.ts";
import { hostile } from "../../fixtures/briefings/hostile.ts";
import { languages } from "../../fixtures/briefings/languages.ts";

const briefing = (articles: typeof busyDay) => ({
  ...compose({ articles, period: BUSY_DAY_PERIOD, now: BUSY_DAY_PERIOD.to, sources: SOURCES }),
  generatedAt: BUSY_DAY_PERIOD.to,
});
const day = briefing(busyDay);

test("the composition and the views agree on the heading of the sources", () =>
  expect(ENDNOTES_HEADING).toBe(CITED_HEADING));

describe("the page", () => {
  const page = toHtml(day);

  test("is whole, loads nothing, runs nothing, and says so to the browser", () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]{44}'/);
    expect(page).not.toMatch(/<(?:script|img|link|iframe|object|form)\b|\bsrc=|@import|url\(/i);
    expect(page).toContain("prefers-color-scheme: dark");
    expect(page).toContain("@media print");
  });

  test("links go to the articles and hand nothing on", () => {
    const links = page.match(/<a [^>]*>/g)!;
    expect(links.length).toBeGreaterThan(30);
    for (const link of links)
      expect(link).toMatch(/^<a href="https:\/\/news\.example\/[^"]+" rel="noopener noreferrer nofollow">$/);
    expect(page).toContain('<h2 id="articles-cited">');
  });

  test("shows what a hostile feed wrote, and obeys none of it", () => {
    const inert = toHtml(briefing(hostile));
    expect(inert).not.toMatch(/<script|<img|onerror=[^&]*>|href="(?!https:\/\/news\.example\/)/);
    expect(inert).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("refuses HTML, images, other schemes and bare addresses even in Markdown that is not ours", () => {
    const foreign = toHtml({
      title: "</title><script>",
      generatedAt: "",
      content:
        "<b>x</b>\n\n<div onclick=1>\n\n![i](https://e.example/i.png) [j](javascript:alert(1)) [d](data:text/html,x) [f](ftp://e.example/f) [m](mailto:a@e.example) <https://e.example> https://e.example",
    });
    expect(foreign).not.toMatch(/<b>|<div|<img|<script/);
    // What would be an image is at most a link, and the only one.
    expect(foreign.match(/href="[^"]*"/g)).toEqual(['href="https://e.example/i.png"']);
    expect(foreign).toContain("<title>&lt;/title&gt;&lt;script&gt;</title>");
  });
});

describe("the text", () => {
  const text = toText(day);
  test("keeps to 78 columns but for addresses, and gives these at the end alone", () => {
    for (const line of text.split("\n")) if (!/^ {2}https:/.test(line)) expect(line.length).toBeLessThanOrEqual(78);
    const [body, endnotes] = text.split(`\n${CITED_HEADING}\n`);
    expect(body).not.toContain("https://");
    expect(body).toContain("[#4]");
    expect(endnotes).toMatch(/- \[#4\] Harwick port blast[^]*?\n {2}https:\/\/news\.example\/harwick-courier\/4\n/);
  });
});

/** What a PDF holds, its streams inflated. */
function inside(pdf: Buffer): string {
  const source = pdf.toString("latin1");
  return (
    source +
    Array.from(source.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g), (match) => {
      try {
        return inflateSync(Buffer.from(match[1]!, "latin1")).toString("latin1");
      } catch {
        return "";
      }
    }).join("\n")
  );
}
/** A string as PDF writes it beyond ASCII: UTF-16 with a mark. */
const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, "utf16le").swap16().toString("latin1");

describe("the document", () => {
  test("is a PDF with links, bookmarks, page numbers, language and title; the same bytes each time", async () => {
    const pdf = await toPdf(day);
    const content = inside(pdf);
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(content).toContain("(https://news.example/harwick-courier/4)");
    expect(content).toMatch(/\/Outlines/);
    expect(content).toMatch(/\/Lang \(en\)/);
    expect(content).toMatch(/\/FontFile2/);
    expect(content.match(/\/Type \/Page\b/g)!.length).toBeGreaterThanOrEqual(2);
    expect((await toPdf(day)).equals(pdf)).toBe(true);
  });

  test("says how many characters its font lacks, and has none missing where it lacks none", async () => {
    const drawn = (pdf: Buffer) => inside(pdf).match(/\] TJ/g)!.length;
    const japanese = { title: "準惑星", content: "# 準惑星\n\nText", generatedAt: BUSY_DAY_PERIOD.to };
    const greek = { ...japanese, title: "Αθήνα", content: "# Αθήνα\n\nText" };
    expect(inside(await toPdf(japanese))).toContain(utf16("▯▯▯"));
    expect(drawn(await toPdf(japanese))).toBeGreaterThan(drawn(await toPdf(greek)));
    expect(inside(await toPdf(greek))).toContain(utf16("Αθήνα"));
  });

  test("begins no line with the mark that follows a link", () => {
    const plain = { bold: false, italic: false };
    const link = { ...plain, text: "#7", href: "https://a.example/" };
    const told = (...texts: string[]) =>
      attached([link, ...texts.map((text) => ({ ...plain, text }))]).map(({ text }) => text);
    expect(told("; and more")).toEqual(["#7;", " and more"]);
    expect(told(" (low)", ".")).toEqual(["#7", " (low)."]);
    expect(told(".5 more")).toEqual(["#7", ".5 more"]);
  });

  test("takes every script, a hostile feed, an empty briefing and a date that is none", async () => {
    for (const each of [
      briefing(languages),
      briefing(hostile),
      briefing([]),
      { title: "", content: "", generatedAt: "soon" },
    ]) {
      expect((await toPdf(each)).subarray(-6).toString()).toMatch(/%%EOF/);
    }
  });
});

describe("lines of mixed direction", () => {
  const order = (...words: string[]) => visualOrder(words.map((text) => ({ text }))).map(({ text }) => text);
  test("right-to-left words are drawn from the right, numbers among them included, left-to-right words stay", () => {
    expect(order("Energy:", "אחד", "שתיים", "שלוש", "#76")).toEqual(["Energy:", "שלוש", "שתיים", "אחד", "#76"]);
    expect(order("אחד", "12", "שתיים", "end", "אחד", "שתיים")).toEqual(["שתיים", "12", "אחד", "end", "שתיים", "אחד"]);
    expect(order("all", "left")).toEqual(["all", "left"]);
  });
  test("lines are broken before they are too wide; a word that is too wide stands alone", () => {
    expect(brokenLines(["aa", "bb", "cccccc", "d"], (word) => word.length, 1, 5)).toEqual([
      ["aa", "bb"],
      ["cccccc"],
      ["d"],
    ]);
    expect(brokenLines([], () => 1, 1, 5)).toEqual([[]]);
  });
});
