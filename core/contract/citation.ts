import { z } from "zod";
import { TextId } from "../records/entity.ts";
import type { Citation as Cited } from "../text/citations.ts";

/** Words of a document, as records and answers carry them; what `core/text/citations.ts` makes. */
export const Citation = z
  .object({
    documentId: TextId,
    version: z.int().min(1),
    page: z.int().min(1).describe("On which the quote begins."),
    start: z.int().min(0).describe("Offset in UTF-16 units of that version's text."),
    end: z.int().min(1).describe("Exclusive: `text.slice(start, end)` is the quote."),
    quote: z.string().min(1),
    prefix: z.string().describe("The text before it."),
    suffix: z.string().describe("The text after it."),
  })
  .meta({ id: "Citation" }) satisfies z.ZodType<Cited>;
export type Citation = z.output<typeof Citation>;

/** A list of them. */
export const Citations = z.array(Citation).max(50);

/** The words that somebody cites by hand: the server looks them up, and says what they are. */
export const CitedPlace = z.strictObject({
  documentId: TextId,
  version: z.int().min(1).optional().describe("The newest without it."),
  start: z.int().min(0),
  end: z.int().min(1),
});
export type CitedPlace = z.output<typeof CitedPlace>;
