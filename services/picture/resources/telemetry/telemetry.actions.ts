import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { NDJSON, readLines } from "../../../../core/contract/media.ts";
import { BULK_BYTES } from "../registry/import.actions.ts";
import { READING_REFUSALS } from "./checking.ts";
import { Intake, intakeOf } from "./intake.ts";
import { FORMS, MOST_POINTS, pointsOf } from "./points.ts";

const Taken = z
  .object({
    accepted: z.int().describe("New ones, and those that replaced another value of the same moment."),
    replaced: z.int().describe("Of these, those that replaced another value."),
    duplicates: z.int().describe("Those that were there already, with the same value."),
    failed: z
      .array(
        z.object({
          index: z.int().describe("Counts from 0, in the order of the body."),
          code: z.enum(READING_REFUSALS),
        }),
      )
      .describe("`NOT_FOUND`: no resource that you see. The others say what is wrong with the reading."),
  })
  .meta({ id: "TelemetryTaken" });

export const telemetryActions = {
  "readings.take": endpoint({
    rest: "POST /telemetry",
    summary: "Take in readings of resources",
    permit: "signed-in",
    body: z.unknown(),
    forms: FORMS,
    media: {
      [NDJSON]: {
        description: "A reading a line, or the readings of one resource by series.",
        read: readLines,
      },
    },
    inflates: true,
    bodyLimit: BULK_BYTES,
    audit: false,
    returns: data(Taken),
    status: 201,
    example: { resourceId: "0192…", key: "fuel", at: "2026-07-01T12:00:00Z", value: 73.5 },
    description:
      `At most ${MOST_POINTS} readings: one, a list, \`{resourceId, series: {key: [[at, value], …]}}\` (a ` +
      "quarter of the bytes), the same as NDJSON, or SenML (RFC 8428). The answer comes when they are " +
      "durable. " +
      "A reading is known by resource, key and moment, to the microsecond: sent again it is a duplicate, with " +
      "another value it replaces the first. One that is taken more than five minutes ahead, or longer ago than " +
      "readings are kept, is refused by itself. " +
      "Numbers of the series `latitude` and `longitude` of one moment (degrees, WGS 84), with `altitude` and " +
      "`accuracy` in metres where they have them, say where the resource is: it is brought there within seconds, " +
      "and a reading taken earlier than its `locatedAt` moves nothing. " +
      "While too many wait, 503 with `Retry-After`: then none of the body was taken.",
    errors: {
      413: "More readings, or more bytes, than one body may have.",
      503: "Too many readings wait: none of these was taken, send them again after `Retry-After`.",
    },
    async handler(ctx) {
      const points = pointsOf(ctx.params.body, this.world.clock.now());
      return intakeOf(this).take(ctx.meta.actor!, points, Intake.bytesOf(points.length));
    },
  }),
};
