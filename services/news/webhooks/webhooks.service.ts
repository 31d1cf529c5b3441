import { z } from "zod";
import { retryAfterMs as retryAfter } from "../../../adapters/outbound/retry-after.ts";
import { data, list } from "../../../core/contract/answer.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Collection } from "../../../core/records/documents.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { CursorMeta, feeding } from "../../../core/records/entity.ts";
import { on } from "../../../core/events/event.ts";
import { derivedId, sha256 } from "../../../core/ids.ts";
import { conflict, notConfigured } from "../../../core/problem.ts";
import { simulates } from "../../../core/access/training-mode.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { BriefingGenerated } from "../briefings/events.ts";
import {
  BriefingWebhook,
  Delivery,
  DeliveryView,
  nextTry,
  signed,
  verdictOf,
  type WebhookMessage,
} from "./webhooks.ts";

interface Webhooks extends Host {
  receivers: Collection;
}

const LOOK_MS = 1_000;
const BATCH = 20;
const TIMEOUT_MS = 15_000;
/** A try that was not heard of for so long is taken for lost with its node: twice what the receiver may take. */
const HOLD_MS = 2 * TIMEOUT_MS;

const Receiver = z
  .object({
    configured: z.boolean(),
    url: z.string().optional(),
    enabled: z.boolean(),
    disabledAt: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: "WebhookReceiver" });

export default {
  name: "webhooks",
  metadata: { description: "Signed notifications to your own systems, retried until delivered." },
  settings: { rest: "/webhooks" },
  mixins: [
    domain({
      entities: [Delivery],
      sends: [BriefingWebhook],
      hears: [
        on(BriefingGenerated, async function (this: Webhooks, { id, training }, fact) {
          const { WEBHOOK_URL } = this.world.env;
          if (!WEBHOOK_URL) return;
          const now = iso(this.world.clock.now());
          // The fact may be told twice; its delivery has one id.
          const given = {
            id: derivedId(`webhook ${fact.id}`),
            event: "briefing.generated",
            subject: String(id),
            url: WEBHOOK_URL,
            since: now,
            ...(training ? { status: "simulated" } : { nextAt: now }),
          };
          await this.store(Delivery).createOnce(asSystem("webhooks"), given);
          void attemptDue.call(this).catch(() => {});
        }),
      ],
      keeps: [{ entity: Delivery, days: ({ env }) => env.DELIVERY_DAYS, where: { status: { $ne: "pending" } } }],
      waits: [{ of: Delivery, field: "nextAt", since: "updatedAt" }],
      schedules: { attempt: { everyMs: LOOK_MS, run: attemptDue } },
    }),
  ],

  actions: {
    "receivers.get": endpoint({
      rest: "GET /",
      summary: "Read where the event is delivered, and whether the receiver still accepts it",
      permit: "platform:administer",
      beyond: true,
      returns: data(Receiver),
      async handler() {
        const { WEBHOOK_URL: url } = this.world.env;
        const disabled = url ? await (this as unknown as Webhooks).receivers.findById(sha256(url)) : null;
        return {
          configured: url !== undefined,
          ...(url && { url }),
          enabled: url !== undefined && !disabled,
          ...(disabled && { disabledAt: disabled["at"], reason: disabled["reason"] }),
        };
      },
    }),

    "receivers.enable": endpoint({
      rest: "POST /enable",
      summary: "Resume deliveries to a receiver that had answered 410",
      permit: "platform:administer",
      beyond: true,
      returns: data(Receiver),
      errors: { 503: "WEBHOOK_URL is not set." },
      async handler() {
        const { WEBHOOK_URL: url } = this.world.env;
        if (!url) throw notConfigured("No webhook is configured: set WEBHOOK_URL and WEBHOOK_SECRET.");
        await (this as unknown as Webhooks).receivers.removeById(sha256(url));
        return { configured: true, url, enabled: true };
      },
    }),

    "deliveries.list": endpoint({
      rest: "GET /deliveries",
      summary: "List deliveries, newest first",
      permit: "platform:administer",
      beyond: true,
      query: { status: Delivery.query.status, ...feeding },
      returns: list(DeliveryView, CursorMeta),
      handler(ctx) {
        const { status, cursor, limit } = ctx.params;
        return this.store(Delivery).feed(ctx, { cursor, limit }, status ? { status } : {});
      },
    }),

    "deliveries.get": endpoint({
      rest: "GET /deliveries/:id",
      summary: "Read how a delivery went",
      permit: "platform:administer",
      beyond: true,
      on: Delivery,
      returns: data(DeliveryView),
      handler: (_ctx, delivery) => delivery,
    }),

    "deliveries.replay": endpoint({
      rest: "POST /deliveries/:id/replay",
      summary: "Resend a delivery under the same id",
      permit: "platform:administer",
      beyond: true,
      on: Delivery,
      returns: data(DeliveryView),
      status: 202,
      description: "One that waits for its next attempt is sent at once; its schedule goes on from there.",
      errors: { 409: "It is being sent just now, or belongs to training." },
      async handler(ctx, delivery) {
        if (delivery.status === "simulated")
          throw conflict("This delivery belongs to a training briefing, which is never sent.");
        if (simulates(ctx)) return { ...delivery, simulated: true as const };
        const now = iso(this.world.clock.now());
        if (delivery.status !== "pending")
          return this.store(Delivery).revise(ctx, delivery, {
            status: "pending",
            attempts: 0,
            since: now,
            nextAt: now,
          });
        if (Date.parse(delivery.nextAt!) - this.world.clock.now() <= HOLD_MS)
          throw conflict("This delivery is being sent just now, or within half a minute.");
        return this.store(Delivery).revise(ctx, delivery, { nextAt: now });
      },
    }),
  },

  async started(this: Webhooks) {
    this.receivers = await this.world.documents.collection("webhook_receivers");
  },
} satisfies MeshService;

