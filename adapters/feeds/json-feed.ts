import { parseDate } from "./dates.ts";
import type { ItemDraft, FeedDraft, Markup } from "./draft.ts";
import { FeedError, limits } from "./feed.ts";
import { fileNameOf } from "./html/links.ts";
import { Newest } from "./newest.ts";

type Json = Record<string, unknown>;

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** Text, or a number where publishers write ids as numbers. */
const text = (value: unknown): string | undefined =>
  (typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "") || undefined;
const date = (value: unknown): number | undefined => parseDate(text(value));

const markup = (value: unknown, kind: Markup["kind"]): Markup | undefined => {
  const found = text(value);
  return found === undefined ? undefined : { value: found, kind, bases: [] };
};

function authorOf(item: Json): string | undefined {
  // Version 1.0 has one author, 1.1 a list.
  const authors = [...list(item["authors"]), item["author"]].map(
    (author) => text(object(author)["name"]) ?? text(author),
  );
  return [...new Set(authors.filter(Boolean))].join(", ") || undefined;
}

function draftOf(value: unknown): ItemDraft {
  const item = object(value);
  const attachments = list(item["attachments"]).map(object);
  const picture = attachments.find((attachment) => text(attachment["mime_type"])?.startsWith("image/"));
  return {
    guid: text(item["id"]),
    url: text(item["url"]) ?? text(item["external_url"]) ?? text(attachments[0]?.["url"]),
    bases: [],
    title: markup(item["title"], "text"),
    content: markup(item["content_html"], "html") ?? markup(item["content_text"], "text"),
    description: markup(item["summary"], "text"),
    author: authorOf(item),
    enclosure: text(attachments[0]?.["title"]) ?? fileNameOf(text(attachments[0]?.["url"])),
    categories: list(item["tags"]).flatMap((tag) => text(tag) ?? []),
    image: text(item["image"]) ?? text(item["banner_image"]) ?? text(picture?.["url"]),
    published: date(item["date_published"]),
    updated: date(item["date_modified"]),
  };
}

/**
 * Reads JSON Feed 1.0 and 1.1; throws FeedError `malformed` where it is no JSON, `not-a-feed` where it is JSON of
 * another kind.
 */
export function readJsonFeed(source: string): FeedDraft {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source.trim());
  } catch (error) {
    throw new FeedError(
      "malformed",
      `The document begins like a JSON Feed but is not JSON: ${(error as Error).message.slice(0, 200)}`,
    );
  }
  const feed = object(parsed);
  if (!Array.isArray(feed["items"]))
    throw new FeedError("not-a-feed", "The address answers with JSON that is no JSON Feed: it has no list of items.");
  const newest = new Newest<ItemDraft>(limits.items);
  for (const item of feed["items"]) newest.add(draftOf(item));
  const items = newest.items();
  const warnings =
    newest.count > items.length ? [`The feed holds ${newest.count} items; the newest ${items.length} were read.`] : [];
  const author = authorOf(feed);
  return {
    format: "json",
    warnings,
    bases: [],
    items: author ? items.map((item) => ({ ...item, author: item.author ?? author })) : items,
    title: markup(feed["title"], "text"),
    siteUrl: text(feed["home_page_url"]),
    language: text(feed["language"]),
    hub: text(object(list(feed["hubs"])[0])["url"]),
  };
}
