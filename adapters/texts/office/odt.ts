import { Composer, type TextBlock, type ExtractedText } from "../text.ts";
import { unsealing } from "./odf-encryption.ts";
import { Package, type XmlHandlers } from "./xml.ts";

/** Deleted text kept for undoing, forms, and the numbers of notes. */
const PASSED_OVER = new Set(["tracked-changes", "forms", "note-citation", "sequence-decls", "creator", "date"]);
/** Text that stands apart from the paragraph it belongs to. */
const APART = new Set(["note-body", "annotation"]);
const MOST_SPACES = 100;
const CONTENT = "content.xml";

interface Paragraph {
  kind: TextBlock["kind"];
  level?: number;
  text: string;
}

/** Reads OpenDocument paragraphs (OASIS ODF 1.3 part 3, 5 and 6). */
class OdfReader implements XmlHandlers {
  readonly #into: Composer;
  readonly #notes: string[] = [];
  readonly #paragraphs: Paragraph[] = [];
  readonly #rows: string[][] = [];
  #passed = 0;
  #apart = 0;
  #items = 0;

  constructor(into: Composer) {
    this.#into = into;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (PASSED_OVER.has(name)) this.#passed += 1;
    if (this.#passed) return;
    if (APART.has(name)) this.#apart += 1;
    if (name === "list-item") this.#items += 1;
    if (name === "h") {
      const level = Number(attributes["outline-level"]) || 1;
      this.#paragraphs.push({ kind: "heading", level, text: "" });
    } else if (name === "p") this.#paragraphs.push({ kind: this.#items ? "list-item" : "paragraph", text: "" });
    else if (name === "table-row") this.#rows.push([]);
    else if (name === "table-cell" || name === "covered-table-cell") this.#rows.at(-1)?.push("");
    else this.#inside(name, attributes);
  }

  #inside(name: string, { c }: Readonly<Record<string, string>>): void {
    const paragraph = this.#paragraphs.at(-1);
    if (name === "soft-page-break" && !this.#rows.length && !this.#apart) {
      if (paragraph) this.#emit({ ...paragraph });
      if (paragraph) paragraph.text = "";
      this.#into.breakPage();
    }
    if (!paragraph) return;
    if (name === "s") paragraph.text += " ".repeat(Math.min(Number(c) || 1, MOST_SPACES));
    else if (name === "tab") paragraph.text += "\t";
    else if (name === "line-break") paragraph.text += "\n";
  }

  text(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph && !this.#passed) paragraph.text += text.replaceAll(/\s+/g, " ");
  }

  close(name: string): void {
    if (PASSED_OVER.has(name)) {
      this.#passed -= 1;
      return;
    }
    if (this.#passed) return;
    if (name === "p" || name === "h") this.#emit(this.#paragraphs.pop());
    else if (name === "table-row") this.#endRow();
    if (name === "list-item") this.#items -= 1;
    if (APART.has(name)) this.#apart -= 1;
  }

  #emit(paragraph: Paragraph | undefined): void {
    if (!paragraph) return;
    const row = this.#rows.at(-1);
    if (this.#apart) this.#notes.push(paragraph.text);
    else if (row?.length) row[row.length - 1] = [row.at(-1), paragraph.text.trim()].filter(Boolean).join(" ");
    else this.#into.add(paragraph.kind, paragraph.text, paragraph);
  }

  #endRow(): void {
    const text = (this.#rows.pop() ?? []).map((cell) => cell.replaceAll(/\s+/g, " ")).join("\t");
    const outer = this.#rows.at(-1);
    if (outer?.length) outer[outer.length - 1] = [outer.at(-1), text.trim()].filter(Boolean).join(" ");
    else this.#into.add("table-row", text);
  }

  end(): ExtractedText {
    for (const note of this.#notes) this.#into.add("note", note);
    return this.#into.end();
  }
}

/** The text of an ODT: with all changes accepted, notes and comments at its end. */
export async function readOdt(bytes: Buffer, password?: string): Promise<ExtractedText> {
  const parts = await Package.open(bytes);
  const reader = new OdfReader(new Composer());
  await parts.read(CONTENT, reader, await unsealing(parts, CONTENT, password));
  return reader.end();
}
