import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, NumberId, TextId, type Item } from "../../../../core/records/entity.ts";

/** Something that happened, as open sources tell it: one a story of the news, or one that a person writes down. */
export const OsintEvent = entity("graph.osint-events", {
  title: "OSINT event",
  collection: "graph_events",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    title: z.string().trim().min(1).max(300),
    description: z.string().max(10_000).optional(),
    occurredAt: Instant.describe("When it happened, as far as it is known."),
    place: z.string().trim().min(1).max(200).optional().describe("Where, in words."),
    storyId: z.string().min(1).max(64).optional().describe("The story of the news that it is."),
    articleIds: z.array(NumberId).max(100).default([]).describe("Articles that tell of it."),
    credibility: z.int().min(1).max(6).optional().describe("1 confirmed … 6 cannot be judged (Admiralty code)."),
    entityId: TextId.describe("What it is in the graph."),
    origin: z.enum(["story", "source", "manual"]).describe("The news, an OSINT source, or whoever wrote it."),
  },
  readonly: ["entityId", "origin"],
  immutable: ["problemSetId", "compartments", "storyId"],
  filter: ["problemSetId", "storyId"],
  sort: ["occurredAt"],
  barrier,
  most: {
    count: 50_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} OSINT events in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"], sort: ["-occurredAt"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["storyId"], sparse: true }],
});
export type OsintEvent = Item<typeof OsintEvent>;

/** One event a story, or an item of an OSINT source, in one place. */
export const storyEventId = (place: Pick<OsintEvent, "problemSetId" | "compartments">, storyId: string): string =>
  derivedId(`graph.osint-events/${JSON.stringify([place.problemSetId, [...place.compartments].sort(), storyId])}`);
