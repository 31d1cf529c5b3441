import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { documentActions } from "./documents/documents.actions.ts";
import { extractionActions } from "./extraction/extraction.actions.ts";
import { EXTRACT, extractObjectives, giveUpExtraction } from "./extraction/extracting.ts";
import { Extraction } from "./extraction/extraction.ts";
import { wake } from "./following.ts";
import * as objectiveEvents from "./objectives/events.ts";
import { Objective } from "./objectives/objectives.ts";
import { hearsReadings } from "./reading.ts";
import { reviewActions } from "./reviews/reviews.actions.ts";
import * as reviewEvents from "./reviews/reviews.ts";
import { Review, ReviewChanged } from "./reviews/reviews.ts";
import { giveUpReview, REVIEW, reviewDocument } from "./reviews/reviewing.ts";

export default {
  name: "strategic",
  settings: { rest: "/strategic" },
  mixins: [
    domain({
      entities: [Objective, Extraction, Review],
      tells: () => eventsIn(objectiveEvents, reviewEvents),
      hears: [hearsReadings],
      live: [ReviewChanged],
      jobs: {
        [EXTRACT]: { run: extractObjectives, failed: giveUpExtraction, concurrency: 2 },
        [REVIEW]: { run: reviewDocument, failed: giveUpReview, concurrency: 2 },
      },
      personal: [
        {
          what: "Objectives that you had found",
          entity: Objective,
          by: "createdBy",
          erasure: {
            keep: "Objectives are the problem set's; who wrote one stays on record, by an id that leads to nobody.",
          },
        },
        {
          what: "Extractions that you asked for",
          entity: Extraction,
          by: "by",
          erasure: {
            keep: "What was found is the problem set's; who asked stays on record, by an id that leads to nobody.",
          },
        },
        {
          what: "Reviews that you asked for",
          entity: Review,
          by: "by",
          erasure: { keep: "Reviews are the problem set's; who asked stays on record, by an id that leads to nobody." },
        },
      ],
    }),
  ],
  actions: { ...documentActions, ...extractionActions, ...reviewActions },
  events: {
    /** A hint that a job has news; whoever follows it looks, and looks by itself now and then. */
    "platform.job.changed": {
      context: true,
      handler(this: Host, ctx: { params: { id: string } }) {
        wake(ctx.params.id);
      },
    },
  },
} satisfies MeshService;
