import { z } from "zod";
import type { SyncedNoun } from "../synced-nouns.ts";
import { SENSOR_KINDS, REPORTED, Sensor } from "./sensors.ts";

const EDIT = "sensors:edit",
  REPORT = "sensors:report";

/** Sensors as edge nodes carry them. */
export const syncedSensors: SyncedNoun = {
  entity: "sensor",
  domain: "sensors",
  at: "",
  may: EDIT,
  fields: {
    name: { schema: Sensor.create.name, may: EDIT },
    description: { schema: Sensor.change.description, may: EDIT },
    kind: { schema: z.enum(SENSOR_KINDS), may: EDIT },
    heartbeatSeconds: { schema: Sensor.change.heartbeatSeconds.unwrap(), may: EDIT },
    location: { schema: Sensor.change.location.unwrap().unwrap(), may: REPORT },
    status: { schema: z.enum(REPORTED), may: REPORT },
  },
  valuesOf: ({ name, description, kind, heartbeatSeconds, location, reported }: Sensor) => ({
    ...{ name, kind, heartbeatSeconds, status: reported },
    description: description ?? null,
    location: (location as never) ?? null,
  }),
  later: ["status"],
  besides: ["coverage"],
  begins: Sensor.create,
  makes: (values) => ({ action: "sensors.create", params: values }),
  changes(id, field, value, at) {
    if (field === "status") return { action: "sensors.setStatus", params: { id, status: value, at } };
    if (field === "location") return { action: "sensors.setLocation", params: { id, ...(value as object), at } };
    return { action: "sensors.update", params: { id, [field]: value } };
  },
  removes: (id) => ({ action: "sensors.remove", params: { id } }),
};
