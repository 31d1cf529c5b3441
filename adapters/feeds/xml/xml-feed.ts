import { isUtf8 } from "node:buffer";
import { parseDate } from "../dates.ts";
import type { Draft, FeedDraft, Markup } from "../draft.ts";
import { limits } from "../feed.ts";
import { Newest } from "../newest.ts";
import { readTree, type Element } from "./xml-tree.ts";

/**
 * The children of an element by name; those of a media:group count as its own (Media RSS groups renditions of one
 * thing).
 */
class Fields {
  readonly #byName = new Map<string, Element[]>();

  constructor(element: Element) {
    this.#add(element.children);
  }

  #add(children: readonly Element[]): void {
    for (const child of children) {
      const same = this.#byName.get(child.name);
      if (same) same.push(child);
      else this.#byName.set(child.name, [child]);
      if (child.name === "media:group") this.#add(child.children);
    }
  }

  all(...names: string[]): Element[] {
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }

  /** The text of the first element that has any. */
  text(...names: string[]): string | undefined {
    for (const name of names) {
      for (const element of this.#byName.get(name) ?? []) {
        const text = element.text.trim();
        if (text) return text;
      }
    }
    return undefined;
  }

  markup(...names: string[]): Markup | undefined {
    for (const name of names) {
      for (const element of this.#byName.get(name) ?? []) {
        const markup = markupOf(element);
        if (markup) return markup;
      }
    }
    return undefined;
  }

  /** The type of a body that is there and cannot be read as text: a picture, a document of another program. */
  unread(): string | undefined {
    const body = this.all("content", "atom:content").find((element) => element.text.trim() && !markupOf(element));
    return body?.attributes["type"]?.slice(0, 40);
  }

  /** The first date that can be read. */
  date(...names: string[]): number | undefined {
    for (const name of names) {
      for (const element of this.#byName.get(name) ?? []) {
        const at = parseDate(element.text);
        if (at !== undefined) return at;
      }
    }
    return undefined;
  }
}

const looksLikeHtml =
  /<\/?(?:p|br|a|b|i|em|strong|div|span|img|ul|ol|li|h[1-6]|table|blockquote|figure)(?:[\s/][^<>]*)?>/i;

/**
 * Atom says what its text is (RFC 4287, 3.1 and 4.1.3; Atom 0.3 by MIME type and mode); RSS never does, and means HTML.
 */
function markupOf(element: Element): Markup | undefined {
  const { bases, attributes } = element;
  if (element.markup) return element.markup.trim() ? { value: element.markup, kind: "html", bases } : undefined;
  const type = attributes["type"]?.trim().toLowerCase();
  const value = isBase64(attributes["mode"], type) ? fromBase64(element.text) : element.text;
  if (!value?.trim()) return undefined;
  const plain =
    type === "text" || type === "plain" || type === "text/plain" || (type === undefined && atomic.has(element.name));
  // Publishers forget the type: text full of tags is HTML all the same.
  return { value, kind: plain && !looksLikeHtml.test(value) ? "text" : "html", bases };
}
/** Atom 0.3 says it by mode; in 1.0 whatever is neither text nor XML by its MIME type is Base64 (RFC 4287, 4.1.3.3). */
const isBase64 = (mode: string | undefined, type: string | undefined): boolean =>
  mode === "base64" || (type !== undefined && type.includes("/") && !/^text\/|[/+]xml(?:;|$)/.test(type));

/** Text that is in Base64; undefined for what is none: a picture, a sound. */
function fromBase64(written: string): string | undefined {
  const digits = written.replaceAll(/\s+/g, "");
  if (!/^[\w+/-]+={0,2}$/.test(digits)) return undefined;
  const bytes = Buffer.from(digits, "base64");
  const text = isUtf8(bytes) ? bytes.toString("utf8") : "";
  // oxlint-disable-next-line no-control-regex
  return /^[^\0-\x08\x0e-\x1f]+$/.test(text) ? text : undefined;
}

/** Names that only Atom has, where no type means plain text. */
const atomic = new Set([
  "summary",
  "content",
  "subtitle",
  "atom:title",
  "atom:summary",
  "atom:content",
  "media:title",
  "media:description",
  "itunes:summary",
  "itunes:subtitle",
  "itunes:title",
]);

const relations = (link: Element): string[] => (link.attributes["rel"] ?? "alternate").toLowerCase().split(/\s+/);
const isHtmlLink = (link: Element) =>
  /^(text\/html|application\/xhtml\+xml|)$/.test(link.attributes["type"]?.toLowerCase() ?? "");

/** Of Atom's links (also met in RSS) the one to the page that people read. */
function alternate(links: readonly Element[]): string | undefined {
  const pages = links.filter((link) => link.attributes["href"] && relations(link).includes("alternate"));
  return (pages.find(isHtmlLink) ?? pages[0])?.attributes["href"];
}

const webAddress = (text: string | undefined) => (text && /^https?:\/\//i.test(text) ? text : undefined);

function itemUrl(fields: Fields, item: Element): string | undefined {
  const links = fields.all("link", "atom:link");
  const permalink = fields
    .all("guid")
    .find((guid) => guid.attributes["ispermalink"]?.toLowerCase() !== "false")
    ?.text.trim();
  // FeedBurner and its like replace the link by a counter and keep the original beside it.
  return (
    fields.text("feedburner:origlink", "pheedo:origlink") ??
    fields.text("link") ??
    alternate(links) ??
    webAddress(permalink) ??
    webAddress(item.attributes["rdf:about"]) ??
    webAddress(item.attributes["href"]) ??
    webAddress(fields.text("id")) ??
    enclosures(fields)[0]?.url
  );
}

interface Enclosure {
  url: string;
  type: string;
}

function enclosures(fields: Fields): Enclosure[] {
  const linked = fields
    .all("link", "atom:link")
    .filter((link) => relations(link).includes("enclosure"))
    .map(({ attributes }) => ({ url: attributes["href"], type: attributes["type"] }));
  const own = fields.all("enclosure").map(({ attributes }) => ({ url: attributes["url"], type: attributes["type"] }));
  return [...own, ...linked].flatMap(({ url, type }) => (url ? [{ url, type: type ?? "" }] : []));
}

const pictureFile = /\.(jpe?g|png|webp|gif|avif)(\?|$)/i;

function itemImage(fields: Fields): string | undefined {
  const media = fields
    .all("media:content")
    .find(
      ({ attributes }) =>
        attributes["url"] &&
        (attributes["medium"] === "image" ||
          attributes["type"]?.startsWith("image/") ||
          (!attributes["type"] && !attributes["medium"] && pictureFile.test(attributes["url"]))),
    );
  return (
    media?.attributes["url"] ??
    fields.all("media:thumbnail")[0]?.attributes["url"] ??
    enclosures(fields).find(({ type }) => type.startsWith("image/"))?.url ??
    fields.all("itunes:image")[0]?.attributes["href"] ??
    imageElement(fields)
  );
}

/** RSS's image holds a url element, some put the address straight into it. */
function imageElement(fields: Fields): string | undefined {
  const image = fields.all("image")[0];
  return image && (new Fields(image).text("url") ?? webAddress(image.text.trim()));
}

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
function draftOf({ item, fields, published, updated }: Dated): Draft {
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
 * a web page, undefined for anything else that is no feed; throws FeedError `too-deep`.
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
  const { format, channel, warnings } = tree;
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
