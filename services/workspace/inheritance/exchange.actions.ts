import { z } from "zod";
import { unionOfCompartments } from "../../../core/access/barrier.ts";
import { data, list } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, TextId } from "../../../core/records/entity.ts";
import { archived, conflict, notFound } from "../../../core/problem.ts";
import { Annotation, AnnotationFromBelow, AnnotationInView } from "./annotations.ts";
import { inPath } from "./context.actions.ts";
import { Inherited } from "./context.ts";
import { lineage, parentOf, sources } from "./inheriting.ts";
import {
  movesOf,
  refuseMove,
  Rfi,
  RfiFromBelow,
  RfiInView,
  RfiMessage,
  RfiMessageFromBelow,
  RFI_STATES,
  type Side,
} from "./rfis.ts";
import { RfiAsked, RfiMessaged, RfiMoved } from "./events.ts";

const annotating = { set: "id", may: "inheritance:annotate" };
const asking = { set: "id", may: "inheritance:ask" };
const rfiPath = { id: TextId.describe("The problem set that asks, or its parent."), rfiId: TextId };

/** Annotations on what is inherited, and requests for information: what passes up. */
export const exchangeActions = {
  "annotations.create": endpoint({
    rest: "POST /:id/annotations",
    summary: "Write an annotation on something inherited",
    permit: "signed-in",
    path: inPath.path,
    within: annotating,
    status: 201,
    body: {
      itemId: Annotation.create.itemId,
      text: Annotation.create.text,
      kind: Annotation.create.kind,
      shared: Annotation.create.shared,
      compartments: Annotation.create.compartments,
    },
    returns: data(Annotation.view),
    description: "It lies in the compartments of the item as well as its own. `shared` lets the parent read it.",
    example: {
      itemId: "the inherited item's id",
      text: "Does this hold for the northern bank as well?",
      kind: "question",
    },
    async handler(ctx) {
      const { id, ...fields } = ctx.params;
      const item = await this.store(Inherited).get(ctx, fields.itemId);
      if (item.problemSetId !== id) throw notFound(Inherited.title, item.id);
      if (item.withdrawn) throw conflict("This is inherited no longer.");
      return this.store(Annotation).create(ctx, {
        ...fields,
        problemSetId: id,
        parentId: item.parentId,
        compartments: unionOfCompartments([item, fields]),
      });
    },
  }),

  "annotations.list": endpoint({
    rest: "GET /:id/annotations",
    summary: "List the annotations on inherited items",
    permit: "signed-in",
    ...inPath,
    query: Annotation.query,
    returns: list(Annotation.view),
    handler(ctx) {
      return this.store(Annotation).page(ctx, ctx.params, { problemSetId: ctx.params.id });
    },
  }),

  "annotations.update": endpoint({
    rest: "PUT /:id/annotations/:annotationId",
    summary: "Edit your annotation on an inherited item",
    permit: "signed-in",
    path: { id: TextId.describe("The problem set.") },
    on: Annotation,
    by: "annotationId",
    within: { set: "problemSetId", may: annotating.may },
    when: (actor, annotation) => annotation.createdBy === actor.userId,
    body: Annotation.update,
    returns: data(Annotation.view),
    handler(ctx, annotation) {
      const { id, ...change } = ctx.params;
      if (annotation.problemSetId !== id) throw notFound(Annotation.title, annotation.id);
      return this.store(Annotation).revise(ctx, annotation, change);
    },
  }),

  "annotations.getParentView": endpoint({
    rest: "GET /:id/annotations/parent-view",
    summary: "List for a parent what its children annotated",
    permit: "signed-in",
    ...inPath,
    query: AnnotationFromBelow.query,
    returns: list(AnnotationInView),
    description:
      "`id` is the parent. Only annotations that the children share are shown. `about` is the parent's " +
      "item that each is about; its copy in the child, `itemId`, can be read only in the child.",
    async handler(ctx) {
      const found = { parentId: ctx.params.id, shared: true };
      const page = await this.store(AnnotationFromBelow).page(ctx, ctx.params, found);
      const sourceOf = await sources(this, page.data);
      return { ...page, data: page.data.map((one) => ({ ...one, about: sourceOf.get(one.itemId) })) };
    },
  }),

  "rfis.create": endpoint({
    rest: "POST /:id/rfis",
    summary: "Send the parent a request for information",
    permit: "signed-in",
    path: inPath.path,
    within: asking,
    status: 201,
    body: {
      title: Rfi.create.title,
      question: Rfi.create.question,
      priority: Rfi.create.priority,
      neededBy: Rfi.create.neededBy,
      compartments: Rfi.create.compartments,
    },
    returns: data(Rfi.view),
    example: { title: "Bridge at Row Town", question: "Does it carry 40 tonnes?" },
    errors: { 409: "The problem set has no parent, or it or its parent is archived." },
    async handler(ctx) {
      const { id, ...fields } = ctx.params;
      const parentId = await parentOf(this, id);
      return this.store(Rfi).create(
        ctx,
        { ...fields, problemSetId: id, parentId, status: "open" },
        { facts: (made: Rfi) => [RfiAsked.fact(made.id, told(made, ctx))] },
      );
    },
  }),

  "rfis.list": endpoint({
    rest: "GET /:id/rfis",
    summary: "List requests for information sent to the parent or received from children",
    permit: "signed-in",
    ...inPath,
    query: { ...Rfi.query, direction: z.enum(["sent", "received"]).default("sent") },
    returns: list(Rfi.view),
    handler(ctx) {
      const { id, direction, ...window } = ctx.params;
      return direction === "sent"
        ? this.store(Rfi).page(ctx, window, { problemSetId: id })
        : this.store(RfiFromBelow).page(ctx, window, { parentId: id });
    },
  }),

  "rfis.get": endpoint({
    rest: "GET /:id/rfis/:rfiId",
    summary: "Read a request for information",
    permit: "signed-in",
    path: rfiPath,
    within: inPath.within,
    returns: data(RfiInView),
    description: "`side` and `moves` say what the problem set of the path has to do with it.",
    async handler(ctx) {
      const { rfi, side } = await rfiOf(this, ctx);
      return { ...rfi, side, moves: movesOf(rfi.status, side) };
    },
  }),

  "rfiMessages.create": endpoint({
    rest: "POST /:id/rfis/:rfiId/messages",
    summary: "Add a message to a request's thread",
    permit: "signed-in",
    path: rfiPath,
    within: asking,
    body: { text: RfiMessage.create.text },
    returns: data(RfiMessage.view),
    status: 201,
    example: { text: "The bridge carries 40 tonnes, by the survey of May." },
    async handler(ctx) {
      const { rfi, side } = await rfiOf(this, ctx);
      await refuseArchived(this, rfi, side);
      if (rfi.status === "closed" || rfi.status === "withdrawn") throw conflict(`The request is ${rfi.status}.`);
      const message = {
        text: ctx.params.text,
        rfiId: rfi.id,
        problemSetId: rfi.problemSetId,
        parentId: rfi.parentId,
        compartments: rfi.compartments,
        from: side,
      };
      const facts = [RfiMessaged.fact(rfi.id, { ...told(rfi, ctx), from: side })];
      return side === "child"
        ? this.store(RfiMessage).create(ctx, message, { facts })
        : this.store(RfiMessageFromBelow).create(ctx, message, { facts });
    },
  }),

  "rfiMessages.list": endpoint({
    rest: "GET /:id/rfis/:rfiId/messages",
    summary: "Read the thread of a request",
    permit: "signed-in",
    path: rfiPath,
    within: inPath.within,
    query: feeding,
    returns: list(RfiMessage.view, CursorMeta),
    async handler(ctx) {
      const { rfi, side } = await rfiOf(this, ctx);
      const window = {
        limit: ctx.params.limit,
        order: "createdAt",
        ...(ctx.params.cursor && { cursor: ctx.params.cursor }),
      };
      return side === "child"
        ? this.store(RfiMessage).feed(ctx, window, { problemSetId: rfi.problemSetId, rfiId: rfi.id })
        : this.store(RfiMessageFromBelow).feed(ctx, window, { parentId: rfi.parentId, rfiId: rfi.id });
    },
  }),

  "rfis.setStatus": endpoint({
    rest: "PUT /:id/rfis/:rfiId/status",
    summary: "Change the status of a request for information",
    permit: "signed-in",
    path: rfiPath,
    within: asking,
    body: { status: z.enum(RFI_STATES) },
    returns: data(Rfi.view),
    description:
      "The parent answers; the child closes, reopens or withdraws. Setting the current status changes nothing.",
    example: { status: "answered" },
    async handler(ctx) {
      const { rfi, side } = await rfiOf(this, ctx);
      await refuseArchived(this, rfi, side);
      const { status } = ctx.params;
      if (rfi.status === status) return rfi;
      refuseMove(rfi.status, status, side);
      const facts = [RfiMoved.fact(rfi.id, { ...told(rfi, ctx), status })];
      return side === "child"
        ? this.store(Rfi).revise(ctx, rfi, { status }, { facts })
        : this.store(RfiFromBelow).revise(ctx, rfi, { status }, { facts });
    },
  }),
};

const told = ({ id, problemSetId, parentId, compartments, title }: Rfi, ctx: Ctx<unknown>) => ({
  id,
  problemSetId,
  parentId,
  compartments,
  title,
  by: ctx.meta.actor!.userId,
});

/** Throws 409 `ARCHIVED` where the set on the other side is: what lies in both is not written either. */
async function refuseArchived(host: Host, { problemSetId, parentId }: Rfi, side: Side): Promise<void> {
  const other = side === "child" ? parentId : problemSetId;
  if ((await lineage(host, other)).archived) throw archived(side === "child" ? "The parent" : "The child");
}

/** A request and the side that the path's problem set is on; 404 to whoever does not see it from there. */
async function rfiOf(host: Host, ctx: Ctx<{ id: string; rfiId: string }>): Promise<{ rfi: Rfi; side: Side }> {
  const { id, rfiId } = ctx.params;
  const sent = await host.store(Rfi).one(ctx, { _id: rfiId, problemSetId: id });
  if (sent) return { rfi: sent, side: "child" };
  const received = await host.store(RfiFromBelow).one(ctx, { _id: rfiId, parentId: id });
  if (received) return { rfi: received, side: "parent" };
  throw notFound(Rfi.title, rfiId);
}
