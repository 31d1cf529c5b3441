import MarkdownIt from "markdown-it";
import { useMemo, type ReactNode } from "react";

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false });

/** Blocks that run from right to left where what is written in them does; a list does as a whole. */
const DIRECTED = new Set([
  "paragraph_open",
  "heading_open",
  "bullet_list_open",
  "ordered_list_open",
  "th_open",
  "td_open",
]);
markdown.core.ruler.push("direction", ({ tokens }) => {
  for (const token of tokens) if (DIRECTED.has(token.type)) token.attrSet("dir", "auto");
});

/** Markdown as elements; HTML in it is shown as text. */
export function Markdown({ children }: { children: string }): ReactNode {
  const html = useMemo(() => ({ __html: markdown.render(children) }), [children]);
  // The renderer escapes every tag that it did not write itself.
  return <div className="prose" dangerouslySetInnerHTML={html} />;
}
