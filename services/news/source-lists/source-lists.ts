import { z } from "zod";
import { entity, NumberId, type Item } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";

/** As many sources as one list may name. */
const MOST_SOURCES = 10_000;

const once = (ids: number[]): number[] => [...new Set(ids)];

export const SourceList = entity("source-lists", {
  title: "source list",
  collection: "source_lists",
  id: "number",
  fields: {
    name: z.string().trim().min(1).max(200),
    sourceIds: z.array(NumberId).max(MOST_SOURCES).overwrite(once).describe("Each source once."),
  },
  sort: ["name"],
  // By element: a removed source is taken off the lists that name it without reading the others.
  lists: [{ by: [] }],
  indexes: [{ fields: ["sourceIds"] }],
});
export type SourceList = Item<typeof SourceList>;

/** As lists are sent: the record, and whether it is the one in force. */
export const SourceListView = SourceList.view
  .extend({ active: z.boolean().describe("Whether this list narrows dashboard, statistics and briefings now.") })
  .meta({ id: "SourceList" });

/** A hint: what was remembered of lists is out of date. */
export const SourceListChanged = event(
  "news.source-list.changed",
  z.object({
    listId: NumberId.nullable().describe("The list that was made, changed, removed, activated or deactivated."),
  }),
);

/** The sources a list names that do not exist, as complaints about their places. */
export function unknownSources(
  sourceIds: readonly number[],
  known: ReadonlySet<number>,
): { path: string; message: string }[] {
  return sourceIds.flatMap((id, at) =>
    known.has(id) ? [] : [{ path: `sourceIds.${at}`, message: `There is no source ${id}.` }],
  );
}
