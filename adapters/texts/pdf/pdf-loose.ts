import { MOST_PAGES } from "../text.ts";
import { MOST_BYTES, streamsOf, unpackStream } from "./pdf-objects.ts";

/** Signs that a stream is not the contents of a page. */
const OTHER = /\/(?:Type|Subtype|Length1|FunctionType|N)\b/;
/** A text that is begun, and one that is shown (ISO 32000-1, 9.4). */
const BEGUN = /\bBT\s/;
const SHOWN = /(?:\bT[jJ]|['"])\s/;

/** Contents that show text, in the order of the file. */
function* contentsOf(bytes: Buffer): Generator<string> {
  let sum = 0;
  for (const stream of streamsOf(bytes)) {
    const found = OTHER.test(stream.dictionary) ? undefined : unpackStream(stream);
    sum += found?.length ?? 0;
    if (sum > MOST_BYTES) return;
    const text = found?.toString("latin1") ?? "";
    if (BEGUN.test(text) && SHOWN.test(text)) yield text;
  }
}

/**
 * A file with the contents of pages that are themselves lost, one page each; undefined without any. Their fonts are
 * lost too: the caller must check whether the result is a language.
 */
export function looseContents(bytes: Buffer): Buffer | undefined {
  const parts: string[] = [];
  const pages: string[] = [];
  for (const content of contentsOf(bytes)) {
    const at = 4 + pages.length * 2;
    const fonts = [...new Set(content.match(/\/[\w.+-]{1,60}(?=\s+-?[\d.]+\s+Tf\b)/g) ?? [])].map(
      (name) => `${name} 3 0 R`,
    );
    pages.push(`${at} 0 R`);
    parts.push(
      `${at} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${at + 1} 0 R /Resources ` +
        `<< /Font << ${fonts.join(" ")} >> >> >>\nendobj\n`,
      `${at + 1} 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`,
    );
    if (pages.length === MOST_PAGES) break;
  }
  if (!pages.length) return undefined;
  const whole = [
    "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n",
    `2 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(" ")}] >>\nendobj\n`,
    "3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>\nendobj\n",
    ...parts,
    "trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n",
  ];
  return Buffer.from(whole.join(""), "latin1");
}
