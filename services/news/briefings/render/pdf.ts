import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import {
  blocksOf,
  ENDNOTES_HEADING,
  blockText,
  type MarkupBlock,
  type TextRun,
} from "../../../../adapters/channels/blocks.ts";
import { brokenLines, isRightToLeft, visualOrder } from "./bidi.ts";
import type { Readable } from "./html.ts";

/**
 * DejaVu Sans Condensed (free licence): Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian; not the scripts of
 * East and South Asia.
 */
const FONT_FILES = {
  regular: "DejaVuSansCondensed.ttf",
  bold: "DejaVuSansCondensed-Bold.ttf",
  italic: "DejaVuSansCondensed-Oblique.ttf",
} as const;
type Face = keyof typeof FONT_FILES;
const resolveFont = createRequire(import.meta.url).resolve;

/** Stands for a character that the font lacks. */
const MISSING = "\u25af";
const INK = "#1c2024";
const DIM = "#5d6670";
const ACCENT = "#0b5cad";
const MARGIN = { top: 56, bottom: 64, left: 60, right: 60 };

interface Style {
  size: number;
  gap: number;
  after: number;
  color: string;
  face: Face;
}
const STYLES: Record<string, Style> = {
  heading1: { size: 18, gap: 0, after: 6, color: INK, face: "bold" },
  heading2: { size: 12, gap: 16, after: 5, color: INK, face: "bold" },
  heading3: { size: 11, gap: 9, after: 1, color: INK, face: "bold" },
  paragraph: { size: 9.5, gap: 1, after: 3, color: INK, face: "regular" },
  item: { size: 9.5, gap: 1, after: 3, color: INK, face: "regular" },
  endnote: { size: 8, gap: 0, after: 1.5, color: INK, face: "regular" },
};
const LINE_GAP = 1.5;

interface GlyphSet {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** A mark that follows a word of another run goes with it: pdfkit breaks lines between runs, also before a ";". */
export function attached(runs: readonly TextRun[]): TextRun[] {
  const whole = runs.map((run) => ({ ...run }));
  for (const [at, run] of whole.entries()) {
    const before = whole[at - 1];
    const marks = before && /\S$/.test(before.text) && /^[;,.:!?)\]]+(?=\s|$)/.exec(run.text)?.[0];
    if (!before || !marks) continue;
    before.text += marks;
    run.text = run.text.slice(marks.length);
  }
  return whole.filter(({ text }) => text !== "");
}

class Page {
  readonly #document: PDFKit.PDFDocument;
  readonly #outline: PDFKit.PDFOutline;
  #missing = 0;
  #endnotes = false;
  #knows: ((codePoint: number) => boolean) | undefined;

  constructor(document: PDFKit.PDFDocument) {
    this.#document = document;
    this.#outline = document.outline;
    for (const face of Object.keys(FONT_FILES) as Face[])
      document.registerFont(face, resolveFont(`dejavu-fonts-ttf/ttf/${FONT_FILES[face]}`));
  }

  get missing(): number {
    return this.#missing;
  }

