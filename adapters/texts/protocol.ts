import type { Format, PageSpan, UnreadableReason } from "./text.ts";

/** A page, and which bytes of the blocks are its own. */
export interface IndexedPage extends PageSpan {
  blocks: readonly [start: number, end: number];
}

/** A document for the worker, which owns the bytes from then on. */
export interface TextTask {
  bytes: Uint8Array;
  format: Format;
  /** To try on a file that is encrypted; kept nowhere. */
  password?: string;
}

/** What was read of a document: text and layout as they are stored. */
export interface ReadDocument {
  /** UTF-16, little endian: two bytes a unit, so that a range of the text is one of the bytes. */
  text: Uint8Array;
  /** The blocks of each page as JSON, one page's behind the other's. */
  blocks: Uint8Array;
  /** JSON of `IndexedPage[]`. */
  pages: Uint8Array;
  characters: number;
  pageCount: number;
  title?: string;
  /** ISO 639-1, where it can be told. */
  language?: string;
  /** By which alike texts are found (core/text/resemblance.ts); none of a short one. */
  sketch?: string;
  repaired?: true;
  pagesUnread?: number[];
}

export type TextReply =
  | { kind: "ready" }
  | { kind: "done"; done: ReadDocument }
  | { kind: "unreadable"; reason: UnreadableReason; message: string };

/** A reply, and the processor time the worker has used since it began, milliseconds. */
export interface TextWorkerMessage {
  reply: TextReply;
  cpuMs: number;
}
