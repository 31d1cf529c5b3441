import { z } from "zod";
import { data, list } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { notFound } from "../../../../core/problem.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { Bounty } from "./bounties.ts";
import { administers, depositFor, NO_WALLET, WALLET_ERRORS, withEscrow, auditWritten, WRONG_STATE } from "../host.ts";
import {
  bountyFor,
  BountyView,
  DepositInstructions,
  PayoutResult,
  Promised,
  payoutResult,
  simulatedResult,
  seesBounty,
  visibleBounties,
} from "../views.ts";

const ADDRESS = "The address cannot be paid shielded (`INVALID_PAYEE`); `details` names the field.";

const judgement = { note: z.string().max(2_000).optional() };

/** The bounty, if the caller created it or administers the escrow; for everybody else it is 404. */
function managed(ctx: Ctx<unknown>, bounty: Bounty): Bounty {
  const actor = ctx.meta.actor!;
  if (bounty.createdBy !== actor.userId && !administers(actor)) throw notFound(Bounty.title, bounty.id);
  return bounty;
}

const basisOf = (ctx: Ctx<unknown>, { createdBy }: Bounty): "creator" | "crowd" =>
  ctx.meta.actor!.userId === createdBy ? "creator" : "crowd";

function judged(
  host: Host,
  ctx: Ctx<{ note?: string }>,
  bounty: Bounty,
  verdict: "accept" | "reject",
): Promise<z.input<typeof BountyView>> {
  const { id } = managed(ctx, bounty);
  const given = { basis: basisOf(ctx, bounty), note: ctx.params.note };
  return withEscrow(host, ctx, async ({ bounties }) =>
    bountyFor(ctx.meta.actor!, await bounties[verdict](id, given, ctx.meta.actor!.userId)),
  );
}

/**
 * Bounties over REST: creators manage their own, administrators all, and everybody may see those that were ever open.
 */
