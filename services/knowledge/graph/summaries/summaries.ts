import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { Citation } from "../../../../core/contract/citation.ts";
import { iso } from "../../../../core/clock.ts";
import { derivedId, sha256 } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { ENTITY_TYPES, RELATION_NAMES } from "../statements/vocabulary.ts";
import { those, type GraphEdge, type GraphNode, type GraphView } from "../view.ts";

const MOST_ENTITIES = 15;
const MOST_RELATIONS = 15;

/** A container of the domain `strategic`, as far as this domain asks for it: where it lies. */
export const ContainerPlace = entity("graph.container-places", {
  title: "container",
  fields: { problemSetId: TextId, compartments: Compartments },
  immutable: ["problemSetId", "compartments"],
  barrier,
});
export type ContainerPlace = Item<typeof ContainerPlace>;

const Made = {
  method: z.enum(["heuristic", "llm"]).describe("Who chose the sentences: rules, or a model among them."),
  fault: z.string().optional().describe("Why the model had no part in it."),
  retryAt: Instant.optional().describe("With a fault: from then on, the next request calls the model again."),
  madeAt: Instant,
  documents: z.int().describe("Documents of the container whose text went into it."),
  unread: z.int().describe("Others of them whose text cannot be read, or is not read yet."),
  points: z
    .array(z.object({ text: z.string(), citation: Citation }))
    .describe("Sentences of the documents, in their own words; the weightiest first."),
};
const OfGraph = {
  entities: z.array(z.object({ id: TextId, name: z.string(), type: z.enum(ENTITY_TYPES), mentions: z.int() })),
  relations: z.array(
    z.object({ from: z.string(), relation: z.enum(RELATION_NAMES), to: z.string(), confidence: z.number() }),
  ),
};
export const SummaryView = z
  .object({ containerId: TextId, problemSetId: z.string(), ...Made, ...OfGraph })
  .meta({ id: "ContainerSummary" });

/** A summary as one kind of reader sees it, kept until its inputs change. */
export const Summary = entity("graph.summaries", {
  title: "summary",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    containerId: TextId,
    inputs: z.string(),
    documentIds: z.array(TextId),
    failures: z.int().optional().describe("How often in a row the model had no part in it."),
    ...Made,
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
  indexes: [{ fields: ["containerId"] }, { fields: ["documentIds"] }],
});
export type Summary = Item<typeof Summary>;

const [FIRST_RETRY_MS, LAST_RETRY_MS] = [60_000, 3_600_000];

/** What is kept of a model's failure: it is asked again after a minute, and after each failure twice as late, an hour at most. */
export const failedAgain = (before: number, now: number) => ({
  failures: before + 1,
  retryAt: iso(now + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** before)),
});

/** Whether a summary stands as it was made: of these inputs, and no model has another try at it. */
export const stands = (known: Summary, inputs: string, now: number): boolean =>
  known.inputs === inputs && (known.fault === undefined || iso(now) < (known.retryAt ?? ""));

export interface Filed {
  id: string;
  version: number;
  status: string;
  compartments: readonly string[];
}

type OfDocuments = { [part in keyof typeof OfGraph]: z.output<(typeof OfGraph)[part]> };

/** What the graph knows of these documents, as the reader sees it. */
export function* graphOfDocuments(view: GraphView, documents: readonly Filed[]): Steps<OfDocuments> {
  const sources = new Set(documents.map(({ id }) => `document:${id}`));
  const isOf = ({ rows }: GraphNode | GraphEdge): boolean => rows.some(({ source }) => sources.has(source));
  const mentions = ({ rows }: GraphNode): number =>
    rows.reduce(
      (sum, { source, times, predicate }) => sum + (predicate === "name" && sources.has(source) ? times : 0),
      0,
    );
  const nodes = (yield* those(view.nodes.values(), isOf))
    .map((node) => ({ node, mentions: mentions(node) }))
    .sort((a, b) => b.mentions - a.mentions || b.node.degree - a.node.degree || (a.node.id < b.node.id ? -1 : 1))
    .slice(0, MOST_ENTITIES);
  const nameOf = (id: string): string => view.nodes.get(id)!.name;
  const relations = (yield* those(view.edges, isOf))
    .sort((a, b) => b.voices.size - a.voices.size || b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_RELATIONS)
    .map(({ from, to, relation, confidence }) => ({ from: nameOf(from), relation, to: nameOf(to), confidence }));
  return {
    entities: nodes.map(({ node, mentions: times }) => ({
      ...{ id: node.id, name: node.name, type: node.type },
      mentions: times,
    })),
    relations,
  };
}

/** Readers with these compartments are shown one summary of a container. */
export const summaryId = (containerId: string, compartments: readonly string[]): string =>
  derivedId(`graph.summaries/${containerId}/${[...new Set(compartments)].sort().join()}`);

/** Tells one state of what a summary is made of from another. */
export const inputsOf = (
  documents: readonly Filed[],
  entities: readonly { id: string; name: string }[],
  hasModel: boolean,
): string =>
  sha256(
    JSON.stringify([
      hasModel,
      documents.map(({ id, version, status }) => [id, version, status]).sort(),
      entities.map(({ id, name }) => [id, name]),
    ]),
  );
