import { z } from "zod";
import { event } from "../../../../core/events/event.ts";

const about = {
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  name: z.string(),
  by: z.string(),
};
const EventData = z.object(about);

export const CategoryMade = event("knowledge.category.made", EventData, {
  activity: { subject: ["category", "id"], words: ({ name }) => `The category "${name}" was made.` },
});
export const CategoryRemoved = event(
  "knowledge.category.removed",
  EventData.extend({ moveTo: z.string().optional().describe("The category that its containers stand under now.") }),
  { activity: { subject: ["category", "id"], words: ({ name }) => `The category "${name}" was removed.` } },
);
export const ContainerMade = event("knowledge.container.made", EventData, {
  activity: { subject: ["container", "id"], words: ({ name }) => `The container "${name}" was made.` },
});
export const ContainerChanged = event("knowledge.container.changed", EventData, {
  activity: { subject: ["container", "id"], words: ({ name }) => `The container "${name}" was changed.` },
});
export const ContainerRemoved = event("knowledge.container.removed", EventData, {
  activity: { subject: ["container", "id"], words: ({ name }) => `The container "${name}" was removed.` },
});

/** About a document and a container: it lies where both do. */
const Placing = EventData.extend({ documentId: z.string() });
export const DocumentPlaced = event("knowledge.document.placed", Placing, {
  activity: { subject: ["document", "documentId"], words: ({ name }) => `A document was placed in "${name}".` },
});
export const DocumentTakenOut = event("knowledge.document.taken-out", Placing, {
  activity: { subject: ["document", "documentId"], words: ({ name }) => `A document was taken out of "${name}".` },
});
