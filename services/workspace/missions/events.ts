import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { course } from "./missions.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  name: z.string(),
  by: z.string(),
});
export const MissionCreated = event("workspace.mission.created", EventData, {
  activity: { subject: ["mission", "id"], words: ({ name }) => `The mission "${name}" was opened.` },
});
export const MissionChanged = event("workspace.mission.changed", EventData, {
  activity: { subject: ["mission", "id"], words: ({ name }) => `The mission "${name}" was changed.` },
});
export const MissionMoved = event("workspace.mission.moved", EventData.extend({ status: z.enum(course.states) }), {
  activity: { subject: ["mission", "id"], words: ({ name, status }) => `The mission "${name}" is ${status}.` },
});
