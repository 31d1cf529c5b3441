import { z } from "zod";
import { memberOf, type Actor } from "../../../../core/access/access.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { notFound } from "../../../../core/problem.ts";
import { Instant, MOST_ROWS, paging, TextId } from "../../../../core/records/entity.ts";
import { fold } from "../../../../core/text/words/words.ts";
import { inTurns, sorted, type Steps } from "../../../../core/work/turns.ts";
import type { EntitySeen } from "../client.ts";
import { graphOf } from "../memory.ts";
import { Statement, type Row } from "../statements/statements.ts";
import { ACTOR_TYPES, ENTITY_TYPES, PROPERTIES, RELATION_NAMES } from "../statements/vocabulary.ts";
import { those, type GraphNode, type GraphView } from "../view.ts";
import { NodeView, nodeShown } from "../views/shapes.ts";
import { viewsFor } from "../views/views.actions.ts";
import { reading } from "../workspaces/workspaces.actions.ts";
import { ActorIndex, actorsIn } from "./searching.ts";

const Row = NodeView.extend({ problemSetId: z.string() }).meta({ id: "GraphActor" });
const Hit = Row.extend({ score: z.number().describe("0..1: how well its names fit.") }).meta({ id: "GraphActorFound" });
const Related = z.object({
  id: z.string().describe("Of the relation."),
  relation: z.enum(RELATION_NAMES),
  direction: z.enum(["out", "in"]),
  entity: z.object({ id: TextId, name: z.string(), type: z.enum(ENTITY_TYPES) }),
  sign: z.number(),
  confidence: z.number(),
  voices: z.int(),
  since: Instant,
  last: Instant,
});
const StatementView = Statement.view.omit({ rev: true }).meta({ id: "GraphStatement" });
const StatementOfRelation = StatementView.extend({
  relationId: z.string().optional().describe("The relation that rests on it, by the id that graphs give it."),
}).meta({ id: "GraphRelationStatement" });
const Whole = Row.extend({
  ids: z.array(TextId).describe("All that it is known as, the oldest first."),
  types: z.array(z.object({ type: z.enum(ENTITY_TYPES), statements: z.int() })),
  roles: z.array(z.string()),
  relations: z.array(Related).describe("The best supported first, at most 200."),
  statements: z.array(StatementView).describe("Passages that name it or describe it, with their words; at most 100."),
}).meta({ id: "GraphActorWhole" });

const MOST_RELATED = 200;
const MOST_STATEMENTS = 100;
const ORDERS = ["-mentions", "mentions", "-degree", "degree", "name", "-name", "-last", "last"] as const;

const rowOf = (node: GraphNode, { problemSetId }: GraphView) => ({ ...nodeShown(node), problemSetId });

/** The graph in which an entity is, by any of its ids. Throws 404 where the caller sees none. */
async function graphWith(host: Host, caller: Caller, id: string): Promise<{ view: GraphView; node: GraphNode }> {
  const [statement] = await host.store(Statement).find(caller, { subject: id }, { limit: 1, fields: ["problemSetId"] });
  if (!statement) throw notFound("entity", id);
  memberOf(caller.meta.actor, statement.problemSetId, reading.may);
  const view = await graphOf(host, caller, statement);
  const canonical = view.canonicalOf(id);
  const node = canonical === undefined ? undefined : view.nodes.get(canonical);
  if (!node) throw notFound("entity", id);
  return { view, node };
}

