import { blocksOf, ENDNOTES_HEADING, blockText, type MarkupBlock } from "./blocks.ts";

const WIDTH = 78;

function wrap(text: string, first: string, rest: string): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const bare = line === first || line === rest;
    if (!bare && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest + word;
    } else line += bare ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}

/** Links have an article's number as text ("#12"): brackets separate them from the sentence. */
const shown = (block: MarkupBlock): string => block.runs.map(({ text, href }) => (href ? `[${text}]` : text)).join("");

/** Addresses stand only in the list of sources at the end, where readers of plain text look them up. */
function withAddress(block: MarkupBlock, endnotes: boolean): string {
  const address = endnotes ? block.runs.find(({ href }) => href)?.href : undefined;
  const inset = "  ".repeat(block.level - 1);
  return wrap(shown(block), `${inset}- `, `${inset}  `) + (address ? `\n${inset}  ${address}` : "");
}

/** A briefing (Markdown) as plain text, 78 columns wide. */
export function toText({ content }: { content: string }): string {
  let endnotes = false;
  let previous: MarkupBlock["kind"] | undefined;
  const parts: string[] = [];
  for (const block of blocksOf(content)) {
    const text = blockText(block);
    if (block.kind === "heading") {
      endnotes = text === ENDNOTES_HEADING;
      const title = wrap(text, "", "");
      const line = block.level > 2 ? "" : `\n${(block.level === 1 ? "=" : "-").repeat(Math.min(WIDTH, text.length))}`;
      parts.push(`\n${title}${line}`);
    } else if (block.kind === "item") parts.push(`${previous === "item" ? "" : "\n"}${withAddress(block, endnotes)}`);
    else parts.push(`\n${wrap(text, "", "")}`);
    previous = block.kind;
  }
  return `${parts.join("\n").trim()}\n`;
}
