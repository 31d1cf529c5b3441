import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { askAllNodes, type NodeState } from "../../../../core/contract/node.ts";

const SILENT_MS = 2_000;

const State = z.object({
  version: z.string(),
  startedAt: z.string(),
  areas: z.array(z.string()).describe("The areas whose services it runs."),
  busy: z.number().describe("Part of the last minute, at most, that it worked: 0 to 1. Near 1 it is overloaded."),
  processors: z.int(),
  memoryBytes: z.int(),
  heapBytes: z.int().describe("Part of the memory that the program itself uses."),
  heapLimitBytes: z.int().describe("More than this and the process ends."),
});

const Nodes = z.object({
  nodes: z.array(
    z.object({ node: z.string(), state: State.nullable().describe("Null of one that did not answer in two seconds.") }),
  ),
  complete: z.boolean().describe("Whether all nodes answered within two seconds."),
});

export const runningActions = {
  "nodeStates.list": endpoint({
    rest: "GET /nodes",
    summary: "List the nodes of the platform and how each is doing",
    permit: "platform:administer",
    beyond: true,
    returns: data(Nodes),
    description:
      "Each node is asked at this moment. Finer measures over time are Prometheus metrics (`METRICS_PORT`); whether " +
      "this gateway can take requests is at `/health/ready`.",
    async handler() {
      const said = await askAllNodes<NodeState>(this.broker, "state", {}, SILENT_MS);
      return {
        nodes: said.map(({ node, answer }) => ({ node, state: answer ?? null })),
        complete: said.every(({ answer }) => answer !== undefined),
      };
    },
  }),
};
