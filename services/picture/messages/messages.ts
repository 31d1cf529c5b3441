import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { canonicalJson, isCertainlyLonger } from "../../../core/canonical-json.ts";
import { conflict } from "../../../core/problem.ts";
import { event } from "../../../core/events/event.ts";
import { sha256 } from "../../../core/ids.ts";
import { liveType } from "../../../core/contract/live.ts";
import { LEVELS } from "../../../core/access/classification.ts";
import { MODES } from "../../../core/access/training-mode.ts";
import { Compartments } from "../../../core/access/place.ts";
import { channelReach } from "./place.ts";

/** Precedences of ACP-127, the lowest first. */
export const PRIORITIES = ["routine", "priority", "immediate", "flash"] as const;
export type Priority = (typeof PRIORITIES)[number];
export const Priority = z.enum(PRIORITIES);

/** Bytes of a payload's canonical JSON. */
const MOST_PAYLOAD_BYTES = 64 * 1_024;
/** The digest before the first message. */
export const ORIGIN = "0".repeat(64);

/**
 * The canonical JSON (RFC 8785) of a payload; undefined for what JSON cannot say, such as a number beyond all bounds.
 */
function canonicalPayload(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}

/** Texts of payloads that were held against their bounds, for whoever stores them. */
const texts = new WeakMap<object, string>();
export const payloadText = (payload: Record<string, unknown>): string =>
  texts.get(payload) ?? canonicalPayload(payload)!;

const TOO_LONG = { code: "custom", message: `At most ${MOST_PAYLOAD_BYTES} bytes of JSON.` } as const;

const Bounded = z.record(z.string(), z.unknown()).superRefine((payload, ctx) => {
  const text = canonicalPayload(payload);
  if (text !== undefined) texts.set(payload, text);
  if (text === undefined) ctx.addIssue({ code: "custom", message: "This cannot be written as canonical JSON." });
  else if (Buffer.byteLength(text) > MOST_PAYLOAD_BYTES) ctx.addIssue(TOO_LONG);
});

/** One that is far too long is refused before it is gone through and put in order, which costs ten times as much. */
export const Payload = z
  .preprocess((payload, ctx) => {
    if (!isCertainlyLonger(payload, MOST_PAYLOAD_BYTES)) return payload;
    ctx.addIssue(TOO_LONG);
    return z.NEVER;
  }, Bounded)
  .describe("What the message says: any JSON object of at most 64 KiB.");

const Did = z
  .string()
  .max(500)
  .regex(/^did:[a-z0-9]+:\S+$/, "Must be a DID, such as did:key:z6Mk…");
export const MessageType = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/, "Must be words joined by dots, such as logistics.convoy.departed.")
  .describe("What kind of message it is: `domain.entity.verb`.");

/** What its publisher says of a message. */
export const envelope = {
  destination: Did.optional().describe(
    "The addressee. In a channel this is informational; without a channel, only the holder of this " +
      "DID and you can see the message.",
  ),
  type: MessageType,
  classification: z
    .enum(LEVELS)
    .default("unclassified")
    .describe("A marking only; the channel determines who sees the message."),
  priority: Priority.default("routine").describe("Precedence by ACP-127."),
  correlationId: z.string().min(1).max(200).optional().describe("The thread that it belongs to."),
  expiresAt: Instant.optional().describe("Not delivered after it."),
  dedupeId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Publishing again with it in the same channel returns the existing message; of another type or payload, 409.",
    ),
};

