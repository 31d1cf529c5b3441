import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { notFound, Problem } from "../../../../core/problem.ts";
import { MOST_ROWS, TextId } from "../../../../core/records/entity.ts";
import { demandPresent, Document, documentRecord } from "../../documents/client.ts";
import { noticeOf, strangeLanguageOf } from "../../languages.ts";
import { beginBuild } from "./building.ts";
import { Build, buildId, buildJobOf } from "./builds.ts";

const set = "problemSetId";
const onDocument = { on: Document, by: "documentId", loads: documentRecord } as const;

const Begun = z
  .object({
    jobId: z.string().describe("`GET /api/jobs/{id}` shows its progress."),
    buildId: z.string(),
    documentId: z.string(),
    version: z.int(),
    status: z.enum(["running", "completed"]),
    notice: z.string().optional().describe("That the text is in a language which the rules do not read."),
  })
  .meta({ id: "GraphBuildBegun" });

/** What was left out is read with the one build. */
const BuildRow = Build.view.omit({ leftOut: true });

export const buildActions = {
  "builds.list": endpoint({
    rest: "GET /builds",
    summary: "List what was read into the graph, and what came of it, the newest first",
    permit: "signed-in",
    within: { set, may: "graph:read" },
    query: {
      ...Build.query,
      documentIds: z
        .array(TextId)
        .max(MOST_ROWS)
        .optional()
        .describe("Only the readings of these documents; separated by commas."),
    },
    returns: list(BuildRow),
    beyond: true,
    description: "Of a document there is one for each version that was read.",
    handler(ctx) {
      const { documentIds, ...asked } = ctx.params;
      return this.store(Build).page(ctx, asked, documentIds ? { documentId: { $in: documentIds } } : {});
    },
  }),

  "builds.begin": endpoint({
    rest: "POST /graph/build/:documentId",
    summary: "Build the graph from a document",
    permit: "signed-in",
    within: { set, may: "graph:build" },
    ...onDocument,
    returns: data(Begun),
    status: 202,
    found: ({ status }) => status === "completed",
    description:
      "Builds from its newest version; requests made while it runs join the run, and a version already " +
      "processed is not processed again (200). Each name, type and relation is a statement that cites " +
      "its words. Rules and gazetteers find and type names; what a configured language model suggests " +
      "counts only if it is in the text. What was seen and left out is listed with the reason (`GET " +
      "/api/graph/graph/build/{documentId}`). A newer version replaces the statements of an older one; " +
      "withdrawing the document removes only its own.",
    errors: { 410: "The document was withdrawn (`GONE`).", 422: "It has no text that can be read (`UNREADABLE`)." },
    async handler(ctx, document) {
      demandPresent(document);
      const newest = document.versions.find(({ version }) => version === document.version)!;
      if (newest.status === "unreadable")
        throw new Problem(422, "UNREADABLE", newest.explanation ?? "It cannot be read.", {
          details: { reason: newest.reason },
        });
      const input = { documentId: document.id, version: document.version };
      const known = await this.store(Build).one(ctx, { _id: buildId(input) });
      const notice = noticeOf(this, strangeLanguageOf(document, document.version), "for names");
      const about = { ...input, buildId: buildId(input), ...(notice && { notice }) };
      if (known?.status === "completed") return { ...about, jobId: known.jobId, status: "completed" as const };
      await beginBuild(this, document, input, actorOf(ctx));
      return { ...about, jobId: buildJobOf(input), status: "running" as const };
    },
  }),

  "builds.get": endpoint({
    rest: "GET /graph/build/:documentId",
    summary: "Read the result of building the graph from a document",
    permit: "signed-in",
    within: { set, may: "graph:read" },
    ...onDocument,
    returns: data(Build.view),
    beyond: true,
    description: "The last build: how much was found, and what was seen but left out, with the reason.",
    async handler(ctx, document) {
      const [last] = await this.store(Build).find(ctx, { documentId: document.id }, { sort: ["-version"], limit: 1 });
      if (!last) throw notFound("graph build of document", document.id);
      return last;
    },
  }),
};
