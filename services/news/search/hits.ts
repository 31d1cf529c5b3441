import { z } from "zod";
import { Instant, NumberId, paging } from "../../../core/records/entity.ts";
import { invalid } from "../../../core/problem.ts";
import { LONGEST_QUERY } from "../../../core/text/searching/query-language.ts";
import { MOST_COPIES, TOTAL_BOUND, type SearchHit, type SearchOrder } from "../../../core/records/reading/search.ts";
import { period } from "../articles/client.ts";
import { Domain } from "../sources/events.ts";

const MISSING = "is required, once: what to search for, such as q=climate.";

/** What a search takes. */
export const SearchQuery = {
  q: z
    .string({ error: MISSING })
    .trim()
    .min(1, MISSING)
    .max(LONGEST_QUERY, `A query may be at most ${LONGEST_QUERY} characters long.`)
    .describe(
      'Words are all required; `"…"` is a phrase, `|` means either, `-` excludes, `title:` `source:` ' +
        "`domain:` limit to a field. See `GET /api/search/syntax`.",
    ),
  domain: Domain.optional(),
  ...period,
  ...paging,
  copies: z
    .enum(["fold", "list"])
    .default("fold")
    .describe(
      "Whether copies of one text (a wire report in many newspapers) are grouped under the first of " +
        "them in the order of `sort`, or listed separately. `meta.total` counts each of them either way.",
    ),
  sort: z
    .enum(["-relevance", "-publishedAt", "publishedAt"])
    .default("-relevance")
    .describe("The best matches first, the newest, or the oldest."),
  facets: z
    .boolean()
    .default(false)
    .describe("Also count the articles found by domain, source and month, in `meta.facets`."),
};

export const Hit = z
  .object({
    id: NumberId,
    title: z.string(),
    snippet: z
      .string()
      .describe("Text around the matches; each match is in `<mark>`, everything else is HTML-escaped."),
    url: z.string(),
    source: z.string().describe("The source's name."),
    domain: Domain,
    confidence: z.number().min(0).max(1),
    publishedAt: Instant,
    relevance: z
      .number()
      .min(0)
      .max(1)
      .describe("Higher is a better match; falls from hit to hit, unless they are sorted otherwise."),
    storyId: z.string().describe("Articles of one story share it."),
    copies: z
      .array(z.object({ id: NumberId, source: z.string(), url: z.string(), publishedAt: Instant }))
      .optional()
      .describe(`Where else the same text was found, oldest first, ${MOST_COPIES} at most; absent where nowhere.`),
    copyCount: z.int().optional().describe("How many copies were found."),
  })
  .meta({ id: "SearchHit" });

const Counts = z.record(z.string(), z.int());
export const FoundArticles = z.object({
  query: z.string().describe("As it was asked."),
  total: z.int().describe(`How many articles match, grouped copies counted; at ${TOTAL_BOUND} there may be more.`),
  took: z.number().min(0).describe("Milliseconds."),
  page: z.int(),
  limit: z.int(),
  normalized: z.string().describe("The query as it was understood."),
  warnings: z.array(z.string()).describe("What was corrected in it."),
  suggestion: z
    .object({
      q: z.string().describe("What to ask instead."),
      total: z.int().describe("How many articles that finds."),
      reason: z.string(),
    })
    .optional()
    .describe("If nothing was found: the nearest query that has results, if there is one."),
  facets: z.object({ domain: Counts, source: Counts, month: Counts }).optional(),
});

export const hitOf = ({
  id,
  title,
  snippet,
  url,
  source,
  domain,
  confidence,
  publishedAt,
  relevance,
  storyId,
  copies,
  copyCount,
}: SearchHit) => ({
  id,
  title,
  snippet,
  url,
  source,
  domain: domain as Domain,
  confidence,
  publishedAt,
  relevance: Math.round(relevance * 10_000) / 10_000,
  storyId,
  ...(copyCount && { copies, copyCount }),
});

/** What `sort` means to the index. */
export const ORDERS: Readonly<Record<z.output<typeof SearchQuery.sort>, SearchOrder>> = {
  "-relevance": "relevance",
  "-publishedAt": "newest",
  publishedAt: "oldest",
};

/** Where a page begins. Throws 400, naming `page`, beyond what an index can page to. */
export function offsetOf(page: number, limit: number): number {
  const offset = (page - 1) * limit;
  if (offset + limit > TOTAL_BOUND)
    throw invalid([
      { path: "page", message: `Only the first ${TOTAL_BOUND} articles can be paged to; narrow the search.` },
    ]);
  return offset;
}
