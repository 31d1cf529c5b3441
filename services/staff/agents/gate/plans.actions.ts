import { z } from "zod";
import { bare } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Allowance, allowancesOf } from "./allowances.ts";
import { hold, settleHold, type BudgetAccount } from "./budget.ts";

/** The limits of a plan, and its id. */
export const Plan = z.strictObject({
  id: z.string().max(58),
  limits: z.strictObject({
    calls: z.int().min(1).max(1_000),
    tokens: z.int().min(1).max(200_000),
    cost: z.number().positive().optional(),
  }),
});
const Amount = z.strictObject({ tokens: z.int().min(0), cost: z.number().min(0).optional() });
const place = {
  plan: Plan.optional(),
  problemSetId: TextId,
  name: TextId.describe("Of the question: asked again, the same."),
};

const accountsOf = (
  host: Host,
  { plan, problemSetId }: Omit<z.output<z.ZodObject<typeof place>>, "name">,
): BudgetAccount[] =>
  allowancesOf({ plan, problemSetId }, host.world.clock.now()).map((one) => ({ entity: Allowance, ...one }));

/** For domains that compose or judge agents' work: questions of their own, outside any agent. */
export const planActions = {
  "plans.hold": endpoint({
    summary: "Set aside what a question may take at the most, of its plan and of its problem set's day",
    permit: "internal",
    body: { ...place, most: Amount },
    returns: bare(z.boolean()),
    handler(ctx) {
      return hold(this, accountsOf(this, ctx.params), ctx.params.name, ctx.params.most);
    },
  }),

  "plans.settle": endpoint({
    summary: "Book what that question took, in place of what was set aside",
    permit: "internal",
    body: { ...place, most: Amount, used: Amount },
    returns: bare(z.null()),
    async handler(ctx) {
      const { name, most: held, used } = ctx.params;
      await settleHold(this, accountsOf(this, ctx.params), name, { held, used });
      return null;
    },
  }),
};
