import iconv from "iconv-lite";
import type { Part } from "./feed-documents.ts";
import { FRESH } from "./fresh.ts";
import { TEXTS } from "./texts.ts";

/** A document of which nobody says what encoding it is in. */
export interface EncodingCase {
  language: string;
  encoding: string;
  form: string;
  part: Part;
  bytes: Buffer;
  /** Must stand in the decoded text. */
  wanted: string;
}

/** Bytes of two by two as ISO-2022 has them: seven bits, between the marks that shift. */
function shifted(bytes: Buffer, begin: string, end: string): Buffer {
  const out: number[] = [];
  let within = false;
  for (const byte of bytes) {
    if (byte > 0x7f !== within) {
      within = byte > 0x7f;
      out.push(...Buffer.from(within ? begin : end, "latin1"));
    }
    out.push(byte & 0x7f);
  }
  return Buffer.from([...out, ...Buffer.from(within ? end : "", "latin1")]);
}

function encode(text: string, encoding: string): Buffer {
  if (encoding === "iso-2022-jp") return shifted(iconv.encode(text, "euc-jp"), "\x1b$B", "\x1b(B");
  if (encoding === "iso-2022-kr")
    return Buffer.concat([Buffer.from("\x1b$)C\n"), shifted(iconv.encode(text, "euc-kr"), "\x0e", "\x0f")]);
  return iconv.encode(text, encoding, { addBOM: false });
}

const FORMS: [name: string, make: (text: string) => string][] = [
  ["text", (text) => text],
  [
    "page",
    (text) =>
      `<html><head><title>News</title></head><body class="home"><div id="menu"><a href="/">Home</a></div><p>${text}</p><script>var x = 1;</script></body></html>`,
  ],
  [
    "feed",
    (text) =>
      `<rss version="2.0"><channel><title>News</title><link>https://news.example/</link><item><guid>1</guid><description>${text}</description></item></channel></rss>`,
  ],
];

const all: { language: string; encodings: string[]; text: string; part: Part }[] = [
  ...TEXTS.flatMap(({ language, encodings, texts: [tune, held] }) => [
    { language, encodings, text: tune, part: "tune" as const },
    { language, encodings, text: held, part: "held" as const },
  ]),
  ...FRESH.map((one) => ({ ...one, part: "fresh" as const })),
];

export const ENCODINGS: readonly EncodingCase[] = all.flatMap(({ language, encodings, text, part }) =>
  [...encodings, "utf-8", "utf-16le"].flatMap((encoding) =>
    FORMS.map(([form, make]) => ({
      language,
      encoding,
      form,
      part,
      bytes: encode(make(text), encoding),
      wanted: text,
    })),
  ),
);
