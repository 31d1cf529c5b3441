import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { derivedId } from "../../../core/ids.ts";
import { unprocessable } from "../../../core/problem.ts";
import { Compartments } from "../../../core/access/place.ts";
import { MODES } from "../../../core/access/training-mode.ts";
import { Priority } from "./messages.ts";
import { channelReach } from "./place.ts";

/** Delivered and not acknowledged, at most; then nothing new comes until something is. */
export const MOST_IN_FLIGHT = 256;
/** Most dead letters of one subscription; beyond that, failed deliveries go on being tried. */
export const MOST_DEAD = 256;
/** Subscriptions of one person, at most. */
export const MOST_SUBSCRIPTIONS = 1_000;

/** Times to wait that a subscription may name, at most. */
const MOST_BACK_OFF = 10;
/** Kinds of messages that a subscription may name, at most. */
const MOST_TYPES = 20;
const MOST_WAIT_SECONDS = 86_400;

const InFlight = z.object({
  sequence: z.int(),
  /** 0 for what was taken out of its channel, and waits for its precedence. */
  deliveries: z.int(),
  dueAt: z.string(),
  /** What it waits until then, in seconds. */
  waits: z.number().optional(),
  expiresAt: z.string().optional(),
  /** Of its last delivery. */
  receipt: z.int().optional(),
  /** Its precedence, as an index of `PRIORITIES`. */
  rank: z.int().optional(),
});
export type InFlight = z.output<typeof InFlight>;
const Dead = z.object({ sequence: z.int(), deliveries: z.int(), at: z.string() });

export const Seconds = z.int().min(1).max(MOST_WAIT_SECONDS);
const TypePattern = z
  .string()
  .max(200)
  .regex(
    /^(?:[A-Za-z0-9_-]+|\*)(?:\.(?:[A-Za-z0-9_-]+|\*))*(?:\.>)?$/,
    "words joined by dots; `*` stands for one word, `>` at the end for one or more",
  );

export const rules = {
  ackWaitSeconds: Seconds.default(30).describe("What is not acknowledged within it is delivered again."),
  backOffSeconds: z
    .array(Seconds)
    .min(1)
    .max(MOST_BACK_OFF)
    .optional()
    .describe(
      "How long the first, second, third … delivery may stay unacknowledged, instead of " +
        "`ackWaitSeconds`; the last value applies to all later ones.",
    ),
  mostDeliveries: z.int().min(1).max(100).default(5).describe("After so many it is a dead letter."),
  leastPriority: Priority.default("routine").describe("Messages of lower precedence are skipped."),
  types: z
    .array(TypePattern)
    .min(1)
    .max(MOST_TYPES)
    .optional()
    .describe(
      "Messages of other types are skipped: `logistics.convoy.departed`, `logistics.*.departed`, `logistics.>`.",
    ),
  order: z
    .enum(["sequence", "precedence"])
    .default("sequence")
    .describe(
      "The order in which `next` returns messages: by number, or flash before immediate before priority before " +
        `routine among the ${MOST_IN_FLIGHT} that have waited longest. Numbers do not change; the stream keeps ` +
        "their order.",
    ),
};

/** Whether a type is meant by a pattern: `*` stands for one word, `>` at the end for one or more, as in NATS subjects. */
export function isOfType(type: string, pattern: string): boolean {
  const words = type.split("."),
    wanted = pattern.split(".");
  const rest = wanted.at(-1) === ">";
  if (rest ? words.length < wanted.length : words.length !== wanted.length) return false;
  return (rest ? wanted.slice(0, -1) : wanted).every((word, at) => word === "*" || word === words[at]);
}

/**
 * Somebody's durable place in a channel. Up to `position` every message was dealt with: it is settled, save those in
 * `inFlight`, which were delivered and wait to be acknowledged, and those in `dead`, which were delivered in vain.
 */
export const ChannelSubscription = entity("messages.subscriptions", {
  title: "subscription",
  fields: {
    problemSetId: TextId.optional(),
    compartments: Compartments,
    audience: z.enum(MODES).optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    channelId: TextId,
    channel: z.string(),
    userId: z.string(),
    ...rules,
    position: z.int(),
    inFlight: z.array(InFlight),
    dead: z.array(Dead),
    delivered: z.int(),
    redelivered: z.int(),
    acknowledged: z.int(),
  },
  readonly: [
    "audience",
    "from",
    "to",
    "channelId",
    "userId",
    "position",
    "inFlight",
    "dead",
    "delivered",
    "redelivered",
    "acknowledged",
  ],
  immutable: ["problemSetId", "compartments", "channel"],
  hidden: ["audience", "from", "to", "userId", "inFlight", "dead"],
  barrier: channelReach,
  most: {
    count: MOST_SUBSCRIPTIONS,
    per: ["userId"],
    refusal: (count) => unprocessable("TOO_MANY_SUBSCRIPTIONS", `A person has at most ${count} subscriptions.`),
  },
  indexes: [{ fields: ["userId", "-createdAt"] }, { fields: ["channelId"] }],
});
export type ChannelSubscription = Item<typeof ChannelSubscription>;
export const SubscriptionView = ChannelSubscription.view.meta({ id: "ChannelSubscription" });

/** One a person and channel. */
export const subscriptionId = (channelId: string, userId: string): string =>
  derivedId(`subscription of ${userId} to ${channelId}`);

export const DeadLetter = z.object({
  id: z.string().describe("The message's."),
  deliveries: z.int(),
  at: Instant.describe("When it was given up."),
  channelId: z.string(),
  channel: z.string(),
});
