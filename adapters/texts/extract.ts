import { Unreadable, type ExtractedText, type Format } from "./text.ts";

/** Each reader loads its library with the first document of its format. */
const READERS: Readonly<Record<Format, (bytes: Buffer, password?: string) => Promise<ExtractedText>>> = {
  pdf: async (bytes, password) => (await import("./pdf/pdf.ts")).readPdf(bytes, password),
  docx: async (bytes, password) => (await import("./office/docx.ts")).readDocx(bytes, password),
  odt: async (bytes, password) => (await import("./office/odt.ts")).readOdt(bytes, password),
  html: async (bytes) => (await import("./plain.ts")).readHtml(bytes),
  markdown: async (bytes) => (await import("./plain.ts")).readMarkdown(bytes),
  text: async (bytes) => (await import("./plain.ts")).readText(bytes),
};

/** The text of a document. Throws Unreadable; only for processes without other work (see index.ts). */
export async function extractText(bytes: Buffer, format: Format, password?: string): Promise<ExtractedText> {
  const extracted = await READERS[format](bytes, password);
  if (!/[\p{L}\p{N}]/u.test(extracted.text))
    throw new Unreadable("no-text", "There is no text in it; it may be pictures of pages.");
  return extracted;
}
