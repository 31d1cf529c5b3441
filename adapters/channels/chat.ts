import type { MarkupBlock, TextRun } from "./blocks.ts";

/**
 * Packs a briefing into messages of at most `limit` characters, breaking between blocks, but not after a heading or
 * between a line and its list; a longer block is broken between words, before it is written in the chat's notation, so
 * that no mark-up is cut. `write` gives the notation, whose length counts.
 */
export function packMessages(
  blocks: readonly MarkupBlock[],
  limit: number,
  write: (block: MarkupBlock) => string,
): string[] {
  const messages: string[] = [];
  let previous: MarkupBlock | undefined;
  const add = (group: readonly MarkupBlock[]): void => {
    const text = group.map((block, at) => (at > 0 ? joint(group[at - 1]!, block) : "") + write(block)).join("");
    if (group.length > 1 && text.length > limit) return group.forEach((block) => add([block]));
    const last = messages.at(-1);
    const next = previous && last !== undefined ? last + joint(previous, group[0]!) + text : text;
    if (last !== undefined && next.length <= limit) messages[messages.length - 1] = next;
    else messages.push(text);
    previous = group.at(-1);
  };
  together(blocks.flatMap((each) => within(each, limit, write))).forEach(add);
  return messages;
}

const joint = (one: MarkupBlock, next: MarkupBlock): string =>
  one.kind === "item" && next.kind === "item" ? "\n" : "\n\n";

/** Headings, and lines before a list, with what they introduce; items with the items below them. */
function together(blocks: readonly MarkupBlock[]): MarkupBlock[][] {
  const groups: MarkupBlock[][] = [];
  for (const block of blocks) {
    const before = groups.at(-1)?.at(-1);
    const isLed =
      before !== undefined &&
      (before.kind === "heading" || (block.kind === "item" && (before.kind === "paragraph" || block.level > 1)));
    if (isLed) groups.at(-1)!.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** The beginning of an item: nested ones are indented, since these chats have no lists. */
export const bullet = (level: number): string => (level > 1 ? `${"    ".repeat(level - 1)}◦ ` : "• ");

/** The block, or parts of it that each fit. */
function within(block: MarkupBlock, limit: number, write: (block: MarkupBlock) => string): MarkupBlock[] {
  if (write(block).length <= limit) return [block];
  const parts: MarkupBlock[] = [];
  let runs: TextRun[] = [];
  for (const run of block.runs.flatMap(words)) {
    const longer = [...runs, run];
    if (runs.length > 0 && write({ ...block, runs: joined(longer) }).length > limit) {
      parts.push({ ...block, runs: joined(runs) });
      runs = [run];
    } else runs = longer;
  }
  return [...parts, { ...block, runs: joined(runs) }];
}

/** Words with the space before them; text without a space is broken after 200 characters. */
const words = (run: TextRun): TextRun[] =>
  (run.text.match(/\s*\S{1,200}|\s+$/gu) ?? []).map((text) => ({ ...run, text }));

function joined(runs: readonly TextRun[]): TextRun[] {
  const merged: TextRun[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (last && last.bold === run.bold && last.italic === run.italic && last.href === run.href) last.text += run.text;
    else merged.push({ ...run });
  }
  return merged;
}

/** Prevents automatic links ("evil.example", "https://…"): an invisible word joiner after dot, colon and @. */
export const unlinked = (text: string): string =>
  text
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, ".\u2060")
    .replace(/:\/\//g, ":\u2060//")
    .replace(/@(?=\p{L})/gu, "@\u2060");
