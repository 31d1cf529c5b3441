import { randomBytes } from "node:crypto";
import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { invalid } from "../../../../core/problem.ts";
import { barrier } from "../../../../core/access/place.ts";
import { textOfPersons } from "../../../../core/access/person-reference.ts";
import { kindNames, Subject, type Activity } from "./activity.ts";

export const CHANNELS = ["in-app", "email", "webhook"] as const;
const DIGESTS = ["at-once", "hourly", "daily"] as const;

const knows = (pattern: string): boolean =>
  pattern === "*" ||
  kindNames().some((name) => name === pattern || (pattern.endsWith(".*") && name.startsWith(pattern.slice(0, -1))));
/** What there is instead of a kind that there is not: those of its noun, or the nouns. */
function kindsInstead(pattern: string): string {
  const [noun] = pattern.split(".");
  const names = kindNames();
  const ofNoun = names.filter((name) => name.startsWith(`${noun}.`));
  return ofNoun.length
    ? `There is no such kind of activity; of ${noun} there are ${ofNoun.join(", ")}, and ${noun}.* for all of them.`
    : `There is no such kind of activity; kinds are of ${[...new Set(names.map((name) => name.split(".")[0]))].join(", ")}.`;
}
const KindPattern = z
  .string()
  .max(80)
  .refine(knows, { error: ({ input }) => kindsInstead(String(input)) });

/** What somebody wants to be told of in a problem set, and how. It is theirs alone. */
export const ActivitySubscription = entity("problem-sets.subscriptions", {
  title: "subscription",
  fields: {
    problemSetId: TextId,
    userId: z.string(),
    kinds: z.array(KindPattern).min(1).max(50).describe("`gate.submitted`, `gate.*`, `*`."),
    filter: z
      .strictObject({
        subjectId: TextId.optional(),
        by: z.string().max(200).optional(),
        text: z.string().trim().min(1).max(200).optional().describe("Words that the summary contains."),
      })
      .optional(),
    channel: z.enum(CHANNELS).default("in-app"),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional()
      .describe("Receiver of the channel `webhook`; deliveries are signed as Standard Webhooks has it."),
    digest: z.enum(DIGESTS).default("at-once").describe("Sent immediately, or collected hourly or daily (UTC)."),
    active: z.boolean().default(true),
    secret: z.string().describe("Sealed."),
  },
  readonly: ["userId", "secret"],
  immutable: ["problemSetId", "channel"],
  hidden: ["secret"],
  filter: ["channel", "active"],
  barrier: { set: "problemSetId" },
  most: {
    count: 50,
    per: ["problemSetId", "userId"],
    refusal: (count) =>
      invalid([{ path: "kinds", message: `You have ${count} subscriptions here; change one of them.` }]),
  },
  lists: [{ by: ["userId", "problemSetId"] }],
  indexes: [{ fields: ["problemSetId", "active"] }, { fields: ["problemSetId", "userId"] }],
});
export type ActivitySubscription = Item<typeof ActivitySubscription>;

/** A subscription's line about one activity item; it lies where the item lies. */
export const Notification = entity("problem-sets.notifications", {
  title: "notification",
  fields: {
    problemSetId: TextId,
    compartments: z.array(TextId),
    userId: z.string(),
    subscriptionId: TextId,
    activityId: TextId,
    kind: z.string(),
    summary: textOfPersons(z.string()).describe("In words."),
    subject: Subject.optional(),
    at: Instant,
    channel: z.enum(CHANNELS),
    status: z.enum(["due", "told", "dropped", "dead", "simulated"]),
    dueAt: Instant.optional(),
    attempts: z.int(),
    lastError: z.string().optional(),
    since: Instant,
    read: z.boolean(),
  },
  immutable: ["problemSetId"],
  hidden: ["dueAt", "attempts", "lastError", "since"],
  filter: ["read"],
  barrier,
  lists: [{ by: ["userId", "problemSetId"], filter: ["status", "read"], sort: ["-at"] }],
  indexes: [{ fields: ["dueAt"], sparse: true }],
});
export type Notification = Item<typeof Notification>;

const matches = (pattern: string, kind: string): boolean =>
  pattern === "*" || pattern === kind || (pattern.endsWith(".*") && kind.startsWith(pattern.slice(0, -1)));

/** Whether a subscription asks for an item; nobody is told of what they did themself. */
export function wants({ userId, kinds, filter, active }: ActivitySubscription, item: Activity): boolean {
  if (!active || item.by === userId || !kinds.some((pattern) => matches(pattern, item.kind))) return false;
  if (filter?.subjectId && item.subject?.id !== filter.subjectId) return false;
  if (filter?.by && item.by !== filter.by) return false;
  return !filter?.text || item.summary.toLowerCase().includes(filter.text.toLowerCase());
}

const HOUR_MS = 3_600_000;
/** When an item is told of: now, or at the end of the hour or of the day (UTC). */
export function dueOf(digest: ActivitySubscription["digest"], nowMs: number): number {
  if (digest === "at-once") return nowMs;
  const unit = digest === "hourly" ? HOUR_MS : 24 * HOUR_MS;
  return (Math.floor(nowMs / unit) + 1) * unit;
}

export const mintSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;
