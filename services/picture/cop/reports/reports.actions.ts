import { z } from "zod";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { asPlacesQuery, PlacedRecord, placesAskedAnywhere } from "../../../../core/geo/placed.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { askedOutside, outsideAlone, placeFor } from "../../place.ts";
import { SourceChanged } from "../events.ts";
import { pictureOf } from "../pictures.ts";
import { MOST_EVENTS, readEvents } from "./cot.ts";
import { placedReport, REPORT_REFUSALS, Report, ReportGiven } from "./reports.ts";
import { takeReports } from "./report-intake.ts";

const set = "problemSetId";
const DRAFT = "cop:draft";
const COT = {
  description:
    "Events of Cursor on Target 2.0: one, several one after the other, or within an element `events`. A document " +
    "type is refused; `_flow-tags_` are not kept.",
  read: readEvents,
};

export const reportActions = {
  "reports.take": endpoint({
    rest: "POST /reports",
    summary: "Submit external reports: Cursor on Target events",
    permit: "signed-in",
    within: { set, may: DRAFT },
    query: {
      problemSetId: TextId.optional().describe("The problem set they belong to; without it, everybody in your mode."),
      compartments: z.array(TextId).max(20).default([]).describe("Separated by commas."),
    },
    body: { events: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_EVENTS) },
    forms: [z.strictObject({ events: z.array(ReportGiven).min(1).max(MOST_EVENTS) })],
    media: { "application/xml": COT, "text/xml": COT, "application/cot+xml": COT },
    inflates: true,
    returns: data(
      z
        .object({
          taken: z.int(),
          late: z.int().describe("Reports not newer than the existing ones: they change nothing."),
          removed: z.int().describe("Reports removed by a `t-x-d-d` with a link."),
          failed: z.array(
            z.object({
              index: z.int().describe("Counts from 0."),
              code: z.enum(REPORT_REFUSALS),
              message: z.string(),
              path: z.string(),
            }),
          ),
        })
        .meta({ id: "ReportsTaken" }),
    ),
    example: {
      events: [
        {
          uid: "ANDROID-7",
          type: "a-f-G-U-C-I",
          time: "2026-07-01T12:00:00Z",
          stale: "2026-07-01T12:05:00Z",
          location: { latitude: 52, longitude: 13 },
          name: "Alpha 7",
        },
      ],
    },
    beyond: true,
    description:
      `JSON, or Cursor on Target as XML; at most ${MOST_EVENTS} events. A report is identified by its ` +
      `uid: live layers of the source \`reports\` show the one created last, until five minutes after ` +
      `its \`stale\`. 9999999 means unknown. Refused events are listed by index and do not stop the ` +
      `others.`,
    async handler(ctx) {
      const { problemSetId, compartments, events } = ctx.params;
      const place = placeFor(ctx.meta.actor!, { problemSetId, compartments }, DRAFT);
      const { changed, ...taken } = await takeReports(this, ctx, place, events);
      if (changed.length)
        void SourceChanged.emit(this, { picture: pictureOf(place), source: "reports", recordIds: changed });
      return taken;
    },
  }),

  "reports.list": endpoint({
    rest: "GET /reports",
    summary: "List the latest reports and their reporters",
    permit: "signed-in",
    within: { set, may: "cop:read" },
    query: { ...Report.query, ...outsideAlone, sort: z.enum(["-at", "at"]).default("-at") },
    returns: list(Report.view),
    beyond: true,
    handler(ctx) {
      const { outside, ...asked } = ctx.params;
      return this.store(Report).page(ctx, asked, askedOutside(ctx.meta.actor!, { outside, ...asked }));
    },
  }),

  /** What the picture shows of reports: those that nobody took away. */
  "reports.placed": endpoint({
    summary: "The reports of a problem set, or those of them that changed since",
    permit: "internal",
    body: placesAskedAnywhere,
    returns: bare(z.array(PlacedRecord)),
    async handler(ctx) {
      return (await this.store(Report).find(ctx, asPlacesQuery(ctx.params))).flatMap(placedReport);
    },
  }),
};
