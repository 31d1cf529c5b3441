import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { mayOutside } from "../../place.ts";
import { Conflict } from "./conflicts.ts";

const set = "problemSetId";
const REVIEW = "cop:review";

export const conflictActions = {
  "conflicts.list": endpoint({
    rest: "GET /conflicts",
    summary: "List contradictions between what layers on the COP show",
    permit: "signed-in",
    within: { set, may: "cop:read" },
    query: Conflict.query,
    returns: list(Conflict.view),
    tool: "list_conflicts",
    description:
      "Open ones unless `state` says otherwise: one that ceased is `cleared`, and open again when it returns.",
    handler(ctx) {
      return this.store(Conflict).page(ctx, ctx.params, ctx.params.state ? {} : { state: "open" });
    },
  }),

  "conflicts.waive": endpoint({
    rest: "POST /conflicts/:id/waive",
    summary: "Declare a contradiction none that matters",
    permit: "signed-in",
    within: { set, may: REVIEW },
    on: Conflict,
    when: mayOutside(REVIEW),
    body: { reason: z.string().min(3).max(4_000) },
    returns: data(Conflict.view),
    beyond: true,
    example: { reason: "Agreed between both staffs on the radio." },
    handler(ctx, conflict) {
      return this.store(Conflict).revise(ctx, conflict, {
        state: "waived",
        waivedBy: actorOf(ctx),
        reason: ctx.params.reason,
      });
    },
  }),
};
