export type FeedFormat = "rss" | "atom" | "rdf";

/**
 * Elements whose content is text or HTML (or RDF's list of items, which adds nothing): not parsed further, so that
 * unescaped HTML does no harm.
 */
export const textual = new Set([
  "items",
  "title",
  "description",
  "content:encoded",
  "content",
  "summary",
  "tagline",
  "info",
  "subtitle",
  "fullitem",
  "body",
  "xhtml:body",
  "xhtml:div",
  "dc:description",
  "dc:title",
  "atom:title",
  "atom:content",
  "atom:summary",
  "media:description",
  "media:title",
  "itunes:summary",
  "itunes:subtitle",
  "itunes:title",
]);
/** Elements beside a title, never within it: a title still open at one of these lacks its end tag. */
export const besideTitle = new Set([
  "link",
  "description",
  "guid",
  "pubdate",
  "content:encoded",
  "dc:date",
  "dc:creator",
  "category",
  "author",
  "id",
  "updated",
  "published",
  "summary",
  "item",
  "entry",
]);
/** What tells one item from another. */
export const identifying = new Set(["guid", "id", "link", "atom:id", "atom:link"]);
export const roots = new Map<string, FeedFormat>([
  ["rss", "rss"],
  ["channel", "rss"],
  ["rdf", "rdf"],
  ["feed", "atom"],
]);
export const itemNames = new Set(["item", "entry", "atom:entry"]);
