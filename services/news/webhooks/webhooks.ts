import { createHmac } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { Simulated } from "../../../core/access/training-mode.ts";
import { STANDARD_HEADERS, type WebhookType } from "../../../core/contract/webhook.ts";

/**
 * When a delivery is tried, counted from its creation (Standard Webhooks, "Retries"); after the last it is a dead
 * letter.
 */
export const SCHEDULE_MS = [
  0,
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
] as const;
/** How far a try may stray, so that many deliveries to one receiver that came back do not meet it at once. */
const JITTER = 0.1;

export const Delivery = entity("webhooks.deliveries", {
  title: "webhook delivery",
  collection: "webhook_deliveries",
  fields: {
    event: z.literal("briefing.generated"),
    subject: z.string().describe("Id of the briefing."),
    url: z.string(),
    status: z
      .enum(["pending", "delivered", "dead", "simulated"])
      .default("pending")
      .describe("`simulated`: of a briefing made in training; never sent."),
    attempts: z.int().default(0),
    /** When it is tried next. */
    nextAt: Instant.optional(),
    deliveredAt: Instant.optional(),
    lastStatus: z.int().optional(),
    lastError: z.string().optional(),
    /** Since when the schedule counts: creation, or the last replay. */
    since: Instant,
  },
  filter: ["status"],
  indexes: [{ fields: ["nextAt"], sparse: true }, { fields: ["status", "-createdAt"] }],
});
export type Delivery = Item<typeof Delivery>;

export const DeliveryView = Delivery.view
  .omit({ since: true })
  .extend({ simulated: Simulated })
  .meta({ id: "WebhookDelivery" });
export const Replayed = z.object({ id: TextId });

/** The next try after so many, or undefined when there is none; `random` is 0..1. */
export function nextTry(
  attempts: number,
  sinceMs: number,
  now: number,
  random: number,
  retryAfterMs = 0,
): number | undefined {
  const offset = SCHEDULE_MS[attempts];
  if (offset === undefined) return undefined;
  return Math.max(sinceMs + offset * (1 + JITTER * (2 * random - 1)), now + retryAfterMs);
}

const WebhookMessage = z.object({
  event: z.literal("briefing.generated"),
  data: z.object({ id: z.int(), content: z.string().describe("Markdown."), generatedAt: Instant }),
});
export type WebhookMessage = z.output<typeof WebhookMessage>;

const SIGNED =
  "`sha256=` and the HMAC-SHA256, in hex, under `WEBHOOK_SECRET` of the canonical JSON (RFC 8785) of the body without " +
  "`signature`";

export const BriefingWebhook = {
  name: "briefing.generated",
  summary: "A briefing was made",
  description:
    "Goes to `WEBHOOK_URL` once a briefing is completed. Either of two signatures proves it: `signature`, or " +
    "`webhook-signature` as https://www.standardwebhooks.com has it, whose libraries take the secret as it is set where " +
    "it begins with `whsec_`; the key of any other is its bytes. While `WEBHOOK_SECRET_PREVIOUS` is set, " +
    "`webhook-signature` has one of each. Any 2xx within 15 seconds takes it; a redirect is not followed. Everything " +
    "else is tried again for 24 hours, ever less often and not before a `Retry-After`; then it waits among the " +
    "deliveries as `dead`, to be sent again by hand. 410 says that you want none any more: nothing is sent until an " +
    "administrator says `POST /api/webhooks/enable`. It may come twice, and in another order.",
  body: WebhookMessage.extend({ signature: z.string().describe(`${SIGNED}.`) }).meta({ id: "BriefingGenerated" }),
  headers: { "X-Signature-256": "The same as `signature` of the body.", ...STANDARD_HEADERS },
} satisfies WebhookType;

/**
 * Document 1's signature: `sha256=` and the hex HMAC-SHA256, under the secret as it is set, over the JCS form of the
 * body without it.
 */
const bodySignature = (secret: string, message: WebhookMessage): string =>
  `sha256=${createHmac("sha256", secret).update(canonicalize(message)!).digest("hex")}`;

/** Key bytes of a secret for Standard Webhooks: `whsec_` holds base64, anything else is taken as it is. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);

/** Body and headers of one try. Several secrets sign side by side while one replaces the other. */
export function signed(
  message: WebhookMessage,
  secrets: readonly string[],
  id: string,
  nowMs: number,
): { body: string; headers: Record<string, string> } {
  const signature = bodySignature(secrets[0]!, message);
  const body = JSON.stringify({ ...message, signature });
  const timestamp = Math.floor(nowMs / 1_000);
  const standard = secrets.map(
    (secret) => `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
  );
  return {
    body,
    headers: {
      "Content-Type": "application/json",
      "X-Signature-256": signature,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": standard.join(" "),
    },
  };
}

/** What an answer means: only 2xx is success, a redirect is not followed, 410 says never again. */
export function verdictOf(status: number): "delivered" | "gone" | "again" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "again";
}
