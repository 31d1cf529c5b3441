import MarkdownIt from "markdown-it";
import { useMemo, type ReactNode } from "react";

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false });

/** Markdown as elements; HTML in it is shown as text. */
export function Markdown({ children }: { children: string }): ReactNode {
  const html = useMemo(() => ({ __html: markdown.render(children) }), [children]);
  // The renderer escapes every tag that it did not write itself.
  return <div className="prose" dangerouslySetInnerHTML={html} />;
}
