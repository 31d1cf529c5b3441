import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { course } from "./missions.ts";
import { PARTICIPANT_ROLES } from "./participants.ts";

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
export const MissionMoved = event(
  "workspace.mission.moved",
  EventData.extend({ status: z.enum(course.states), outcome: z.string().optional(), reason: z.string().optional() }),
  {
    activity: {
      subject: ["mission", "id"],
      words: ({ name, status, outcome, reason }) => {
        if (status === "completed" && outcome !== undefined) return `The mission "${name}" is completed: ${outcome}`;
        if (status === "active" && reason !== undefined) return `The mission "${name}" is active again: ${reason}`;
        return `The mission "${name}" is ${status}.`;
      },
    },
  },
);

const PartData = EventData.extend({ did: z.string(), part: z.enum(PARTICIPANT_ROLES) });
export const MissionInvited = event("workspace.mission.invited", PartData, {
  activity: {
    subject: ["participant", "did"],
    words: ({ did, name, part }) => `${did} was invited to the mission "${name}" as ${part}.`,
  },
});
export const MissionJoined = event("workspace.mission.joined", PartData, {
  activity: {
    subject: ["participant", "did"],
    words: ({ did, name, part }) => `${did} joined the mission "${name}" as ${part}.`,
  },
});
export const MissionLeft = event("workspace.mission.left", PartData, {
  activity: {
    subject: ["participant", "did"],
    words: ({ did, name }) => `${did} takes part in the mission "${name}" no longer.`,
  },
});
