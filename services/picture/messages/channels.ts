import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { Compartments } from "../../../core/access/place.ts";
import { MODES } from "../../../core/access/training-mode.ts";
import { ORIGIN, PRIORITIES, type Message } from "./messages.ts";
import { PLACE, channelReach } from "./place.ts";

export const ChannelName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/,
    "Must be letters from a to z, digits and . _ : -, up to 100 of them, the first a letter or digit.",
  )
  .describe("A channel's name; the channel is created by its first use.");

/** Channels of one problem set, its compartments' included; as many of the platform's in each mode. */
export const MOST_IN_PLACE = 2_000;
/** Channels and lines that one person begins, wherever: nobody fills a place alone. */
export const MOST_BY_PERSON = 500;
/** Kinds of messages that are counted apart in a channel; those beyond are counted together. */
const MOST_TYPES = 100;
const OTHER_TYPES = "(other)";

const Count = z.object({ of: z.string(), count: z.int() });
const Head = z.object({
  sequence: z.int().describe("How many messages were published; 0 before the first."),
  digest: z.string().describe("Of all messages up to it, as `digest` of the last one tells."),
  at: Instant.optional(),
});
export type ChannelHead = z.output<typeof Head>;
export const NO_HEAD: ChannelHead = { sequence: 0, digest: ORIGIN };

/**
 * A channel, or the line between two people. `head` and the counts are kept by whoever published, after the fact: they
 * say how far they go, and what follows is counted when somebody asks.
 */
export const Channel = entity("messages.channels", {
  title: "channel",
  fields: {
    problemSetId: TextId.optional(),
    compartments: Compartments,
    audience: z.enum(MODES).optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    channel: ChannelName.optional(),
    head: Head,
    types: z.array(Count),
    priorities: z.array(Count),
  },
  readonly: ["audience", "from", "to", "head", "types", "priorities"],
  immutable: ["problemSetId", "compartments", "channel"],
  hidden: ["audience", "from", "to", "types", "priorities"],
  filter: ["problemSetId", "channel"],
  barrier: channelReach,
  indexes: [
    { fields: ["problemSetId", "channel"] },
    { fields: ["audience", "channel"], sparse: true },
    { fields: ["from"], sparse: true },
    { fields: ["to"], sparse: true },
    { fields: ["createdBy"] },
  ],
});
export type Channel = Item<typeof Channel>;
export type ChannelPlace = Pick<Channel, (typeof PLACE)[number] | "id" | "channel">;

export const Mine = z
  .object({
    acknowledgedThrough: z
      .int()
      .describe("Everything up to it is settled: acknowledged, expired, passed over or dead."),
    waiting: z
      .int()
      .describe(
        "Messages after that which are still to be delivered or acknowledged; among those not come to yet, " +
          "what the subscription will skip counts too.",
      ),
    deadLetters: z.int(),
  })
  .meta({ id: "ChannelPosition" });

export const ChannelView = z
  .object({
    id: z.string(),
    channel: ChannelName,
    problemSetId: z.string().optional(),
    compartments: z.array(z.string()),
    sequence: z.int().describe("Of the last message; 0 before the first."),
    digest: z
      .string()
      .describe(
        "Of all messages so far. Whoever replays the channel computes the same: SHA-256 over the digest before " +
          "and the canonical JSON (RFC 8785) of each message's content.",
      ),
    lastPublishedAt: Instant.nullable(),
    createdAt: Instant,
    mine: Mine.nullable().describe("Your subscription, if you have one."),
    subscribers: z.int().optional().describe("Number of subscribers; for those who manage the problem set's members."),
  })
  .meta({ id: "Channel" });

export const channelStart = { head: NO_HEAD, types: [], priorities: [] };

type Counts = z.output<typeof Count>[];

function added(counts: Counts, keys: readonly string[], most: number): Counts {
  const tally = new Map(counts.map(({ of, count }) => [of, count]));
  for (const key of keys) {
    const of = tally.has(key) || tally.size < most ? key : OTHER_TYPES;
    tally.set(of, (tally.get(of) ?? 0) + 1);
  }
  return [...tally].map(([of, count]) => ({ of, count }));
}

/**
 * What a channel's counts are once these messages, which follow its head without a gap, are counted; null where they do
 * not follow.
 */
export function counted(
  { head, types, priorities }: Pick<Channel, "head" | "types" | "priorities">,
  messages: readonly Pick<Message, "sequence" | "digest" | "publishedAt" | "type" | "priority">[],
): Pick<Channel, "head" | "types" | "priorities"> | null {
  const news = messages.filter(({ sequence }) => sequence > head.sequence);
  const last = news.at(-1);
  if (!last || news[0]!.sequence !== head.sequence + 1) return null;
  return {
    head: { sequence: last.sequence, digest: last.digest, at: last.publishedAt },
    types: added(
      types,
      news.map(({ type }) => type),
      MOST_TYPES,
    ),
    priorities: added(
      priorities,
      news.map(({ priority }) => priority),
      PRIORITIES.length,
    ),
  };
}
