import type { FeedFormat } from "./feed.ts";

/** Text as a feed gives it: HTML, or text in which `<` is just a sign. */
export interface Markup {
  value: string;
  kind: "html" | "text";
  /** xml:base in scope, outermost first. */
  bases: readonly string[];
}

/** What a document says of one item, before addresses are resolved, HTML is cleaned and dates are chosen. */
export interface ItemDraft {
  guid?: string;
  /** Relative perhaps. */
  url?: string;
  bases: readonly string[];
  title?: Markup;
  content?: Markup;
  /** A teaser, or the whole where there is no content. */
  description?: Markup;
  /** The MIME type of a body that is no text and was left out. */
  unread?: string;
  author?: string;
  /** What an enclosure is called, by its title or its file. */
  enclosure?: string;
  categories: string[];
  image?: string;
  /** Milliseconds since the epoch: the item's own date, by the best element that can be read. */
  published?: number;
  updated?: number;
}

/** What a document says of itself. */
export interface FeedDraft {
  format: FeedFormat;
  title?: Markup;
  siteUrl?: string;
  bases: readonly string[];
  language?: string;
  ttlMinutes?: number;
  hub?: string;
  published?: number;
  items: ItemDraft[];
  warnings: string[];
}
