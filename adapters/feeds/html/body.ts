import { cleanHtml, type Cleaned } from "./clean.ts";
import type { Markup } from "../draft.ts";
import { decodedText } from "../xml/entities.ts";
import { limits } from "../feed.ts";
import { htmlOf, oneLine } from "./plain-text.ts";

const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;
const inlineTags = new Set(
  (
    "a abbr b big embed iframe object cite code del em font i img ins mark q s small span strike strong sub " +
    "sup tt u wbr"
  ).split(" "),
);
const blockTags = new Set("br div h1 h2 h3 h4 h5 h6 p".split(" "));
const tag = /<\/?([a-z][a-z\d]*)(?:[\s/][^<>]*)?>/gi;

/** What is no part of a title, from where to where. */
const code: [begin: string, end: string][] = [
  ["<!--", "-->"],
  ["<script", "</script>"],
  ["<style", "</style>"],
];

/** A title without code and comments; what does not end is a word of it ("the <script> element"). */
function withoutCode(title: string): string {
  let text = title;
  for (const [begin, end] of code) {
    for (let from = 0; ;) {
      const lower = text.toLowerCase();
      const at = lower.indexOf(begin, from);
      const to = at < 0 ? -1 : lower.indexOf(end, at);
      if (to < 0) break;
      text = text.slice(0, at) + text.slice(to + end.length);
      from = at;
    }
  }
  return text;
}

function withoutTags(value: string): string {
  return withoutCode(value).replace(tag, (whole, name: string) =>
    inlineTags.has(name.toLowerCase()) ? "" : blockTags.has(name.toLowerCase()) ? " " : whole,
  );
}

/**
 * A title on one line. Tags are taken out only where they are known ones: "a < b" and "the <foo> element" stay. An
 * entity that is left after decoding was escaped twice, a common mistake, and is decoded again.
 */
export function titleText(title: Markup | undefined): string {
  const value = (title?.value ?? "").slice(0, limits.title * 8);
  const bare = title?.kind === "html" && value.includes("<") ? withoutTags(value) : value;
  const decoded = title?.kind === "html" ? decodedText(bare) : bare;
  return oneLine(entity.test(decoded) ? decodedText(decoded) : decoded);
}

/**
 * Plain text as HTML: escaped, paragraphs between empty lines, single line ends kept as breaks or, where lines were
 * only wrapped, as blanks.
 */
function paragraphs(given: string, wrapped: boolean): Cleaned {
  const lines = given
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) =>
      paragraph
        .split(wrapped ? /$^/ : "\n")
        .map(oneLine)
        .filter(Boolean),
    )
    .filter((paragraph) => paragraph.length > 0);
  const text = lines.map((paragraph) => paragraph.join("\n")).join("\n\n");
  return {
    html: htmlOf(text),
    text,
    linked: 0,
    truncated: false,
  };
}

const escapedTag =
  /&lt;\/?(?:p|br|a|b|i|em|strong|div|span|img|ul|ol|li|h[1-6]|table|blockquote|figure)(?:\s|\/|&gt;)/i;

/**
 * Cleans the body of an item against its base address. HTML that was escaped once too often is recognised by having
 * only escaped tags.
 */
export function cleanMarkup(markup: Markup, base: string): Cleaned {
  const value = markup.value.slice(0, limits.html);
  const cleaned = markup.kind === "text" ? paragraphs(value, false) : cleanedHtml(value, base);
  return value.length < markup.value.length ? { ...cleaned, truncated: true } : cleaned;
}

function cleanedHtml(value: string, base: string): Cleaned {
  if (value.includes("<")) return cleanHtml(value, base);
  return escapedTag.test(value) ? cleanHtml(decodedText(value), base) : paragraphs(decodedText(value), true);
}
