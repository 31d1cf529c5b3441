import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { Citations } from "../../../../core/contract/citation.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { SUGGESTION_KINDS } from "./scoring.ts";

/** Suggested without a reaction; refused explicitly; passed over by placing the document otherwise. */
export const SUGGESTION_STATES = ["suggested", "refused", "passed-over"] as const;

/** A person's reaction to a suggestion, one for each document, container and person. */
export const Opinion = entity("strategic.opinions", {
  title: "suggestion",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    documentId: TextId,
    containerId: TextId,
    userId: PersonId,
    verdict: z.enum(SUGGESTION_STATES),
    reason: z.string().max(1_000).optional(),
    at: Instant,
  },
  immutable: ["problemSetId", "compartments", "documentId", "containerId", "userId"],
  barrier,
  indexes: [
    { fields: ["problemSetId", "verdict", "compartments", "-at"], enumerated: ["verdict"], hiddenBy: "compartments" },
    { fields: ["documentId"] },
    { fields: ["containerId"] },
    { fields: ["userId"] },
  ],
});
export type Opinion = Item<typeof Opinion>;
export const OpinionView = Opinion.view.meta({ id: "ContainerOpinion" });

export const opinionId = (documentId: string, containerId: string, userId: string): string =>
  derivedId(`opinion of ${userId} on ${documentId} in ${containerId}`);

export const SuggestionView = z
  .object({
    containerId: TextId,
    name: z.string(),
    score: z.int().min(0).max(100).describe("The contributions' points added up."),
    contributions: z.array(
      z.object({
        kind: z.enum(SUGGESTION_KINDS),
        points: z.number().describe("Negative if it speaks against."),
        reason: z.string(),
        words: z.array(z.string()).describe("As written in the document, the most important first."),
        citations: Citations.describe("Where they stand."),
        documentIds: z.array(TextId).describe("Other documents that it rests on; you see them all."),
      }),
    ),
  })
  .meta({ id: "ContainerSuggestion" });

export const Suggested = z
  .object({
    documentId: TextId,
    version: z.int(),
    status: z.enum(["received", "reading", "ready"]).describe("Of its text: nothing is suggested before it is ready."),
    jobId: z.string().optional().describe("While its text is being read."),
    method: z.enum(["heuristic", "llm"]),
    suggestions: z.array(SuggestionView).describe("The best first; none where nothing fits."),
    learnedFrom: z
      .object({ placements: z.int(), refusals: z.int() })
      .describe("How many it is based on: the newest of those that you see."),
  })
  .meta({ id: "SuggestedContainers" });
