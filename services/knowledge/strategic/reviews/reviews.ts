import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { Failure, RunStep, type RunTelling } from "../run-progress.ts";
import { Finding } from "./findings.ts";
import { REFUSALS, type SettlingRefusal } from "./settling.ts";

const REVIEW_STATES = [
  "running",
  "open",
  "accepted",
  "partially_accepted",
  "rejected",
  "superseded",
  "failed",
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];
/** Only an open review can be decided. */
export const SETTLED_FROM = ["open"] as const satisfies readonly ReviewState[];

export const RefusedFinding = z
  .object({
    findingId: TextId,
    code: z.enum(Object.keys(REFUSALS) as [SettlingRefusal, ...SettlingRefusal[]]),
    message: z.string(),
  })
  .meta({ id: "RefusedFinding" });
export type RefusedFinding = z.output<typeof RefusedFinding>;

export const Review = entity("strategic.reviews", {
  title: "review",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    documentId: TextId,
    version: z.int().describe("The version that was reviewed."),
    run: z.int(),
    by: PersonId.describe("Who asked for it."),
    status: z.enum(REVIEW_STATES),
    findings: z.array(Finding),
    steps: z.array(RunStep),
    end: RunStep.optional(),
    failure: Failure.optional().describe("Why it came to no end."),
    decidedBy: PersonId.optional(),
    decidedAt: Instant.optional(),
    reason: z.string().optional(),
    applied: z.array(TextId).describe("Applied findings."),
    failed: z.array(RefusedFinding).describe("Those that were wanted and could not be, each with why."),
    madeVersion: z.int().optional().describe("The version of the document that the findings made."),
    /** The change in progress, from before the document is changed until after. */
    settling: z.object({ wanted: z.array(TextId), basis: z.int() }).optional(),
  },
  readonly: [
    ...(["run", "by", "status", "findings", "steps", "end", "failure", "decidedBy", "decidedAt", "reason"] as const),
    ...(["applied", "failed", "madeVersion", "settling"] as const),
  ],
  immutable: ["problemSetId", "compartments", "documentId", "version"],
  hidden: ["steps", "end", "settling"],
  filter: ["status"],
  barrier,
  most: {
    count: 500,
    per: ["documentId"],
    refusal: (count) => conflict(`A document has at most ${count} reviews.`),
  },
  lists: [{ by: ["problemSetId", "documentId"] }],
  indexes: [{ fields: ["documentId", "version", "-run"] }, { fields: ["by"] }, { fields: ["decidedBy"], sparse: true }],
});
export type Review = Item<typeof Review>;

/** A row of a list: the number of findings instead of the findings. */
export const ReviewRow = Review.view
  .omit({ findings: true, failed: true })
  .extend({ findings: z.int().describe("How many there are.") })
  .meta({ id: "ReviewRow" });

export const reviewId = (documentId: string, version: number, run: number): string =>
  derivedId(`strategic.reviews/${documentId}/${version}/${run}`);

/** A review as followers see it. */
export function reviewTelling({ run, steps, findings, status, end, failure }: Review): RunTelling {
  const events = [
    ...steps.map((data) => ({ event: "progress", data })),
    ...findings.map((data) => ({ event: "finding", data })),
    ...(end ? [{ event: "progress", data: end }] : []),
  ];
  const isOver = status !== "running";
  return { run, events, ...(isOver && { end: failure ? { failed: failure } : {} }) };
}

/** The outcome of a review, by how many of the applicable findings were applied. */
export const settledAs = (applied: readonly string[], could: readonly string[]): "accepted" | "partially_accepted" =>
  could.every((id) => applied.includes(id)) ? "accepted" : "partially_accepted";

const WORDS = {
  accepted: "was accepted",
  partially_accepted: "was accepted in part",
  rejected: "was rejected",
} as const;
export const ReviewSettled = event(
  "knowledge.review.settled",
  z.object({
    id: z.string(),
    problemSetId: z.string(),
    compartments: z.array(z.string()),
    documentId: z.string(),
    version: z.int(),
    status: z.enum(["accepted", "partially_accepted", "rejected"]),
    madeVersion: z.int().optional(),
    by: z.string(),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["review", "id"],
      words: ({ status, version, madeVersion }) =>
        `A review of a document's version ${version} ` +
        `${WORDS[status]}${madeVersion ? `, and made version ${madeVersion}` : ""}.`,
    },
  },
);

export const ReviewChanged = liveType("review.changed", {
  domain: "strategic",
  summary: "A review that you see has findings, or was decided",
  payload: z.object({ id: z.string(), documentId: z.string(), status: z.enum(REVIEW_STATES) }),
  may: "documents:read",
});
