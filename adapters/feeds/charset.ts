import { isAscii, isUtf8 } from "node:buffer";
import chardet from "chardet";
import iconv from "iconv-lite";

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
    "x-mac-cyrillic": "maccyrillic",
  }),
);
/** One byte a character: text in these is never valid UTF-8 by chance. */
const singleByte = /^(windows-|cp\d|iso-8859-|koi8|mac|ibm\d)/;

function encodingOf(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  const encoding = aliases.get(name) ?? name;
  // UTF-7 exists only as a trick to slip markup past filters.
  return encoding !== "utf-7" && encoding !== "utf-7-imap" && iconv.encodingExists(encoding) ? encoding : undefined;
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

function sniffed(bytes: Buffer): string {
  // The detector judges by what is not ASCII, which may begin late.
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1024);
  const guesses = chardet.analyse(bytes.subarray(from, from + 64 * 1024)).map(({ name }) => encodingOf(name));
  return guesses.find((guess) => guess !== undefined && !guess.startsWith("utf-")) ?? "windows-1252";
}

function choose(bytes: Buffer, contentType: string | undefined, warnings: string[]): string {
  const valid = isUtf8(bytes);
  for (const label of declared(bytes, contentType)) {
    const encoding = encodingOf(label);
    if (!encoding) warnings.push(`The declared encoding "${label}" is unknown.`);
    else if (
      encoding === "utf-8"
        ? valid || mostlyGood(bytes.toString("utf8"))
        : !(valid && singleByte.test(encoding)) && !/^utf-(16|32)/.test(encoding)
    )
      return encoding;
    else warnings.push(`The document says that it is in ${label}, and is not.`);
  }
  return valid || mostlyGood(bytes.toString("utf8")) ? "utf-8" : sniffed(bytes);
}

/** Characters that XML 1.0 forbids and that no text needs. */
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]+/g;

/**
 * Turns a document's bytes into text. A byte order mark wins over the transport's charset, that over the XML prolog,
 * that over an HTML meta element; a declaration that the bytes contradict is passed over; with none left the encoding
 * is guessed. Control characters are dropped and lone surrogates replaced.
 */
export function decodeDocument(input: Uint8Array, contentType?: string): Decoded {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const warnings: string[] = [];
  // ISO-2022 is ASCII by its bytes, but shifts with the escape character.
  const plain = isAscii(bytes) && !bytes.includes(0x1b);
  const encoding =
    byteOrderMark(bytes) ?? unmarkedUtf16(bytes) ?? (plain ? "utf-8" : choose(bytes, contentType, warnings));
  const text = plain && encoding === "utf-8" ? bytes.toString("latin1") : iconv.decode(bytes, encoding);
  return { text: text.replace(forbidden, "").toWellFormed(), warnings };
}
