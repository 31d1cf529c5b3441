import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { data, list, stream } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { onDocument, readingDocuments } from "../documents/documents.actions.ts";
import { Begun, UNREADABLE, whichVersion } from "../extraction/extraction.actions.ts";
import { follow, RunStep } from "../run-progress.ts";
import { noticeOf, strangeLanguageOf } from "../../languages.ts";
import { demandReadable } from "../reading.ts";
import { Finding, MOST_FINDINGS } from "./findings.ts";
import { Review, ReviewRow, SETTLED_FROM, reviewTelling } from "./reviews.ts";
import { beginReview, reviewJobOf } from "./reviewing.ts";
import { endReview, takeOver } from "./taking-over.ts";

const settling = {
  permit: "signed-in",
  within: { set: "problemSetId", may: "documents:settle" },
  on: Review,
  by: "reviewId",
} as const;
const ONE_VERSION =
  "Applied findings create one new version of the document, plain text as plain text and everything " +
  "else as Markdown; each passage is located in the newest version by its words and their context. " +
  "Findings whose passage is gone, is ambiguous, or overlaps another's are listed in `failed`; if " +
  "all fail, no version is created and the review stays open.";
const errors = {
  409: "The review is not open, or the document is just being changed by somebody else.",
  410: UNREADABLE[410],
  422: "Nothing would be left of the document (`EMPTY_FILE`), or its text is too long to be changed as a whole.",
};

export const reviewActions = {
  "reviews.begin": endpoint({
    rest: "POST /documents/:documentId/review",
    summary: "Start reviewing a document",
    permit: "signed-in",
    within: { set: "problemSetId", may: "documents:review" },
    ...onDocument,
    body: whichVersion,
    returns: data(Begun.extend({ reviewId: TextId }).meta({ id: "ReviewBegun" })),
    status: 202,
    description:
      "Single for a version of a document: who asks while it runs joins it. Rules look for placeholders, days " +
      "that do not exist, wrong weekdays, reversed ranges, vague times and amounts, objectives without " +
      "measure or date, directives that only try, repeated words, abbreviations explained too late, and words " +
      `that speak to programs; they read English, and of a text in another language \`notice\` says so. Where ` +
      "a language model is configured it proposes wording, as far as it quotes the text and brings no figure " +
      `of its own. At most ${MOST_FINDINGS} findings, the gravest. A new review takes the place of those that ` +
      "nobody decided.",
    errors: UNREADABLE,
    async handler(ctx, document) {
      const version = demandReadable(document, ctx.params.version);
      const input = { documentId: document.id, version };
      const { jobId, review } = await beginReview(this, document, input, actorOf(ctx));
      const notice = noticeOf(this, strangeLanguageOf(document, version), "for wording");
      return { ...input, ...(notice && { notice }), jobId, reviewId: review.id };
    },
  }),

  "reviews.stream": endpoint({
    rest: "GET /documents/:documentId/review/stream",
    summary: "Follow the review of a document",
    permit: "signed-in",
    within: readingDocuments,
    ...onDocument,
    query: whichVersion,
    returns: stream({ progress: RunStep, finding: Finding }),
    description:
      "`progress` and `finding` from the beginning of the last review, or after `Last-Event-ID`, then " +
      "`done` or `error`. The events are the same whenever you connect. 404 if none was started.",
    async handler(ctx, { id: documentId, version: newest }) {
      const version = ctx.params.version ?? newest;
      const read = async () => {
        const [latest] = await this.store(Review).find(ctx, { documentId, version }, { sort: ["-run"], limit: 1 });
        return latest ? reviewTelling(latest) : null;
      };
      const jobId = reviewJobOf({ documentId, version });
      return follow(this, { jobId, read, what: "review", lastEventId: ctx.meta.lastEventId });
    },
  }),

  "reviews.list": endpoint({
    rest: "GET /documents/:documentId/reviews",
    summary: "List the reviews of a document",
    permit: "signed-in",
    within: readingDocuments,
    ...onDocument,
    query: Review.query,
    returns: list(ReviewRow),
    tool: "list_document_reviews",
    description: "Each with its id, its state and how many findings it has; `show_document_review` shows them.",
    async handler(ctx, { id: documentId, problemSetId }) {
      const { data: rows, meta } = await this.store(Review).page(ctx, ctx.params, { problemSetId, documentId });
      return { data: rows.map((row) => ({ ...row, findings: row.findings.length })), meta };
    },
  }),

  "reviews.get": endpoint({
    rest: "GET /reviews/:reviewId",
    summary: "Show a review with its findings",
    permit: "signed-in",
    within: readingDocuments,
    on: Review,
    by: "reviewId",
    returns: data(Review.view),
    tool: "show_document_review",
    description: "Findings in one version of a document, each with its words and its decision.",
    handler: (_ctx, review) => review,
  }),

  "reviews.accept": endpoint({
    rest: "POST /reviews/:reviewId/accept",
    summary: "Take over a review",
    ...settling,
    returns: data(Review.view),
    description: `Applies every finding that has a suggestion. ${ONE_VERSION}`,
    errors,
    handler(ctx, review) {
      return takeOver(this, ctx, review);
    },
  }),

  "reviews.acceptPartial": endpoint({
    rest: "POST /reviews/:reviewId/accept-partial",
    summary: "Apply findings of a review",
    ...settling,
    body: { findingIds: z.array(TextId).min(1).max(MOST_FINDINGS).describe("Ids of the findings.") },
    returns: data(Review.view),
    description: ONE_VERSION,
    errors,
    example: { findingIds: ["the finding's id"] },
    handler(ctx, review) {
      return takeOver(this, ctx, review, ctx.params.findingIds);
    },
  }),

  "reviews.reject": endpoint({
    rest: "POST /reviews/:reviewId/reject",
    summary: "Reject a review",
    ...settling,
    body: { reason: z.string().trim().min(1).max(1_000).optional() },
    returns: data(Review.view),
    errors: { 409: errors[409] },
    handler(ctx, review) {
      refuseUnless(SETTLED_FROM, review.status, "reject");
      const { reason } = ctx.params;
      return endReview(this, ctx, review, { status: "rejected", ...(reason && { reason }) });
    },
  }),
};
