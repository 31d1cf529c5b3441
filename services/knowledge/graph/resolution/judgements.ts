import { z } from "zod";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import type { Judged } from "../judged.ts";
import type { GraphNode, GraphView } from "../view.ts";

export const JUDGEMENT_VERDICTS = ["positive", "negative", "unsure"] as const;
/** Entities that one judgement is about, and of each at most so many of the ids that it was known as. */
export const MOST_ENTITIES = 10;
const MOST_IDS = 20;

const Reason = z.string().trim().min(1).max(2_000);
const Verdict = z.enum([...JUDGEMENT_VERDICTS, "withdrawn"]);

/**
 * What somebody judged of entities: the same, apart, or not to be told. Nothing is rewritten by it: who is one with whom
 * is worked out for each reader from the judgements that they see.
 */
export const Judgement = entity("graph.judgements", {
  title: "judgement",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    entities: z
      .array(z.object({ name: z.string(), ids: z.array(TextId).min(1).max(MOST_IDS) }))
      .min(2)
      .max(MOST_ENTITIES)
      .describe("What it is about, as it was shown then: the ids of each, the oldest first."),
    verdict: Verdict.describe("`withdrawn`: it was taken back, and nothing left in its place."),
    reason: Reason.optional(),
    decidedBy: PersonId,
    decidedAt: Instant,
    former: z
      .array(z.object({ verdict: Verdict, reason: Reason.optional(), decidedBy: PersonId, decidedAt: Instant }))
      .max(20)
      .default([])
      .describe("What was judged before, the oldest first."),
  },
  readonly: ["entities", "decidedBy", "decidedAt", "former"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId"],
  barrier,
  most: {
    count: 20_000,
    per: ["problemSetId"],
    refusal: (count) =>
      conflict(`A problem set has at most ${count} judgements of its graph in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["decidedBy"] }],
});
export type Judgement = Item<typeof Judgement>;

/** Where a judgement of entities lies: where all lies that whoever judges was shown of them. */
export const judgedCompartments = (nodes: readonly GraphNode[]): string[] =>
  unionOfCompartments(nodes.flatMap(({ rows }) => rows));

/**
 * What is stored of entities that somebody judges, by the graph as those see it who will see the judgement: what else
 * they are known as, by what those do not see, is not told.
 */
export const judgedOf = (nodes: readonly GraphNode[], seen: GraphView): Judgement["entities"] =>
  nodes.map(({ ids }) => {
    const id = seen.canonicalOf(ids[0]!)!;
    const inside = ids.filter((one) => seen.canonicalOf(one) === id);
    return { name: seen.nodes.get(id)!.name, ids: inside.slice(0, MOST_IDS) };
  });

/** A judgement pair by pair: each id of one entity with each of another. */
export function pairsOf({ entities, verdict, decidedAt }: Judgement): Judged[] {
  if (verdict === "withdrawn") return [];
  return entities.flatMap(({ ids }, at) =>
    entities
      .slice(at + 1)
      .flatMap((behind) => ids.flatMap((one) => behind.ids.map((other) => ({ one, other, verdict, at: decidedAt })))),
  );
}

/** The judgements that keep any of these entities apart. */
export function keepingApart(judgements: readonly Judgement[], nodes: readonly GraphNode[]): Judgement[] {
  const placeOf = new Map(nodes.flatMap(({ ids }, at) => ids.map((id) => [id, at] as const)));
  return judgements.filter(
    ({ verdict, entities }) =>
      verdict === "negative" &&
      new Set(
        entities.flatMap(({ ids }) => {
          const places = new Set(ids.flatMap((id) => placeOf.get(id) ?? []));
          return [...places].slice(0, 1);
        }),
      ).size > 1,
  );
}

/** What a judgement becomes when it is taken back: kept with what it was. */
export const takenBack = (
  { verdict, reason, decidedBy, decidedAt, former }: Judgement,
  now: { leave: "negative" | "nothing"; reason?: string | undefined; by: string; at: string },
) => ({
  verdict: now.leave === "negative" ? ("negative" as const) : ("withdrawn" as const),
  reason: now.reason ?? null,
  decidedBy: now.by,
  decidedAt: now.at,
  former: [...former, { verdict, ...(reason !== undefined && { reason }), decidedBy, decidedAt }].slice(-20),
});
