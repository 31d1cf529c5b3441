import { z } from "zod";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { invalid, notFound } from "../../../../core/problem.ts";
import { demandOpen } from "../../../../adapters/outbound/outbound.ts";
import { mintSecret, Notification, ActivitySubscription } from "./subscriptions.ts";
import { NotificationView, sealer } from "./notifying.ts";

const subscribing = { set: "id", may: "activity:subscribe" };
const inPath = { path: { id: TextId }, within: subscribing } as const;
/** What is a person's own can still be removed by a role that may no longer subscribe, and in an archived set. */
const mine = { may: "activity:read", own: true } as const;
const onMine = {
  path: { id: TextId },
  on: ActivitySubscription,
  by: "subId",
  within: { set: "problemSetId", may: subscribing.may },
} as const;
const Made = ActivitySubscription.view
  .extend({
    secret: z
      .string()
      .nullable()
      .describe("Of the channel `webhook`, shown this once: deliveries are signed with it (Standard Webhooks)."),
  })
  .meta({ id: "NewSubscription" });

export const subscriptionActions = {
  "subscriptions.create": endpoint({
    rest: "POST /:id/subscriptions",
    summary: "Subscribe to notifications of a problem set",
    permit: "signed-in",
    ...inPath,
    status: 201,
    returns: data(Made),
    body: {
      kinds: ActivitySubscription.create.kinds,
      filter: ActivitySubscription.create.filter,
      channel: ActivitySubscription.create.channel,
      url: ActivitySubscription.create.url,
      digest: ActivitySubscription.create.digest,
      active: ActivitySubscription.create.active,
    },
    example: { kinds: ["gate.*"], channel: "in-app" },
    description:
      "In the app, by mail or by webhook; immediately, or collected hourly or daily. You are notified " +
      "only of what you may see at the time of sending, and never of what you did yourself. In a " +
      "training set nothing is sent outside.",
    errors: { 422: "Nothing is sent to the `url` (`ADDRESS_REFUSED`)." },
    async handler(ctx) {
      const { id, ...fields } = ctx.params;
      const { userId } = ctx.meta.actor!;
      if ((fields.channel === "webhook") !== (fields.url !== undefined))
        throw invalid([{ path: "url", message: "The channel webhook has a url, and no other has." }]);
      if (fields.url !== undefined) demandOpen(this.world.outbound, fields.url, "url");
      const secret = mintSecret();
      const made = await this.store(ActivitySubscription).create(ctx, {
        ...fields,
        problemSetId: id,
        userId,
        secret: "",
      });
      const kept = await this.store(ActivitySubscription).revise(ctx, made, {
        secret: sealer(this).seal(Buffer.from(secret), made.id),
      });
      return { ...kept, secret: fields.channel === "webhook" ? secret : null };
    },
  }),

  "subscriptions.list": endpoint({
    rest: "GET /:id/subscriptions",
    summary: "List your subscriptions in a problem set",
    permit: "signed-in",
    ...inPath,
    within: { set: "id", ...mine },
    query: ActivitySubscription.query,
    returns: list(ActivitySubscription.view),
    handler(ctx) {
      return this.store(ActivitySubscription).page(ctx, ctx.params, {
        problemSetId: ctx.params.id,
        userId: ctx.meta.actor!.userId,
      });
    },
  }),

  "subscriptions.update": endpoint({
    rest: "PATCH /:id/subscriptions/:subId",
    summary: "Edit a subscription of yours",
    permit: "signed-in",
    ...onMine,
    body: {
      kinds: ActivitySubscription.update.kinds,
      filter: ActivitySubscription.update.filter.nullable(),
      digest: ActivitySubscription.update.digest,
      active: ActivitySubscription.update.active,
    },
    returns: data(ActivitySubscription.view),
    handler(ctx, subscription) {
      const { id: _set, ...change } = ctx.params;
      refuseOthers(ctx, subscription, ActivitySubscription.title);
      return this.store(ActivitySubscription).revise(ctx, subscription, change);
    },
  }),

  "subscriptions.remove": endpoint({
    rest: "DELETE /:id/subscriptions/:subId",
    summary: "Remove a subscription of yours",
    permit: "signed-in",
    ...onMine,
    within: { set: "problemSetId", ...mine },
    returns: nothing(),
    status: 204,
    async handler(ctx, subscription) {
      refuseOthers(ctx, subscription, ActivitySubscription.title);
      await this.store(ActivitySubscription).remove(ctx, subscription);
      return null;
    },
  }),

  "notifications.list": endpoint({
    rest: "GET /:id/notifications",
    summary: "List the notifications from your subscriptions in a problem set",
    permit: "signed-in",
    beyond: true,
    path: { id: TextId },
    within: { set: "id", may: "activity:read" },
    query: { read: z.boolean().optional(), ...paging },
    returns: list(NotificationView),
    handler(ctx) {
      const { id, read, ...window } = ctx.params;
      return this.store(Notification).page(
        ctx,
        { ...window, sort: "-at" },
        {
          problemSetId: id,
          userId: ctx.meta.actor!.userId,
          status: { $in: ["told", "simulated"] },
          ...(read !== undefined && { read }),
        },
      );
    },
  }),

  "notifications.markRead": endpoint({
    rest: "PUT /:id/notifications/:notificationId/read",
    summary: "Mark a notification of yours as read",
    permit: "signed-in",
    beyond: true,
    audit: false,
    path: { id: TextId },
    on: Notification,
    by: "notificationId",
    within: { set: "problemSetId", ...mine },
    returns: data(NotificationView),
    async handler(ctx, notification) {
      refuseOthers(ctx, notification, Notification.title);
      // Its delivery may be recorded at the same time.
      return this.store(Notification).change(ctx, notification.id, ({ read }) => (read ? null : { read: true }));
    },
  }),
};

/** Throws 404 for what belongs to another person, or lies in another set than the path names. */
function refuseOthers(
  ctx: Ctx<{ id: string }>,
  { id, userId, problemSetId }: { id: string; userId: string; problemSetId: string },
  what: string,
): void {
  if (userId !== ctx.meta.actor!.userId || problemSetId !== ctx.params.id) throw notFound(what, id);
}
