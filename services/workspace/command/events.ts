import { z } from "zod";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
});
export const UnitCreated = event("workspace.unit.created", EventData.extend({ name: z.string() }), {
  activity: { subject: ["unit", "id"], words: ({ name }) => `The unit "${name}" was added.` },
});
export const UnitChanged = event("workspace.unit.changed", EventData.extend({ name: z.string() }), {
  activity: { subject: ["unit", "id"], words: ({ name }) => `The unit "${name}" was changed.` },
});
export const UnitRemoved = event("workspace.unit.removed", EventData.extend({ name: z.string() }), {
  activity: { subject: ["unit", "id"], words: ({ name }) => `The unit "${name}" was removed.` },
});
/** A relationship lies in the compartments of both units: whoever hears of it may hear their names. */
const Related = EventData.extend({
  kind: z.string(),
  superior: z.string().optional(),
  subordinate: z.string().optional(),
});
const relationshipIn = ({ kind, superior, subordinate }: z.output<typeof Related>): string =>
  `A command relationship (${kind})${superior && subordinate ? ` between "${superior}" and "${subordinate}"` : ""}`;
export const RelationshipCreated = event("workspace.command-relationship.created", Related, {
  activity: { words: (told) => `${relationshipIn(told)} was added.` },
});
export const RelationshipChanged = event("workspace.command-relationship.changed", Related, {
  activity: { words: (told) => `${relationshipIn(told)} was changed.` },
});
export const RelationshipRemoved = event("workspace.command-relationship.removed", Related, {
  activity: { words: (told) => `${relationshipIn(told)} was removed.` },
});

/** A hint: units of a problem set are where the resources are that track them. */
export const UnitMoved = event(
  "workspace.unit.moved",
  z.object({ problemSetId: z.string(), ids: z.array(z.string()) }),
);
