import { z } from "zod";
import type { Query } from "../../../../core/records/documents.ts";
import { Capability } from "./capabilities.ts";
import { searchWords } from "./resources.ts";

/** Sorts after every word that begins alike. */
const LAST = "\u{10ffff}";
const MOST_ASKED = 8;

export const SearchText = z.string().max(200).optional().describe("Words, or their beginnings; all of them.");
export const capability = Capability.optional();

const withWord = (word: string): Query => ({ words: { $elemMatch: { $gte: word, $lt: word + LAST } } });

/** The part of a query for what can do this, and has words that begin so. */
export function described({ q, capability: able }: { q?: string | undefined; capability?: string | undefined }): Query {
  const asked = [
    ...(able === undefined ? [] : [{ abilities: able }]),
    ...searchWords(q).slice(0, MOST_ASKED).map(withWord),
  ];
  return asked.length ? { $and: asked } : {};
}
