import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { ContainerPlace, SummaryView } from "./summaries.ts";
import { forgetSummaries, containerPlace, summaryFor } from "./summarising.ts";

const onContainer = { on: ContainerPlace, by: "containerId", loads: containerPlace } as const;

export const summaryActions = {
  "summaries.get": endpoint({
    rest: "GET /summary/:containerId",
    summary: "The summary of a container",
    permit: "signed-in",
    ...onContainer,
    within: { set: "problemSetId", may: "graph:read" },
    returns: data(SummaryView),
    tool: "summarise_container",
    description:
      "Sentences of its documents that say most of what they have in common, each cited, and what the graph " +
      "knows of them: from the documents and statements that you see. Where a model is configured it " +
      "chooses among the sentences (`method`), and adds no word of its own; where it failed (`fault`), it " +
      "is asked again at `retryAt`, later each time. Kept for everybody who sees the same, until one of " +
      "them changes.",
    handler(ctx, container) {
      return summaryFor(this, ctx, container);
    },
  }),

  "summaries.invalidate": endpoint({
    rest: "POST /summary/:containerId/invalidate",
    summary: "Throw away the stored summary of a container",
    permit: "signed-in",
    ...onContainer,
    within: { set: "problemSetId", may: "graph:edit" },
    returns: data(z.object({ containerId: TextId, invalidated: z.literal(true) }).meta({ id: "SummaryInvalidated" })),
    description: "For every reader: the next one who asks has it made anew.",
    async handler(_ctx, { id: containerId }) {
      await forgetSummaries(this, containerId);
      return { containerId, invalidated: true as const };
    },
  }),
};
