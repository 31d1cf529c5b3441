import { z } from "zod";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { notFound, unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { AnnotationDecided, AnnotationProposed } from "../events.ts";
import { reading } from "../feed/feed.actions.ts";
import { Annotation, AnnotationView, demandMove, ANNOTATION_STATES } from "./annotations.ts";
import { stalenessOf, annotationTarget, wordsAt } from "./targets.ts";

const set = "problemSetId";
const path = { problemSetId: TextId };
const told = ({ id, problemSetId, compartments }: Annotation, by: string) => ({ id, problemSetId, compartments, by });

export const annotationActions = {
  "annotations.list": endpoint({
    rest: "GET /:problemSetId/annotations",
    summary: "List the staff's notes on records",
    tool: "list_annotations",
    permit: "signed-in",
    within: reading,
    path,
    query: Annotation.query,
    returns: list(AnnotationView),
    description: "Each is bound to the version it was made for; `stale` if that is not the current one.",
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const { data: rows, meta } = await this.store(Annotation).page(ctx, ctx.params as never, { problemSetId });
      const stale = await stalenessOf(ctx, rows);
      return { data: rows.map((row, at) => ({ ...row, stale: stale[at]! })), meta };
    },
  }),

  "annotations.create": endpoint({
    rest: "POST /:problemSetId/annotations",
    summary: "Propose a note on a record, or on some words of a document",
    tool: "annotate_record",
    permit: "signed-in",
    within: { set, may: "ai-staff:annotate" },
    path,
    body: (({ problemSetId: _set, version, ...fields }) => ({ ...fields, version: version.optional() }))(
      Annotation.create,
    ),
    returns: data(AnnotationView),
    status: 201,
    description:
      "Open to members, and to agents that have the tool `annotate_record`. It lies in the compartments " +
      "of its target, and in any others that are named.",
    example: { targetType: "document", targetId: "the document's id", text: "The figure is of last year" },
    errors: { 422: "`TARGET` is not in this problem set; `SPAN`, `VERSION`." },
    async handler(ctx) {
      const { problemSetId, targetType, targetId, span, ...given } = ctx.params;
      const target = await annotationTarget(ctx, targetType, targetId);
      if (!target || target.problemSetId !== problemSetId)
        throw unprocessable("TARGET", `targetId: there is no ${targetType} ${targetId} in this problem set.`);
      const version = given.version ?? target.version;
      if (version > target.version)
        throw unprocessable("VERSION", `version: the newest is ${target.version}.`, { version: target.version });
      if (span && targetType !== "document") throw unprocessable("SPAN", "span: of a document's text alone.");
      const quote = span && (await wordsAt(ctx, targetId, version, span));
      const agentId = ctx.meta.actor?.agent?.id;
      const by = actorOf(ctx);
      const note = await this.store(Annotation).create(
        ctx,
        {
          ...given,
          problemSetId,
          compartments: unionOfCompartments([target, given]),
          targetType,
          targetId,
          version,
          ...(span && { span: { ...span, quote } }),
          ...(agentId && { agentId }),
          status: "proposed",
        },
        { facts: (made: Annotation) => [AnnotationProposed.fact(made.id, { ...told(made, by), targetType })] },
      );
      return { ...note, stale: version !== target.version };
    },
  }),

  "annotations.decide": endpoint({
    rest: "PATCH /:problemSetId/annotations/:annotationId",
    summary: "Accept, dismiss, propose again or resolve a note",
    permit: "signed-in",
    within: { set, may: "ai-staff:decide" },
    on: Annotation,
    by: "annotationId",
    path,
    body: { status: z.enum(ANNOTATION_STATES), reason: z.string().trim().min(1).max(2_000).optional() },
    returns: data(AnnotationView),
    description: "`proposed → accepted | dismissed`, `accepted → resolved`, `dismissed → proposed`.",
    example: { status: "accepted" },
    errors: { 409: "`INVALID_TRANSITION`." },
    async handler(ctx, note) {
      if (note.problemSetId !== ctx.params.problemSetId) throw notFound(Annotation.title, note.id);
      const { status, reason } = ctx.params;
      demandMove(note.status, status);
      const by = actorOf(ctx);
      const change = { status, decidedBy: by, decidedAt: iso(this.world.clock.now()), reason: reason ?? null };
      const decided = await this.store(Annotation).revise(ctx, note, change, {
        facts: [AnnotationDecided.fact(note.id, { ...told(note, by), status })],
      });
      const [stale] = await stalenessOf(ctx, [decided]);
      return { ...decided, stale: stale! };
    },
  }),
};
