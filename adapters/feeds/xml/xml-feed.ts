import type { ItemDraft, FeedDraft } from "../draft.ts";
import { FeedError, limits } from "../feed.ts";
import { Newest } from "../newest.ts";
import { alternate, enclosureName, itemImage, itemUrl, relations } from "./addresses.ts";
import { Fields } from "./fields.ts";
import type { Element } from "./xml-element.ts";
import { readTree } from "./xml-tree.ts";

/** "ann@example.org (Ann Author)" and "Ann Author <ann@example.org>" give the name; an address alone gives itself. */
function personName(written: string): string {
  const text = written.trim().slice(0, limits.author * 2);
  const [round, angle] = [text.indexOf("("), text.lastIndexOf("<")];
  if (text.endsWith(")") && text.slice(0, round).includes("@")) return text.slice(round + 1, -1).trim();
  if (angle > 0 && text.endsWith(">") && text.slice(angle).includes("@"))
    return text.slice(0, angle).replaceAll('"', "").trim();
  return text;
}

function authorOf(fields: Fields): string | undefined {
  const elements =
    [
      fields.all("author", "atom:author"),
      fields.all("dc:creator"),
      fields.all("itunes:author"),
      fields.all("dc:contributor", "contributor"),
    ].find((list) => list.length > 0) ?? [];
  const names = elements.map(
    (element) => new Fields(element).text("name", "atom:name", "email", "atom:email") ?? personName(element.text),
  );
  return names.filter(Boolean).join(", ") || undefined;
}

function categoriesOf(fields: Fields): string[] {
  const named = fields
    .all("category", "atom:category", "dc:subject", "itunes:category")
    .map(
      ({ text, attributes }) => attributes["label"] || text.trim() || attributes["term"] || attributes["text"] || "",
    );
  const listed = fields.all("media:keywords", "itunes:keywords").flatMap(({ text }) => text.split(","));
  return named.length > 0 ? named : listed;
}

/** An item of which only the date is known: of very many, those too old are never read further. */
interface Dated {
  item: Element;
  fields: Fields;
  published?: number;
  updated?: number;
}

function datedOf(item: Element): Dated {
  const fields = new Fields(item);
  return {
    item,
    fields,
    published: fields.date(
      "pubdate",
      "published",
      "issued",
      "atom:published",
      "dc:date",
      "dcterms:issued",
      "dcterms:created",
      "created",
      "dcterms:date",
    ),
    updated: fields.date("updated", "modified", "atom:updated", "dcterms:modified", "lastbuilddate"),
  };
}

/** Reads one item of RSS, RDF or Atom alike: their names do not clash, and broken feeds mix them. */
function draftOf({ item, fields, published, updated }: Dated): ItemDraft {
  return {
    guid: fields.text("guid", "id", "atom:id", "dc:identifier") ?? item.attributes["rdf:about"],
    url: itemUrl(fields, item),
    bases: item.bases,
    title: fields.markup("title", "dc:title", "media:title", "itunes:title", "atom:title"),
    content: fields.markup("content:encoded", "content", "atom:content", "fullitem", "xhtml:body", "body", "xhtml:div"),
    description: fields.markup(
      "description",
      "summary",
      "atom:summary",
      "dc:description",
      "itunes:summary",
      "media:description",
      "itunes:subtitle",
      "abstract",
    ),
    unread: fields.unread(),
    author: authorOf(fields),
    enclosure: enclosureName(fields),
    categories: categoriesOf(fields),
    image: itemImage(fields),
    published,
    updated,
  };
}

const yearMinutes = 525_600;
const periods = new Map([
  ["hourly", 60],
  ["daily", 1_440],
  ["weekly", 10_080],
  ["monthly", 43_200],
  ["yearly", yearMinutes],
]);

/** RSS's ttl in minutes, else the syndication module's period over its frequency. */
function ttlOf(fields: Fields): number | undefined {
  const ttl = Number(fields.text("ttl"));
  if (ttl > 0) return Math.min(Math.round(ttl), yearMinutes);
  const period = periods.get(fields.text("sy:updateperiod")?.toLowerCase() ?? "");
  const frequency = Number(fields.text("sy:updatefrequency") ?? 1);
  return period && frequency > 0 ? Math.max(1, Math.round(period / frequency)) : undefined;
}

/**
 * Reads RSS 0.9x, 1.0 and 2.0, RDF and Atom 0.3 and 1.0 into drafts, at most `limits.items` of them. Answers "html" for
 * a web page, undefined for anything else that is no feed; throws FeedError `too-deep`, or `malformed` where it breaks
 * off before its first item.
 */
export function readXmlFeed(source: string): FeedDraft | "html" | undefined {
  const newest = new Newest<Dated>(limits.items);
  // An item without a single element says nothing.
  const tree = readTree(source, {
    item: (element) => {
      if (element.children.length > 0 || element.attributes["href"]) newest.add(datedOf(element));
    },
  });
  if (tree === "html" || tree === undefined) return tree;
  const { format, channel, isWhole, warnings } = tree;
  if (!isWhole && newest.count === 0)
    throw new FeedError(
      "malformed",
      "The document breaks off before its first item is complete: nothing came with it.",
    );
  const fields = new Fields(channel);
  const links = fields.all("link", "atom:link");
  const items = newest.items().map(draftOf);
  if (newest.count > items.length)
    warnings.push(`The feed holds ${newest.count} items; the newest ${items.length} were read.`);
  // Atom's entries inherit the author of their feed (RFC 4287, 4.2.1).
  const author = format === "atom" ? authorOf(fields) : undefined;
  return {
    format,
    warnings,
    bases: channel.bases,
    items: author ? items.map((item) => ({ ...item, author: item.author ?? author })) : items,
    title: fields.markup("title", "dc:title", "itunes:title"),
    siteUrl: fields.text("link") ?? alternate(links) ?? channel.attributes["href"],
    language: fields.text("language", "dc:language") ?? channel.language,
    ttlMinutes: ttlOf(fields),
    hub: links.find((link) => relations(link).includes("hub"))?.attributes["href"],
    published: fields.date(
      "pubdate",
      "lastbuilddate",
      "updated",
      "modified",
      "dc:date",
      "atom:updated",
      "dcterms:modified",
    ),
  };
}
