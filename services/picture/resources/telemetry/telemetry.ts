import { z } from "zod";
import { liveType } from "../../../../core/contract/live.ts";
import { event } from "../../../../core/events/event.ts";
import { ALARM_SEVERITIES, ALARM_STATES } from "./alarms.ts";

export const Value = z.union([z.number(), z.boolean(), z.string()]);
export const ReadingView = z.object({
  at: z.string().describe("When it was taken: ISO 8601, to the microsecond where it is so exact."),
  value: Value,
});

export const TelemetryUpdate = liveType("telemetry.update", {
  domain: "resources",
  summary:
    "Resources sent readings: the last one of each series, at most four times a second for each place; in a " +
    "problem set, or outside of all (topic `telemetry`)",
  permit: "resources:read",
  may: "resources:read",
  topics: ["telemetry"],
  payload: z.object({
    readings: z.array(z.object({ resourceId: z.string(), key: z.string(), at: z.string(), value: Value })),
    more: z.int().describe("Series that sent too, and are not told."),
  }),
});

export const AlarmChanged = liveType("alarm.changed", {
  domain: "resources",
  summary:
    "An alarm of a resource was raised, acknowledged or cleared; in a problem set, or outside of all (topic `telemetry`)",
  permit: "resources:read",
  may: "resources:read",
  topics: ["telemetry"],
  payload: z.object({
    alarmId: z.string(),
    resourceId: z.string(),
    severity: z.enum(ALARM_SEVERITIES),
    state: z.enum(ALARM_STATES),
    acknowledged: z.boolean(),
  }),
});

/** A hint to every node: what it remembers of a resource is of yesterday. */
export const ResourceTouched = event("picture.resource.touched", z.object({ id: z.string() }));
