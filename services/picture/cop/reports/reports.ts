import { z } from "zod";
import type { PlacedRecord } from "../../../../core/geo/placed.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed } from "../../place.ts";
import { pictureReach } from "../pictures.ts";
import { Location } from "../../location.ts";

const Uid = z.string().min(1).max(200);
const Type = z
  .string()
  .max(120)
  .regex(/^[a-z]+(-[\w.*]+)*$/i, "Must be a type of CoT, such as `a-f-G-U-C-I`.");
const When = z.iso.datetime({ offset: true });
const MOST_DETAIL = 8_192;

/** What the report says by fields of its own, or this platform by itself. */
const SAID_BY_FIELDS = ["version", "uid", "type", "how", "time", "start", "stale"];
const ATTRIBUTE = /^[A-Za-z][\w-]{0,59}$/;
const MOST_ATTRIBUTES = 20;
/** Whether an attribute of an event is kept by its name: one without a namespace that no field says. */
export const isOther = (name: string): boolean => ATTRIBUTE.test(name) && !SAID_BY_FIELDS.includes(name);
const Attributes = z.record(z.string(), z.string().max(500));

/** A report as it comes: an event of Cursor on Target, or the same as JSON. */
export const ReportGiven = z.strictObject({
  uid: Uid.describe("Identifies the reported object: its next report replaces this one."),
  type: Type.describe("Cursor on Target type: `a-f-G-U-C-I`; `t-x-d-d` removes the report named by `removes`."),
  how: z.string().max(40).optional(),
  time: When.describe("When it was made."),
  start: When.optional().describe("Start of validity; by default, when it was created."),
  stale: When.describe("End of validity."),
  location: Location.optional(),
  heightAccuracy: z.number().min(0).max(1e7).optional().describe("Metres."),
  name: z.string().max(200).optional(),
  symbol: z.string().max(30).optional().describe("A code of MIL-STD-2525; by its type, unless said otherwise."),
  detail: z.string().max(MOST_DETAIL).optional().describe("What else it says: elements of XML, without `_flow-tags_`."),
  attributes: Attributes.refine((all) => Object.keys(all).every(isOther), "Letters, digits, - and _; no field's name.")
    .refine((all) => Object.keys(all).length <= MOST_ATTRIBUTES, `At most ${MOST_ATTRIBUTES}.`)
    .optional()
    .describe("What else its event says of itself: `access`, `qos`, `opex`, `caveat` and others, each as text."),
  removes: Uid.optional(),
});
export type ReportGiven = z.output<typeof ReportGiven>;

/** What somebody or something outside last reported of itself or of another, by its uid. */
export const Report = entity("cop_reports", {
  title: "report",
  fields: {
    ...placed,
    uid: Uid,
    type: z.string(),
    how: z.string().optional(),
    name: z.string(),
    symbol: z.string().optional(),
    location: Location,
    heightAccuracy: z.number().optional(),
    detail: z.string().optional().describe("What else it says, as XML; it goes out again with the layer's export."),
    attributes: Attributes.optional().describe("Other attributes of its event; they go out again with it."),
    startAt: Instant.optional().describe("Start of validity, if different from its creation."),
    at: Instant.describe("When it was created; an older report changes nothing."),
    staleAt: Instant,
    gone: z.boolean().describe("It was removed: not shown until a later report arrives."),
  },
  readonly: ["audience", "gone"],
  hidden: ["audience"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "type"],
  sort: ["at"],
  barrier: pictureReach,
  lists: [
    { by: ["problemSetId"], few: ["type"], sort: ["-at", "at"] },
    { by: ["audience"], having: "audience", few: ["type"], sort: ["-at", "at"] },
  ],
  indexes: [...outsideIndexes, { fields: ["staleAt"] }, { fields: ["problemSetId", "updatedAt"] }],
});
export type Report = Item<typeof Report>;

/** The same uid elsewhere is another's: nobody is told that one is taken where they do not see. */
export const reportId = (picture: string, compartments: readonly string[], uid: string): string =>
  derivedId(`report ${JSON.stringify([picture, [...compartments].sort(), uid])}`);

export const REMOVAL = "t-x-d-d";
/** A report from further ahead of our clock than this is refused. */
const AHEAD_MS = 300_000;
/** Atoms, bits and what users draw; all others are orders and talk between machines. */
const SHOWN = /^[abu](-|$)/;

export const REPORT_REFUSALS = ["INVALID", "AHEAD", "NEVER_HELD", "NO_PLACE", "OTHER_TYPE", "INVALID_SYMBOL"] as const;
type ReportRefusal = (typeof REPORT_REFUSALS)[number];

export interface RefusedReport {
  code: ReportRefusal;
  message: string;
  path: string;
}

/** Why a report is not taken, and by which field; undefined where it is. */
export function reportRefusal(given: ReportGiven, now: number): RefusedReport | undefined {
  if (Date.parse(given.time) > now + AHEAD_MS)
    return { code: "AHEAD", path: "time", message: `Lies more than ${AHEAD_MS / 60_000} minutes in the future.` };
  if (given.type.startsWith(REMOVAL))
    return given.removes === undefined
      ? { code: "INVALID", path: "removes", message: "Names no report to remove: `removes`, or a `link` with its uid." }
      : undefined;
  if (!SHOWN.test(given.type))
    return {
      code: "OTHER_TYPE",
      path: "type",
      message: "Is shown on no picture: only `a-…`, `b-…`, `u-…` and `t-x-d-d` are taken.",
    };
  if (Date.parse(given.stale) <= Date.parse(given.start ?? given.time))
    return { code: "NEVER_HELD", path: "stale", message: "Is not after its beginning: the report never held." };
  return given.location
    ? undefined
    : { code: "NO_PLACE", path: "location", message: "Is missing: a report is shown where it was." };
}

/** What the picture shows of a report. */
export function placedReport({ gone, location, name, type, uid, symbol, ...report }: Report): PlacedRecord[] {
  if (gone) return [];
  const { id, rev, updatedAt, compartments, at, staleAt } = report;
  const { longitude, latitude, altitude, accuracy } = location;
  const coordinates = [longitude, latitude, ...(altitude === undefined ? [] : [altitude])];
  return [
    {
      ...{ id, rev, updatedAt, compartments, name, uid, at, staleAt },
      kind: type,
      geometry: { type: "Point", coordinates },
      ...(symbol !== undefined && { symbol }),
      ...(accuracy !== undefined && { ce: accuracy }),
    },
  ];
}
