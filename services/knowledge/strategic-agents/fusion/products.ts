import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Figure, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { PRODUCT_STATES, type ProductState } from "../events.ts";
import { LIKELIHOOD_WORDS } from "./weighing.ts";

const RELIABILITIES = ["A", "B", "C", "D", "E", "F"] as const;

/** One report as the product counts it. */
const Source = z
  .object({
    kind: z.enum(["article", "document", "osint"]),
    ref: z.string().describe("Id of the article, the document, or the item of an OSINT source."),
    version: z.int().optional().describe("Of the document."),
    storyId: z.string().optional(),
    source: z.string().describe("Name of the source, or title of the document."),
    title: z.string(),
    at: Instant,
    reliability: z.enum(RELIABILITIES).describe("Admiralty code of the source; F: it cannot be judged."),
    stance: z.enum(["support", "contradict", "neutral", "unrelated"]),
    quote: z.string().optional().describe("The sentence that says it."),
    reasons: z.array(z.string()),
    weight: Figure.describe("0..1: strength of the evidence by the source's reliability."),
    logOdds: Figure.describe("Its contribution to the likelihood; 0 if it does not count."),
    counted: z.boolean().describe("False for copies of a report, and for reports without a bearing on it."),
  })
  .meta({ id: "FusedReport" });
export type ProductSource = z.output<typeof Source>;

const Said = z.object({ ref: z.string(), source: z.string(), quote: z.string(), reasons: z.array(z.string()) });

/** What reports say of one hypothesis, weighed and reviewed. */
export const Product = entity("strategic-agents.products", {
  title: "fused product",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    hypothesis: z.string().min(3).max(1_000).describe("What is judged."),
    from: z.enum(["asked", "reports"]).describe("Whether somebody asked for it, or it is the reports' own assertion."),
    about: z.string().describe("Subject key of the product: newer products with the same key replace it."),
    reports: z.array(Source),
    voices: z.int().describe("Independent reports: copies of one report count once, and so does one source."),
    credibility: z
      .int()
      .min(1)
      .max(6)
      .describe("Admiralty code, from corroboration alone: 1 confirmed … 5 improbable, 6 cannot be judged."),
    likelihood: z.object({
      value: Figure.describe("logistic(prior + sum of the reports' `logOdds`), within .01 and .99."),
      words: z.enum(LIKELIHOOD_WORDS).describe("By ICD 203."),
      prior: Figure.describe("In log-odds."),
    }),
    disagreements: z
      .array(z.object({ says: Said, against: Said }))
      .describe("What reports assert against each other; on the hypothesis alone, where it was asked."),
    method: z.literal("heuristic"),
    cycleId: TextId.optional(),
    status: z.enum(PRODUCT_STATES),
    submittedBy: PersonId.optional(),
    submittedAt: Instant.optional(),
    decidedBy: PersonId.optional(),
    decidedAt: Instant.optional(),
    reason: z.string().optional(),
    supersededBy: TextId.optional(),
  },
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "status"],
  barrier,
  most: {
    count: 20_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} fused products in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["problemSetId", "about"] },
    { fields: ["createdBy"] },
    { fields: ["decidedBy"], sparse: true },
    { fields: ["cycleId"], sparse: true },
  ],
});
export type Product = Item<typeof Product>;

/** What may be done with a product: from which states, where it leads, and what the role must allow. */
export const PRODUCT_ACTS = {
  submit: { from: ["draft", "rejected"], to: "in_review", may: "intelligence:fuse" },
  approve: { from: ["in_review"], to: "approved", may: "intelligence:review" },
  reject: { from: ["in_review"], to: "rejected", may: "intelligence:review" },
} as const satisfies Record<string, { from: readonly ProductState[]; to: ProductState; may: string }>;
export type ProductAct = keyof typeof PRODUCT_ACTS;
export const ACT_NAMES = Object.keys(PRODUCT_ACTS) as [ProductAct, ...ProductAct[]];
