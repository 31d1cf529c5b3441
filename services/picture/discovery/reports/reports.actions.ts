import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { mayOutside } from "../../place.ts";
import { sightingOf } from "../../../../adapters/discovery/sightings.ts";
import { demandConsent } from "../consents/giving.ts";
import { Origin } from "../consents/consents.ts";
import { Device } from "../devices/devices.ts";
import { observe } from "../devices/observing.ts";
import { DECIDE, placeFields, REPORT, reporting, watchedFor } from "../reach.ts";
import { demandEnabled } from "../scanner/configs.ts";
import { MOST_ROWS_REPORTED, REPORT_PARTS, ReportedDevice, unreadable } from "./reports.ts";
import { takeReport } from "./report-intake.ts";

const rows = z.array(z.unknown()).max(MOST_ROWS_REPORTED).default([]);
const TELLING = ["did", "serial", "usn", "mac", "macs", "instances", "name", "addresses"] as const;

export const reportActions = {
  takeClientReport: endpoint({
    rest: "POST /client-discovery",
    summary: "Submit a device that a browser found",
    permit: "signed-in",
    within: reporting,
    body: {
      ...placeFields,
      origin: Origin.optional().describe(
        "Of the page that came across it; this platform's own, unless said otherwise.",
      ),
      ...ReportedDevice,
    },
    returns: data(Device.view),
    status: 201,
    errors: {
      403: "You have not accepted the present text for this origin (`CONSENT_REQUIRED`).",
      409: "The transport `client` is switched off.",
    },
    example: { name: "Heart rate sensor", mac: "00:1B:C5:00:00:01", services: [{ type: "bluetooth" }] },
    description:
      "Requires a person who has accepted the legal text for the origin (`GET " +
      "/api/discovery/legal-consent/:origin`). What is reported of the device is unproved. A randomised " +
      "hardware address, as browsers and phones use them, identifies nothing.",
    async handler(ctx) {
      const { origin = ctx.meta.origin ?? "server", problemSetId, compartments, ...said } = ctx.params;
      const actor = ctx.meta.actor!;
      const userId = personOf(actor);
      const place = watchedFor(actor, { problemSetId, compartments }, REPORT);
      if (!TELLING.some((field) => said[field] !== undefined))
        throw invalid([{ path: "name", message: `Say at least one of ${TELLING.join(", ")}.` }]);
      const unread = unreadable(said);
      if (unread.length) throw invalid(unread);
      await demandConsent(this, userId, origin);
      const { intervalSeconds } = await demandEnabled(this, "client");
      return observe(this, sightingOf("client", said), { place, everySeconds: intervalSeconds, by: userId });
    },
  }),

  takeObservations: endpoint({
    rest: "POST /observations",
    summary: "Submit a collector's observations: devices, emissions and links between devices",
    permit: "signed-in",
    within: reporting,
    beyond: true,
    body: {
      ...placeFields,
      devices: rows,
      emissions: rows,
      links: rows,
    },
    returns: data(
      z
        .object({
          created: z
            .array(z.string())
            .describe("The devices that were seen, new or known, in order; of a row that failed none."),
          emissions: z.int(),
          links: z.int(),
          failed: z.array(
            z.object({ part: z.enum(REPORT_PARTS), index: z.int(), code: z.string(), message: z.string() }),
          ),
        })
        .meta({ id: "ObservationsTaken" }),
    ),
    status: 201,
    bodyLimit: 10 * 1_048_576,
    errors: { 409: "The transport `collector` is switched off." },
    example: { emissions: [{ frequencyHz: 2.437e9, bandwidthHz: 20e6, powerDbm: -60 }] },
    description:
      "Each row is handled separately: `emissions` have `frequencyHz`, `bandwidthHz`, `powerDbm`, `at`, " +
      "`source`; `links` have `from` and `to` (`macs`, `did`, `name`, `address` or `deviceId`), " +
      "`evidence`, `confidence`, `cost`. A manual link (`manual`) overrides observed ones, and requires " +
      "the permit `discovery:decide`.",
    async handler(ctx) {
      const { problemSetId, compartments, ...report } = ctx.params;
      const actor = ctx.meta.actor!;
      const place = watchedFor(actor, { problemSetId, compartments }, REPORT);
      const { intervalSeconds } = await demandEnabled(this, "collector");
      if (!REPORT_PARTS.some((part) => report[part].length))
        throw invalid([{ path: "devices", message: "Send devices, emissions or links." }]);
      const mayDeclare =
        problemSetId === undefined
          ? mayOutside(DECIDE)(actor, {})
          : (actor.memberships?.[problemSetId]?.permits.some((permit) => permit === "*" || permit === DECIDE) ?? false);
      const look = { place, everySeconds: intervalSeconds, by: actor.userId };
      const { devices, ...taken } = await takeReport(this, ctx, "collector", report, look, { mayDeclare });
      return { ...taken, created: devices.map(({ id }) => id) };
    },
  }),
};