export const Message = entity("messages", {
  title: "message",
  fields: {
    channelId: TextId,
    channel: z.string().optional().describe("Absent for a direct message."),
    problemSetId: TextId.optional(),
    compartments: Compartments,
    audience: z.enum(MODES).optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    source: z.string().describe("The publisher's DID, set by the server."),
    ...envelope,
    /** The payload's canonical JSON: text, so that no name in it means anything to a store. */
    text: z.string(),
    /** Of publisher, channel and dedupeId. */
    dedupe: z.string().optional(),
    sequence: z.int().min(1).describe("1, 2, 3 … in its channel, without a gap."),
    digest: z
      .string()
      .describe(
        "SHA-256, in hexadecimal, over the digest of the message before (64 zeros for the first) and this one's " +
          "content as canonical JSON (RFC 8785): `channelId`, `classification`, `correlationId`, `dedupeId`, " +
          "`destination`, `expiresAt`, `id`, `payload`, `priority`, `publishedAt`, `sequence`, `source` and " +
          "`type`, absent ones left out.",
      ),
    publishedAt: Instant,
    acknowledgedAt: Instant.optional().describe("When the receiver of a direct message acknowledged it."),
  },
  readonly: [
    "channelId",
    "audience",
    "from",
    "to",
    "source",
    "text",
    "dedupe",
    "sequence",
    "digest",
    "publishedAt",
    "acknowledgedAt",
  ],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "from", "to", "text", "dedupe"],
  barrier: channelReach,
  indexes: [
    { fields: ["channelId", "sequence"], unique: true },
    { fields: ["dedupe"], unique: true, sparse: true },
    {
      fields: ["problemSetId", "priority", "compartments", "-createdAt"],
      enumerated: ["priority"],
      values: { priority: [...PRIORITIES] },
      hiddenBy: "compartments",
    },
    { fields: ["audience", "-createdAt"], sparse: true },
    { fields: ["from", "-createdAt"], sparse: true },
    { fields: ["to", "-createdAt"], sparse: true },
    { fields: ["channel", "-createdAt"] },
    { fields: ["source", "-createdAt"] },
    { fields: ["destination", "-createdAt"], sparse: true },
    { fields: ["type", "-createdAt"] },
    { fields: ["correlationId", "createdAt"], sparse: true },
    { fields: ["createdBy", "-createdAt"] },
  ],
});
export type Message = Item<typeof Message>;

/** A payload was held against its bounds when it came: what goes out is not written anew to see how long it is. */
const PayloadShown = z.record(z.string(), z.unknown()).describe(Payload.description!);
export const MessageView = Message.view.extend({ payload: PayloadShown }).meta({ id: "Message" });
export type MessageView = z.output<typeof MessageView>;
const SHOWN = Object.keys(Message.view.shape) as (keyof Message & keyof MessageView)[];

/** A message as it is sent to people. */
export function messageView(message: Message): MessageView {
  const view: Record<string, unknown> = { payload: JSON.parse(message.text) };
  for (const name of SHOWN) if (message[name] !== undefined) view[name] = message[name];
  return view as MessageView;
}

/** Throws 409 where something else was published under the `dedupeId` of what was given: that would be lost unseen. */
export function demandSame(message: Message, { type, payload }: Pick<MessageView, "type" | "payload">): void {
  if (message.dedupeId === undefined || (message.type === type && message.text === payloadText(payload))) return;
  const { id, sequence, publishedAt } = message;
  throw conflict(`Something else was published with this dedupeId, as number ${sequence}, at ${publishedAt}.`, {
    id,
    sequence,
  });
}

/** What the digest is over, in the names that clients see; in the order of canonical JSON, as `payload` is. */
const CONTENT = [
  "channelId",
  "classification",
  "correlationId",
  "dedupeId",
  "destination",
  "expiresAt",
  "id",
  "payload",
  "priority",
  "publishedAt",
  "sequence",
  "source",
  "type",
] as const;
type Content = Pick<Message, Exclude<(typeof CONTENT)[number], "payload">>;

/** The digest of a channel whose digest was `before` and which this message, with its payload, was added to. */
export const digestAfter = (before: string, message: Content, payload: unknown): string =>
  digestOver(before, message, canonicalPayload(payload)!);

/** The same by the payload's canonical JSON. */
export function digestOver(before: string, message: Content, text: string): string {
  const fields = CONTENT.flatMap((name) => {
    if (name === "payload") return `"payload":${text}`;
    // Texts and whole numbers: canonical JSON writes them as JSON does.
    return message[name] === undefined ? [] : `"${name}":${JSON.stringify(message[name])}`;
  });
  return sha256(`${before}{${fields.join()}}`);
}

export const dedupeKey = (channelId: string, userId: string, dedupeId: string): string =>
  sha256(JSON.stringify([channelId, userId, dedupeId]));

/** A hint to every node that a channel has more messages. */
export const ChannelAdvanced = event(
  "picture.channel.advanced",
  z.object({ channelId: z.string(), sequence: z.int() }),
);
/** A hint to every node that somebody's subscription moved on, and may have room again. */
export const SubscriptionAdvanced = event("picture.subscription.advanced", z.object({ subscriptionId: z.string() }));

export const MessagePublished = liveType("message.published", {
  domain: "messages",
  summary:
    "A message was published: in a channel of a problem set you subscribed to, in one of the platform's (topic " +
    "`messages`), or to you alone",
  permit: "messages:read",
  may: "messages:read",
  topics: ["messages"],
  payload: z.object({
    id: z.string(),
    channelId: z.string(),
    channel: z.string().optional(),
    sequence: z.int(),
    type: z.string(),
    priority: Priority,
    source: z.string(),
  }),
});
