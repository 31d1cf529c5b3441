import { isAscii, isUtf8 } from "node:buffer";
import { createRequire } from "node:module";
import iconv from "iconv-lite";
import type { chardet } from "jschardet";
import { withoutC1 } from "./xml/entities.ts";

export interface Decoded {
  text: string;
  /** What was mended, in words. */
  warnings: string[];
}

/**
 * Labels that mean another encoding than they say (WHATWG Encoding, "names and labels"), or that iconv-lite does not
 * know.
 */
const aliases = new Map(
  Object.entries({
    "iso-8859-1": "windows-1252",
    "iso8859-1": "windows-1252",
    latin1: "windows-1252",
    "latin-1": "windows-1252",
    l1: "windows-1252",
    ascii: "windows-1252",
    "us-ascii": "windows-1252",
    "ansi_x3.4-1968": "windows-1252",
    "x-cp1252": "windows-1252",
    "iso-8859-9": "windows-1254",
    "tis-620": "windows-874",
    "iso-8859-11": "windows-874",
    utf8: "utf-8",
    utf_8: "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    utf8mb4: "utf-8",
    gb2312: "gb18030",
    gbk: "gb18030",
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "x-sjis": "shift_jis",
    "ks_c_5601-1987": "euc-kr",
    "iso-8859-8-i": "iso-8859-8",
    "x-mac-roman": "macintosh",
    "mac-roman": "macintosh",
    "x-mac-cyrillic": "maccyrillic",
    "mac-cyrillic": "maccyrillic",
    "mac-latin2": "maccenteuro",
    "mac-iceland": "maciceland",
    "mac-greek": "macgreek",
    "mac-turkish": "macturkish",
    cp874: "windows-874",
    "big5-hkscs": "big5hkscs",
    "euc-jis-2004": "euc-jp",
    "shift-jis-2004": "shift_jis",
    "shift_jis-2004": "shift_jis",
    csiso2022jp: "iso-2022-jp",
    "iso-2022-jp-1": "iso-2022-jp",
    "iso-2022-jp-2": "iso-2022-jp",
    "iso-2022-jp-2004": "iso-2022-jp",
    "iso-2022-jp-ext": "iso-2022-jp",
    csiso2022kr: "iso-2022-kr",
  }),
);
/** Encodings that shift by escape sequences and are ASCII by their bytes; iconv-lite does not know them. */
const shifting: Record<string, (bytes: Buffer) => string> = {
  "iso-2022-jp": (bytes) => new TextDecoder("iso-2022-jp").decode(bytes),
  "iso-2022-kr": decodeIso2022Kr,
};
/** Their marks: JIS X 0201 or 0208 after an escape, and the Korean designation. */
const shifts: [RegExp, string][] = [
  [/\x1b\$\)C/, "iso-2022-kr"],
  [/\x1b(?:\$[@B]|\([JI])/, "iso-2022-jp"],
];

/** RFC 1557: between SO and SI stand the bytes of EUC-KR without their highest bit. */
function decodeIso2022Kr(bytes: Buffer): string {
  const euc = Buffer.alloc(bytes.length);
  let length = 0;
  let shifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === 0x0e || byte === 0x0f) shifted = byte === 0x0e;
    else if (byte === 0x1b && bytes.toString("latin1", at + 1, at + 4) === "$)C") at += 3;
    else {
      // A line begins unshifted; what a line breaks off must not swallow the next one.
      if (byte === 0x0a) shifted = false;
      euc[length++] = shifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte;
    }
  }
  return iconv.decode(euc.subarray(0, length), "euc-kr");
}

const decoded = (bytes: Buffer, encoding: string): string =>
  shifting[encoding]?.(bytes) ?? iconv.decode(bytes, encoding);

/** One byte a character: text in these is never valid UTF-8 by chance. */
const singleByte = /^(windows-|cp\d|iso-8859-|koi8|mac|ibm\d)/;

function encodingOf(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  const encoding = aliases.get(name) ?? name;
  // UTF-7 exists only as a trick to slip markup past filters.
  if (encoding === "utf-7" || encoding === "utf-7-imap") return undefined;
  return Object.hasOwn(shifting, encoding) || iconv.encodingExists(encoding) ? encoding : undefined;
}

const marks: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe, 0, 0], "utf-32le"],
  [[0, 0, 0xfe, 0xff], "utf-32be"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
const byteOrderMark = (bytes: Buffer): string | undefined =>
  marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];

/** UTF-16 without a mark: markup is mostly ASCII, so every other byte of the beginning is zero. */
function unmarkedUtf16(bytes: Buffer): string | undefined {
  const pairs = Math.min(bytes.length >> 1, 128);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  if (odd * 2 > pairs && even * 10 < pairs) return "utf-16le";
  return even * 2 > pairs && odd * 10 < pairs ? "utf-16be" : undefined;
}

