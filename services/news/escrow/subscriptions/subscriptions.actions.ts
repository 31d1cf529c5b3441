import { data, list } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { notFound, unprocessable } from "../../../../core/problem.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { administers, depositFor, NO_WALLET, WALLET_ERRORS, withEscrow, auditWritten, WRONG_STATE } from "../host.ts";
import { Subscription } from "./subscriptions.ts";
import {
  DepositInstructions,
  PayoutResult,
  Promised,
  payoutResult,
  simulatedResult,
  SubscriptionView,
} from "../views.ts";

/** The subscription, if the caller started it or administers the escrow; for everybody else it is 404. */
function managed(ctx: Ctx<unknown>, subscription: Subscription): Subscription {
  const actor = ctx.meta.actor!;
  if (subscription.createdBy !== actor.userId && !administers(actor))
    throw notFound(Subscription.title, subscription.id);
  return subscription;
}

async function refuseUnknownSource(host: Host, sourceId: number | undefined): Promise<void> {
  if (sourceId === undefined) return;
  const known: number[] = await host.ask("sources.known", { ids: [sourceId] });
  const message = `There is no source ${sourceId}.`;
  if (!known.includes(sourceId))
    throw unprocessable("UNKNOWN_SOURCE", `sourceId: ${message}`, [{ path: "sourceId", message }]);
}

/** Subscriptions over REST: subscribers see and manage their own, administrators all. */
export const subscriptionActions = {
  "subscriptions.list": endpoint({
    rest: "GET /subscriptions",
    summary: "List your subscriptions",
    permit: "escrow:read",
    beyond: true,
    query: Subscription.query,
    returns: list(SubscriptionView),
    description: "Administrators see everybody's.",
    handler(ctx) {
      const actor = ctx.meta.actor!;
      return this.store(Subscription).page(ctx, ctx.params, administers(actor) ? {} : { createdBy: actor.userId });
    },
  }),

  "subscriptions.create": endpoint({
    rest: "POST /subscriptions",
    summary: "Start a monthly subscription to a source",
    permit: "escrow:participate",
    beyond: true,
    returns: data(SubscriptionView),
    status: 201,
    body: { ...Subscription.create, amount: Promised.describe("The fee of one month, in zatoshi.") },
    errors: {
      422:
        "`payee` or `refundAddress` cannot be paid shielded (`INVALID_PAYEE`), or there is no such source " +
        "(`UNKNOWN_SOURCE`); `details` names the field.",
      ...NO_WALLET,
    },
    description:
      "The first month starts once exactly `due` has arrived and was shielded. At the end of a month " +
      "the source is paid, and the subscription waits for the next deposit, or ends.",
    example: { payee: "zs1…", amount: "11000000", refundAddress: "zs1…" },
    handler(ctx) {
      return withEscrow(this, ctx, async ({ subscriptions }) => {
        await refuseUnknownSource(this, ctx.params.sourceId);
        return auditWritten(
          ctx,
          Subscription.name,
          await subscriptions.create(ctx.params, ctx.meta.actor!.userId, nextId(ctx, Subscription.name)),
        );
      });
    },
  }),

  "subscriptions.get": endpoint({
    rest: "GET /subscriptions/:id",
    summary: "Read a subscription of yours",
    permit: "escrow:read",
    beyond: true,
    on: Subscription,
    returns: data(SubscriptionView),
    handler: (ctx, subscription) => managed(ctx, subscription),
  }),

  "subscriptions.getDeposit": endpoint({
    rest: "GET /subscriptions/:id/deposit",
    summary: "Read where to deposit for the next month, and how much",
    permit: "escrow:participate",
    beyond: true,
    on: Subscription,
    returns: data(DepositInstructions),
    errors: NO_WALLET,
    handler(ctx, subscription) {
      return depositFor(this, ctx, managed(ctx, subscription));
    },
  }),

  "subscriptions.cancel": endpoint({
    rest: "POST /subscriptions/:id/cancel",
    summary: "End a subscription of yours",
    permit: "escrow:participate",
    beyond: true,
    on: Subscription,
    returns: data(SubscriptionView),
    errors: { ...WRONG_STATE, ...NO_WALLET },
    description:
      "Takes effect immediately if nothing was paid for the next month, otherwise at the end of the " +
      "current one, which is still paid.",
    handler(ctx, subscription) {
      const { id } = managed(ctx, subscription);
      return withEscrow(this, ctx, ({ subscriptions }) => subscriptions.cancel(id));
    },
  }),

  "subscriptions.release": endpoint({
    rest: "POST /subscriptions/:id/release",
    summary: "Pay out the current month of a subscription",
    permit: "escrow:administer",
    stepUp: true,
    beyond: true,
    on: Subscription,
    returns: data(PayoutResult),
    errors: { ...WALLET_ERRORS, ...WRONG_STATE },
    description:
      "Happens automatically by calendar, except after a payout that failed permanently. Repeating the " +
      "request returns the same payout.",
    handler(ctx, { id }) {
      return withEscrow(
        this,
        ctx,
        async (escrow) =>
          payoutResult(await escrow.advance((await escrow.subscriptions.release(id, ctx.meta.actor!.userId)).id)),
        () => simulatedResult("release"),
      );
    },
  }),

  "subscriptions.refund": endpoint({
    rest: "POST /subscriptions/:id/refund",
    summary: "Refund a month whose payout failed permanently",
    permit: "escrow:administer",
    beyond: true,
    on: Subscription,
    returns: data(PayoutResult),
    errors: { ...WALLET_ERRORS, ...WRONG_STATE },
    description: "Ends the subscription. Repeating the request returns the same payout.",
    handler(ctx, { id }) {
      return withEscrow(
        this,
        ctx,
        async (escrow) =>
          payoutResult(await escrow.advance((await escrow.subscriptions.refund(id, ctx.meta.actor!.userId)).id)),
        () => simulatedResult("refund"),
      );
    },
  }),
};
