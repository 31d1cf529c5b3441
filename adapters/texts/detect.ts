import { fileTypeFromBuffer } from "file-type";
import { directoryAt, ENCRYPTED_PACKAGE, isCompoundFile, WORD_DOCUMENT } from "./office/compound-file.ts";
import type { Format } from "./text.ts";

/** Reads part of a file. */
export type ReadAt = (start: number, end: number) => Promise<Buffer>;

const HEAD_BYTES = 65_536;
/** Bytes of a compound file's header, and of the part of its directory that lists an encrypted document's streams. */
const COMPOUND_HEAD = 512,
  COMPOUND_DIRECTORY = 8_192;
/** The end of a ZIP's directory is searched within this many bytes, and the directory within as many more. */
const TAIL_BYTES = 65_557;
const DIRECTORY_BYTES = 1_048_576;

const MEDIA: Readonly<Record<Format, string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  odt: "application/vnd.oasis.opendocument.text",
  html: "text/html",
  markdown: "text/markdown",
  text: "text/plain",
};
export const mediaTypeOf = (format: Format): string => MEDIA[format];

/** Names in a ZIP's central directory (APPNOTE 4.3.12); none if its end is missing or wrong. */
async function entriesOf(read: ReadAt, size: number): Promise<string[]> {
  const tail = await read(Math.max(0, size - TAIL_BYTES), size);
  const end = tail.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0 || end + 22 > tail.length) return [];
  const [bytes, offset] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (bytes > DIRECTORY_BYTES || offset + bytes > size) return [];
  const directory = await read(offset, offset + bytes);
  const names: string[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50;) {
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    names.push(directory.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}

const isOpenDocument = (head: Buffer): boolean =>
  head.toString("latin1", 30, 120).startsWith("mimetypeapplication/vnd.oasis.opendocument.text");

async function zipped(head: Buffer, read: ReadAt, size: number): Promise<Format | undefined> {
  if (isOpenDocument(head)) return "odt";
  const names = await entriesOf(read, size);
  if (names.includes("word/document.xml")) return "docx";
  // Cut off in the middle: the reader reports the fault.
  return !names.length && head.includes("word/") ? "docx" : undefined;
}

const MARKS = [
  [0xef, 0xbb, 0xbf],
  [0xff, 0xfe],
  [0xfe, 0xff],
];
const isMarked = (head: Buffer): boolean => MARKS.some((mark) => mark.every((byte, at) => head[at] === byte));

function textual(head: Buffer, name: string): Format | undefined {
  const controls = head.filter((byte) => byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)).length;
  if (!isMarked(head) && (head.includes(0) || controls * 50 > head.length)) return undefined;
  const text = head.toString("latin1");
  if (/^[^<]{0,200}<(?:!doctype\s+html|html|head|body)[\s>]/i.test(text) || /<html[\s>]/i.test(text.slice(0, 1_024)))
    return "html";
  return /\.(?:md|markdown|mdown)$/i.test(name) || /^#{1,6} \S/m.test(text) ? "markdown" : "text";
}

/**
 * The format of a file, by its bytes; only Markdown and plain text are told apart by the name. Otherwise words for what
 * it is instead.
 */
export async function detect(
  read: ReadAt,
  size: number,
  name: string,
): Promise<{ format: Format } | { instead: string }> {
  const head = await read(0, Math.min(size, HEAD_BYTES));
  if (head.subarray(0, 1_024).includes("%PDF-")) return { format: "pdf" };
  if (head.length > 30 && head.readUInt32BE(0) === 0x504b0304) {
    const format = await zipped(head, read, size);
    if (format) return { format };
  }
  if (isCompoundFile(head) && head.length >= COMPOUND_HEAD) {
    const at = directoryAt(head);
    const directory = at < size ? await read(at, Math.min(size, at + COMPOUND_DIRECTORY)) : Buffer.alloc(0);
    if (directory.includes(ENCRYPTED_PACKAGE)) return { format: "docx" };
    if (directory.includes(WORD_DOCUMENT)) return { instead: "a Word document of before 2007 (.doc), save it as DOCX" };
  }
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  if (known && !known.mime.endsWith("xml") && !known.mime.startsWith("text/")) return { instead: known.mime };
  const format = textual(head, name);
  return format ? { format } : { instead: "data that is no text" };
}
