import { z } from "zod";
import { Instant } from "../../../../core/records/entity.ts";
import { FETCH_OUTCOMES } from "../events.ts";
import type { UnreadPages } from "./fetching.ts";

/** So many fetches of a source are kept. */
const KEPT_FETCHES = 50;

/** One fetch of a source, as its history tells it. */
export const Fetch = z
  .object({
    at: Instant,
    outcome: z.enum(FETCH_OUTCOMES).describe("`unchanged`: the server said so (304), or sent the same bytes again."),
    manual: z.boolean().describe("Somebody asked for it."),
    status: z.int().nullable().describe("Status of the HTTP answer; null without one."),
    url: z.string().describe("Where the answer came from, after redirects."),
    created: z.int(),
    updated: z.int(),
    bytes: z.int().describe("Of the document, decompressed."),
    milliseconds: z.int(),
    kind: z
      .string()
      .nullable()
      .describe(
        "What sort of failure: `timeout`, `dns`, `tls`, `not-found`, `rate-limited`, `malformed`, `defect` (ours) ...",
      ),
    error: z.string().nullable().describe("Why it failed, in words."),
    notes: z
      .array(z.string())
      .describe(
        "Further information: redirects followed, a feed discovered, corrections of the document or omissions.",
      ),
  })
  .meta({ id: "SourceFetch" });
export type Fetch = z.output<typeof Fetch>;

/** The history's record: one a source, the newest last; each entry pushes the oldest out. */
export const historyEntry = (sourceId: number, fetch: Fetch) => ({
  update: { _id: sourceId },
  with: { $push: { fetches: { $each: [fetch] as [Fetch], $slice: -KEPT_FETCHES } } },
  upsert: true,
});

export type Kept = ReturnType<typeof historyEntry>;

/** Takes the entry off again. */
export const unkeeping = ({ with: { $push } }: Kept) => {
  const [{ at, milliseconds, outcome }] = $push.fetches.$each;
  return { $pull: { fetches: { at, milliseconds, outcome } } };
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What whoever follows full texts wants to know of pages that could not be read. */
export const unreadInWords = ({ count, example }: UnreadPages): string[] =>
  example
    ? [
        `${counted(count, "page", "pages")} could not be read since the fetch before: of ${count === 1 ? "this article" : "these articles"} there is ` +
          `the feed's text only. ${count === 1 ? "It is" : "The last is"} ${example.url}. ${example.why}`,
      ]
    : [];

/** One sentence about a fetch, for people. */
export function fetchInWords({
  outcome,
  created,
  updated,
  error,
}: Pick<Fetch, "outcome" | "created" | "updated" | "error">): string {
  if (outcome === "failed") return error ?? "The fetch failed.";
  if (outcome === "unchanged" || (created === 0 && updated === 0)) return "Nothing new.";
  return (
    `${counted(created, "new article", "new articles")}, ` +
    `${counted(updated, "updated article", "updated articles")}.`
  );
}
