import type { Block, Run } from "./blocks.ts";

/**
 * Packs a briefing into messages of at most `limit` characters, breaking between blocks; a block that is longer than
 * that is broken between words, before it is written in the chat's notation, so that no mark-up is cut in two. `write`
 * gives the notation, its length is what counts.
 */
export function packed(blocks: readonly Block[], limit: number, write: (block: Block) => string): string[] {
  const messages: string[] = [];
  let previous: Block | undefined;
  for (const block of blocks.flatMap((each) => within(each, limit, write))) {
    const text = write(block);
    const joint = previous?.kind === "item" && block.kind === "item" ? "\n" : "\n\n";
    const last = messages.at(-1);
    if (last === undefined || last.length + joint.length + text.length > limit) messages.push(text);
    else messages[messages.length - 1] = last + joint + text;
    previous = block;
  }
  return messages;
}

/** The block, or parts of it that each fit. */
function within(block: Block, limit: number, write: (block: Block) => string): Block[] {
  if (write(block).length <= limit) return [block];
  const parts: Block[] = [];
  let runs: Run[] = [];
  for (const run of block.runs.flatMap(words)) {
    const longer = [...runs, run];
    if (runs.length > 0 && write({ ...block, runs: joined(longer) }).length > limit) {
      parts.push({ ...block, runs: joined(runs) });
      runs = [run];
    } else runs = longer;
  }
  return [...parts, { ...block, runs: joined(runs) }];
}

/** Words with the space before them; a stretch without a space is broken after 200 characters. */
const words = (run: Run): Run[] => (run.text.match(/\s*\S{1,200}|\s+$/gu) ?? []).map((text) => ({ ...run, text }));

function joined(runs: readonly Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (last && last.bold === run.bold && last.italic === run.italic && last.href === run.href) last.text += run.text;
    else merged.push({ ...run });
  }
  return merged;
}

/**
 * Breaks what a chat would make a link of by itself ("evil.example", "https://…"): an invisible word joiner behind dot,
 * colon and @.
 */
export const unlinked = (text: string): string =>
  text
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, ".\u2060")
    .replace(/:\/\//g, ":\u2060//")
    .replace(/@(?=\p{L})/gu, "@\u2060");
