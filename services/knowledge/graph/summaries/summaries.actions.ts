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
    summary: "Read the summary of a container",
    permit: "signed-in",
    ...onContainer,
    within: { set: "problemSetId", may: "graph:read" },
    returns: data(SummaryView),
    tool: "summarise_container",
    description:
      "The most representative sentences of its documents, each cited, and what the graph knows of " +
      "them, based on the documents and statements that you can see. A configured model only chooses " +
      "among the sentences (`method`) and adds no words of its own; after a failure (`fault`) it is " +
      "tried again at `retryAt`, with growing delays. Stored for everybody who sees the same documents, " +
      "until one of them changes.",
    handler(ctx, container) {
      return summaryFor(this, ctx, container);
    },
  }),

  "summaries.invalidate": endpoint({
    rest: "POST /summary/:containerId/invalidate",
    summary: "Discard the stored summary of a container",
    permit: "signed-in",
    ...onContainer,
    within: { set: "problemSetId", may: "graph:edit" },
    returns: data(z.object({ containerId: TextId, invalidated: z.literal(true) }).meta({ id: "SummaryInvalidated" })),
    description: "Applies to every reader: the next request regenerates it.",
    async handler(_ctx, { id: containerId }) {
      await forgetSummaries(this, containerId);
      return { containerId, invalidated: true as const };
    },
  }),
};
