import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { NDJSON, readLines } from "../../../../core/contract/input/media.ts";
import { BULK_BYTES } from "../registry/import.actions.ts";
import { Intake, intakeOf } from "./intake.ts";
import { FORMS, MOST_POINTS, pointsOf } from "./points.ts";
import { READING_REFUSALS } from "./reading-refusals.ts";

const Taken = z
  .object({
    accepted: z.int().describe("New values, and those that replaced another one of the same moment."),
    replaced: z.int().describe("How many of these replaced another value."),
    duplicates: z.int().describe("Those that were there already, with the same value."),
    failed: z
      .array(
        z.object({
          index: z.int().describe("Counts from 0, in the order of the body."),
          code: z.enum(READING_REFUSALS),
          message: z.string(),
        }),
      )
      .describe("Readings that were refused, each by itself."),
  })
  .meta({ id: "TelemetryTaken" });

export const telemetryActions = {
  "readings.take": endpoint({
    rest: "POST /telemetry",
    summary: "Submit readings of resources",
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
      `At most ${MOST_POINTS} readings: a single one, a list, \`{resourceId, series: {key: [[at, ` +
      `value], …]}}\` (a quarter of the bytes), the same as NDJSON, or SenML (RFC 8428). The answer ` +
      `comes once they are durable. A reading is identified by resource, key and time, to the ` +
      `microsecond: sent again it is a duplicate, and with another value it replaces the first. A ` +
      `reading more than five minutes in the future, or older than the retention period, is refused on ` +
      `its own. Readings of \`latitude\` and \`longitude\` for the same time (degrees, WGS 84), ` +
      `optionally with \`altitude\` and \`accuracy\` in metres, give the resource's position: it is ` +
      `moved there within seconds, unless the reading is older than its \`locatedAt\`. If too many ` +
      `readings are waiting, the answer is 503 with \`Retry-After\`, and nothing of the body was ` +
      `accepted.`,
    errors: {
      413: "More readings, or more bytes, than one body may have.",
      503: "Too many readings are queued: none of these was accepted, send them again after `Retry-After`.",
    },
    async handler(ctx) {
      const points = pointsOf(ctx.params.body, this.world.clock.now());
      return intakeOf(this).take(ctx.meta.actor!, points, Intake.bytesOf(points.length));
    },
  }),
};
