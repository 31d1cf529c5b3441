import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { join } from "node:path";
import { linesOf, paragraphsOf, runningHeads, usualSize, type PdfLine, type Piece } from "./pdf-lines.ts";
import { looseContents } from "./pdf-loose.ts";
import { loadPdfjs, PACKAGE } from "./pdf-engine.ts";
import { repaired } from "./pdf-repair.ts";
import { refuseExploding } from "./pdf-streams.ts";
import { languageOf } from "../language.ts";
import {
  Composer,
  damaged,
  MOST_CHARACTERS,
  MOST_PAGES,
  tooBig,
  Unreadable,
  WRONG_PASSWORD,
  type ExtractedText,
} from "../text.ts";

const ERRORS_ONLY = 0;

async function opened(bytes: Buffer, password?: string): Promise<PDFDocumentProxy> {
  const { getDocument } = await loadPdfjs();
  return getDocument({
    // A copy: its ownership passes on, and a second try needs the bytes again.
    data: new Uint8Array(bytes),
    ...(password !== undefined && { password }),
    cMapUrl: `${join(PACKAGE, "cmaps")}/`,
    standardFontDataUrl: `${join(PACKAGE, "standard_fonts")}/`,
    wasmUrl: `${join(PACKAGE, "wasm")}/`,
    useWorkerFetch: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: ERRORS_ONLY,
  }).promise;
}

const cutOff = (): Unreadable =>
  damaged("It is no PDF that can be opened: it is cut off, or its parts do not fit together.");
const isPassword = (error: unknown): boolean => (error as Error | null)?.name === "PasswordException";

interface Opened {
  pdf: PDFDocumentProxy;
  isRepaired: boolean;
  /** Its pages are lost: only page contents were found, and their fonts are guessed. */
  isLoose: boolean;
}

/** Opens a file, one that is damaged by way of another end, or by what is left of its pages. */
async function open(bytes: Buffer, password: string | undefined): Promise<Opened> {
  try {
    const pdf = await opened(bytes, password);
    if (pdf.numPages > 0) return { pdf, isRepaired: false, isLoose: false };
  } catch (error) {
    if (isPassword(error))
      throw new Unreadable("encrypted", password === undefined ? "It opens with a password only." : WRONG_PASSWORD);
  }
  const { byCatalog, byPages } = repaired(bytes);
  for (const attempt of [byCatalog, byPages]) {
    const pdf = attempt && (await opened(attempt).catch(() => undefined));
    if (pdf && pdf.numPages > 0 && (await pdf.getPage(1).catch(() => undefined)))
      return { pdf, isRepaired: true, isLoose: false };
  }
  const loose = looseContents(bytes);
  const pdf = loose && (await opened(loose).catch(() => undefined));
  if (pdf) return { pdf, isRepaired: true, isLoose: true };
  throw cutOff();
}

interface PageText {
  lines: PdfLine[];
  /** Filled form fields, and notes written on the page. */
  added: { kind: "field" | "note"; text: string }[];
}

interface Annotation {
  subtype?: string;
  fieldName?: string;
  fieldValue?: unknown;
  contentsObj?: { str?: string };
  textContent?: string[];
}

function addedBy({ subtype, fieldName, fieldValue, contentsObj, textContent }: Annotation): PageText["added"] {
  if (subtype === "Widget" && typeof fieldValue === "string" && fieldValue.trim() && fieldValue !== "Off")
    return [{ kind: "field", text: fieldName ? `${fieldName}: ${fieldValue}` : fieldValue }];
  const text = contentsObj?.str || textContent?.join("\n");
  return (subtype === "FreeText" || subtype === "Text") && text?.trim() ? [{ kind: "note", text }] : [];
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<PageText> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const annotations = (await page.getAnnotations().catch(() => [])) as Annotation[];
  page.cleanup();
  return { lines: linesOf(items as unknown as Piece[]), added: annotations.flatMap(addedBy) };
}

/** All pages, and the numbers of those that could not be read. */
async function readPages(pdf: PDFDocumentProxy): Promise<{ pages: PageText[]; unread: number[] }> {
  const pages: PageText[] = [];
  const unread: number[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    try {
      pages.push(await readPage(pdf, number));
    } catch {
      pages.push({ lines: [], added: [] });
      unread.push(number);
    }
    characters += pages.at(-1)!.lines.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > MOST_CHARACTERS) throw tooBig(`It has more than ${MOST_CHARACTERS} characters.`);
  }
  return { pages, unread };
}

/** The text of a PDF, page by page, with filled fields and notes after each page's text. */
export async function readPdf(bytes: Buffer, password?: string): Promise<ExtractedText> {
  await refuseExploding(bytes);
  const { pdf, isRepaired, isLoose } = await open(bytes, password);
  try {
    if (pdf.numPages > MOST_PAGES) throw tooBig(`It has ${pdf.numPages} pages; at most ${MOST_PAGES} are read.`);
    const { pages, unread } = await readPages(pdf);
    if (unread.length === pages.length) throw damaged("None of its pages can be read.");
    const lines = pages.map((page) => page.lines);
    const [usual, running] = [usualSize(lines), runningHeads(lines)];
    const into = new Composer();
    for (const [at, { lines: onPage, added }] of pages.entries()) {
      if (at) into.breakPage();
      for (const { kind, text, ...place } of paragraphsOf(onPage, usual, running)) into.add(kind, text, place);
      for (const { kind, text } of added) into.add(kind, text);
    }
    const extracted = into.end();
    if (isLoose && (await languageOf(extracted.text)) === undefined) throw cutOff();
    return { ...extracted, ...(isRepaired && { repaired: true }), ...(unread.length && { pagesUnread: unread }) };
  } finally {
    await pdf.loadingTask.destroy();
  }
}
