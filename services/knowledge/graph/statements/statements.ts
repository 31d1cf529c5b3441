import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { Citation } from "../../../../core/contract/citation.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, NumberId, TextId, type Item } from "../../../../core/records/entity.ts";
import { PROPERTIES, RELATION_NAMES } from "./vocabulary.ts";

/** Where a statement comes from: the exact words, or whoever said so. */
export const Origin = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("document"), citation: Citation }),
    z.object({
      kind: z.literal("article"),
      articleId: NumberId,
      storyId: z.string(),
      title: z.string(),
      source: z.string().describe("Who published it."),
      url: z.string(),
      publishedAt: Instant,
      start: z.int().min(0).describe("Offset in UTF-16 units of its text, or of its title (`inTitle`)."),
      end: z.int().min(1),
      quote: z.string().min(1),
      inTitle: z.boolean().optional(),
    }),
    z.object({
      kind: z.literal("event"),
      eventId: TextId,
      start: z.int().min(0).describe("Offset in UTF-16 units of its title, an empty line, and its description."),
      end: z.int().min(1),
      quote: z.string().min(1),
    }),
    z.object({ kind: z.literal("person"), userId: PersonId, eventId: TextId.optional(), note: z.string().optional() }),
    z.object({ kind: z.literal("import"), format: z.literal("stix"), object: z.string(), bundle: z.string() }),
  ])
  .meta({ id: "GraphOrigin" });
export type Origin = z.output<typeof Origin>;

export const METHODS = ["heuristic", "llm", "manual"] as const;

/** What takes statements back together: `document:<id>`, `story:<id>@<place>`, `event:<id>`, `import:<id>`, `person:<id>`. */
export type SourceKey = `${"document" | "story" | "event" | "import" | "person"}:${string}`;

/**
 * The only thing that the graph stores: what one source says of one entity, or of two. Entities, edges, names and
 * totals are views over the statements that a reader sees (view.ts).
 */
export const Statement = entity("graph.statements", {
  title: "statement",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    subject: TextId.describe("An entity."),
    predicate: z.enum([...PROPERTIES, ...RELATION_NAMES]),
    object: TextId.optional().describe("With a relation: the other entity."),
    value: z.string().max(4_000).optional().describe("With a property."),
    confidence: z.number().min(0).max(1),
    method: z.enum(METHODS),
    reason: z.string().optional().describe("The rule or evidence behind it, in a word."),
    origin: Origin,
    source: z.string().describe("What undoes it."),
    version: z.int().describe("Of its document; 0 of what has no versions."),
    extractor: z.string(),
    articleId: NumberId.optional().describe("Of the news: it goes with it."),
    voice: z.string().describe("Statements of one voice are one report, however often it was printed."),
    observedAt: Instant.describe("When its source said so."),
    validFrom: Instant.optional(),
    validTo: Instant.optional(),
    times: z.int().min(1).default(1).describe("How often the source states it."),
    passages: z.array(z.int()).default([]).describe("Sentences of the source that say it, the first 20."),
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
  indexes: [
    { fields: ["subject"] },
    { fields: ["object"] },
    { fields: ["source", "version"] },
    { fields: ["articleId"], sparse: true },
    { fields: ["createdBy"] },
  ],
});
export type Statement = Item<typeof Statement>;

/** An entity as one source names it: joined with those of other sources by what a reader sees (linking.ts). */
export const entityIdOf = (problemSetId: string, source: SourceKey, key: string): string =>
  derivedId(`graph.entities/${problemSetId}/${source}/${key}`);

/** One statement of a source, however often it is made. */
export const statementIdOf = (
  source: SourceKey,
  version: number,
  { subject, predicate, object, value }: Pick<Statement, "subject" | "predicate" | "object" | "value">,
): string => derivedId(`graph.statements/${JSON.stringify([source, version, subject, predicate, object, value])}`);

/** A statement as views hold it: without the words it comes from, which are read when somebody asks for them. */
export type Row = Pick<
  Statement,
  | "id"
  | "problemSetId"
  | "compartments"
  | "subject"
  | "predicate"
  | "object"
  | "value"
  | "confidence"
  | "method"
  | "source"
  | "voice"
  | "observedAt"
  | "validFrom"
  | "validTo"
  | "times"
  | "passages"
  | "createdAt"
>;
export const ROW_FIELDS = [
  "problemSetId",
  "compartments",
  "subject",
  "predicate",
  "object",
  "value",
  "confidence",
  "method",
  "source",
  "voice",
  "observedAt",
  "validFrom",
  "validTo",
  "times",
  "passages",
  "createdAt",
] as const;

/** Whether a statement held at that moment, as far as its source had said so by then. */
export const heldAt = ({ validFrom, validTo, observedAt }: Row, at: string): boolean =>
  (validFrom ?? observedAt) <= at && (validTo === undefined || at < validTo);
