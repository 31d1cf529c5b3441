import { z } from "zod";
import { AreaField } from "../../../core/geo/area-field.ts";
import { iso } from "../../../core/clock.ts";
import { PersonId } from "../../../core/access/person-reference.ts";
import { liveType } from "../../../core/contract/live.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { outsideIndexes, placed, reach } from "../place.ts";
import { Location } from "../location.ts";

export const STATUSES = ["active", "degraded", "silent", "off"] as const;
/** What a sensor, or whoever keeps it, says of it; that it is silent follows. */
export const REPORTED = ["active", "degraded", "off"] as const;
export const SENSOR_KINDS = [
  "camera",
  "radar",
  "acoustic",
  "electromagnetic",
  "chemical",
  "radiological",
  "weather",
  "motion",
  "other",
] as const;
/** Silent after so many heartbeats that did not come. */
const MISSED = 3;
const FARTHEST = 2_000_000;

const Range = z.number().gt(0).max(FARTHEST).describe("Metres.");
/** What ground a sensor covers. */
export const Coverage = z.discriminatedUnion("shape", [
  z.strictObject({ shape: z.literal("radius"), range: Range }),
  z.strictObject({
    shape: z.literal("sector"),
    azimuth: z.number().min(0).max(360).describe("Where it begins: degrees from north, clockwise."),
    width: z.number().gt(0).max(360).describe("Degrees clockwise from there; over north where it is more."),
    range: Range,
    minRange: z.number().min(0).max(FARTHEST).optional().describe("Nothing nearer is covered: metres."),
  }),
  z.strictObject({ shape: z.literal("polygon"), area: AreaField }),
]);
export type Coverage = z.output<typeof Coverage>;

export const Measured = z.object({
  coverage: Coverage,
  at: Instant.describe("When it was measured."),
  staleAt: Instant.describe("Valid until then; afterwards the planned coverage applies again."),
  by: PersonId,
});

export const Sensor = entity("sensors", {
  title: "sensor",
  fields: {
    ...placed,
    name: z.string().trim().min(1).max(200),
    kind: z.enum(SENSOR_KINDS).default("other"),
    description: z.string().max(4_000).optional(),
    resourceId: TextId.optional().describe(
      "The resource that it is, or that carries it: it moves with that, which is not removed under it.",
    ),
    heartbeatSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(60)
      .describe(`How often it reports: silent when ${MISSED} reports have not come.`),
    coverage: Coverage.optional().describe("What it is planned to cover."),
    location: Location.optional(),
    locatedAt: Instant.optional(),
    measured: Measured.optional(),
    status: z.enum(STATUSES),
    reported: z.enum(REPORTED),
    /** Of what moment that is: a report that comes after a later one says nothing of now. */
    reportedAt: Instant.optional(),
    lastSeenAt: Instant,
    dueAt: Instant.optional(),
    cell: z.string().optional(),
  },
  readonly: ["audience", "locatedAt", "measured", "status", "reported", "reportedAt", "lastSeenAt", "dueAt", "cell"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "reported", "reportedAt", "dueAt", "cell"],
  filter: ["problemSetId", "status", "kind"],
  sort: ["name"],
  barrier: reach,
  traced: true,
  lists: [{ by: ["problemSetId"] }, { by: ["audience"], having: "audience" }],
  indexes: [
    ...outsideIndexes,
    { fields: ["dueAt"], sparse: true },
    { fields: ["resourceId"], sparse: true },
    { fields: ["problemSetId", "cell"] },
    { fields: ["audience", "cell"], sparse: true },
  ],
});
export type Sensor = Item<typeof Sensor>;

/** Where a sensor was; it lies where the sensor does. */
export const Fix = entity("sensors.track", {
  title: "fix",
  fields: { ...placed, sensorId: z.string(), at: Instant, location: Location },
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience"],
  barrier: reach,
  lists: [{ by: ["problemSetId", "sensorId"], sort: ["-at"] }],
  indexes: [{ fields: ["sensorId", "-at"] }],
});

/** When it falls silent: undefined where nothing is expected of it. */
export const silentAt = ({
  reported,
  lastSeenAt,
  heartbeatSeconds,
}: Pick<Sensor, "reported" | "lastSeenAt" | "heartbeatSeconds">): number | undefined =>
  reported === "off" ? undefined : Date.parse(lastSeenAt) + MISSED * heartbeatSeconds * 1_000;

/** What a sensor's status is now, though nobody has looked since it fell silent. */
export function statusAt(
  sensor: Pick<Sensor, "reported" | "lastSeenAt" | "heartbeatSeconds">,
  now: number,
): (typeof STATUSES)[number] {
  const due = silentAt(sensor);
  return due !== undefined && due <= now ? "silent" : sensor.reported;
}

/** What holds of a sensor after a report of it at that moment. */
export function seen(sensor: Pick<Sensor, "reported" | "heartbeatSeconds">, at: string) {
  const after = { ...sensor, lastSeenAt: at };
  const due = silentAt(after);
  return {
    lastSeenAt: at,
    status: sensor.reported,
    reported: sensor.reported,
    dueAt: due === undefined ? null : iso(due),
  };
}

/** What holds of a sensor that is expected at another pace: it may be silent at once, or not any more. */
export function expectedAnew(
  sensor: Pick<Sensor, "reported" | "lastSeenAt" | "heartbeatSeconds">,
  now: number,
): { status: Sensor["status"]; dueAt: string | null } {
  const status = statusAt(sensor, now);
  const due = status === "silent" ? undefined : silentAt(sensor);
  return { status, dueAt: due === undefined ? null : iso(due) };
}

/** What it covers now, and on what grounds: a measurement until it is stale, then what was planned. */
export function coverageAt(
  { measured, coverage }: Pick<Sensor, "measured" | "coverage">,
  now: number,
): { coverage: Coverage; source: "measured" | "planned" } | undefined {
  if (measured && Date.parse(measured.staleAt) > now) return { coverage: measured.coverage, source: "measured" };
  return coverage && { coverage, source: "planned" };
}

export const SensorChanged = liveType("sensor.changed", {
  domain: "sensors",
  summary:
    "A sensor came to be, was changed or went, or its status is another; in a problem set, or outside of all (topic `sensors`)",
  permit: "sensors:read",
  may: "sensors:read",
  topics: ["sensors"],
  payload: z.object({ sensorId: z.string(), status: z.enum(STATUSES) }),
});
