import { z } from "zod";
import { event } from "../../../core/events/event.ts";

const Told = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
});

/** What a document or a story says is in the graph now. */
export const GraphBuilt = event(
  "knowledge.graph.built",
  Told.extend({
    documentId: z.string().optional(),
    storyId: z.string().optional(),
    title: z.string(),
    entities: z.int(),
    relations: z.int(),
  }),
  {
    activity: {
      subject: ["graph build", "id"],
      words: ({ title, entities, relations }) =>
        `"${title}" was read into the graph: ${entities === 1 ? "1 entity" : `${entities} entities`}, ` +
        `${relations === 1 ? "1 relation" : `${relations} relations`}.`,
    },
  },
);
export const EventRecorded = event(
  "knowledge.event.recorded",
  Told.extend({ title: z.string(), occurredAt: z.string(), storyId: z.string().optional() }),
  {
    activity: { subject: ["OSINT event", "id"], words: ({ title }) => `The event "${title}" was recorded.` },
  },
);
export const EventLinked = event(
  "knowledge.event.linked",
  Told.extend({ title: z.string(), entityId: z.string(), relation: z.string() }),
  {
    activity: { subject: ["OSINT event", "id"], words: ({ title }) => `The event "${title}" was tied into the graph.` },
  },
);
export const WorkspaceMade = event("knowledge.workspace.made", Told.extend({ name: z.string() }), {
  activity: { subject: ["graph workspace", "id"], words: ({ name }) => `The graph workspace "${name}" was made.` },
});
export const WorkspaceRemoved = event("knowledge.workspace.removed", Told.extend({ name: z.string() }), {
  activity: { subject: ["graph workspace", "id"], words: ({ name }) => `The graph workspace "${name}" was removed.` },
});
const Named = Told.extend({ names: z.array(z.string()) });
const inQuotes = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
export const EntitiesMerged = event("knowledge.entities.merged", Named, {
  activity: { subject: ["judgement", "id"], words: ({ names }) => `${inQuotes(names)} were judged to be one entity.` },
});
export const EntitiesSeparated = event("knowledge.entities.separated", Named, {
  activity: { subject: ["judgement", "id"], words: ({ names }) => `${inQuotes(names)} were separated again.` },
});
