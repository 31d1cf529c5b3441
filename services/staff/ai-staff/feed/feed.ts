import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { derivedId } from "../../../../core/ids.ts";
import { badRequest } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

const HOUR_MS = 3_600_000;
/** Items due later than this are not urgent yet. */
const URGENT_HOURS = 72;
const FADING_HOURS = 48;
const WEIGHTS = { severity: 50, urgency: 30, novelty: 20 } as const;

export const FEED_SEVERITIES = { info: 0, low: 0.25, medium: 0.5, high: 0.75, critical: 1 } as const;
const severities = Object.keys(FEED_SEVERITIES) as [keyof typeof FEED_SEVERITIES, ...(keyof typeof FEED_SEVERITIES)[]];

export const Tab = z.string().regex(/^[a-z][a-z0-9-]{0,59}$/, "Lower-case words with hyphens.");

/** Something that the staff should look at. */
export const FeedItem = entity("ai-staff.feed", {
  title: "feed item",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    tab: Tab.optional().describe("The tab of the workspace that it belongs to."),
    title: z.string().trim().min(1).max(200),
    text: z.string().max(4_000).optional(),
    severity: z.enum(severities).default("medium"),
    dueAt: Instant.optional().describe("When something must be done about it."),
    subject: z
      .strictObject({ type: z.string().min(1).max(40), id: TextId })
      .optional()
      .describe("The record that it is about."),
    agentId: TextId.optional().describe("The agent that put it there, where one did."),
    /** The severity as a number, for sorting in the store. */
    weight: z.number(),
  },
  readonly: ["agentId", "weight"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["weight"],
  filter: ["tab"],
  barrier,
  lists: [
    { by: ["problemSetId"], sort: ["-createdAt", "-weight"] },
    { by: ["problemSetId"], having: "dueAt", sort: ["dueAt"] },
  ],
  indexes: [{ fields: ["createdBy"] }],
});
export type FeedItem = Item<typeof FeedItem>;

export const Rank = z
  .object({
    score: z.number().describe("50 · severity + 30 · urgency + 20 · novelty."),
    severity: z.number().describe("0 to 1."),
    urgency: z.number().describe("1 once it is due; falls to 0 at 72 hours before."),
    novelty: z.number().describe("0 once you have read it; halves in about 33 hours."),
  })
  .meta({ id: "FeedRank" });
export type Rank = z.output<typeof Rank>;
export const FeedView = FeedItem.view
  .extend({ rank: Rank, read: z.boolean().describe("Whether you have read it.") })
  .meta({ id: "FeedItem" });

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** How much an item matters to somebody at a moment, with the parts that add up to it. */
export function rankOf(
  { severity, dueAt, createdAt }: Pick<FeedItem, "severity" | "dueAt" | "createdAt">,
  isRead: boolean,
  asOf: number,
): Rank {
  const hours = dueAt === undefined ? Infinity : (Date.parse(dueAt) - asOf) / HOUR_MS;
  const age = Math.max(0, asOf - Date.parse(createdAt)) / HOUR_MS;
  const parts = {
    severity: FEED_SEVERITIES[severity],
    urgency: rounded(hours <= 0 ? 1 : Math.max(0, 1 - hours / URGENT_HOURS)),
    novelty: isRead ? 0 : rounded(Math.exp(-age / FADING_HOURS)),
  };
  const { severity: s, urgency: u, novelty: n } = parts;
  return { score: rounded(WEIGHTS.severity * s + WEIGHTS.urgency * u + WEIGHTS.novelty * n), ...parts };
}

/** Marks that somebody has read an item. */
export const Mark = entity("ai-staff.marks", {
  fields: { by: z.string(), problemSetId: TextId, itemId: TextId, readAt: Instant },
  indexes: [{ fields: ["by"] }, { fields: ["itemId"] }],
});
export type Mark = Item<typeof Mark>;
export const markId = (by: string, itemId: string): string => derivedId(`read ${by} ${itemId}`);

/** The latest times at which somebody marked everything before a moment as read. */
export const ReadAll = entity("ai-staff.read-alls", {
  fields: { by: z.string(), problemSetId: TextId, times: z.array(z.object({ before: Instant, at: Instant })) },
  indexes: [{ fields: ["by"] }],
});
export type ReadAll = Item<typeof ReadAll>;
export const readAllId = (by: string, problemSetId: string): string => derivedId(`read all ${by} ${problemSetId}`);
const MOST_TIMES = 20;
type Time = ReadAll["times"][number];
/** The times with one more; an earlier moment makes nothing unread. */
export const withTime = (times: readonly Time[], { before, at }: Time): Time[] => {
  const last = times.at(-1)?.before ?? before;
  return [...times, { before: last > before ? last : before, at }].slice(-MOST_TIMES);
};

/** Whether somebody had read an item by a moment. Items that came after the marked time are unread. */
export const isReadBy = (
  { createdAt }: Pick<FeedItem, "createdAt">,
  { mark, all }: { mark: Pick<Mark, "readAt"> | undefined; all: Pick<ReadAll, "times"> | null },
  asOf: string,
): boolean =>
  (mark !== undefined && mark.readAt <= asOf) ||
  (all?.times.some(({ before, at }) => at <= asOf && createdAt <= before) ?? false);

/** Where a page ended, in the feed as it was at a moment. */
export interface FeedCursor {
  asOf: number;
  score: number;
  id: string;
}
export const cursorOf = ({ asOf, score, id }: FeedCursor): string =>
  Buffer.from(JSON.stringify([asOf, score, id])).toString("base64url");
export function cursorFrom(cursor: string): FeedCursor {
  try {
    const [asOf, score, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
    if (Number.isSafeInteger(asOf) && typeof score === "number" && typeof id === "string")
      return { asOf: asOf as number, score, id };
  } catch {
    // Falls through to the common answer for invalid cursors.
  }
  throw badRequest("cursor: this is not a cursor that this feed gave.");
}

type Ranked = { id: string; rank: Pick<Rank, "score"> };
const isBehind = (one: Ranked, { score, id }: Pick<FeedCursor, "score" | "id">): boolean =>
  one.rank.score < score || (one.rank.score === score && one.id > id);

/** A page of a feed: by rank, ties by id, after the last page's end. */
export function pageOf<R extends Ranked>(
  items: readonly R[],
  limit: number,
  from?: FeedCursor,
): { rows: R[]; more: boolean } {
  const left = from ? items.filter((one) => isBehind(one, from)) : [...items];
  const ordered = left.sort((one, other) => other.rank.score - one.rank.score || (one.id < other.id ? -1 : 1));
  return { rows: ordered.slice(0, limit), more: ordered.length > limit };
}

export const FeedChanged = liveType("staff.feed.changed", {
  domain: "ai-staff",
  summary: "Something was put on the staff's feed",
  payload: z.object({ id: z.string() }),
});
