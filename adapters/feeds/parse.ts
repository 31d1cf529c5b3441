import { createHash } from "node:crypto";
import { cleanMarkup, titleText } from "./html/body.ts";
import { decodeDocument } from "./charset.ts";
import type { Cleaned } from "./html/clean.ts";
import { parseDate } from "./dates.ts";
import { discoverFeeds } from "./discover.ts";
import type { ItemDraft, FeedDraft, Markup } from "./draft.ts";
import { FeedError, limits, owningUp, type About, type ParsedFeed, type ParsedItem } from "./feed.ts";
import { withoutPointers } from "./html/furniture.ts";
import { readJsonFeed } from "./json-feed.ts";
import { absoluteUrl, resolveBases, shownUrl } from "./html/links.ts";
import { oneLine, shorten } from "./html/plain-text.ts";
import { readXmlFeed } from "./xml/xml-feed.ts";

const things = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const day = 24 * 60 * 60 * 1000;
const nothing: Cleaned = { html: "", text: "", linked: 0, truncated: false };

/** What all items of a feed share. */
interface Context {
  /** Against which relative addresses are resolved where no xml:base says otherwise. */
  base: string;
  fetchedAt: number;
  /** Stands in for an item's own date: the feed's, the transport's, or the time of the fetch. */
  fallbackDate: number;
  /** What the feed is called. */
  feed: string;
  warnings: Set<string>;
}

function instantOf(text: string, name: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new RangeError(`${name} is no ISO 8601 date: "${text.slice(0, 40)}"`);
  return at;
}

function notAFeed(text: string, url: string): FeedError {
  const links = discoverFeeds(text, url);
  const found =
    links.length === 0
      ? "it names no feed"
      : `it names ${links.length === 1 ? "a feed" : `${links.length} feeds`}, the first at ${links[0]!.url}`;
  return new FeedError("not-a-feed", `The address answers with a web page; ${found}.`, links);
}

function read(text: string, url: string): FeedDraft {
  const begin = text.trimStart().slice(0, 1);
  if (begin === "{" || begin === "[") return readJsonFeed(text);
  const feed = readXmlFeed(text);
  if (feed === "html") throw notAFeed(text, url);
  if (feed) return feed;
  // A fragment of a page has no html element to know it by.
  if (/<(?:div|p|a|link|meta|script|body|head|title)[\s>]/i.test(text.slice(0, 4096))) throw notAFeed(text, url);
  throw new FeedError("not-a-feed", "The address answers with something that is neither a feed nor a web page.");
}

/** A hash stands for an identifier too long to be kept: cut off, two could become one. */
const guidOf = (guid: string | undefined) =>
  guid && guid.length > limits.guid ? `sha256:${createHash("sha256").update(guid).digest("hex")}` : guid;

function categoriesOf(names: readonly string[]): string[] {
  const plain = names
    .slice(0, limits.categories * 2)
    .map((name) => shorten(titleText({ value: name, kind: "html", bases: [] }), limits.category))
    .filter(Boolean);
  return [...new Set(plain)].slice(0, limits.categories);
}

type Dates = Pick<ParsedItem, "publishedAt" | "dateInferred" | "updatedAt">;

function datesOf({ published, updated }: ItemDraft, { fetchedAt, fallbackDate }: Context): Dates {
  const own = published ?? updated;
  const future = own !== undefined && own > fetchedAt + day;
  const at = future ? fetchedAt : (own ?? fallbackDate);
  const changed = updated !== undefined && updated > at && updated <= fetchedAt + day;
  return {
    publishedAt: new Date(at).toISOString(),
    dateInferred: own === undefined || future,
    ...(changed && { updatedAt: new Date(updated).toISOString() }),
  };
}

function clean(markup: Markup | undefined, context: Context): Cleaned {
  if (!markup) return nothing;
  const cleaned = cleanMarkup(markup, resolveBases(markup.bases, context.base));
  if (cleaned.truncated)
    context.warnings.add("An item is too large or too deeply nested; only its beginning was kept.");
  return { ...cleaned, text: withoutPointers(cleaned.text) };
}

/**
 * What heads an item that has neither title nor text: its enclosure, or its categories and the feed, by its own date.
 * One that is inferred may be another at each fetch.
 */
function headingOf(categories: readonly string[], draft: ItemDraft, dates: Dates, { feed }: Context): string {
  const enclosure = draft.enclosure && shorten(oneLine(draft.enclosure), 80);
  if (enclosure) return enclosure;
  const from = dates.dateInferred ? feed : `${feed}, ${dates.publishedAt.slice(0, 16).replace("T", " ")}`;
  return categories.length ? `${categories.slice(0, 3).join(", ")} (${from})` : from;
}

/** A teaser needs no more than its beginning. */
const beginning = (markup: Markup): Markup => ({ ...markup, value: markup.value.slice(0, limits.summary * 8) });

function itemOf(draft: ItemDraft, context: Context): ParsedItem | undefined {
  const base = resolveBases(draft.bases, context.base);
  const content = clean(draft.content, context);
  const body = content.text || content.image ? content : clean(draft.description, context);
  const teaser = body === content && draft.description ? clean(beginning(draft.description), context).text : "";
  const url = shownUrl(draft.url, base);
  const title = shorten(titleText(draft.title), limits.title);
  const guid = guidOf(draft.guid);
  if (!guid && !url && !title && !body.text) return undefined;
  const author = shorten(
    titleText(draft.author === undefined ? undefined : { value: draft.author, kind: "html", bases: [] }),
    limits.author,
  );
  const image = absoluteUrl(draft.image, base) ?? body.image;
  const categories = categoriesOf(draft.categories);
  const dates = datesOf(draft, context);
  return {
    ...(guid && { guid }),
    ...(url && { url }),
    title: title || shorten(oneLine(body.text), 80) || headingOf(categories, draft, dates, context),
    html: body.html,
    text: body.text,
    summary: shorten(oneLine((teaser || body.text).slice(0, limits.summary * 4)), limits.summary),
    ...(author && { author }),
    categories,
    ...(image && { image }),
    ...dates,
  };
}

