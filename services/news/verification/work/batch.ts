import { z } from "zod";
import { NumberId } from "../../../../core/records/entity.ts";
import { Cost, Method, Score } from "../scales.ts";

const Outcome = z.object({
  contentId: NumberId,
  title: z.string(),
  success: z.boolean(),
  error: z.string().optional(),
  method: Method.optional(),
  claims: z.int().optional(),
  score: Score.optional(),
  verified: z.boolean().optional(),
});
export type Outcome = z.output<typeof Outcome>;
export const BatchView = z
  .object({
    processed: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    more: z.boolean().describe("Articles are left: ask again to go on."),
    results: z.array(Outcome),
    cost: Cost,
  })
  .meta({ id: "VerificationBatch" });
