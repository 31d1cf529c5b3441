import { STORIES } from "./texts.ts";

/** `fresh`: written last, for figures alone. */
export type Part = "tune" | "held" | "fresh";
export interface Wanted {
  title: string;
  text: string;
  url: string;
}
/** A document that gives these items, or none ("refused": it must not pass for a feed). */
export interface FeedCase {
  name: string;
  part: Part;
  bytes: Buffer;
  contentType?: string;
  wanted: Wanted[] | "refused";
}

export const SITE = "https://gazette.example";
export const wanted = (at: number, change: Partial<Wanted> = {}): Wanted => ({
  title: STORIES[at]!.title,
  text: STORIES[at]!.paragraphs[0]!,
  url: `${SITE}/news/${at}`,
  ...change,
});
export const both = [wanted(0), wanted(1)];
export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

interface ItemParts {
  title?: string;
  link?: string;
  guid?: string;
  body?: string;
  more?: string;
}
export const item = (at: number, parts: ItemParts = {}): string => {
  const { title, link, guid, body, more = "" } = parts;
  const story = wanted(at);
  return [
    "<item>",
    title ?? `<title>${escaped(story.title)}</title>`,
    link ?? `<link>${story.url}</link>`,
    guid ?? `<guid isPermaLink="false">gazette-${at}</guid>`,
    body ?? `<description>${escaped(`<p>${escaped(story.text)}</p>`)}</description>`,
    `<pubDate>Tue, 17 Nov 2026 0${at}:30:00 GMT</pubDate>${more}</item>`,
  ].join("\n");
};
export const items = item(0) + item(1);
export const rss = (inner: string, head = "", root = '<rss version="2.0">'): string =>
  `<?xml version="1.0"?>\n${root}<channel><title>Gazette</title><link>${SITE}/</link>${head}${inner}</channel></rss>`;
export const entry = (at: number, body: string, more = ""): string =>
  `<entry><title>${escaped(wanted(at).title)}</title><id>tag:gazette.example,2026:${at}</id><link href="${wanted(at).url}"/><updated>2026-11-17T0${at}:00:00Z</updated>${body}${more}</entry>`;
export const atom = (inner: string, root = '<feed xmlns="http://www.w3.org/2005/Atom">'): string =>
  `${root}<title>Gazette</title><id>tag:gazette.example,2026:feed</id><updated>2026-11-17T09:00:00Z</updated>${inner}</feed>`;
export const html = (at: number) => `<p>${escaped(wanted(at).text)}</p>`;
export const content = (at: number) => `<content type="html">${escaped(html(at))}</content>`;
export const base64 = (at: number) => Buffer.from(html(at)).toString("base64");
export const withBody = (make: (at: number) => string, head = "", root?: string) =>
  rss(item(0, { body: make(0) }) + item(1, { body: make(1) }), head, root);
export const json = (entries: object[]) =>
  JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "Gazette",
    home_page_url: SITE,
    items: entries,
  });
export const jsonItem = (at: number) => ({
  id: `g-${at}`,
  url: wanted(at).url,
  title: wanted(at).title,
  content_html: html(at),
});

/** Adds cases of one part to a list. */
export const adding =
  (cases: FeedCase[], part: FeedCase["part"]) =>
  (name: string, document: string | Buffer, want: FeedCase["wanted"] = both, contentType?: string): void =>
    void cases.push({ part, name, bytes: Buffer.from(document as string), contentType, wanted: want });