/**
 * An identifier that several items with different addresses share identifies none of them; items that agree in both are
 * one, the newest.
 */
function distinct(items: readonly ParsedItem[], warnings: Set<string>): ParsedItem[] {
  const byGuid = new Map<string, ParsedItem[]>();
  for (const item of items)
    if (item.guid !== undefined) byGuid.set(item.guid, [...(byGuid.get(item.guid) ?? []), item].slice(-limits.items));
  const shared = new Set(
    [...byGuid].filter(([, same]) => new Set(same.map(({ url }) => url)).size > 1).map(([guid]) => guid),
  );
  if (shared.size > 0) warnings.add("Several items share one identifier; they are told apart by their addresses.");
  const newest = new Map<string, ParsedItem>();
  const age = (item: ParsedItem) => item.updatedAt ?? item.publishedAt;
  for (const item of items) {
    const key = `${item.guid ?? ""} ${item.url ?? ""}`;
    const other = newest.get(key);
    if (!other || age(item) > age(other)) newest.set(key, item);
  }
  const chosen = new Set(newest.values());
  const kept = items.filter((item) => chosen.has(item) || (item.guid === undefined && item.url === undefined));
  const repeated = items.length - kept.length;
  if (repeated > 0)
    warnings.add(`${things(repeated, "item repeats another and was", "items repeat others and were")} left out.`);
  return kept.map((item) => (item.guid !== undefined && shared.has(item.guid) ? { ...item, guid: undefined } : item));
}

function tellLeftOut(drafts: readonly ItemDraft[], said: number, warnings: Set<string>): void {
  const silent = drafts.length - said;
  const words = "of which neither title, address, identifier nor text could be read";
  if (silent > 0) warnings.add(`${things(silent, "item", "items")} ${words}, left out.`);
  const unread = drafts.flatMap(({ unread }) => unread ?? []);
  if (unread.length > 0)
    warnings.add(
      `The content of ${things(unread.length, "item", "items")} is no text (${unread[0]}) and was left out.`,
    );
}

function languageOf(tag: string | undefined): string | undefined {
  const language = tag?.trim().replaceAll("_", "-");
  return language && /^[a-z]{2,3}(?:-[a-z\d]{1,8}){0,3}$/i.test(language) ? language : undefined;
}

/**
 * Reads a feed of any format from its bytes: RSS 0.9x to 2.0, RDF, Atom 0.3 and 1.0, JSON Feed 1.0 and 1.1, in any
 * encoding, as broken as it may be. Pure; what is mended is said in `warnings`. Throws FeedError: `empty`, `too-large`
 * (limits.documentBytes), `not-a-feed` (with the feeds that a web page names), `malformed` (JSON that is none, XML that
 * breaks off before its first item), `too-deep`; `defect` where the reader itself fails; RangeError where `about` is
 * wrong. An item's date is its own (pubDate, published, dc:date, updated), else inferred from the feed, Last-Modified or
 * the fetch.
 */
export function parseFeed(bytes: Uint8Array, about: About): ParsedFeed {
  const fetchedAt = instantOf(about.fetchedAt, "fetchedAt");
  return owningUp(() => parsed(bytes, about, fetchedAt));
}

function parsed(bytes: Uint8Array, about: About, fetchedAt: number): ParsedFeed {
  if (bytes.byteLength > limits.documentBytes)
    throw new FeedError("too-large", `The document is larger than ${limits.documentBytes / 1024 / 1024} MB.`);
  const { text, warnings: decoding } = decodeDocument(bytes, about.contentType);
  if (text.trim() === "") throw new FeedError("empty", "The address answers with an empty document.");
  const feed = read(text, about.url);
  const own = resolveBases(feed.bases, about.url);
  const siteUrl = shownUrl(feed.siteUrl, own);
  const usable = (at: number | undefined) => (at !== undefined && at <= fetchedAt + day ? at : undefined);
  const title = shorten(titleText(feed.title), limits.title) || new URL(siteUrl ?? about.url).hostname;
  const context: Context = {
    // Only xml:base is meant as a base; a channel's link is what relative links in RSS are written against.
    base: feed.bases.length > 0 ? own : (siteUrl ?? about.url),
    fetchedAt,
    feed: title,
    fallbackDate: usable(feed.published) ?? usable(parseDate(about.lastModified)) ?? fetchedAt,
    warnings: new Set([...decoding, ...feed.warnings]),
  };
  const said = feed.items.flatMap((draft) => itemOf(draft, context) ?? []);
  tellLeftOut(feed.items, said.length, context.warnings);
  const items = distinct(said, context.warnings);
  const hub = absoluteUrl(feed.hub, own);
  const language = languageOf(feed.language);
  return {
    format: feed.format,
    title,
    ...(siteUrl && { siteUrl }),
    ...(language && { language }),
    ...(feed.ttlMinutes && { ttlMinutes: feed.ttlMinutes }),
    ...(hub && { hub }),
    items,
    warnings: [...context.warnings].slice(0, limits.warnings),
  };
}
