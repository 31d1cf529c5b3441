import MarkdownIt, { type MarkdownIt as Reader, type Token } from "markdown-it";

/** A part of a text in one style; `href` is http or https. */
export interface TextRun {
  text: string;
  bold: boolean;
  italic: boolean;
  href?: string;
}

/** A heading, a paragraph or a list item, in the order of the document: the elements of a briefing. */
export interface MarkupBlock {
  kind: "heading" | "paragraph" | "item";
  level: number;
  runs: TextRun[];
}

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

/**
 * The Markdown parser of briefings: CommonMark without HTML, images, autolinks and links other than to the web. Every
 * view (page, PDF, mail, chat) uses it, so that what is harmless in one is harmless in all.
 */
export function markdownReader(): Reader {
  const reader = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable([
    "image",
    "html_inline",
    "html_block",
    "autolink",
  ]);
  reader.validateLink = isWebAddress;
  return reader;
}

function runsOf(tokens: readonly Token[]): TextRun[] {
  const runs: TextRun[] = [];
  let [bold, italic] = [0, 0];
  let href: string | undefined;
  const say = (text: string) => {
    const last = runs.at(-1);
    if (last && last.bold === bold > 0 && last.italic === italic > 0 && last.href === href) last.text += text;
    else if (text !== "")
      runs.push({ text, bold: bold > 0, italic: italic > 0, ...(href === undefined ? {} : { href }) });
  };
  for (const token of tokens) {
    switch (token.type) {
      case "strong_open":
        bold++;
        break;
      case "strong_close":
        bold--;
        break;
      case "em_open":
        italic++;
        break;
      case "em_close":
        italic--;
        break;
      case "link_open":
        href = String(token.attrGet("href") ?? "");
        break;
      case "link_close":
        href = undefined;
        break;
      case "softbreak":
      case "hardbreak":
        say(" ");
        break;
      default:
        say(token.content);
    }
  }
  return runs;
}

/** Parses Markdown into blocks; what briefings do not use (tables, quotes, code) becomes paragraphs of its text. */
export function blocksOf(markdown: string): MarkupBlock[] {
  const blocks: MarkupBlock[] = [];
  let depth = 0;
  let heading = 0;
  for (const token of markdownReader().parse(markdown, {})) {
    if (token.type === "list_item_open") depth++;
    else if (token.type === "list_item_close") depth--;
    else if (token.type === "heading_open") heading = Number(token.tag.slice(1));
    else if (token.type === "heading_close") heading = 0;
    else if (token.type === "inline") {
      blocks.push({
        kind: heading > 0 ? "heading" : depth > 0 ? "item" : "paragraph",
        level: heading || depth,
        runs: runsOf(token.children ?? []),
      });
    } else if (token.content !== "")
      blocks.push({ kind: "paragraph", level: 0, runs: [{ text: token.content.trim(), bold: false, italic: false }] });
  }
  return blocks;
}

export const blockText = (block: MarkupBlock): string => block.runs.map(({ text }) => text).join("");

/** The heading of the list of sources at the end of a briefing, as the composition writes it. */
export const ENDNOTES_HEADING = "Articles cited";

/** A briefing without the list of sources at its end: on a small screen the links in the text suffice. */
export function withoutEndnotes(blocks: readonly MarkupBlock[]): MarkupBlock[] {
  const at = blocks.findLastIndex((block) => block.kind === "heading" && blockText(block) === ENDNOTES_HEADING);
  return at < 0 ? [...blocks] : blocks.slice(0, at);
}
