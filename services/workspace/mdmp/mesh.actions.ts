import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { DesignGiven, takeOver } from "./from-design.ts";
import { PHASES } from "./process/phases.ts";
import { obstruct } from "./transitions.ts";

export const meshActions = {
  /** Asked by the design, once it was handed over. */
  takeOver: endpoint({
    summary: "Take a design over into planning",
    permit: "internal",
    body: DesignGiven.shape,
    returns: bare(z.null()),
    async handler(ctx) {
      await takeOver(this, ctx.params);
      return null;
    },
  }),

  /** Asked by the gates, before they put one in the way of a step. */
  phases: endpoint({
    summary: "The phases of the decision process, in order",
    permit: "internal",
    returns: bare(z.array(z.string())),
    handler: () => [...PHASES],
  }),

  /** Asked by the gates, after they put one in a mission's way and before they answer. */
  obstructed: endpoint({
    summary: "Something was put in the way of a workflow",
    permit: "internal",
    body: { subject: TextId },
    returns: bare(z.null()),
    async handler(ctx) {
      await obstruct(this, ctx.params.subject);
      return null;
    },
  }),
};
