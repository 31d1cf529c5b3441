const runs = /[\s\x7f]+/g;
const blanks = ["\n", "  ", "\t", "\r", "\u00a0"];
/** Most text is regular: to look for what is not is several times cheaper than to replace each blank by itself. */
const fold = (text: string) => (blanks.some((blank) => text.includes(blank)) ? text.replace(runs, " ") : text);

/** Gathers plain text: white space folded to single blanks, lines broken where blocks begin and end. */
export class PlainText {
  /** How many preformatted elements are open: their white space is kept. */
  preformatted = 0;
  #text = "";
  #break = 0;
  #blank = false;

  /** Asks for a new line (1) or an empty line (2) before the next text. */
  breakLine(size: number | undefined): void {
    if (size !== undefined && size > this.#break) this.#break = size;
  }

  space(): void {
    this.#blank = true;
  }

  add(data: string): void {
    const piece = this.preformatted > 0 ? data : fold(data);
    if (piece === " " || piece === "") {
      this.#blank ||= piece === " ";
      return;
    }
    const leading = piece.startsWith(" ") && this.preformatted === 0;
    const trailing = piece.endsWith(" ") && this.preformatted === 0;
    if (this.#text !== "") this.#text += this.#break > 0 ? "\n".repeat(this.#break) : this.#blank || leading ? " " : "";
    this.#text += leading || trailing ? piece.trim() : piece;
    this.#break = 0;
    this.#blank = trailing;
  }

  toString(): string {
    return this.#text.trim();
  }
}

/** White space folded to single blanks. */
export const oneLine = (text: string): string => fold(text).trim();

/** At most `most` characters, cut at a blank where one stands in the last third, an ellipsis included. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const blank = cut.lastIndexOf(" ");
  // Between the halves of a surrogate pair the first half would stand alone.
  const whole = blank > most * 0.6 ? cut.slice(0, blank) : cut.replace(/[\ud800-\udbff]$/, "");
  let end = whole.length;
  while (end > 0 && " \n,;:.\u2013-".includes(whole.charAt(end - 1))) end -= 1;
  return `${whole.slice(0, end)}…`;
}

/** Plain text as it stands in HTML and in the values of attributes. */
export const escapeHtml = (value: string): string =>
  /[&"<>]/.test(value)
    ? value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    : value;

/** The HTML of a text in paragraphs, as `cleanMarkup` makes it from plain text. */
export const htmlOf = (text: string): string =>
  text === ""
    ? ""
    : `<p>${escapeHtml(text).replaceAll(/\n\n|\n/g, (end) => (end === "\n" ? "<br>" : "</p>\n<p>"))}</p>`;
