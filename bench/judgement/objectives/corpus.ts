import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMarkdown, readText } from "../../../adapters/texts/plain.ts";
import type { WholeText } from "../../../services/knowledge/documents/client.ts";

/** A document of the labelled set: its text as the product reads it, and where its objectives stand. */
export interface Labelled {
  name: string;
  whole: WholeText;
  objectives: { start: number; end: number }[];
}

/**
 * Two by the hand that wrote the rules, and two by people who knew none of them: `stranger` was read while they were
 * changed, `second` scored once they stood, and its misses nobody has read.
 */
export const PARTS = ["tune", "held", "stranger", "second"] as const;

const spaces = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\s+/g, "\\s+");

/** Labels stand in ⟦brackets⟧, which are taken off before the text is read. */
export function corpus(part: (typeof PARTS)[number]): Labelled[] {
  const file = readFileSync(join(import.meta.dirname, `${part}.txt`), "utf8");
  return file
    .split(/^=== /m)
    .slice(1)
    .map((document): Labelled => {
      const [, name, body] = /^(\S+)\n([\s\S]*)$/.exec(document)!;
      const bytes = Buffer.from(body!.replaceAll(/[⟦⟧]/g, ""));
      const read = name!.endsWith(".md") ? readMarkdown(bytes) : readText(bytes);
      let from = 0;
      const objectives = [...body!.matchAll(/⟦([^⟧]+)⟧/g)].map(([, label]) => {
        const found = new RegExp(spaces(label!)).exec(read.text.slice(from));
        if (!found) throw new TypeError(`${name}: "${label}" is not in the text.`);
        const start = from + found.index;
        from = start + found[0].length;
        return { start, end: from };
      });
      return { name: name!, whole: { ...read, documentId: name!, version: 1 }, objectives };
    });
}
