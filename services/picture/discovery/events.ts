import { z } from "zod";
import { MODES } from "../../../core/access/training-mode.ts";
import { event } from "../../../core/events/event.ts";
import { NamedFact } from "../place.ts";

export const DeviceFound = event("picture.device.found", NamedFact, {
  activity: { subject: ["device", "id"], words: ({ name }) => `The device "${name}" was found.` },
});
export const DeviceDisconnected = event("picture.device.disconnected", NamedFact, {
  activity: {
    subject: ["device", "id"],
    words: ({ name }) => `The device "${name}" was disconnected in an emergency.`,
  },
});
/** A device was cut off: what follows from it is done at least once. */
export const DeviceCutOff = event("picture.device.cut-off", z.object({ id: z.string() }));
/** The access list is another: what it decides is decided anew. */
export const AccessListChanged = event(
  "picture.access-list.changed",
  z.object({ id: z.string(), mode: z.enum(MODES) }),
);
