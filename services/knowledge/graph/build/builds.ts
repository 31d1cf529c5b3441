import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { METHODS } from "../statements/statements.ts";
import { EXTRACTOR } from "./extraction.ts";
import { REASONS, type LeftOutReason } from "./mentions.ts";

const REASON_NAMES = Object.keys(REASONS) as [LeftOutReason, ...LeftOutReason[]];
export const Left = z
  .object({
    text: z.string(),
    reason: z.enum(REASON_NAMES),
    why: z.string().describe("The same in words."),
    times: z.int(),
    start: z.int().describe("Its first place: offsets in the text."),
    end: z.int(),
  })
  .meta({ id: "GraphLeftOut" });

/** One reading of a text into the graph: of a version of a document, of a story, of an event. */
export const Build = entity("graph.builds", {
  title: "graph build",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    documentId: TextId.optional(),
    storyId: z.string().optional(),
    eventId: TextId.optional(),
    title: z.string(),
    version: z.int().describe("Of the document; 0 of what has no versions."),
    digest: z.string().describe("Hash of what was read; the same input is not read twice."),
    extractor: z.string(),
    status: z.enum(["running", "completed", "failed"]),
    method: z.enum(METHODS).exclude(["manual"]).optional(),
    entities: z.int().optional(),
    relations: z.int().optional(),
    statements: z.int().optional(),
    leftOut: z.array(Left).default([]).describe("What was seen and is not in the graph, with the reason."),
    failure: z.string().optional(),
    notice: z
      .string()
      .optional()
      .describe("Why little was found: the text is in a language that the rules do not read."),
    jobId: z.string(),
    by: PersonId,
    endedAt: Instant.optional(),
  },
  immutable: ["problemSetId", "compartments", "documentId", "storyId", "eventId"],
  filter: ["problemSetId", "status"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["documentId", "-version"], sparse: true },
    { fields: ["eventId"], sparse: true },
    { fields: ["by"] },
  ],
});
export type Build = Item<typeof Build>;

export const BUILD = "graph.build";
/** What a job reads: a version of a document, or an event with its story. */
export type BuildInput = { documentId: string; version: number } | { eventId: string };

export const keyOf = (input: BuildInput): string =>
  "documentId" in input ? `document:${input.documentId}:${input.version}` : `event:${input.eventId}`;
export const buildJobOf = (input: BuildInput): string => `${BUILD}:${keyOf(input)}`;
/** One build a version and extractor. */
export const buildId = (input: BuildInput): string => derivedId(`graph.builds/${keyOf(input)}/${EXTRACTOR}`);