/** Statements with the words behind them, in the order of their ids. */
async function withWords(host: Host, caller: Caller, rows: readonly Pick<Row, "id">[]): Promise<Statement[]> {
  const ids = rows.map(({ id }) => id);
  const found = new Map((await host.store(Statement).many(caller, ids)).map((one) => [one.id, one]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

function relatedTo(node: GraphNode, view: GraphView): z.input<typeof Related>[] {
  return view
    .edgesOf(node.id)
    .toSorted(
      (one, other) =>
        other.voices.size - one.voices.size || other.confidence - one.confidence || (one.id < other.id ? -1 : 1),
    )
    .slice(0, MOST_RELATED)
    .map((edge) => {
      const isOut = edge.from === node.id;
      const { id, name, type } = view.nodes.get(isOut ? edge.to : edge.from)!;
      const { relation, sign, confidence, since, last } = edge;
      return {
        ...{ id: edge.id, relation, sign, confidence, since, last, voices: edge.voices.size },
        direction: isOut ? ("out" as const) : ("in" as const),
        entity: { id, name, type },
      };
    });
}

async function wholeOf(host: Host, caller: Caller, node: GraphNode, view: GraphView): Promise<z.input<typeof Whole>> {
  const types = Map.groupBy(
    node.rows.filter(({ predicate }) => predicate === "type"),
    ({ value }) => value!,
  );
  const roles = node.rows.filter(({ predicate }) => predicate === "role").map(({ value }) => value!);
  return {
    ...rowOf(node, view),
    ids: [...node.ids],
    types: [...types].map(([type, rows]) => ({ type: type as GraphNode["type"], statements: rows.length })),
    roles: [...new Set(roles)].sort(),
    relations: relatedTo(node, view),
    statements: await withWords(host, caller, node.rows.slice(0, MOST_STATEMENTS)),
  };
}

const indexes = new WeakMap<GraphView, Promise<ActorIndex>>();
/** Made with the first search in a view. */
function indexOf(view: GraphView): Promise<ActorIndex> {
  const known = indexes.get(view) ?? inTurns(ActorIndex.of(actorsIn(view)));
  indexes.set(view, known);
  return known;
}

function ordered(nodes: Iterable<GraphNode>, sort: (typeof ORDERS)[number]): Steps<GraphNode[]> {
  const [field, sign] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  const key = field as "mentions" | "degree" | "name" | "last";
  return sorted(nodes, (one, other) =>
    one[key] === other[key] ? (one.id < other.id ? -1 : 1) : (one[key] < other[key] ? -1 : 1) * sign,
  );
}

const where = {
  problemSetId: TextId.optional().describe("From this problem set; without it, from all of yours."),
  type: z.enum(ACTOR_TYPES).optional(),
};
const Person = z.custom<Actor>((given) => typeof given === "object" && given !== null);

export const actorActions = {
  "actors.list": endpoint({
    rest: "GET /actors",
    summary: "List the actors of the graph",
    permit: "signed-in",
    within: reading,
    query: { ...where, sort: z.enum(ORDERS).default("-mentions"), ...paging },
    returns: list(Row),
    tool: "list_actors",
    description: "People, organisations, units, groups and countries, as described by the statements that you can see.",
    async handler(ctx) {
      const { problemSetId, type, sort, page, limit: wanted } = ctx.params;
      const limit = Math.min(wanted, MOST_ROWS);
      const views = await viewsFor(this, ctx, { problemSetId });
      const homes = new Map<GraphNode, GraphView>();
      for (const view of views)
        for (const node of actorsIn(view)) if (type === undefined || node.type === type) homes.set(node, view);
      const rows = (await inTurns(ordered(homes.keys(), sort))).slice((page - 1) * limit, page * limit);
      return { data: rows.map((node) => rowOf(node, homes.get(node)!)), meta: { total: homes.size, page, limit } };
    },
  }),

  "actors.search": endpoint({
    rest: "GET /actors/search/:query",
    summary: "Find actors by name",
    permit: "signed-in",
    within: reading,
    path: { query: z.string().trim().min(1).max(200).describe("A name, or its beginning.") },
    query: { ...where, limit: paging.limit },
    returns: data(z.array(Hit)),
    tool: "search_actors",
    description:
      "Matches names and aliases: words in any order, word beginnings, typing errors (none in words of " +
      "up to two letters, one up to five, two beyond), and names in other scripts by sound. In an " +
      "address, the text is percent-encoded, a slash as `%2F`; a tool takes it as it is.",
    async handler(ctx) {
      const { query, problemSetId, type } = ctx.params;
      const limit = Math.min(ctx.params.limit, MOST_ROWS);
      const found: z.input<typeof Hit>[] = [];
      for (const view of await viewsFor(this, ctx, { problemSetId })) {
        const index = await indexOf(view);
        const takes = (actor: GraphNode) => type === undefined || actor.type === type;
        for (const { actor, score } of index.search(query, limit, takes))
          found.push({ ...rowOf(actor, view), score: Math.round(score * 1_000) / 1_000 });
      }
      return found.sort((one, other) => other.score - one.score).slice(0, limit);
    },
  }),

  "actors.get": endpoint({
    rest: "GET /actors/:id",
    summary: "Show one actor, or any other entity",
    permit: "signed-in",
    path: { id: TextId },
    returns: data(Whole),
    tool: "get_actor",
    description:
      "Any of its ids works; `canonicalId` is the oldest. Returns its names with the words that support " +
      "them, and its relations. The statements behind a relation: `GET " +
      "/api/graph/statements?entityId=…&relationId=…`.",
    async handler(ctx) {
      const { view, node } = await graphWith(this, ctx, ctx.params.id);
      return wholeOf(this, ctx, node, view);
    },
  }),

  "statements.list": endpoint({
    rest: "GET /statements",
    summary: "List the statements about an entity or a relation, with their sources",
    permit: "signed-in",
    query: {
      entityId: TextId.describe("Any of its ids."),
      relationId: z
        .string()
        .max(300)
        .optional()
        .describe("Only what a relation of it rests on, by the id that graphs give it."),
      predicate: z.enum([...PROPERTIES, ...RELATION_NAMES]).optional(),
      ...paging,
    },
    returns: list(StatementOfRelation),
    beyond: true,
    errors: { 404: "You see no such entity." },
    tool: "list_graph_statements",
    description: "Every name and every edge leads to its evidence: a document's page, an article's sentence, a person.",
    async handler(ctx) {
      const { entityId, relationId, predicate, page, limit: wanted } = ctx.params;
      const limit = Math.min(wanted, MOST_ROWS);
      const { view, node } = await graphWith(this, ctx, entityId);
      const lines = view.edgesOf(node.id).filter(({ id }) => relationId === undefined || id === relationId);
      const rows = [...(relationId === undefined ? node.rows : []), ...lines.flatMap((edge) => edge.rows)]
        .filter((row) => predicate === undefined || row.predicate === predicate)
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      const relations = new Map(lines.flatMap((edge) => edge.rows.map((row) => [row.id, edge.id] as const)));
      const shown = await withWords(this, ctx, rows.slice((page - 1) * limit, page * limit));
      const told = shown.map((one) => {
        const relation = relations.get(one.id);
        return relation === undefined ? one : { ...one, relationId: relation };
      });
      return { data: told, meta: { total: rows.length, page, limit } };
    },
  }),

  entitiesNamed: endpoint({
    summary: "Entities that somebody sees, by these names",
    permit: "internal",
    body: { actor: Person, query: z.object({ problemSetId: TextId, names: z.array(z.string()).max(500) }) },
    returns: bare(z.custom<EntitySeen[]>(Array.isArray)),
    async handler(ctx) {
      const { actor, query } = ctx.params;
      const view = await graphOf(this, { meta: { actor }, locals: {} }, query);
      const wanted = new Set(query.names.map(fold));
      const named = await inTurns(
        those(view.nodes.values(), ({ name, aliases }) => [name, ...aliases].some((one) => wanted.has(fold(one)))),
      );
      return named.map(({ id, name, aliases, type, mentions, degree }) => ({
        ...{ id, name, type, mentions, degree },
        aliases: [...aliases],
      }));
    },
  }),
};
