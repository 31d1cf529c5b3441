import { z } from "zod";
import { bare } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Execution, OVER } from "./executions.ts";
import { conclude, MESH } from "./records.ts";

/** For emergencies: may be repeated after a kill. */
export const emergencyActions = {
  "emergencies.cancelRuns": endpoint({
    summary: "End all workflows that have not ended",
    permit: "internal",
    body: { problemSetId: TextId.optional().describe("Everywhere without it."), reason: z.string().max(2_000) },
    returns: bare(z.object({ count: z.int() })),
    async handler(ctx) {
      const { problemSetId, reason } = ctx.params;
      const open = { ...(problemSetId !== undefined && { problemSetId }), status: { $nin: OVER } };
      let count = 0;
      for await (const slice of this.store(Execution).slices(MESH, open, { fields: ["status"] }))
        for (const { id } of slice) {
          const ended = await conclude(this, id, { status: "stopped", reason });
          if (ended.status === "stopped" && ended.reason === reason) count += 1;
        }
      return { count };
    },
  }),
};
