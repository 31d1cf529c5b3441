import { z } from "zod";
import { ACTION_CLASSES } from "../../../../config/safety.ts";
import { EFFECTS } from "../../../../config/tools.ts";
import { list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { MOST_ROWS, paging } from "../../../../core/records/entity.ts";
import { allTools } from "../gate/definitions.ts";

const Offered = z
  .object({
    name: z.string().describe("What agents, delegations and workflows call it by."),
    summary: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()).describe("JSON Schema of its arguments."),
    class: z.enum(ACTION_CLASSES).describe("Of the safety matrix; delegations may name it in place of tools."),
    effect: z.enum(EFFECTS),
  })
  .meta({ id: "OfferedTool" });

/** For people who enrol agents, delegate to them or plan workflows; only administrators see where a tool leads. */
export const offeredToolActions = {
  "offeredTools.list": endpoint({
    rest: "GET /agents/tools",
    summary: "List the tools that an agent can be given",
    permit: "signed-in",
    beyond: true,
    query: { ...paging, class: z.enum(ACTION_CLASSES).optional() },
    returns: list(Offered),
    description: "Enabled tools by name, with their parameters and their class in the safety matrix.",
    async handler(ctx) {
      const { page, limit, class: wanted } = ctx.params;
      const most = Math.min(limit, MOST_ROWS);
      const all = [...(await allTools(this)).values()]
        .map(({ definition }) => definition)
        .filter((one) => one.disabled === undefined && (!wanted || one.class === wanted));
      return { data: all.slice((page - 1) * most, page * most), meta: { total: all.length, page, limit: most } };
    },
  }),
};
