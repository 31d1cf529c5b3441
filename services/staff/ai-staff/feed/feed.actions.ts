import { z } from "zod";
import { actorOf, asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { notFound } from "../../../../core/problem.ts";
import { CursorMeta, feeding, Instant, MOST_ROWS, TextId } from "../../../../core/records/entity.ts";
import { FeedItemAdded } from "../events.ts";
import {
  cursorOf,
  FeedChanged,
  FeedItem,
  FeedView,
  isReadBy,
  Mark,
  markId,
  pageOf,
  cursorFrom,
  rankOf,
  ReadAll,
  readAllId,
  FEED_SEVERITIES,
  Tab,
  withTime,
} from "./feed.ts";

const set = "problemSetId";
const MESH = asSystem("ai-staff");
/** Candidates for a page, at most: the newest, the most severe, and those due first. */
const NEWEST = 400;
const GRAVEST = 200;
const path = { problemSetId: TextId };
export const reading = { set, may: "ai-staff:read" } as const;
/** A read mark belongs to one person: it is allowed in an archived set too. */
const own = { ...reading, own: true } as const;

/** All candidates, each once. */
async function candidates(host: Host, ctx: Ctx<unknown>, where: object, asOf: string): Promise<FeedItem[]> {
  const query = { ...where, createdAt: { $lte: asOf } };
  const store = host.store(FeedItem);
  const found = await Promise.all([
    store.find(ctx, query, { sort: ["-createdAt"], limit: NEWEST }),
    store.find(ctx, query, { sort: ["-weight"], limit: GRAVEST }),
    store.find(ctx, { ...query, dueAt: { $exists: true } }, { sort: ["dueAt"], limit: GRAVEST }),
  ]);
  return [...new Map(found.flat().map((item) => [item.id, item])).values()];
}

/** Items as one person sees them at a moment. */
async function shown(host: Host, by: string, items: readonly FeedItem[], asOf: number) {
  const [first] = items;
  if (!first) return [];
  const [marks, all] = await Promise.all([
    host.store(Mark).many(
      MESH,
      items.map(({ id }) => markId(by, id)),
    ),
    host.store(ReadAll).one(MESH, { _id: readAllId(by, first.problemSetId) }),
  ]);
  const marked = new Map(marks.map((mark) => [mark.itemId, mark]));
  return items.map((item) => {
    const read = isReadBy(item, { mark: marked.get(item.id), all }, iso(asOf));
    return { ...item, read, rank: rankOf(item, read, asOf) };
  });
}

export const feedActions = {
  "feedItems.list": endpoint({
    rest: "GET /:problemSetId/feed",
    summary: "List what the staff should look at, most important first",
    permit: "signed-in",
    within: reading,
    path,
    query: {
      tab: Tab.optional(),
      ...feeding,
    },
    returns: list(
      FeedView,
      CursorMeta.extend({
        asOf: Instant.describe("The moment for which the ranking was made; the cursor keeps it."),
        unread: z.int().describe("How many of the ranked ones you have not read."),
      }),
    ),
    tool: "list_staff_feed",
    description:
      "Ranked by `50 · severity + 30 · urgency + 20 · novelty`, with each part shown: what is due, what is serious, " +
      "what you have not read. The ranking is personal and fixed at one moment, so that pages neither skip nor " +
      `repeat: the newest ${NEWEST}, the ${GRAVEST} most serious, and the ${GRAVEST} due first.`,
    async handler(ctx) {
      const { problemSetId, tab, cursor } = ctx.params;
      const limit = Math.min(ctx.params.limit, MOST_ROWS);
      const from = cursor === undefined ? undefined : cursorFrom(cursor);
      const asOf = Math.min(from?.asOf ?? Infinity, this.world.clock.now());
      const items = await candidates(this, ctx, { problemSetId, ...(tab && { tab }) }, iso(asOf));
      const ranked = await shown(this, actorOf(ctx), items, asOf);
      const { rows, more } = pageOf(ranked, limit, from);
      const last = rows.at(-1);
      return {
        data: rows,
        meta: {
          limit,
          next: more && last ? cursorOf({ asOf, score: last.rank.score, id: last.id }) : null,
          asOf: iso(asOf),
          unread: ranked.filter(({ read }) => !read).length,
        },
      };
    },
  }),

  "feedItems.add": endpoint({
    rest: "POST /:problemSetId/feed",
    summary: "Add an item to the staff's feed",
    tool: "add_feed_item",
    permit: "signed-in",
    within: { set, may: "ai-staff:add" },
    path,
    body: (({ problemSetId: _set, ...fields }) => fields)(FeedItem.create),
    returns: data(FeedView),
    status: 201,
    description: "Open to members, and to agents that have the tool `add_feed_item`.",
    example: { title: "The bridge is closed from Friday", severity: "high", tab: "plan" },
    async handler(ctx) {
      const { severity } = ctx.params;
      const agentId = ctx.meta.actor?.agent?.id;
      const by = actorOf(ctx);
      const item = await this.store(FeedItem).create(
        ctx,
        { ...ctx.params, weight: FEED_SEVERITIES[severity], ...(agentId && { agentId }) },
        {
          facts: ({ id, problemSetId, compartments, title }: FeedItem) => [
            FeedItemAdded.fact(id, { id, problemSetId, compartments, by, title }),
          ],
        },
      );
      const { problemSetId, compartments } = item;
      await live(this, { event: FeedChanged, to: { problemSetId, compartments }, data: { id: item.id } });
      const [view] = await shown(this, by, [item], this.world.clock.now());
      return view!;
    },
  }),

  "feedItems.markRead": endpoint({
    rest: "PATCH /:problemSetId/feed/:itemId/read",
    summary: "Mark something on the feed as read by you",
    permit: "signed-in",
    within: own,
    on: FeedItem,
    by: "itemId",
    path,
    audit: false,
    returns: data(FeedView),
    description: "Personal: nobody else's order changes. Repeating it is harmless.",
    async handler(ctx, item) {
      if (item.problemSetId !== ctx.params.problemSetId) throw notFound(FeedItem.title, item.id);
      const by = actorOf(ctx);
      const now = this.world.clock.now();
      const mark = { id: markId(by, item.id), by, problemSetId: item.problemSetId, itemId: item.id, readAt: iso(now) };
      await this.store(Mark).createOnce(ctx, mark);
      const [view] = await shown(this, by, [item], now);
      return view!;
    },
  }),

  "feedItems.markAllRead": endpoint({
    rest: "POST /:problemSetId/feed/read-all",
    summary: "Mark the whole feed as read by you",
    permit: "signed-in",
    within: own,
    path,
    body: { before: Instant.optional().describe("Later items stay unread; without it, now.") },
    audit: false,
    returns: data(z.object({ before: Instant })),
    example: {},
    async handler(ctx) {
      const by = actorOf(ctx);
      const at = iso(this.world.clock.now());
      const { problemSetId } = ctx.params;
      const before = ctx.params.before === undefined || ctx.params.before > at ? at : ctx.params.before;
      const id = readAllId(by, problemSetId);
      const time = { before, at };
      const { made } = await this.store(ReadAll).createOnce(ctx, { id, by, problemSetId, times: [time] });
      if (!made) await this.store(ReadAll).amend(ctx, id, ({ times }) => ({ times: withTime(times, time) }));
      return { before };
    },
  }),
};
