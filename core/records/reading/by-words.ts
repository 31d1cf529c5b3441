import { z } from "zod";
import type { Query } from "../documents.ts";
import { upTo } from "../../text/cutting.ts";

/** Sorts after every word that begins alike. */
const LAST = "\u{10ffff}";
const MOST_ASKED = 8;
const LONGEST = 40;

/** The words of these texts, in lower case and without accents, each once: what a record keeps to be found by. */
export const searchWords = (...texts: (string | null | undefined)[]): string[] => [
  ...new Set(
    texts.flatMap((text) =>
      (text ?? "")
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean)
        .map((word) => upTo(LONGEST, word)),
    ),
  ),
];

/** What is asked of a list by words; `what` they are looked for in. */
export const wordsIn = (what: string) =>
  z.string().max(200).optional().describe(`Words of ${what}, or their beginnings; all of them.`);

/** The part of a query for the records whose `words` have all of these, or begin with them. */
export function withWords(q: string | undefined): Query {
  const asked = searchWords(q).slice(0, MOST_ASKED);
  if (!asked.length) return {};
  return { $and: asked.map((word) => ({ words: { $elemMatch: { $gte: word, $lt: word + LAST } } })) };
}
