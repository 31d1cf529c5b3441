import { z } from "zod";
import { entity, Instant, NumberId, type Item } from "../../../core/records/entity.ts";
import { closedLiteral, feedKey, FeedUrl, hostKey } from "./addresses.ts";
import { Domain } from "./events.ts";
import { HEALTH, WINDOW } from "./health.ts";

const Count = z.int().min(0);

/** What fetching keeps for itself: never sent, and set by nobody outside. */
const INNER = [
  "feedKey",
  "urlKey",
  "host",
  "dueAt",
  "claim",
  "claimedBy",
  "claims",
  "failures",
  "recent",
  "fetchErrors",
  "countedAt",
  "etag",
  "lastModified",
  "bodyHash",
  "ttlMinutes",
] as const;

/** A feed that is polled, and the ingestion's book-keeping about it. */
export const Source = entity("sources", {
  title: "source",
  id: "number",
  fields: {
    name: z.string().trim().min(1).max(200),
    url: FeedUrl.describe(
      "The feed's address, or its site's: the feed is then found at the first fetch. Permanent redirects of " +
        "the feed update it.",
    ),
    domain: Domain,
    fullText: z
      .boolean()
      .default(false)
      .describe("Fetch the page of each article where the feed gives a summary only."),
    active: z.boolean().default(true).describe("Whether it is polled."),
    lastFetch: Instant.nullable().default(null).describe("Of the last try, failed ones too; null before the first."),
    articleCount: Count.default(0),
    feedUrl: z.string().describe("Address of the feed: `url`, or the one discovered there."),
    health: z
      .enum(HEALTH)
      .default("active")
      .describe(
        "By the last ten fetches: `active` without a failure in the last three, `failed` after five in a " +
          "row or when the feed is gone (404, 410), else `degraded`.",
      ),
    lastError: z.string().nullable().default(null).describe("Why the last fetch failed; null after a successful one."),
    nextFetch: Instant.nullable().default(null).describe("Null while the source is off."),
    feedKey: z.string(),
    urlKey: z.string(),
    host: z.string(),
    /**
     * When it is to be taken next. While it is being fetched: the end of the claim, so that one index finds the due and
     * the orphaned.
     */
    dueAt: Instant.optional(),
    /** Whose fetch may settle it. A change of address, of `active`, or another claim takes it away. */
    claim: z.string().optional(),
    /** The process whose schedule took it; absent for a fetch that somebody asked for. */
    claimedBy: z.string().optional(),
    /**
     * Claims since the last settled fetch: more than one means that a fetch was cut off, perhaps after its articles
     * were stored.
     */
    claims: Count.default(0),
    /** Failures in a row. */
    failures: Count.default(0),
    recent: z.array(z.boolean()).max(WINDOW).default([]),
    fetchErrors: Count.default(0),
    countedAt: Instant.optional(),
    etag: z.string().optional(),
    lastModified: z.string().optional(),
    bodyHash: z.string().optional(),
    ttlMinutes: z.number().optional(),
  },
  readonly: ["lastFetch", "articleCount", "feedUrl", "health", "lastError", "nextFetch", ...INNER],
  hidden: [...INNER],
  filter: ["domain", "active", "health"],
  sort: ["name", "lastFetch"],
  lists: [{ by: [] }],
  indexes: [
    { fields: ["feedKey"], unique: true },
    { fields: ["urlKey"], unique: true },
    { fields: ["dueAt"], sparse: true },
    { fields: ["claimedBy"], sparse: true },
  ],
});
export type Source = Item<typeof Source>;

export const SourceView = Source.view
  .extend({
    healthNote: z.string().describe("The health in words, also for a source that was never fetched."),
  })
  .meta({ id: "Source" });

const NOTES: Record<Source["health"], string> = {
  active: "Its last fetches went well.",
  degraded: "A fetch among its last three failed.",
  failed: "Its last fetches failed, or the feed is gone.",
};
/** A source as it is sent. */
export function sourceView(source: Source): Source & { healthNote: string } {
  const never = source.active ? "It was not fetched yet." : "It is off, and was never fetched.";
  return { ...source, healthNote: source.lastFetch ? NOTES[source.health] : never };
}

const { name, url, domain, fullText } = Source.create;
/** The body of create, and of each entry of a bulk. */
export const newSource = { name, url, domain, fullText: fullText.unwrap().optional() };
export type NewSource = z.output<z.ZodObject<typeof newSource>>;

/** What create answers: Document 1's five fields, and no more. */
export const SourceSummary = z
  .object({ id: NumberId, name: z.string(), url: z.string(), domain: Domain, active: z.boolean() })
  .meta({ id: "SourceSummary" });

export const SourceStats = z
  .object({
    articleCount: Count,
    verifiedCount: Count,
    lastWeekArticles: Count.describe("Published within the last seven days."),
    fetchErrors: Count.describe("Failed fetches since the source was added."),
    avgConfidence: z.number().min(0).max(1),
  })
  .meta({ id: "SourceStats" });

/** What follows from a feed's address. */
export const addressed = (address: string) => ({ feedUrl: address, feedKey: feedKey(address), host: hostKey(address) });

/** The record of a new source: due at once, where it is to be polled. */
export const draftedSource = (
  { name, url, domain, fullText = false, active = true }: NewSource & { active?: boolean | undefined },
  at: string,
) => ({
  name,
  url,
  urlKey: feedKey(url),
  ...addressed(url),
  domain,
  fullText,
  active,
  ...(active && { nextFetch: at, dueAt: at }),
});

/** What an analyst may change. */
export const sourceChange = Source.update;
export type SourceChange = z.output<z.ZodObject<typeof sourceChange>>;

/** What was known of the feed at the old address is not true of the new one. */
const forgotten = {
  etag: null,
  lastModified: null,
  bodyHash: null,
  ttlMinutes: null,
  failures: 0,
  recent: [],
  health: "active",
  lastError: null,
} as const;
/** Takes the source out of the hands of a fetch under way, whose result is of no use any more. */
const unclaimed = { claim: null, claimedBy: null } as const;

/**
 * A client's change as a change of the record: turning on and a new address make it due at `at`; turning off ends the
 * polling.
 */
export function changed(source: Source, change: SourceChange, at: string): Record<string, unknown> {
  const moved = change.url !== undefined && change.url !== source.url;
  const active = change.active ?? source.active;
  const turned = active !== source.active;
  return {
    ...change,
    ...(moved && { urlKey: feedKey(change.url!), ...addressed(change.url!), ...forgotten }),
    ...((moved || turned) && {
      ...unclaimed,
      ...(active ? { failures: 0, nextFetch: at, dueAt: at } : { nextFetch: null, dueAt: null }),
    }),
  };
}

/** Whether a change touches what articles and lists carry of the source. */
export const showsElsewhere = (source: Source, change: SourceChange): boolean =>
  (change.name ?? source.name) !== source.name || (change.domain ?? source.domain) !== source.domain;

/** A complaint about an address that the settings close, for the field `path`; none where it is open. */
export function closedAddress(
  address: string | undefined,
  allowPrivate: boolean,
  path = "url",
): { path: string; message: string }[] {
  const message = address === undefined ? undefined : closedLiteral(address, allowPrivate);
  return message ? [{ path, message }] : [];
}