const charsetParameter = /charset\s*=[\s"']*([^\s"';,/>]{1,40})/i;
const encodingParameter = /encoding\s*=[\s"']*([^\s"'?>]{1,40})/i;

/** What stands between the first `<?xml` and the next `>`. */
function prologOf(head: string): string {
  const from = head.indexOf("<?xml");
  return from < 0 ? "" : head.slice(from, head.indexOf(">", from) + 1 || from + 200);
}

/**
 * The encodings that are declared, strongest first: transport, XML prolog, HTML meta elements (which some pages have
 * late).
 */
function declared(bytes: Buffer, contentType: string | undefined): string[] {
  const head = bytes.toString("latin1", 0, 16 * 1024);
  const metas = head.match(/<meta\s[^<>]*/gi) ?? [];
  const found = [
    charsetParameter.exec(contentType?.slice(0, 200) ?? ""),
    encodingParameter.exec(prologOf(head.slice(0, 1024))),
    ...metas.map((meta) => charsetParameter.exec(meta)),
  ];
  return found.flatMap((match) => (match ? [match[1]!] : [])).slice(0, 4);
}

/**
 * Broken characters of a text decoded as UTF-8 against the good ones beyond ASCII: a text cut in the middle of a
 * character is still UTF-8.
 */
function mostlyGood(text: string): boolean {
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return bad * 5 <= good;
}

/** Bytes that suffice to recognise an encoding, and to see that one does not fit. */
const sampleSize = 64 * 1024;
/** The detector judges by what is not ASCII, which may begin late. */
function sampleOf(bytes: Buffer): Buffer {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f || byte === 0x1b) - 1024);
  return bytes.subarray(from, from + sampleSize);
}

let detector: typeof chardet | undefined;
/** Its models take 70 MB and a tenth of a second: loaded with the first document that needs them. */
const detectorOf = () =>
  (detector ??= (createRequire(import.meta.url)("jschardet") as { chardet: typeof chardet }).chardet);

/** The encodings that the bytes may be in, the likeliest first. No document of the web is in EBCDIC. */
function guesses(bytes: Buffer): string[] {
  const { detectAll, EncodingEra } = detectorOf();
  const found = detectAll(sampleOf(bytes), { encodingEra: EncodingEra.ALL & ~EncodingEra.MAINFRAME });
  return found.flatMap(({ encoding }) => encodingOf(encoding ?? "") ?? []);
}
const isWide = (encoding: string): boolean => /^utf-(16|32)/.test(encoding);
const sniffed = (bytes: Buffer): string => guesses(bytes).find((name) => !name.startsWith("utf-")) ?? "windows-1252";

/** Fewer bytes beyond ASCII may be valid UTF-8 by chance in another encoding of several bytes a character. */
const leastUtf8 = 9;
const highBytes = (bytes: Buffer): number => sampleOf(bytes).reduce((sum, byte) => sum + (byte >> 7), 0);

/** Whether bytes can be what they are declared to be; `valid` says that they are UTF-8. */
function fits(bytes: Buffer, encoding: string, valid: boolean): boolean {
  if (encoding === "utf-8") return valid || mostlyGood(bytes.toString("utf8"));
  if (isWide(encoding)) return false;
  if (Object.hasOwn(shifting, encoding)) return bytes.includes(0x1b);
  if (singleByte.test(encoding)) return !valid;
  return !(valid && highBytes(bytes) >= leastUtf8) && mostlyGood(decoded(sampleOf(bytes), encoding));
}

function choose(bytes: Buffer, contentType: string | undefined, warnings: string[]): string {
  const valid = isUtf8(bytes);
  for (const label of declared(bytes, contentType)) {
    const encoding = encodingOf(label);
    if (!encoding) warnings.push(`The declared encoding "${label}" is unknown.`);
    else if (fits(bytes, encoding, valid)) return encoding;
    else warnings.push(`The document says that it is in ${label}, and is not.`);
  }
  const shift = bytes.includes(0x1b) && shifts.find(([mark]) => mark.test(sampleOf(bytes).toString("latin1")));
  if (shift) return shift[1];
  return valid || mostlyGood(bytes.toString("utf8")) ? "utf-8" : sniffed(bytes);
}

/**
 * Detects UTF-32, and UTF-16 in other scripts than Latin, without a byte order mark: single-byte text has no control
 * characters.
 */
function wideWithoutMark(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 2_048);
  // Eight letters in a row are markup in bytes, with zeros strewn in by somebody's mistake.
  if (/^[\s\x20-\x7e]{8}/.test(head.toString("latin1", 0, 8))) return undefined;
  const controls = head.reduce((sum, byte) => sum + Number(byte < 0x09 || (byte > 0x0f && byte < 0x1b)), 0);
  return controls * 30 > head.length && head.length > 15 ? guesses(bytes).find(isWide) : undefined;
}

/** Characters that XML 1.0 forbids and that no text needs. */
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]+/g;

/**
 * Turns a document's bytes into text. A byte order mark wins over the transport's charset, that over the XML prolog,
 * that over an HTML meta element; a declaration that the bytes contradict is passed over; with none left the encoding
 * is guessed. Control characters are dropped, those of C1 read as Windows-1252, and lone surrogates replaced.
 */
export function decodeDocument(input: Uint8Array, contentType?: string): Decoded {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const warnings: string[] = [];
  // ISO-2022 is ASCII by its bytes, but shifts with the escape character.
  const plain = isAscii(bytes) && !bytes.includes(0x1b);
  const encoding =
    byteOrderMark(bytes) ??
    unmarkedUtf16(bytes) ??
    wideWithoutMark(bytes) ??
    (plain ? "utf-8" : choose(bytes, contentType, warnings));
  const text = plain && encoding === "utf-8" ? bytes.toString("latin1") : decoded(bytes, encoding);
  return { text: withoutC1(text.replace(forbidden, "")).toWellFormed(), warnings };
}
