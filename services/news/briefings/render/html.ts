import { createHash } from "node:crypto";
import { markdownReader } from "../../../../adapters/channels/blocks.ts";

/** What a view needs of a stored briefing. */
export interface Readable {
  title: string;
  /** Markdown as `compose` writes it. */
  content: string;
  /** ISO 8601. */
  generatedAt: string;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #5d6670; --paper: #fff; --line: #d9dee3; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --dim: #9aa5b1; --paper: #14181c; --line: #323a42; --accent: #7db8f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.05rem; letter-spacing: .04em; text-transform: uppercase; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 1.5rem 0 .15rem; }
p { margin: .35rem 0 .6rem; }
p > em:only-child { font-style: normal; font-size: .875rem; color: var(--dim); }
ul { margin: .5rem 0; padding-left: 1.15rem; }
li { margin: .35rem 0; }
a { color: var(--accent); text-decoration: none; font-variant-numeric: tabular-nums; }
a:hover, a:focus-visible { text-decoration: underline; }
#articles-cited ~ ul { font-size: .875rem; color: var(--dim); }
@media print {
  :root { --ink: #000; --dim: #444; --paper: #fff; --line: #bbb; --accent: #000; }
  @page { margin: 18mm 16mm; }
  main { max-width: none; padding: 0; }
  body { font-size: 10.5pt; }
  h2, h3 { break-after: avoid; }
  li, h3 + p { break-inside: avoid; }
  #articles-cited ~ ul a[href]::after { content: " " attr(href); font-size: .8em; overflow-wrap: anywhere; }
}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Lets the page run nothing and load nothing: even markup that got past the reader would stay inert. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

function reader() {
  const markdown = markdownReader();
  markdown.renderer.rules["link_open"] = (tokens, index, options, _environment, self) => {
    tokens[index]!.attrSet("rel", "noopener noreferrer nofollow");
    return self.renderToken(tokens, index, options);
  };
  // Headings get addresses, so that a part of a briefing can be linked to.
  markdown.renderer.rules["heading_open"] = (tokens, index, options, _environment, self) => {
    const words = (tokens[index + 1]?.content ?? "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    tokens[index]!.attrSet("id", words.join("-").slice(0, 80));
    return self.renderToken(tokens, index, options);
  };
  return markdown;
}

/** A briefing as a page of its own: no script, no resource from elsewhere, light, dark and on paper. */
export function toHtml({ title, content }: Readable): string {
  const markdown = reader();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${markdown.utils.escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${markdown.render(content)}</main>
</body>
</html>
`;
}
