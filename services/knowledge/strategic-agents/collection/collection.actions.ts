import { z } from "zod";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { LONGEST_QUERY } from "../../../../core/text/searching/query-language.ts";
import { Collected } from "./collected.ts";
import { collect } from "./collecting.ts";

const set = "problemSetId";

/** What is searched in the news, as `GET /api/search` takes it. */
export const Search = {
  q: z.string().trim().min(1).max(LONGEST_QUERY).describe("In the query language of `GET /api/search`."),
  domain: z.string().min(1).max(40).optional().describe("A field of interest of the news; all without it."),
  from: Instant.optional(),
  to: Instant.optional(),
  limit: z.int().min(1).max(100).default(50).describe("Articles that are looked at, the best first."),
};

const Taken = z
  .object({
    id: TextId,
    storyId: z.string(),
    title: z.string(),
    outcome: z.enum(["created", "updated", "known"]),
    articles: z.int(),
  })
  .meta({ id: "CollectedOutcome" });

export const collectionActions = {
  "stories.collect": endpoint({
    rest: "POST /osint/collect",
    summary: "Collect news stories into a problem set",
    permit: "signed-in",
    within: { set, may: "intelligence:collect" },
    body: { problemSetId: Collected.create.problemSetId, compartments: Collected.create.compartments, ...Search },
    returns: data(
      z.object({ q: z.string(), total: z.int().describe("Articles and items that match."), stories: z.array(Taken) }),
    ),
    tool: "collect_stories",
    description:
      "Searches the news with your rights, and keeps one record per story: copies of a wire report and " +
      "other reports of the same event are merged. Of OSINT sources (`/api/admin/osint-sources`) it takes the newest " +
      "items that fit and that you see, each a story of its own, unless they lie in compartments beyond those that you " +
      "collect into. Collecting a story again adds what is new, and only then is it announced.",
    example: { problemSetId: "the problem set's id", q: "dam | flood" },
    async handler(ctx) {
      const { problemSetId, compartments, ...wanted } = ctx.params;
      const place = { problemSetId, compartments };
      const { total, taken } = await collect(this, { asker: ctx, caller: ctx, place, wanted });
      return { q: wanted.q, total, stories: taken };
    },
  }),

  "stories.list": endpoint({
    rest: "GET /osint/stories",
    summary: "List the stories that were collected",
    permit: "signed-in",
    beyond: true,
    within: { set, may: "intelligence:read" },
    query: Collected.query,
    returns: list(Collected.view),
    handler(ctx) {
      return this.store(Collected).page(ctx, ctx.params);
    },
  }),
};
