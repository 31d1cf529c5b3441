import { z } from "zod";
import type { Host } from "../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../core/contract/live.ts";

const WHAT = ["build", "event", "workspace"] as const;

export const GraphChanged = liveType("graph.changed", {
  domain: "graph",
  summary: "A text was read into a graph that you see, or an event or a workspace of it changed",
  payload: z.object({ problemSetId: z.string(), what: z.enum(WHAT), id: z.string() }),
  may: "graph:read",
});

interface Changed {
  problemSetId: string;
  compartments: readonly string[];
  what: (typeof WHAT)[number];
  id: string;
}
export const tellGraph = (host: Host, { problemSetId, compartments, what, id }: Changed): Promise<unknown> =>
  live(host, { event: GraphChanged, to: { problemSetId, compartments }, data: { problemSetId, what, id } });