  /** Draws one block, on a new page where a heading would stand alone at the foot of this one. */
  draw(block: MarkupBlock): void {
    if (block.kind === "heading") this.#endnotes = blockText(block) === ENDNOTES_HEADING;
    const style =
      STYLES[
        block.kind === "heading" ? `heading${Math.min(3, block.level)}` : this.#endnotes ? "endnote" : block.kind
      ]!;
    const document = this.#document;
    if (block.kind === "heading" && document.y > document.page.height - MARGIN.bottom - 90) document.addPage();
    else document.y += style.gap;
    const runs = attached(block.runs.map((run) => ({ ...run, text: this.#shown(run.text) })));
    if (block.kind === "heading" && block.level < 3) this.#outline.addItem(runs.map(({ text }) => text).join(""));
    const indent = block.kind === "item" ? 12 * block.level : 0;
    if (indent > 0) this.#bullet(style, MARGIN.left + indent - 9);
    this.#write(runs, style, MARGIN.left + indent);
    document.y += style.after;
  }

  note(text: string): void {
    this.#document.y += 10;
    this.#write([{ text, bold: false, italic: true }], { ...STYLES["paragraph"]!, color: DIM }, MARGIN.left);
  }

  #write(runs: readonly TextRun[], style: Style, left: number): void {
    const document = this.#document;
    document.x = left;
    const width = document.page.width - left - MARGIN.right;
    if (runs.some(({ text }) => isRightToLeft(text))) this.#writeMixed(runs, style, left, width);
    else
      for (const [index, run] of runs.entries()) {
        this.#dress(run, style);
        document.text(run.text, {
          width,
          continued: index < runs.length - 1,
          link: run.href ?? null,
          lineGap: LINE_GAP,
        });
      }
    document.x = MARGIN.left;
  }

  #dress(run: TextRun, style: Style): PDFKit.PDFDocument {
    const face = run.bold || style.face === "bold" ? "bold" : run.italic ? "italic" : style.face;
    return this.#document
      .font(face)
      .fontSize(style.size)
      .fillColor(run.href ? ACCENT : run.italic ? DIM : style.color);
  }

  /** Text with right-to-left words: broken into lines here, since what is drawn first is not what is read first. */
  #writeMixed(runs: readonly TextRun[], style: Style, left: number, width: number): void {
    const document = this.#document;
    const words = runs.flatMap((run) =>
      run.text
        .split(" ")
        .filter(Boolean)
        .map((text) => ({ run, text })),
    );
    const widthOf = ({ run, text }: { run: TextRun; text: string }) => this.#dress(run, style).widthOfString(text);
    const space = document.font(style.face).fontSize(style.size).widthOfString(" ");
    const height = document.currentLineHeight(true) + LINE_GAP;
    for (const line of brokenLines(words, widthOf, space, width)) {
      if (document.y + height > document.page.height - MARGIN.bottom) document.addPage();
      const y = document.y;
      let x = left;
      for (const word of visualOrder(line)) {
        const wide = widthOf(word);
        document.text(word.text, x, y, { lineBreak: false, link: word.run.href ?? null });
        x += wide + space;
      }
      document.y = y + height;
    }
  }

  #bullet(style: Style, x: number): void {
    const document = this.#document;
    // The list item must not begin at the very foot: its mark and its first line stay together.
    if (document.y > document.page.height - MARGIN.bottom - 2 * style.size) document.addPage();
    document.circle(x, document.y + style.size * 0.62, 1.6).fill(DIM);
  }

  /** The text as the font can draw it; what it lacks is counted and shown as a box, never dropped. */
  #shown(text: string): string {
    const lacks = Array.from(text).filter((character) => !this.#has(character));
    this.#missing += lacks.length;
    return lacks.length === 0
      ? text
      : Array.from(text, (character) => (this.#has(character) ? character : MISSING)).join("");
  }

  #has(character: string): boolean {
    this.#knows ??= (() => {
      this.#document.font("regular");
      const { font } = (this.#document as unknown as { _font: { font: GlyphSet } })._font;
      return (codePoint: number) => font.hasGlyphForCodePoint(codePoint);
    })();
    return this.#knows(character.codePointAt(0)!);
  }
}

function numberPages(document: PDFKit.PDFDocument, title: string): void {
  const { start, count } = document.bufferedPageRange();
  const running = visualOrder(title.split(" ").map((text) => ({ text })))
    .map(({ text }) => text)
    .join(" ");
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page);
    // Below the bottom margin pdfkit would begin a new page.
    document.page.margins.bottom = 0;
    const y = document.page.height - 40;
    const width = document.page.width - MARGIN.left - MARGIN.right;
    document.font("regular").fontSize(8).fillColor(DIM);
    document.text(running, MARGIN.left, y, { width: width - 60, height: 10, ellipsis: true, lineBreak: false });
    document.text(`${page - start + 1} / ${count}`, MARGIN.left, y, { width, align: "right", lineBreak: false });
  }
}

/**
 * A briefing as PDF (A4): embedded fonts, links, bookmarks, page numbers; the same briefing gives the same bytes.
 * Characters of scripts that the font lacks are shown as boxes, and the last page says how many.
 */
export async function briefingPdf({ title, content, generatedAt }: Readable): Promise<Buffer> {
  const known = Date.parse(generatedAt);
  const moment = new Date(Number.isNaN(known) ? 0 : known);
  const document = new PDFDocument({
    size: "A4",
    margins: MARGIN,
    bufferPages: true,
    lang: "en",
    displayTitle: true,
    info: { Title: title, Producer: "Signalmesh", Creator: "Signalmesh", CreationDate: moment, ModDate: moment },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  const page = new Page(document);
  for (const block of blocksOf(content)) page.draw(block);
  if (page.missing > 0) {
    page.note(
      `${page.missing} characters of scripts that this document's font lacks are shown as ${MISSING}. The ` +
        "HTML and Markdown views have them.",
    );
  }
  numberPages(document, title);
  document.end();
  return done;
}
