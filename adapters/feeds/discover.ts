import { Parser } from "htmlparser2";
import { decodedAttribute } from "./xml/entities.ts";
import type { FeedLink } from "./feed.ts";
import { absoluteUrl } from "./html/links.ts";

const feedTypes = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/feed+json",
  "application/rdf+xml",
  "application/xml",
  "text/xml",
  "application/json",
]);
/** Paths under which feeds live, for pages that link to them without saying what they are. */
const feedPath =
  /(?:\/(?:feed|rss|atom|rdf)\/?|[/.](?:rss|atom|rdf)(?:\.xml|\.json)?|\/(?:feed|index|rss|atom)\.(?:xml|json|rss|rdf|atom))$/i;
const most = 20;
/** A page names its feeds in its head; its body is searched for ordinary links only so far. */
const pageLimit = 1024 * 1024;

const decoded = (value: string | undefined) => (value === undefined ? undefined : decodedAttribute(value));
const isHomeComments = ({ title, url }: FeedLink) => /comment/i.test(title ?? "") || /\/comments?\//i.test(url);

/**
 * Finds the feeds that a web page names: `link` elements of rel alternate or feed (with a feed's type), else ordinary
 * links that look like feeds. In the order of the page, comment feeds last; each address once.
 */
export function discoverFeeds(html: string, pageUrl: string): FeedLink[] {
  let base = pageUrl;
  const named = new Map<string, FeedLink>();
  const guessed = new Map<string, FeedLink>();
  const add = (links: Map<string, FeedLink>, attributes: Record<string, string>) => {
    const url = absoluteUrl(decoded(attributes["href"]), base);
    if (url && !links.has(url) && links.size < most)
      links.set(url, {
        url,
        title: decoded(attributes["title"])?.trim().slice(0, 200) || undefined,
        type: attributes["type"]?.toLowerCase(),
      });
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const relations = attributes["rel"]?.toLowerCase().split(/\s+/) ?? [];
        const type = attributes["type"]?.toLowerCase().split(";", 1)[0]!.trim() ?? "";
        if (name === "base") base = absoluteUrl(decoded(attributes["href"]), pageUrl) ?? base;
        else if (
          name === "link" &&
          ((relations.includes("alternate") && feedTypes.has(type)) || relations.includes("feed"))
        )
          add(named, attributes);
        else if (name === "a" && (feedTypes.has(type) || feedPath.test(attributes["href"]?.split(/[?#]/, 1)[0] ?? "")))
          add(guessed, attributes);
      },
    },
    { decodeEntities: false },
  );
  parser.write(html.slice(0, pageLimit));
  const found = [...(named.size > 0 ? named : guessed).values()];
  return [...found.filter((link) => !isHomeComments(link)), ...found.filter(isHomeComments)];
}
