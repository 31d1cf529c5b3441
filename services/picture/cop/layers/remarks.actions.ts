import { actorOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, notFound } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { alikeIn, placeOf, factsInSet } from "../../place.ts";
import { FeedbackGiven } from "../events.ts";
import { featuresOf } from "../generation/reading.ts";
import { Feedback } from "./layers.ts";
import { layerFor, onLayer, reading, REVIEW, reviewing } from "./permits.ts";

/** What reviewers say of a layer. */
export const remarkActions = {
  "remarks.give": endpoint({
    rest: "POST /layers/:id/feedback",
    summary: "Add a reviewer's remark to a layer",
    permit: "signed-in",
    within: reviewing,
    ...layerFor(REVIEW),
    body: {
      text: Feedback.create.text,
      blocking: Feedback.create.blocking,
      featureId: Feedback.create.featureId,
    },
    returns: data(Feedback.view),
    status: 201,
    errors: { 409: "The layer has no spec yet." },
    example: { text: "The crossing lies 200 m further south.", blocking: true },
    async handler(ctx, layer) {
      if (layer.version === 0) throw conflict("The layer has no spec yet.");
      const { featureId } = ctx.params;
      if (
        featureId !== undefined &&
        !(await featuresOf(this, ctx, layer)).features.some(({ id }) => String(id) === featureId)
      )
        throw invalid([{ path: "featureId", message: "The layer shows no feature of this id." }]);
      return this.store(Feedback).create(
        ctx,
        { ...ctx.params, ...placeOf(layer), layerId: layer.id, version: layer.version, status: "open" },
        {
          facts: (made: Feedback) => factsInSet(FeedbackGiven, layer, actorOf(ctx), { blocking: made.blocking }),
        },
      );
    },
  }),

  "remarks.list": endpoint({
    rest: "GET /layers/:id/feedback",
    summary: "List the reviewers' remarks on a layer",
    permit: "signed-in",
    within: reading,
    ...onLayer,
    query: Feedback.query,
    returns: list(Feedback.view),
    beyond: true,
    handler(ctx, layer) {
      return this.store(Feedback).page(ctx, ctx.params, { ...alikeIn(layer), layerId: layer.id });
    },
  }),

  "remarks.resolve": endpoint({
    rest: "POST /layers/:id/feedback/:feedbackId/resolve",
    summary: "Mark a reviewer's remark on a layer as resolved",
    permit: "signed-in",
    within: reviewing,
    ...layerFor(REVIEW),
    path: { feedbackId: TextId },
    returns: data(Feedback.view),
    beyond: true,
    async handler(ctx, layer) {
      const feedback = await this.store(Feedback).get(ctx, ctx.params.feedbackId);
      if (feedback.layerId !== layer.id) throw notFound(Feedback.title, feedback.id);
      if (feedback.status === "resolved") return feedback;
      return this.store(Feedback).revise(ctx, feedback, {
        status: "resolved",
        resolvedBy: actorOf(ctx),
        resolvedAt: iso(this.world.clock.now()),
      });
    },
  }),
};
