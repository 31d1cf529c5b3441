import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { textOfDocument } from "../../documents/client.ts";
import { onFiling } from "../environments/containers.actions.ts";
import { Container, jointPlace } from "../environments/environments.ts";
import { READ_CHARACTERS } from "./learning.ts";
import { suggestFor } from "./suggesting.ts";
import { Opinion, opinionId, OpinionView, Suggested } from "./suggestions.ts";

export const suggestionActions = {
  "suggestions.make": endpoint({
    rest: "POST /documents/:documentId/suggest-containers",
    summary: "Suggest containers for a document",
    permit: "signed-in",
    ...onFiling("environment:file"),
    body: { limit: z.int().min(1).max(10).default(3) },
    returns: data(Suggested),
    accepted: ({ status }) => status !== "ready",
    tool: "suggest_containers",
    example: {},
    description:
      "Based only on what you can see: where documents with similar words were placed (naive Bayes), " +
      "the words of a container's name and description, similarity to its documents, and rejections. " +
      "Each contribution gives its points, its reason and the words behind it. If a configured model " +
      "ranks the candidates, within bounds and by quoted words, `method` is `llm`. It learns from what " +
      "you reject, or override by placing the document elsewhere.",
    errors: { 422: "The document has no text that can be read (`UNREADABLE`)." },
    async handler(ctx, filing) {
      const read = await textOfDocument(this, filing.id, READ_CHARACTERS);
      const { status, version, jobId, text, pages } = read;
      const about = { documentId: filing.id, version, status };
      if (text === undefined || !pages)
        return {
          ...{ ...about, jobId, method: "heuristic" as const, suggestions: [] },
          learnedFrom: { placements: 0, refusals: 0 },
        };
      const made = await suggestFor(this, ctx, filing, { ...read, text, pages }, ctx.params.limit);
      const userId = actorOf(ctx);
      const containers = await this.store(Container).many(
        ctx,
        made.suggestions.map(({ containerId }) => containerId),
      );
      for (const container of containers) {
        const id = opinionId(filing.id, container.id, userId);
        const given = { documentId: filing.id, containerId: container.id, userId, verdict: "suggested" };
        const at = iso(this.world.clock.now());
        await this.store(Opinion).createOnce(ctx, { id, ...jointPlace(filing, container), ...given, at });
      }
      return { ...about, ...made };
    },
  }),

  "suggestions.refuse": endpoint({
    rest: "POST /documents/:documentId/suggest-containers/:containerId/refuse",
    summary: "Reject a container for a document",
    permit: "signed-in",
    ...onFiling("environment:file"),
    path: { containerId: TextId },
    body: { reason: z.string().trim().min(1).max(1_000).optional() },
    returns: data(OpinionView),
    beyond: true,
    example: {},
    description:
      "Possible whether or not it was suggested. It is not suggested for this document again, and is " +
      "ranked lower for similar ones, until somebody places the document there. Repeating it is " +
      "harmless.",
    errors: { 409: "The document is in it: remove it first." },
    async handler(ctx, filing) {
      const { containerId, reason } = ctx.params;
      const container = await this.store(Container).get(ctx, containerId);
      if (filing.containerIds.includes(containerId))
        throw conflict("The document sits in this container: take it out first.");
      const userId = actorOf(ctx);
      const said = { verdict: "refused" as const, at: iso(this.world.clock.now()), ...(reason && { reason }) };
      const about = { ...jointPlace(filing, container), documentId: filing.id, containerId, userId };
      const { record, made } = await this.store(Opinion).createOnce(ctx, {
        id: opinionId(filing.id, containerId, userId),
        ...about,
        ...said,
      });
      if (made) return record;
      return this.store(Opinion).change(ctx, record.id, ({ verdict, reason: before }) =>
        verdict === "refused" && (!reason || reason === before) ? null : said,
      );
    },
  }),
};
