import { Readability } from "@mozilla/readability";
import { Parser } from "htmlparser2";
import { parseHTML } from "linkedom";
import { cleanHtml } from "./clean.ts";
import { limits } from "../feed.ts";
import { withoutFurniture } from "./furniture.ts";
import { absoluteUrl } from "./links.ts";
import { oneLine, shorten } from "./plain-text.ts";

/** The article of a web page, cleaned like an item of a feed. */
export interface Article {
  title: string;
  html: string;
  text: string;
  byline?: string;
}

/** Beyond these a page is no article, and scoring it takes too long. */
const pageLimits = { characters: 3 * 1024 * 1024, elements: 20_000, depth: 256 };
/** Less is a notice ("please enable cookies"), not an article. */
const leastText = 140;
/** Where more of the text than this stands in links, it is a list of articles, not one. */
const mostLinked = 0.6;

/** Readability's own type asks for the browser's Document, which linkedom implements without being declared so. */
type ReadableDocument = ConstructorParameters<typeof Readability>[0];

/**
 * Takes the article out of a web page (Mozilla's Readability) and sanitises it; null where the page holds none, or is
 * too large to be one. Nothing of the page runs and nothing is loaded.
 */
export function extractArticle(html: string, url: string): Article | null {
  if (html.length > pageLimits.characters || !isReadable(html)) return null;
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  const base = absoluteUrl(document.querySelector("base")?.getAttribute("href") ?? undefined, url) ?? url;
  const found = read(document as unknown as ReadableDocument);
  if (!found?.content) return null;
  withoutFurniture(found.content, found.title ?? "", (found.byline ?? "").replace(/^by\s+/i, ""));
  const cleaned = cleanHtml(found.content.innerHTML, base);
  if (cleaned.text.length < leastText || cleaned.linked > cleaned.text.length * mostLinked) return null;
  const byline = shorten(oneLine(found.byline ?? "").replace(/^by\s+/i, ""), limits.author);
  return {
    title: shorten(oneLine(found.title ?? ""), limits.title),
    html: cleaned.html,
    text: cleaned.text,
    ...(byline && { byline }),
  };
}

/** Whether the page is small and flat enough to be scored: measured before anything is built of it. */
function isReadable(html: string): boolean {
  let elements = 0;
  let depth = 0;
  let deepest = 0;
  const parser = new Parser(
    {
      onopentagname() {
        elements += 1;
        deepest = Math.max(deepest, ++depth);
        if (elements > pageLimits.elements || depth > pageLimits.depth) parser.pause();
      },
      onclosetag() {
        depth -= 1;
      },
    },
    { decodeEntities: false },
  );
  parser.write(html);
  return elements <= pageLimits.elements && deepest <= pageLimits.depth;
}

/** Keeps the article's markup and classes: the classes say which parts are furniture. */
function read(document: ReadableDocument) {
  try {
    return new Readability<{ innerHTML: string }>(document, {
      keepClasses: true,
      serializer: (node) => node as unknown as { innerHTML: string },
    }).parse();
  } catch {
    // Nested too deep for the stack, or broken beyond what linkedom can mend: no article to be had.
    return null;
  }
}
