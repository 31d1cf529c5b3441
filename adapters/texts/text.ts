/** What a document can be read as. */
export const FORMATS = ["pdf", "docx", "odt", "html", "markdown", "text"] as const;
export type Format = (typeof FORMATS)[number];

export const REASONS = ["encrypted", "damaged", "no-text", "too-big"] as const;
/** Why a document cannot be read. */
export type UnreadableReason = (typeof REASONS)[number];

export const BLOCK_KINDS = ["heading", "paragraph", "list-item", "table-row", "note", "field", "running-head"] as const;

/** A piece of the text by its kind. Offsets are of UTF-16 units, ends exclusive. */
export interface TextBlock {
  kind: (typeof BLOCK_KINDS)[number];
  /** Of a heading: 1 is the highest. */
  level?: number;
  start: number;
  end: number;
  page: number;
  /** Where it stands on its page: left, bottom, right, top, in points from the lower left corner. */
  box?: [number, number, number, number];
}

/** Where a page lies in the text. A document without pages is one. */
export interface PageSpan {
  page: number;
  start: number;
  end: number;
}

export interface Layout {
  pages: PageSpan[];
  blocks: TextBlock[];
}

/** A document's text: NFC, lines broken by \n, a block a paragraph. */
export interface ExtractedText extends Layout {
  text: string;
  title?: string;
  /** It was damaged: its page structure was rebuilt. */
  repaired?: true;
  /** Pages that could not be read, while others could. */
  pagesUnread?: number[];
}

export const MOST_PAGES = 5_000;
export const MOST_CHARACTERS = 20_000_000;
/** Of XML, counted while inflating. */
export const MOST_XML_BYTES = 67_108_864;
/** Nested elements: no document comes near it, and a parser pays for each open one. */
export const MOST_DEPTH = 10_000;

/** A document that cannot be read, with the reason in words for people. */
export class Unreadable extends Error {
  readonly reason: UnreadableReason;
  constructor(reason: UnreadableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
/** The message about an encrypted document with a wrong password. */
export const WRONG_PASSWORD = "It does not open with this password.";
export const damaged = (what: string): Unreadable => new Unreadable("damaged", what);
export const tooBig = (what: string): Unreadable => new Unreadable("too-big", what);

export const tooDeep = (): Unreadable => damaged(`Its elements lie more than ${MOST_DEPTH} deep within one another.`);

// oxlint-disable-next-line no-control-regex -- characters that no text needs are what it looks for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f\ufffe\uffff]+/g;

/** Text as it is stored: NFC, \n, without control characters and halves of surrogate pairs. */
export const clean = (text: string): string =>
  text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "").toWellFormed().normalize("NFC");

/** Builds a text, block by block and page by page. Throws Unreadable past the limits. */
export class Composer {
  readonly #parts: string[] = [];
  readonly #blocks: TextBlock[] = [];
  readonly #pages: PageSpan[] = [];
  #length = 0;
  #pageStart = 0;

  get page(): number {
    return this.#pages.length + 1;
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  add(kind: TextBlock["kind"], given: string, { level, box }: Pick<TextBlock, "level" | "box"> = {}): void {
    const text = clean(given).trim();
    if (text === "") return;
    if (this.#length > this.#pageStart) this.#append("\n");
    const start = this.#length;
    this.#append(text);
    this.#blocks.push({
      kind,
      ...(level !== undefined && { level }),
      start,
      end: this.#length,
      page: this.page,
      ...(box && { box }),
    });
  }

  /** What follows is on the next page. */
  breakPage(): void {
    if (this.#pages.length + 1 >= MOST_PAGES) throw tooBig(`It has more than ${MOST_PAGES} pages.`);
    this.#pages.push({ page: this.page, start: this.#pageStart, end: this.#length });
    if (this.#length) this.#append("\n");
    this.#pageStart = this.#length;
  }

  end(): ExtractedText {
    this.#pages.push({ page: this.page, start: this.#pageStart, end: this.#length });
    const title = this.#blocks.find(({ kind }) => kind === "heading");
    const text = this.#parts.join("");
    return {
      text,
      pages: this.#pages,
      blocks: this.#blocks,
      ...(title && { title: text.slice(title.start, title.end) }),
    };
  }

  #append(text: string): void {
    this.#length += text.length;
    if (this.#length > MOST_CHARACTERS) throw tooBig(`It has more than ${MOST_CHARACTERS} characters.`);
    this.#parts.push(text);
  }
}
