import { z } from "zod";
import { MODES } from "../../../core/access/training-mode.ts";
import { event } from "../../../core/events/event.ts";
import { STATUSES } from "./sensors.ts";
import { NamedFact } from "../place.ts";

export const SensorEnrolled = event("picture.sensor.enrolled", NamedFact, {
  activity: { subject: ["sensor", "id"], words: ({ name }) => `The sensor "${name}" was enrolled.` },
});
export const SensorStatusChanged = event(
  "picture.sensor.status-changed",
  NamedFact.extend({ status: z.enum(STATUSES) }),
  {
    activity: { subject: ["sensor", "id"], words: ({ name, status }) => `The sensor "${name}" is ${status}.` },
  },
);
export const SensorRemoved = event("picture.sensor.removed", NamedFact, {
  activity: { subject: ["sensor", "id"], words: ({ name }) => `The sensor "${name}" was taken off the register.` },
});
/** NamedFact of sensors outside of all sets too: who follows them lets them go. */
export const SensorGone = event(
  "picture.sensor.gone",
  z.object({ id: z.string(), audience: z.enum(MODES).optional() }),
);
