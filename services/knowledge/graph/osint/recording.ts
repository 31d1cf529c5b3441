import { upTo } from "../../../../core/text/cutting.ts";
import type { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newId } from "../../../../core/ids.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { invalid, unprocessable } from "../../../../core/problem.ts";
import { contentsOf, contentsOfStory } from "../../../news/articles/client.ts";
import { beginBuild } from "../build/building.ts";
import { stated } from "../build/stating.ts";
import { textOfEvent } from "../build/texts.ts";
import type { NewEvent } from "../client.ts";
import { EventLinked, EventRecorded } from "../events.ts";
import { tellGraph } from "../live.ts";
import { graphOf } from "../memory.ts";
import { keep } from "../statements/keeping.ts";
import { changing } from "../statements/marks.ts";
import { Statement, type Row } from "../statements/statements.ts";
import type { Relation } from "../statements/vocabulary.ts";
import type { GraphEdge, GraphNode, GraphView } from "../view.ts";
import { OsintEvent, storyEventId } from "./osint.ts";
import { eventEntityId, ofEvent } from "./stating.ts";

const MOST_LINKS = 100;
const MOST_ARTICLES = 50;

/** What the news says of a story that an event is to be. Throws 422 where there is none. */
async function storyOf(host: Host, storyId: string): Promise<{ title: string; occurredAt: string }> {
  const articles = await contentsOfStory(host, storyId, MOST_ARTICLES);
  const [first] = articles.toSorted(
    (one, other) => (one.publishedAt < other.publishedAt ? -1 : 1) || one.id - other.id,
  );
  if (!first) throw unprocessable("NO_SUCH_STORY", `The news has no story ${storyId}.`, { field: "storyId" });
  return { title: upTo(300, first.title) || storyId, occurredAt: first.publishedAt };
}

async function demandArticles(host: Host, ids: readonly number[]): Promise<void> {
  const found = new Set((ids.length ? await contentsOf(host, ids) : []).map(({ id }) => id));
  const missing = ids.flatMap((id, at) =>
    found.has(id) ? [] : [{ path: `articleIds.${at}`, message: "There is no such article." }],
  );
  if (missing.length) throw invalid(missing);
}

/** Records an event, or finds the one of its story in that place; either way it is read into the graph. */
export async function record(
  host: Host,
  caller: Caller,
  { itemId, ...given }: NewEvent,
): Promise<{ event: OsintEvent; existed: boolean }> {
  const { storyId, title, compartments = [], articleIds = [], problemSetId } = given;
  if (storyId === undefined && title === undefined)
    throw invalid([{ path: "title", message: "An event has a title, or a story." }]);
  await demandArticles(host, articleIds);
  const story = storyId === undefined ? undefined : await storyOf(host, storyId);
  const told = storyId ?? itemId;
  const id =
    told === undefined
      ? (nextId(caller, OsintEvent.name) ?? newId())
      : storyEventId({ problemSetId, compartments }, told);
  const by = actorOf(caller);
  const { record: event, made } = await host.store(OsintEvent).createOnce(
    caller,
    {
      ...given,
      ...{ id, compartments, articleIds },
      title: title ?? story!.title,
      occurredAt: given.occurredAt ?? story?.occurredAt ?? iso(host.world.clock.now()),
      entityId: eventEntityId(problemSetId, id),
      origin: storyId !== undefined ? "story" : itemId !== undefined ? "source" : "manual",
    },
    {
      facts: (one: OsintEvent) => [
        EventRecorded.fact(one.id, {
          ...{ id: one.id, problemSetId, compartments: one.compartments, by },
          ...{
            title: one.title,
            occurredAt: one.occurredAt,
            ...(one.storyId !== undefined && { storyId: one.storyId }),
          },
        }),
      ],
    },
  );
  // It is in the graph at once; what its texts name follows.
  if (made) await keep(host, by, ofEvent(event));
  await beginBuild(host, event, { eventId: event.id }, by);
  if (made) await tellGraph(host, { ...event, what: "event" });
  return { event, existed: !made };
}

/** Hears that an event was recorded: a kill between that and its reading costs nothing. */
export async function readTold(this: Host, told: z.output<typeof EventRecorded.payload>): Promise<void> {
  await beginBuild(this, told, { eventId: told.id }, told.by);
}

const isInside = (row: Row, compartments: readonly string[]): boolean =>
  row.compartments.every((one) => compartments.includes(one));

/**
 * By which of its names an entity is tied to a record, and where that lies: within the record's compartments where it
 * is named there, else in as few more as there are.
 */
function tieTo(node: GraphNode, compartments: readonly string[]): { subject: string; compartments: string[] } {
  const named = node.rows.filter(({ predicate }) => predicate === "name" || predicate === "alias");
  const order = (row: Row): string =>
    `${isInside(row, compartments) ? 0 : 1}${String(row.compartments.length).padStart(3, "0")}${row.createdAt}${row.subject}`;
  const [row] = named.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
  return { subject: row!.subject, compartments: [...new Set([...compartments, ...row!.compartments])].sort() };
}

const linkShown = (event: OsintEvent, statement: Statement, node: GraphNode) => ({
  id: statement.id,
  eventId: event.id,
  relation: statement.predicate as Relation,
  entity: { id: node.id, name: node.name, type: node.type },
  confidence: statement.confidence,
  method: statement.method,
  origin: statement.origin,
});

/** Ties an event to an entity, as the caller's own statement. Throws 422 where it cannot be that to it. */
export async function linkEvent(
  host: Host,
  caller: Caller,
  event: OsintEvent,
  node: GraphNode,
  { relation, note }: { relation: Relation; note?: string | undefined },
  fits: boolean,
) {
  if (!fits)
    throw unprocessable("UNFIT_RELATION", `An event cannot be "${relation}" to a ${node.type}.`, { field: "relation" });
  const { subject: object, compartments } = tieTo(node, event.compartments);
  const by = actorOf(caller);
  const said = { subject: event.entityId, predicate: relation, object, confidence: 1, method: "manual" as const };
  const origin = { kind: "person" as const, userId: by, eventId: event.id, ...(note !== undefined && { note }) };
  const statement = stated({ ...textOfEvent(event), compartments, voice: `person:${by}` }, said, origin);
  const told = { id: event.id, problemSetId: event.problemSetId, compartments, by, title: event.title };
  const { record: kept } = await changing(host, event.problemSetId, [statement.source], () =>
    host.store(Statement).createOnce(caller, statement, {
      facts: [EventLinked.fact(event.id, { ...told, entityId: object, relation })],
    }),
  );
  await tellGraph(host, { problemSetId: event.problemSetId, compartments, what: "event", id: event.id });
  return linkShown(event, kept, node);
}

const otherEnd = (view: GraphView, { from, to }: GraphEdge, id: string): GraphNode =>
  view.nodes.get(from === id ? to : from)!;

/** What an event is tied to, as the caller sees it. */
export async function linksOf(host: Host, caller: Caller, event: OsintEvent) {
  const view = await graphOf(host, caller, event);
  const id = view.canonicalOf(event.entityId);
  if (id === undefined) return [];
  const rows = view
    .edgesOf(id)
    .flatMap((edge) => edge.rows.map((row) => ({ row, node: otherEnd(view, edge, id) })))
    .slice(0, MOST_LINKS);
  const statements = await host.store(Statement).many(
    caller,
    rows.map(({ row }) => row.id),
  );
  const nodes = new Map(rows.map(({ row, node }) => [row.id, node]));
  return statements.map((statement) => linkShown(event, statement, nodes.get(statement.id)!));
}
