import { z } from "zod";
import { bare } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { PlacedRecord, placesAsked } from "../../../../core/geo/placed.ts";
import { sha256 } from "../../../../core/ids.ts";
import { graphOf, compartmentSets } from "../memory.ts";
import { readerOf } from "../readers.ts";
import { GraphMark, MESH } from "../statements/marks.ts";
import type { Row } from "../statements/statements.ts";
import { ACTOR_TYPES } from "../statements/vocabulary.ts";
import type { GraphNode } from "../view.ts";
import { actorsIn } from "./searching.ts";

/** Of a larger graph only the best connected entities are listed. */
const MOST_ACTORS = 20_000;
const MOST_ALIASES = 20;
/** Views that are asked for: of a set with more, those behind fewer compartments. */
const MOST_LEVELS = 32;

const within = (few: readonly string[], many: readonly string[]): boolean => few.every((one) => many.includes(one));

/** What says that something is an actor. */
const isOfActor = ({ predicate, value }: Row): boolean => predicate === "type" && ACTOR_TYPES.includes(value as never);

/** The compartments behind which actors are told of, fewer first: none, each, and those together. */
async function levelsOf(host: Host, problemSetId: string): Promise<string[][]> {
  const places = await compartmentSets(host, problemSetId, isOfActor);
  return [[], ...places.filter(({ length }) => length > 0)]
    .sort((one, other) => one.length - other.length || (one.join() < other.join() ? -1 : 1))
    .slice(0, MOST_LEVELS);
}

function recordOf({ id, name, aliases, type, rows, last }: GraphNode, compartments: string[]): PlacedRecord {
  const known = aliases.slice(0, MOST_ALIASES);
  const did = rows.find(({ predicate, value }) => predicate === "identifier" && value?.startsWith("did:"))?.value;
  const said = { name, aliases: known, kind: type, ...(did !== undefined && { did }) };
  return {
    ...said,
    ...{ id: [id, ...compartments].join(" "), entityId: id, compartments, updatedAt: last, geometry: {} },
    // Another name, another revision: a view has none of its own.
    rev: Number.parseInt(sha256(JSON.stringify(said)).slice(0, 8), 16),
  };
}

/**
 * The actors of a graph, each as those see it who are read into no more than it takes: so that a word behind a barrier
 * changes nothing of what is told of them before it.
 */
async function linkable(host: Host, problemSetId: string): Promise<PlacedRecord[]> {
  const told = new Map<string, string[][]>();
  const records: PlacedRecord[] = [];
  for (const level of await levelsOf(host, problemSetId)) {
    const reader = readerOf({ problemSetId, compartments: level, userId: "graph" });
    const nodes = actorsIn(await graphOf(host, reader, { problemSetId }));
    const unsaid = nodes.filter(({ ids }) => !ids.some((id) => told.get(id)?.some((before) => within(before, level))));
    unsaid.sort((one, other) => other.degree - one.degree || (one.id < other.id ? -1 : 1));
    for (const node of unsaid.slice(0, MOST_ACTORS)) {
      records.push(recordOf(node, level));
      for (const id of node.ids) told.set(id, [...(told.get(id) ?? []), level]);
    }
  }
  return records;
}

export const linkableActions = {
  "actors.linkable": endpoint({
    summary:
      "The actors of a problem set's graph, for linking others with them; with `since` all, if any changed since",
    permit: "internal",
    body: placesAsked,
    returns: bare(z.array(PlacedRecord)),
    async handler(ctx) {
      const { problemSetId, since, ids } = ctx.params;
      // A set without a graph has no mark, and one whose graph did not change has an old one.
      const mark = await this.store(GraphMark).one(MESH, { _id: problemSetId });
      if (!mark || (since !== undefined && mark.updatedAt < since)) return [];
      const records = await linkable(this, problemSetId);
      const wanted = ids && new Set(ids);
      return wanted ? records.filter(({ id }) => wanted.has(id)) : records;
    },
  }),
};
