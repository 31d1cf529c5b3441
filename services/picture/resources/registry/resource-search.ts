import type { Query } from "../../../../core/records/documents.ts";
import { withWords, wordsIn } from "../../../../core/records/reading/by-words.ts";
import { Capability } from "./capabilities.ts";

export const SearchText = wordsIn("name, serial number, external id, kind and description");
export const capability = Capability.optional();

/** The part of a query for what can do this, and has words that begin so. */
export function described({ q, capability: able }: { q?: string | undefined; capability?: string | undefined }): Query {
  return { ...withWords(q), ...(able !== undefined && { abilities: able }) };
}
