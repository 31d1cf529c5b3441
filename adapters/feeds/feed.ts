/** One entry of a feed, cleaned: nothing in it can run, and every address in it is absolute. */
export interface ParsedItem {
  /**
   * The publisher's own identifier, at most 1,000 characters (longer ones as `sha256:` and a hash). Absent where none,
   * or where several items share it.
   */
  guid?: string;
  /** http or https. */
  url?: string;
  /** Plain text on one line; where the feed gives none from the text, the enclosure, or categories, feed and date. */
  title: string;
  /**
   * Sanitised: an allow-list of elements, links with rel="noopener noreferrer", no scripts, handlers, frames or
   * tracking pixels.
   */
  html: string;
  /** Plain text, paragraphs separated by empty lines. */
  text: string;
  /** Plain text on one line, at most 500 characters, cut at a word. */
  summary: string;
  author?: string;
  categories: string[];
  /** http or https. */
  image?: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  /** The item gives no usable date: `publishedAt` comes from the feed, the transport or the time of the fetch. */
  dateInferred: boolean;
  /** ISO 8601, UTC. */
  updatedAt?: string;
}

export type FeedFormat = "rss" | "atom" | "rdf" | "json";

export interface ParsedFeed {
  format: FeedFormat;
  title: string;
  siteUrl?: string;
  /** BCP 47, as the feed gives it. */
  language?: string;
  /** How long the publisher asks us not to come back, minutes. */
  ttlMinutes?: number;
  /** WebSub hub. */
  hub?: string;
  /** In the order of the document, at most 1,000, the newest. */
  items: ParsedItem[];
  /** What was mended or left out, in words. */
  warnings: string[];
}

/** What is known of a document besides its bytes. */
export interface About {
  /** Where the document came from, after redirects. */
  url: string;
  /** The Content-Type header. */
  contentType?: string;
  /** ISO 8601. */
  fetchedAt: string;
  /** The Last-Modified header. */
  lastModified?: string;
}

/** A feed that a web page names. */
export interface FeedLink {
  url: string;
  title?: string;
  type?: string;
}

export type FeedFailure =
  | "empty"
  | "not-a-feed"
  | "malformed"
  | "too-large"
  | "too-deep"
  | "too-slow"
  | "out-of-memory"
  | "crashed"
  | "defect"
  | "closed";

/**
 * A document that gives no feed; `defect` is a fault of the reader, whatever the document is like. The message is for people; `links` are the feeds that a web page at this address
 * names.
 */
export class FeedError extends Error {
  readonly kind: FeedFailure;
  readonly links: FeedLink[];
  constructor(kind: FeedFailure, message: string, links: FeedLink[] = []) {
    super(message);
    this.name = "FeedError";
    this.kind = kind;
    this.links = links;
  }
}

/** The name of the reader's own faults: followers of the feed learn that the fault is not the publisher's. */
export const defect = (error: unknown): FeedError =>
  new FeedError(
    "defect",
    "The document could not be read for a fault of ours: " +
      `${(error instanceof Error ? error.message : String(error)).slice(0, 200)}`,
  );

/** Runs a reader: any error becomes a FeedError, of the kind `defect` unless it already is one. */
export function owningUp<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FeedError ? error : defect(error);
  }
}

/** Bounds on what one document may cost. Sizes in characters unless said. */
export const limits = {
  /** Bytes of a document. */
  documentBytes: 10 * 1024 * 1024,
  items: 1_000,
  /** Nested elements of the feed's XML. */
  depth: 512,
  /** Attributes of one element. */
  attributes: 500,
  /** Elements kept of one item, or of the feed outside its items. */
  elements: 2_000,
  /** HTML of one item. */
  html: 512 * 1024,
  /** Nested elements of an item's HTML. */
  htmlDepth: 128,
  title: 500,
  summary: 500,
  guid: 1_000,
  url: 4_096,
  categories: 50,
  category: 100,
  author: 200,
  warnings: 20,
};
