import { z } from "zod";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, Instant, PageMeta, TextId } from "../../../../core/records/entity.ts";
import { liveTogether } from "../../../../core/contract/live.ts";
import { onEvery, type Fact, type EventSubscription } from "../../../../core/events/event.ts";
import { Activity, ActivityItem, ActivityRead, ActivityView, itemsOf, KindName, readMarkId } from "./activity.ts";
import { watchSubjects } from "../escalations/firing.ts";
import { Member } from "../members/members.ts";
import { notifySubscribers } from "./notifying.ts";

const MESH = asSystem("problem-sets");
const reading = { set: "id", may: "activity:read" };
const inPath = { path: { id: TextId }, within: reading } as const;
const MOST_SETS = 200;

/** Facts of every domain that say how they read become activity; a fact told again finds its item made. */
export const activityHearing: EventSubscription = onEvery("activity", hear);

async function hear(this: Host, facts: readonly Fact[]): Promise<void> {
  const told = facts.flatMap((fact) => itemsOf(fact).map((item) => ({ item, told: fact.data })));
  const given = told.map(({ item }) => item);
  // At once, so that both share a commit.
  const [items] = await Promise.all([this.store(Activity).createEachOnce(MESH, given), watchSubjects(this, told)]);
  await notifySubscribers(
    this,
    items.map(({ record }) => record),
  );
  await liveTogether(
    this,
    items
      .filter(({ made }) => made)
      .map(({ record: data }) => ({
        event: ActivityItem,
        to: { problemSetId: data.problemSetId, compartments: data.compartments },
        data,
      })),
  );
}

export const activityActions = {
  "activityItems.list": endpoint({
    rest: "GET /:id/activity",
    summary: "Read the activity of a problem set, newest first",
    tool: "list_activity",
    permit: "signed-in",
    ...inPath,
    query: {
      ...feeding,
      kind: KindName.optional(),
      by: z.string().max(200).optional().describe("What this person did."),
      since: Instant.optional().describe("From then on."),
    },
    returns: list(ActivityView, CursorMeta),
    description:
      "Built from the facts of every domain of the workspace. Events in a compartment are visible to " +
      "those read into it.",
    handler(ctx) {
      const { id, cursor, limit, kind, by, since } = ctx.params;
      return this.store(Activity).feed(
        ctx,
        { limit, order: "-at", ...(cursor && { cursor }) },
        { problemSetId: id, ...(kind && { kind }), ...(by && { by }), ...(since && { at: { $gte: since } }) },
      );
    },
  }),

  "activityItems.markRead": endpoint({
    rest: "PUT /:id/activity/read",
    summary: "Mark a problem set's activity as seen up to a moment",
    permit: "signed-in",
    beyond: true,
    path: inPath.path,
    within: { ...reading, own: true },
    audit: false,
    body: { until: Instant.optional().describe("Defaults to now; future activity stays unseen.") },
    returns: nothing(),
    status: 204,
    async handler(ctx) {
      const now = iso(this.world.clock.now());
      const { id, until: asked = now } = ctx.params;
      const until = asked < now ? asked : now;
      const { userId } = ctx.meta.actor!;
      const before = await this.store(ActivityRead).one(ctx, { _id: readMarkId(id, userId) });
      if (!before)
        await this.store(ActivityRead).create(ctx, { id: readMarkId(id, userId), problemSetId: id, userId, until });
      else if (before.until < until) await this.store(ActivityRead).revise(ctx, before, { until });
      return null;
    },
  }),

  "notifications.count": endpoint({
    rest: "POST /notifications/counts",
    summary: "Count unseen activity in several problem sets",
    permit: "signed-in",
    reads: true,
    body: { problemSetIds: z.array(TextId).min(1).max(MOST_SETS) },
    example: { problemSetIds: ["a problem set's id"] },
    description:
      "What others did since you last looked, or joined, limited to what you may see. Sets that you are not a " +
      "member of are left out.",
    returns: data(
      z.array(
        z.object({
          problemSetId: z.string(),
          unread: PageMeta.shape.total,
          more: z.literal(true).optional().describe("There are more than `unread` says."),
          latestAt: Instant.nullable(),
        }),
      ),
    ),
    async handler(ctx) {
      const { memberships = {}, userId } = ctx.meta.actor!;
      const mine = [...new Set(ctx.params.problemSetIds)].filter((id) => Object.hasOwn(memberships, id));
      const until = await seenUntil(this, ctx, mine, userId);
      return Promise.all(mine.map((problemSetId) => unreadIn(this, ctx, problemSetId, until.get(problemSetId))));
    },
  }),
};

/** Up to when nothing is news to somebody, by set: they looked at it, or had not joined yet. */
async function seenUntil(host: Host, ctx: Ctx<unknown>, sets: readonly string[], userId: string) {
  const [marks, joined] = await Promise.all([
    host.store(ActivityRead).many(
      ctx,
      sets.map((id) => readMarkId(id, userId)),
    ),
    host
      .store(Member)
      .find(ctx, { userId, problemSetId: { $in: [...sets] } }, { fields: ["problemSetId", "createdAt"] }),
  ]);
  const until = new Map(joined.map(({ problemSetId, createdAt }) => [problemSetId, createdAt]));
  for (const mark of marks)
    if (mark.until > (until.get(mark.problemSetId) ?? "")) until.set(mark.problemSetId, mark.until);
  return until;
}

/** Items that are read at once: of most sets no more are new. */
const GLANCE = 20;

/** What others did in one set since a mark. Where much is new it is counted from indexes, to the bound of totals. */
async function unreadIn(host: Host, ctx: Ctx<unknown>, problemSetId: string, until: string | undefined) {
  const { userId } = ctx.meta.actor!;
  const store = host.store(Activity);
  const since = { problemSetId, ...(until !== undefined && { at: { $gt: until } }) };
  const others = { ...since, by: { $ne: userId } };
  const window = { sort: ["-at"], fields: ["by", "at"] };
  const newest = await store.find(ctx, since, { ...window, limit: GLANCE });
  const theirs = newest.filter(({ by }) => by !== userId);
  if (newest.length < GLANCE) return { problemSetId, unread: theirs.length, latestAt: theirs[0]?.at ?? null };
  const [latest] = theirs.length ? theirs : await store.find(ctx, others, { ...window, limit: 1 });
  const all = await store.total(ctx, since);
  const { total, more } = all.more
    ? await store.total(ctx, others)
    : { total: all.total - (await store.count(ctx, { ...since, by: userId })), more: undefined };
  return { problemSetId, unread: total, ...(more && { more }), latestAt: latest?.at ?? null };
}
