import type { Format, PageSpan, UnreadableReason } from "./text.ts";

/** A page, and which bytes of the blocks are its own. */
export interface IndexedPage extends PageSpan {
  blocks: readonly [start: number, end: number];
}

/** A document for the worker, which then owns the bytes. */
export interface TextTask {
  bytes: Uint8Array;
  format: Format;
  /** Tried on an encrypted file; not stored. */
  password?: string;
}

/** The result of reading a document: text and layout as they are stored. */
export interface ReadDocument {
  /** UTF-16, little endian: two bytes a unit, so that a range of the text is a range of bytes. */
  text: Uint8Array;
  /** The blocks of each page as JSON, one page after the other. */
  blocks: Uint8Array;
  /** JSON of `IndexedPage[]`. */
  pages: Uint8Array;
  characters: number;
  pageCount: number;
  title?: string;
  /** ISO 639-1, if it can be determined. */
  language?: string;
  /** Identifies similar texts (core/text/resemblance.ts); absent for a short one. */
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
