import { z } from "zod";
import { memberOf, type Actor } from "../../../../core/access/access.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { Instant, MOST_ROWS, paging, TextId } from "../../../../core/records/entity.ts";
import { buildJobOf } from "../build/builds.ts";
import { graphOf } from "../memory.ts";
import { Origin } from "../statements/statements.ts";
import { ENTITY_TYPES, joins, RELATION_NAMES, RELATIONS, type Relation } from "../statements/vocabulary.ts";
import { OsintEvent } from "./osint.ts";
import { linkEvent, linksOf, record } from "./recording.ts";

const set = "problemSetId";
const reading = { set, may: "events:read" } as const;
const recording = { set, may: "events:record" } as const;
const TIES = RELATION_NAMES.filter(
  (name) => RELATIONS[name].from.includes("event") || RELATIONS[name].from.length === 0,
) as [Relation, ...Relation[]];

const Link = z
  .object({
    id: TextId.describe("Of the statement."),
    eventId: TextId,
    relation: z.enum(RELATION_NAMES),
    entity: z.object({ id: TextId, name: z.string(), type: z.enum(ENTITY_TYPES) }),
    confidence: z.number(),
    method: z.string(),
    origin: Origin.describe("Who said so, or the words that do."),
  })
  .meta({ id: "OsintEventLink" });
const Recorded = OsintEvent.view
  .extend({ existed: z.boolean(), jobId: z.string().describe("It is read into the graph by this job.") })
  .meta({ id: "RecordedOsintEvent" });
const Whole = OsintEvent.view
  .extend({ links: z.array(Link).describe("At most 100 that you see.") })
  .meta({ id: "OsintEventWithLinks" });

const fields = {
  problemSetId: OsintEvent.create.problemSetId,
  compartments: OsintEvent.create.compartments,
  title: OsintEvent.create.title.optional().describe("Needed without a story; a story has its own."),
  description: OsintEvent.create.description,
  occurredAt: Instant.optional().describe("When it happened; of a story when it was told first, else now."),
  place: OsintEvent.create.place,
  storyId: OsintEvent.create.storyId,
  articleIds: OsintEvent.create.articleIds,
  credibility: OsintEvent.create.credibility,
};
/** Somebody, as the mesh acts for them: what they asked was permitted at the door they came by. */
const Person = z.custom<Actor>((given) => typeof given === "object" && given !== null);
const onBehalf = (actor: Actor): Caller => ({ meta: { actor }, locals: {} });
const anything = <T>() => bare(z.custom<T>(() => true));

export const osintActions = {
  "events.list": endpoint({
    rest: "GET /osint/events",
    summary: "List OSINT events",
    permit: "signed-in",
    within: reading,
    query: {
      problemSetId: OsintEvent.query.problemSetId,
      storyId: OsintEvent.query.storyId,
      sort: z.enum(["-occurredAt", "occurredAt"]).default("-occurredAt"),
      from: Instant.optional().describe("Happened then or later."),
      to: Instant.optional().describe("Happened before."),
      ...paging,
    },
    returns: list(OsintEvent.view),
    tool: "list_osint_events",
    description: "From one problem set, or, without one, from all that you are a member of.",
    handler(ctx) {
      const { from, to, ...window } = ctx.params;
      if (from !== undefined && to !== undefined && from > to)
        throw invalid([{ path: "from", message: "It lies behind `to`." }]);
      const occurredAt = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
      return this.store(OsintEvent).page(ctx, window, Object.keys(occurredAt).length ? { occurredAt } : {});
    },
  }),

  "events.record": endpoint({
    rest: "POST /osint/events",
    summary: "Record an OSINT event",
    permit: "signed-in",
    within: recording,
    body: fields,
    returns: data(Recorded),
    status: 201,
    found: ({ existed }) => existed,
    description:
      "Something that happened: a news story, or what you write yourself. There is one event per story " +
      "and place: recording it again returns the same event (200, `existed`), updated if the story has " +
      "grown. What its articles name becomes part of the graph, each with the sentence behind it; " +
      "copies of one report are one voice.",
    errors: { 422: "The news has no such story (`NO_SUCH_STORY`)." },
    example: { problemSetId: "a problem set's id", title: "The bridge at Karsk was closed" },
    async handler(ctx) {
      const { event, existed } = await record(this, ctx, ctx.params);
      return { ...event, existed, jobId: buildJobOf({ eventId: event.id }) };
    },
  }),

  "events.get": endpoint({
    rest: "GET /osint/events/:id",
    summary: "Show one OSINT event",
    permit: "signed-in",
    within: reading,
    on: OsintEvent,
    returns: data(Whole),
    async handler(ctx, event) {
      return { ...event, links: await linksOf(this, ctx, event) };
    },
  }),

  "events.link": endpoint({
    rest: "POST /osint/events/:eventId/link",
    summary: "Link an OSINT event to an entity of the graph",
    permit: "signed-in",
    within: { set, may: "events:link" },
    on: OsintEvent,
    by: "eventId",
    body: {
      entityId: TextId.describe("Any of its ids."),
      relation: z.enum(TIES).default("involves"),
      note: z.string().trim().min(1).max(1_000).optional(),
    },
    returns: data(Link),
    status: 201,
    description:
      "Your own statement, beside those from texts. Whoever sees both the event and the entity sees it. " +
      "Linking twice changes nothing.",
    errors: { 422: "An event cannot be that to an entity of this type (`UNFIT_RELATION`)." },
    example: { entityId: "an entity's id" },
    async handler(ctx, event) {
      const view = await graphOf(this, ctx, event);
      const { entityId, relation } = ctx.params;
      const id = view.canonicalOf(entityId);
      const node = id === undefined ? undefined : view.nodes.get(id);
      if (!node) throw invalid([{ path: "entityId", message: "There is no such entity in this problem set." }]);
      if (node.ids.includes(event.entityId))
        throw invalid([{ path: "entityId", message: "This is the event itself: name another one." }]);
      return linkEvent(this, ctx, event, node, ctx.params, joins(relation, "event", node.type));
    },
  }),

  recordEventFor: endpoint({
    summary: "Record an event on somebody's behalf",
    permit: "internal",
    body: { actor: Person, event: z.object({ ...fields, itemId: TextId.optional() }) },
    returns: anything<OsintEvent & { existed: boolean }>(),
    async handler(ctx) {
      const { actor, event: given } = ctx.params;
      memberOf(actor, given.problemSetId, recording.may, { writes: true });
      const { event, existed } = await record(this, onBehalf(actor), given);
      return { ...event, existed };
    },
  }),

  eventsSeenBy: endpoint({
    summary: "The newest events that somebody sees",
    permit: "internal",
    body: {
      actor: Person,
      query: z.object({
        problemSetId: TextId,
        storyIds: z.array(z.string()).max(500).optional(),
        since: Instant.optional(),
        limit: z.int().min(1).max(MOST_ROWS).default(MOST_ROWS),
      }),
    },
    returns: anything<OsintEvent[]>(),
    handler(ctx) {
      const { actor, query } = ctx.params;
      const { problemSetId, storyIds, since, limit } = query;
      return this.store(OsintEvent).find(
        onBehalf(actor),
        {
          problemSetId,
          ...(storyIds && { storyId: { $in: storyIds } }),
          ...(since !== undefined && { occurredAt: { $gte: since } }),
        },
        { sort: ["-occurredAt"], limit },
      );
    },
  }),
};