/** Tries what is due; each is held by compare-and-set, so that nodes never send one try twice at the same time. */
async function attemptDue(this: Webhooks): Promise<void> {
  const now = this.world.clock.now();
  const due = await this.store(Delivery).find(
    asSystem("webhooks"),
    { nextAt: { $lte: iso(now) } },
    { sort: ["nextAt"], limit: BATCH },
  );
  await Promise.all(due.map((delivery) => attempt(this, delivery, now)));
}

async function attempt(host: Webhooks, found: Delivery, now: number): Promise<void> {
  const caller = asSystem("webhooks");
  const store = host.store(Delivery);
  const held = await store
    .revise(caller, found, { attempts: found.attempts + 1, nextAt: iso(now + HOLD_MS) })
    .catch(() => null);
  if (!held) return;
  if (await host.receivers.findById(sha256(held.url)))
    return void (await store.revise(caller, held, {
      status: "dead",
      nextAt: null,
      lastError: "The receiver had answered 410; it is disabled.",
    }));
  const outcome = await send(host, held);
  const change = await judged(host, held, outcome);
  await store.revise(caller, held, change);
}

interface Outcome {
  status?: number;
  error?: string;
  retryAfterMs?: number;
}

async function send(host: Webhooks, delivery: Delivery): Promise<Outcome> {
  const { outbound, env, clock } = host.world;
  try {
    const briefing = await host.ask<{ id: number; content: string; generatedAt: string }>("briefings.get", {
      id: Number(delivery.subject),
    });
    const message: WebhookMessage = {
      event: "briefing.generated",
      data: { id: briefing.id, content: briefing.content, generatedAt: briefing.generatedAt },
    };
    const secrets = [env.WEBHOOK_SECRET!, ...(env.WEBHOOK_SECRET_PREVIOUS ? [env.WEBHOOK_SECRET_PREVIOUS] : [])];
    const { body, headers } = signed(message, secrets, delivery.id, clock.now());
    const answer = await outbound.post(delivery.url, { headers, body, timeoutMs: TIMEOUT_MS });
    return {
      status: answer.status,
      retryAfterMs: retryAfter(answer.headers["retry-after"] as string | undefined, clock.now()),
    };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

async function judged(
  host: Webhooks,
  { attempts, since, url }: Delivery,
  { status, error, retryAfterMs }: Outcome,
): Promise<Record<string, unknown>> {
  const now = host.world.clock.now();
  const verdict = status === undefined ? "again" : verdictOf(status);
  if (verdict === "delivered")
    return { status: "delivered", deliveredAt: iso(now), lastStatus: status, lastError: null, nextAt: null };
  const lastError = error ?? `The receiver answered ${status}.`;
  if (verdict === "gone") {
    await host.receivers.bulk([
      { update: { _id: sha256(url) }, with: { $set: { at: iso(now), reason: lastError } }, upsert: true },
    ]);
    host.logger.warn("The webhook's receiver answered 410 and is disabled; POST /api/webhooks/enable undoes that.");
    return { status: "dead", lastStatus: status, lastError, nextAt: null };
  }
  const next = nextTry(attempts, Date.parse(since), now, Math.random(), retryAfterMs);
  return {
    lastStatus: status ?? null,
    lastError,
    ...(next === undefined ? { status: "dead", nextAt: null } : { nextAt: iso(next) }),
  };
}
