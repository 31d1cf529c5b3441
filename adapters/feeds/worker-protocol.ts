import type { Article } from "./html/article.ts";
import type { About, FeedFailure, FeedLink, ParsedFeed, ParsedItem } from "./feed.ts";

/** What is known of a web page besides its bytes. */
export interface PageAbout {
  /** Where the page came from, after redirects. */
  url: string;
  /** The Content-Type header. */
  contentType?: string;
}

/** A document for the worker, which owns the bytes from then on. */
export type FeedTask =
  | { kind: "feed"; bytes: Uint8Array; about: About }
  | { kind: "article"; bytes: Uint8Array; about: PageAbout };

/** What each kind of task yields. */
export interface Results {
  feed: ParsedFeed;
  article: Article | null;
}

/** Asks for the next part of a large feed. */
export type More = { kind: "more" };

/** Errors cross the boundary as data: a clone of an Error keeps neither its class nor its fields. */
export type FeedReply =
  | { kind: "ready" }
  | { kind: "part"; items: ParsedItem[] }
  | { kind: "done"; result: Results[keyof Results] }
  | { kind: "refused"; failure: FeedFailure; message: string; links: FeedLink[] }
  | { kind: "wrong"; message: string };

/**
 * A reply, and the processor time the worker has used since it began, milliseconds: what the next document uses counts
 * from there.
 */
export interface FeedWorkerMessage {
  reply: FeedReply;
  cpuMs: number;
}
