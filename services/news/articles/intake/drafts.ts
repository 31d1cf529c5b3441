import { hash } from "node:crypto";
import { z } from "zod";
import type { ParsedItem } from "../../../../adapters/feeds/feed.ts";
import { NumberId } from "../../../../core/records/entity.ts";
import { Domain } from "../../sources/events.ts";
import { canonicalUrl } from "../dedup/canonical-url.ts";
import { fingerprint } from "../dedup/fingerprint.ts";
import { contentHash, normalizedWording, type Normalized } from "../dedup/wording.ts";

export const MOST_ITEMS = 200;

/** What a source hands over: items of its feed, as they were fetched. */
export const FeedDelivery = {
  source: z.object({
    id: NumberId,
    name: z.string().min(1).max(200),
    domain: Domain,
    fullText: z.boolean().default(false),
    successRate: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe("Share of its last fetches that succeeded; this one did."),
  }),
  items: z
    .array(
      z.custom<ParsedItem>(
        (item) => typeof item === "object" && item !== null && "title" in item && "publishedAt" in item,
      ),
    )
    .max(MOST_ITEMS),
  fetchedAt: z.iso.datetime(),
};
export type FeedDelivery = z.output<z.ZodObject<typeof FeedDelivery>>;

export const IntakeOutcome = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  skipped: z.int().describe("Removed before, or older than the retention time."),
});
export type IntakeOutcome = z.output<typeof IntakeOutcome>;

/**
 * Sorts the editions of one item: by fetch, then by the publisher's own time, then by content, so that the order of
 * arrival does not matter.
 */
export type Edition = readonly [fetchedAt: string, own: string];

export const isNewer = ([fetchedAt, own]: Edition, [otherFetchedAt, otherOwn]: Edition): boolean =>
  fetchedAt > otherFetchedAt || (fetchedAt === otherFetchedAt && own > otherOwn);

/** Characters of a SHA-256 in base64url: 132 bits, unique beyond chance. */
const DIGITS = 22;

/**
 * A key within a source. The source leads, so that the keys of a batch lie side by side in the indexes. No key holds
 * the colon that ends it in a text's id.
 */
const keyOf = (sourceId: number, kind: "guid" | "url" | "content", value: string): string =>
  `${sourceId.toString(36)}.${hash("sha256", `${kind}\n${value}`, "base64url").slice(0, DIGITS)}`;

/** Whether an address is one article's own, and not a site's front page that many items link to. */
function isParticular(canonical: string): boolean {
  const url = URL.parse(canonical);
  return url !== null && (url.pathname !== "/" || url.search !== "");
}

/** An item, and what tells it from others. */
export class ArticleDraft {
  readonly item: ParsedItem;
  /** The GUID within the source, else the address, else the content. */
  readonly key: string;
  /** The address within the source, where it is one article's own. */
  readonly urlKey: string | undefined;
  /** When it was published, where its feed says so. */
  readonly moment: string | undefined;
  readonly contentHash: string;
  readonly edition: Edition;
  readonly #wording: Normalized;
  #fingerprint: string | undefined;

  constructor(item: ParsedItem, sourceId: number, fetchedAt: string) {
    const canonical = item.url === undefined ? undefined : canonicalUrl(item.url);
    this.item = item;
    this.moment = item.dateInferred ? undefined : item.publishedAt;
    this.#wording = normalizedWording(item);
    this.contentHash = contentHash(this.#wording);
    this.urlKey = canonical !== undefined && isParticular(canonical) ? keyOf(sourceId, "url", canonical) : undefined;
    this.key =
      item.guid === undefined
        ? (this.urlKey ?? keyOf(sourceId, "content", this.contentHash))
        : keyOf(sourceId, "guid", item.guid);
    this.edition = [fetchedAt, `${item.updatedAt ?? (item.dateInferred ? "" : item.publishedAt)}/${this.contentHash}`];
  }

  /** Worked out when asked for: most items of a feed are known and unchanged. */
  get fingerprint(): string {
    return (this.#fingerprint ??= fingerprint(this.#wording));
  }
}
