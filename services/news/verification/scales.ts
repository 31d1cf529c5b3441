import { z } from "zod";

export const Method = z.enum(["heuristic", "llm"]);
export const ClaimStatuses = z.enum(["unverified", "corroborated", "contradicted", "disputed"]);
export const ReliabilityRating = z
  .enum(["A", "B", "C", "D", "E", "F"])
  .describe("Reliability of the source by its own record (Admiralty code).");
export const Score = z.number().min(0).max(100);
export const Level = z.enum(["low", "medium", "high"]);
export const PoliticalBias = z.enum(["left", "center-left", "center", "center-right", "right", "unknown"]);

/** A place in a text: `text` is what stands from `start` to `end`. */
export const TextSpan = z.object({ text: z.string(), start: z.int(), end: z.int() });
export const Span = TextSpan.extend({
  lexicon: z.string().describe("The list or rule that found it."),
  field: z.enum(["title", "text"]),
  quoted: z.boolean().optional(),
}).meta({ id: "BiasSpan" });
export const Quantity = z.object({
  text: z.string(),
  value: z.number(),
  to: z.number().optional(),
  unit: z.string(),
  of: z.array(z.string()),
  bound: z.string().optional(),
});

export const Cost = z
  .object({
    llmCalls: z.int(),
    tokens: z.int(),
    price: z
      .number()
      .optional()
      .describe("In the currency of `LLM_PRICE_IN` and `LLM_PRICE_OUT`; absent where no price is set."),
    fault: z.string().optional().describe("Why the model failed to answer; heuristics did that part of the work."),
  })
  .meta({ id: "VerificationCost" });
export type Cost = z.output<typeof Cost>;
