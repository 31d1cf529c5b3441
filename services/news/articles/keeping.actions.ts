import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { Instant, NumberId } from "../../../core/records/entity.ts";
import type { IndexBatch } from "./client.ts";
import { ArticlesChanged } from "./events.ts";
import { FeedDelivery, IntakeOutcome } from "./intake/drafts.ts";
import type { Articles } from "./host.ts";
import type { UnreadPages } from "./intake/pages.ts";

const Marked = z.array(z.object({ id: z.union([z.int(), z.string()]), mark: z.string() }));
const limit = z.int().min(1).max(1_000);

/** How articles come in, and how search learns of them: the mesh's own. */
export const keepingActions = {
  store: endpoint({
    summary: "Take in items of a source's feed",
    permit: "internal",
    description:
      "Idempotent: again, in parts or in another order changes nothing. An item is known by its GUID within " +
      "the source, else by its address, else by its content; an unknown GUID at a known address with nearly " +
      "the same words is the item published again. There is one article for each source and item; copies of " +
      "one report, whatever the source, share a `storyId`.",
    body: FeedDelivery,
    returns: bare(IntakeOutcome),
    async handler(ctx) {
      const { source } = ctx.params;
      const outcome = await (this as Articles).intake.store(ctx, ctx.params);
      const { created, updated } = outcome;
      (this as Articles).arrivals.note(source, created);
      if (created || updated) await ArticlesChanged.emit(ctx, { sourceId: source.id, created, updated });
      return outcome;
    },
  }),

  unindexed: endpoint({
    summary: "What search does not show as it is, oldest change first",
    permit: "internal",
    body: { limit },
    returns: bare(z.custom<IndexBatch>()),
    handler(ctx) {
      return (this as Articles).marks.next(ctx.params.limit);
    },
  }),

  indexed: endpoint({
    summary: "Search shows these changes now",
    permit: "internal",
    body: { marks: Marked, refused: Marked, removals: Marked },
    returns: bare(z.null()),
    async handler(ctx) {
      await (this as Articles).marks.confirm(ctx.params);
      return null;
    },
  }),

  documents: endpoint({
    summary: "All articles as search has them, page by page",
    permit: "internal",
    body: { after: z.int().min(0), upTo: z.int().min(0).optional(), limit },
    returns: bare(z.custom<Awaited<ReturnType<Articles["marks"]["page"]>>>()),
    handler(ctx) {
      return (this as Articles).marks.page(ctx.params.after, ctx.params.limit, ctx.params.upTo);
    },
  }),

  waiting: endpoint({
    summary: "How many articles there are, and how many changes search does not show",
    permit: "internal",
    returns: bare(
      z.object({
        stored: z.int(),
        waiting: z.int(),
        oldest: z.string().nullable(),
        last: z.int().describe("The highest id; 0 where there is no article."),
      }),
    ),
    handler() {
      return (this as Articles).marks.waiting();
    },
  }),

  retain: endpoint({
    summary: "Remove what is older than the retention time and cited by no briefing",
    permit: "internal",
    returns: bare(z.object({ removed: z.int() })),
    async handler(ctx) {
      const { RETENTION_DAYS } = this.world.env;
      const removed = RETENTION_DAYS ? await (this as Articles).removal.retain(RETENTION_DAYS) : 0;
      if (removed) await ArticlesChanged.emit(ctx, {});
      return { removed };
    },
  }),

  unreadPages: endpoint({
    summary: "How many pages of a source could not be read since a moment, with the last of them",
    permit: "internal",
    body: { sourceId: NumberId, since: Instant },
    returns: bare(z.custom<UnreadPages>()),
    handler(ctx) {
      return (this as Articles).pages.unread(ctx.params.sourceId, ctx.params.since);
    },
  }),

  visitPages: endpoint({
    summary: "Fetch the whole text of articles whose page is due",
    permit: "internal",
    returns: bare(z.object({ gained: z.int() })),
    async handler(ctx) {
      const gained = await (this as Articles).pages.visit();
      if (gained) await ArticlesChanged.emit(ctx, {});
      return { gained };
    },
  }),
};
