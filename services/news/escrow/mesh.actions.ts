import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { Bounty } from "./bounties/bounties.ts";
import { withEscrow } from "./host.ts";
import { PayoutResult, payoutResult, simulatedResult } from "./views.ts";

/** What other services call: decisions about money made by a vote. */
export const meshActions = {
  "bounty.of": endpoint({
    summary: "Who promised a bounty",
    permit: "internal",
    body: { bountyId: TextId },
    returns: bare(z.object({ createdBy: z.string() })),
    async handler(ctx) {
      const { createdBy } = await this.store(Bounty).get(ctx, ctx.params.bountyId);
      return { createdBy };
    },
  }),

  "bounty.pay": endpoint({
    summary: "Pay an accepted bounty out by a decision taken elsewhere",
    permit: "internal",
    body: { bountyId: TextId, by: z.string().describe("Who decided: kept with the payout.") },
    returns: bare(PayoutResult),
    description:
      "As the release by an administrator: once, to the accepted payee and nobody else; asked for again it " +
      "answers the same payout.",
    handler(ctx) {
      const { bountyId, by } = ctx.params;
      return withEscrow(
        this,
        ctx,
        async (escrow) => payoutResult(await escrow.requestRelease(bountyId, by)),
        () => simulatedResult("release"),
      );
    },
  }),
};
