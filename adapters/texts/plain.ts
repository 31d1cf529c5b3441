import { Parser } from "htmlparser2";
import MarkdownIt from "markdown-it";
import { decodeDocument } from "../feeds/charset.ts";
import { Composer, MOST_CHARACTERS, MOST_DEPTH, tooBig, tooDeep, type TextBlock, type ExtractedText } from "./text.ts";

/**
 * Counts the bytes that begin a UTF-8 character: in other encodings that is too few, so that no text is refused
 * wrongly.
 */
function refuseTooLong(bytes: Buffer): void {
  if (bytes.length <= MOST_CHARACTERS || bytes.includes(0)) return;
  let characters = 0;
  for (let at = 0; at < bytes.length; at++) if ((bytes[at]! & 0xc0) !== 0x80) characters += 1;
  if (characters > MOST_CHARACTERS) throw tooBig(`It has more than ${MOST_CHARACTERS} characters.`);
}

/** Plain text: an empty line ends a paragraph, a form feed a page. */
export function readText(bytes: Buffer): ExtractedText {
  refuseTooLong(bytes);
  const into = new Composer();
  const decoded = decodePages(bytes);
  for (const [at, page] of decoded.entries()) {
    if (at) into.breakPage();
    for (const paragraph of page.replaceAll(/\r\n?/g, "\n").split(/\n[ \t]*\n/)) into.add("paragraph", paragraph);
  }
  return into.end();
}

/** The decoder removes control characters, including page breaks: so the pages are split first. */
function decodePages(bytes: Buffer): string[] {
  if (bytes.includes(0)) return [decodeDocument(bytes, "text/plain").text];
  const pages: Buffer[] = [];
  let from = 0;
  for (let at: number; (at = bytes.indexOf(0x0c, from)) >= 0; from = at + 1) pages.push(bytes.subarray(from, at));
  pages.push(bytes.subarray(from));
  const charset = pages.length > 1 ? undefined : "text/plain";
  return pages.map((page) => decodeDocument(page, charset).text);
}

const HIDDEN = new Set(["script", "style", "template", "noscript", "head", "title", "object", "iframe"]);
const BLOCKS = new Set(
  (
    "address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 " +
    "h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);

/** The text of a page of HTML, without scripts and styles. */
export function readHtml(bytes: Buffer): ExtractedText {
  const into = new Composer();
  let text = "",
    hidden = 0,
    level = 0,
    items = 0,
    rows = 0,
    preformatted = 0,
    depth = 0;
  const flush = (): void => {
    const kind: TextBlock["kind"] = level ? "heading" : rows ? "table-row" : items ? "list-item" : "paragraph";
    into.add(kind, text.replaceAll(/[ \u00a0]{2,}/g, " "), level ? { level } : {});
    text = "";
  };
  const parser = new Parser({
    onopentagname(name) {
      depth += 1;
      if (depth > MOST_DEPTH) throw tooDeep();
      if (HIDDEN.has(name)) hidden += 1;
      if (hidden) return;
      if (BLOCKS.has(name) && !(rows && name !== "tr")) flush();
      else if (BLOCKS.has(name)) text += " ";
      if (/^h[1-6]$/.test(name)) level = Number(name[1]);
      if (name === "li") items += 1;
      if (name === "tr") rows += 1;
      if (name === "pre") preformatted += 1;
      if ((name === "td" || name === "th") && text.trim()) text = `${text.trimEnd()}\t`;
    },
    ontext(data) {
      if (!hidden) text += preformatted ? data : data.replaceAll(/\s+/g, " ");
    },
    onclosetag(name) {
      depth -= 1;
      if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1);
      else if (!hidden) {
        if (BLOCKS.has(name) && !(rows && name !== "tr")) flush();
        if (/^h[1-6]$/.test(name)) level = 0;
        if (name === "li") items = Math.max(0, items - 1);
        if (name === "tr") rows = Math.max(0, rows - 1);
        if (name === "pre") preformatted = Math.max(0, preformatted - 1);
      }
    },
  });
  parser.end(decodeDocument(bytes, undefined).text);
  flush();
  return into.end();
}

const markdown = new MarkdownIt({ html: false });
type Token = ReturnType<typeof markdown.parse>[number];

const wordsOf = ({ children, content }: Token): string =>
  children
    ? children
        .map((child) => (child.type === "softbreak" || child.type === "hardbreak" ? "\n" : child.content))
        .join("")
    : content;

/** The words of Markdown, without its marks. */
export function readMarkdown(bytes: Buffer): ExtractedText {
  refuseTooLong(bytes);
  const into = new Composer();
  let level = 0,
    items = 0;
  let cells: string[] | undefined;
  for (const token of markdown.parse(decodeDocument(bytes, "text/markdown").text, {})) {
    if (token.type === "heading_open") level = Number(token.tag.slice(1));
    else if (token.type === "heading_close") level = 0;
    else if (token.type === "list_item_open") items += 1;
    else if (token.type === "list_item_close") items -= 1;
    else if (token.type === "tr_open") cells = [];
    else if (token.type === "tr_close") {
      into.add("table-row", (cells ?? []).join("\t"));
      cells = undefined;
    } else if (token.type === "fence" || token.type === "code_block") into.add("paragraph", token.content);
    else if (token.type === "inline") {
      const text = wordsOf(token);
      if (cells) cells.push(text.replaceAll(/\s+/g, " "));
      else into.add(level ? "heading" : items ? "list-item" : "paragraph", text, level ? { level } : {});
    }
  }
  return into.end();
}
