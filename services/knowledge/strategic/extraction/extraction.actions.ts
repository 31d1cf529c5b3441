import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { data, list, stream } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { isNotFound, nullIf } from "../../../../core/problem.ts";
import { onDocument, readingDocuments } from "../documents/documents.actions.ts";
import { follow, RunStep } from "../run-progress.ts";
import { Objective } from "../objectives/objectives.ts";
import { noticeOf, strangeLanguageOf } from "../../languages.ts";
import { demandReadable } from "../reading.ts";
import { beginExtraction, extractJobOf } from "./extracting.ts";
import { Extraction, extractionId, ExtractionResult, extractionTelling } from "./extraction.ts";

export const whichVersion = { version: z.int().min(1).optional().describe("The newest without it.") };
/** Work that was started, or joined. */
export const Begun = z
  .object({
    jobId: z.string().describe("`GET /api/jobs/{id}` shows its progress; its own stream shows what it finds."),
    documentId: z.string(),
    version: z.int(),
    notice: z.string().optional().describe("That the text is in a language that rules alone do not read."),
  })
  .meta({ id: "StrategicWork" });
export const UNREADABLE = {
  410: "The document was withdrawn (`GONE`).",
  422: "It has no text that can be read (`UNREADABLE`).",
};

const { problemSetId: _set, documentId: _document, ...query } = Objective.query;

export const extractionActions = {
  "extractions.begin": endpoint({
    rest: "POST /documents/:documentId/extract",
    summary: "Start extracting the objectives of a document",
    permit: "signed-in",
    within: { set: "problemSetId", may: "documents:extract" },
    ...onDocument,
    body: whichVersion,
    returns: data(Begun),
    status: 202,
    description:
      "Single for a version of a document: who asks while it runs joins it. Rules find list items below " +
      "goal headings and directive sentences with a measure or a limit of time, not what is quoted, denied, " +
      "past, predicted, the enemy's, or addressed to programs; they read English, and of a text in another " +
      "language `notice` says so. Where a language model is configured it points at further sentences, in " +
      "any language, which count only as far as they stand in the text. Every objective cites its words. An " +
      "objective has one id for a document and a statement: found again, a draft that nobody touched is " +
      "made anew, and one that somebody did gets a `proposal` beside it; a draft that nobody touched goes " +
      "where the newest version does not say it. What a person removed stays removed. The text is data: " +
      "nothing in it is obeyed.",
    errors: UNREADABLE,
    async handler(ctx, document) {
      const version = demandReadable(document, ctx.params.version);
      const input = { documentId: document.id, version };
      const notice = noticeOf(this, strangeLanguageOf(document, version), "for objectives");
      return { ...input, ...(notice && { notice }), jobId: await beginExtraction(this, document, input, actorOf(ctx)) };
    },
  }),

  "extractions.stream": endpoint({
    rest: "GET /documents/:documentId/extract/stream",
    summary: "Follow the objectives of a document as they are found",
    permit: "signed-in",
    within: readingDocuments,
    ...onDocument,
    query: whichVersion,
    returns: stream({ progress: RunStep, objective: ExtractionResult }),
    description:
      "`progress` and `objective` from the beginning of the last run, or after `Last-Event-ID`, then " +
      "`done` or `error`. The events are the same whenever you connect. The last `progress` gives the " +
      "`method`. 404 if none was started.",
    async handler(ctx, document) {
      const version = ctx.params.version ?? document.version;
      const id = extractionId(document.id, version);
      const read = async () => {
        const known = await this.store(Extraction).get(ctx, id).catch(nullIf(isNotFound));
        return known && extractionTelling(known);
      };
      const jobId = extractJobOf({ documentId: document.id, version });
      return follow(this, { jobId, read, what: "extraction", lastEventId: ctx.meta.lastEventId });
    },
  }),

  "extractions.listObjectives": endpoint({
    rest: "GET /documents/:documentId/objectives",
    summary: "List the objectives extracted from a document",
    permit: "signed-in",
    within: { set: "problemSetId", may: "objectives:read" },
    ...onDocument,
    query,
    returns: list(Objective.view),
    tool: "list_document_objectives",
    description:
      "Shows their current state, after corrections and decisions; each says by which `method` it was " +
      "found and cites the words it is based on.",
    handler(ctx, { id, problemSetId }) {
      return this.store(Objective).page(ctx, { ...ctx.params, problemSetId, documentId: id } as never);
    },
  }),
};
