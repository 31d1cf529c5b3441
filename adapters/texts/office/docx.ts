import { isCompoundFile } from "./compound-file.ts";
import { decrypted } from "./office-encryption.ts";
import { Composer, type TextBlock, type ExtractedText } from "../text.ts";
import { Package, type XmlHandlers } from "./xml.ts";

/** Deleted or moved text, field instructions, and replacements for older programs. */
const PASSED_OVER = new Set(["del", "moveFrom", "instrText", "delText", "Fallback"]);

interface Paragraph {
  kind: TextBlock["kind"];
  level?: number;
  text: string;
}

/** Outline levels by the id of a style: `Heading 1` has 0. */
async function headingStyles(parts: Package): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  if (!parts.has("word/styles.xml")) return levels;
  let style = "";
  await parts.read("word/styles.xml", {
    open(name, { styleId, val }) {
      if (name === "style") style = styleId ?? "";
      if (name === "name") {
        const heading = /^heading (\d)$/i.exec(val ?? "");
        if (heading) levels.set(style, Number(heading[1]));
      }
      if (name === "outlineLvl" && Number(val) < 9) levels.set(style, Number(val) + 1);
    },
    text() {},
    close() {},
  });
  return levels;
}

/** Reads Word paragraphs (ECMA-376 part 1, 17.3); each table row is one block. */
class WordReader implements XmlHandlers {
  readonly #into: Composer;
  readonly #headings: ReadonlyMap<string, number>;
  readonly #kind: TextBlock["kind"];
  /** Text boxes are nested in a paragraph: their paragraphs end first. */
  readonly #paragraphs: Paragraph[] = [];
  /** Cells of the open rows, the outermost first. */
  readonly #rows: string[][] = [];
  #passed = 0;
  #isText = false;

  constructor(into: Composer, headings: ReadonlyMap<string, number>, kind: TextBlock["kind"] = "paragraph") {
    this.#into = into;
    this.#headings = headings;
    this.#kind = kind;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (PASSED_OVER.has(name)) this.#passed += 1;
    if (this.#passed) return;
    const paragraph = this.#paragraphs.at(-1);
    if (name === "p") this.#paragraphs.push({ kind: this.#kind, text: "" });
    else if (name === "tr") this.#rows.push([]);
    else if (name === "tc") this.#rows.at(-1)?.push("");
    else if (name === "t") this.#isText = true;
    else if (paragraph) this.#inside(paragraph, name, attributes);
  }

  #inside(paragraph: Paragraph, name: string, { val, type }: Readonly<Record<string, string>>): void {
    if (name === "tab") paragraph.text += "\t";
    else if (name === "noBreakHyphen") paragraph.text += "-";
    else if (name === "cr" || (name === "br" && type !== "page")) paragraph.text += "\n";
    else if (name === "lastRenderedPageBreak" || name === "br") this.#breakPage(paragraph);
    else if (name === "numPr" && paragraph.kind === "paragraph") paragraph.kind = "list-item";
    else if (name === "pStyle" && this.#kind === "paragraph") {
      const level = this.#headings.get(val ?? "");
      if (level !== undefined) Object.assign(paragraph, { kind: "heading", level });
    }
  }

  /** Inside a table, pages change with the row. */
  #breakPage(paragraph: Paragraph): void {
    if (this.#rows.length || this.#paragraphs.length > 1) return;
    this.#emit(paragraph);
    paragraph.text = "";
    this.#into.breakPage();
  }

  text(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph && this.#isText && !this.#passed) paragraph.text += text;
  }

  close(name: string): void {
    if (PASSED_OVER.has(name)) {
      this.#passed -= 1;
      return;
    }
    if (this.#passed) return;
    if (name === "t") this.#isText = false;
    else if (name === "p") this.#emit(this.#paragraphs.pop());
    else if (name === "tr") this.#endRow();
  }

  #emit(paragraph: Paragraph | undefined): void {
    if (!paragraph) return;
    const row = this.#rows.at(-1);
    if (row?.length) row[row.length - 1] = [row.at(-1), paragraph.text.trim()].filter(Boolean).join(" ");
    else this.#into.add(paragraph.kind, paragraph.text, paragraph);
  }

  #endRow(): void {
    const cells = this.#rows.pop() ?? [];
    const outer = this.#rows.at(-1);
    const text = cells.map((cell) => cell.replaceAll(/\s+/g, " ")).join("\t");
    if (outer?.length) outer[outer.length - 1] = [outer.at(-1), text.trim()].filter(Boolean).join(" ");
    else this.#into.add("table-row", text);
  }
}

/** The text of a DOCX: with all changes accepted, and notes at its end. */
export async function readDocx(bytes: Buffer, password?: string): Promise<ExtractedText> {
  const parts = await Package.open(isCompoundFile(bytes) ? decrypted(bytes, password) : bytes);
  const into = new Composer();
  const headings = await headingStyles(parts);
  await parts.read("word/document.xml", new WordReader(into, headings));
  for (const notes of ["word/footnotes.xml", "word/endnotes.xml", "word/comments.xml"])
    if (parts.has(notes)) await parts.read(notes, new WordReader(into, headings, "note"));
  return into.end();
}