export const bountyActions = {
  "bounties.list": endpoint({
    rest: "GET /bounties",
    summary: "List the bounties you may see",
    permit: "escrow:read",
    beyond: true,
    query: Bounty.query,
    returns: list(BountyView),
    description:
      "Your own in every state, and those of others once they are funded. Addresses, deposits and " +
      "answers are visible only to the parties.",
    async handler(ctx) {
      const actor = ctx.meta.actor!;
      const { data: rows, meta } = await this.store(Bounty).page(ctx, ctx.params, visibleBounties(actor));
      return { data: rows.map((bounty) => bountyFor(actor, bounty)), meta };
    },
  }),

  "bounties.create": endpoint({
    rest: "POST /bounties",
    summary: "Create a bounty",
    permit: "escrow:participate",
    beyond: true,
    returns: data(BountyView),
    status: 201,
    body: { ...Bounty.create, amount: Promised },
    errors: { 422: ADDRESS, ...NO_WALLET },
    description:
      "It opens once exactly `due` has arrived at the escrow's transparent address (see `GET " +
      "…/deposit`), is confirmed deeply enough, and was shielded. A transparent `refundAddress` is " +
      "refused.",
    example: { title: "Who owns the mine?", amount: "50000000", refundAddress: "zs1…" },
    handler(ctx) {
      const by = ctx.meta.actor!.userId;
      return withEscrow(this, ctx, async ({ bounties }) =>
        auditWritten(ctx, Bounty.name, await bounties.create(ctx.params, by, nextId(ctx, Bounty.name))),
      );
    },
  }),

  "bounties.get": endpoint({
    rest: "GET /bounties/:id",
    summary: "Read a bounty",
    permit: "escrow:read",
    beyond: true,
    on: Bounty,
    returns: data(BountyView),
    handler(ctx, bounty) {
      const actor = ctx.meta.actor!;
      if (!seesBounty(actor, bounty)) throw notFound(Bounty.title, bounty.id);
      return bountyFor(actor, bounty);
    },
  }),

  "bounties.getDeposit": endpoint({
    rest: "GET /bounties/:id/deposit",
    summary: "Read where to deposit for your bounty, and how much",
    permit: "escrow:participate",
    beyond: true,
    on: Bounty,
    returns: data(DepositInstructions),
    errors: NO_WALLET,
    handler(ctx, bounty) {
      return depositFor(this, ctx, managed(ctx, bounty));
    },
  }),

  "bounties.fund": endpoint({
    rest: "POST /bounties/:id/fund",
    summary: "Check now whether the deposit of a bounty has arrived",
    permit: "escrow:participate",
    beyond: true,
    on: Bounty,
    returns: data(BountyView),
    errors: WALLET_ERRORS,
    description:
      "The escrow checks automatically every few seconds; this checks immediately. A deposit counts " +
      "once it is confirmed deeply enough in the chain.",
    handler(ctx, bounty) {
      const { id } = managed(ctx, bounty);
      return withEscrow(this, ctx, async (escrow) => {
        await escrow.collect();
        return escrow.bounties.get(id);
      });
    },
  }),

  "bounties.submit": endpoint({
    rest: "POST /bounties/:id/submit",
    summary: "Answer a bounty",
    permit: "escrow:participate",
    beyond: true,
    on: Bounty,
    returns: data(BountyView),
    body: {
      payee: Bounty.create.refundAddress.describe("Where you want to be paid: a shielded address."),
      evidence: z.string().min(1).max(20_000),
    },
    errors: { ...WRONG_STATE, 422: ADDRESS, ...NO_WALLET },
    description:
      "One answer at a time: another is possible once a payout of this one has failed. A transparent " +
      "`payee` is refused.",
    example: { payee: "the shielded address of whoever did the work", evidence: "https://example.org/report" },
    handler(ctx, bounty) {
      const actor = ctx.meta.actor!;
      if (!seesBounty(actor, bounty)) throw notFound(Bounty.title, bounty.id);
      return withEscrow(this, ctx, async ({ bounties }) =>
        bountyFor(actor, await bounties.submit(bounty.id, ctx.params, actor.userId)),
      );
    },
  }),

  "bounties.accept": endpoint({
    rest: "POST /bounties/:id/accept",
    summary: "Accept the answer to a bounty",
    permit: "escrow:participate",
    beyond: true,
    on: Bounty,
    body: judgement,
    returns: data(BountyView),
    errors: { ...WRONG_STATE, ...NO_WALLET },
    description:
      "Its creator accepts in their own name; an administrator, on somebody else's bounty, gives the " +
      "verdict of crowd verification. Nobody can judge their own answer (403). The bounty can then be " +
      "released.",
    handler(ctx, bounty) {
      return judged(this, ctx, bounty, "accept");
    },
  }),

  "bounties.reject": endpoint({
    rest: "POST /bounties/:id/reject",
    summary: "Reject the answer to a bounty, which refunds the money",
    permit: "escrow:participate",
    beyond: true,
    on: Bounty,
    body: judgement,
    returns: data(BountyView),
    errors: { ...WRONG_STATE, 422: "The answer was accepted before (`ALREADY_ACCEPTED`).", ...NO_WALLET },
    handler(ctx, bounty) {
      return judged(this, ctx, bounty, "reject");
    },
  }),

  "bounties.refund": endpoint({
    rest: "POST /bounties/:id/refund",
    summary: "Refund a bounty to its creator",
    permit: "escrow:participate",
    beyond: true,
    on: Bounty,
    returns: data(PayoutResult),
    errors: {
      ...WALLET_ERRORS,
      ...WRONG_STATE,
      422: "An answer that is accepted (`ALREADY_ACCEPTED`) or not judged yet (`PENDING_REVIEW`) stands in the way.",
    },
    description: "Repeating the request returns the same payout.",
    handler(ctx, bounty) {
      const { id } = managed(ctx, bounty);
      return withEscrow(
        this,
        ctx,
        async (escrow) => payoutResult(await escrow.requestRefund(id, ctx.meta.actor!.userId)),
        () => simulatedResult("refund"),
      );
    },
  }),

  "bounties.cancel": endpoint({
    rest: "POST /bounties/:id/cancel",
    summary: "Withdraw a bounty that received no deposit",
    permit: "escrow:participate",
    beyond: true,
    on: Bounty,
    returns: data(BountyView),
    errors: { ...WRONG_STATE, ...NO_WALLET },
    handler(ctx, bounty) {
      const { id } = managed(ctx, bounty);
      return withEscrow(this, ctx, ({ bounties }) => bounties.cancel(id));
    },
  }),

  "bounties.release": endpoint({
    rest: "POST /bounty/:id/release",
    summary: "Pay a bounty out to the source",
    permit: "escrow:administer",
    stepUp: true,
    on: Bounty,
    returns: data(PayoutResult),
    errors: {
      ...WALLET_ERRORS,
      ...WRONG_STATE,
      422: "The answer was not accepted (`NOT_ACCEPTED`), or its payee cannot be paid (`INVALID_PAYEE`).",
    },
    description:
      "One payment from shielded to shielded: repeating the request returns the same payout, whatever " +
      "its state. `operationId` is the wallet's; it is null until the wallet has accepted the order, " +
      "which continues in the background.",
    handler(ctx, { id }) {
      return withEscrow(
        this,
        ctx,
        async (escrow) => payoutResult(await escrow.requestRelease(id, ctx.meta.actor!.userId)),
        () => simulatedResult("release"),
      );
    },
  }),
};
