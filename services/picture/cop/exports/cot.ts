import { iso } from "../../../../core/clock.ts";
import { middleOf, positionsOf, type Feature } from "../../../../core/geo/positions.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { saidBy } from "../layers/properties.ts";
import { readDetail } from "../reports/detail.ts";
import type { Report } from "../reports/reports.ts";
import { element, type Markup } from "./markup.ts";

/** What Cursor on Target writes for a figure that nobody knows. */
const UNKNOWN = 9_999_999;
/** How long a report holds that does not say so, in milliseconds. */
const USUAL_MS = 5 * 60_000;

const AFFILIATIONS = "puafnsh";
const DIMENSIONS: Readonly<Record<string, string>> = {
  "01": "A",
  "02": "A",
  "05": "P",
  "06": "P",
  "30": "S",
  "35": "U",
};

/** The type of an event: an atom of the affiliation, dimension and function that a symbol says. */
function cotTypeOf(symbol: unknown): string {
  if (typeof symbol !== "string") return "a-u-G";
  if (/^\d{20,30}$/.test(symbol))
    return `a-${AFFILIATIONS[Number(symbol[3])] ?? "u"}-${DIMENSIONS[symbol.slice(4, 6)] ?? "G"}`;
  if (!/^S[A-Z]{2}/.test(symbol)) return "a-u-G";
  const functions = [...symbol.slice(4, 10)].filter((letter) => letter !== "-" && letter !== "*");
  return ["a", symbol[1]!.toLowerCase(), symbol[2]!, ...functions].join("-");
}

const figure = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : UNKNOWN);
const instant = (value: unknown): number => (typeof value === "string" ? Date.parse(value) : NaN);

interface Told {
  uid: string;
  type: string;
  how: string;
  time: number;
  start: number;
  stale: number;
  lat: number;
  lon: number;
  hae: unknown;
  ce: unknown;
  le: unknown;
  attributes?: Readonly<Record<string, string>> | undefined;
}

const eventOf = (
  { uid, type, how, time, start, stale, lat, lon, hae, ce, le, attributes }: Told,
  detail: readonly Markup[],
): Markup =>
  element(
    "event",
    { version: "2.0", uid, type, how, time: iso(time), start: iso(start), stale: iso(stale), ...attributes },
    [element("point", { lat, lon, hae: figure(hae), ce: figure(ce), le: figure(le) }), element("detail", {}, detail)],
  );

const contact = (callsign: string): Markup => element("contact", { callsign });

/** A feature as an event; null for what has no place. Of what is no point, the middle of its box. */
function eventOfFeature(layerId: string, { id, geometry, properties }: Feature, now: number): Markup | null {
  const middle = geometry && middleOf([...positionsOf(geometry)]);
  if (!middle) return null;
  const [lon, lat] = middle;
  const start = instant(properties?.at) || now;
  const uid = typeof properties?.uid === "string" ? properties.uid : `${layerId}.${String(id)}`;
  return eventOf(
    {
      ...{ uid, type: cotTypeOf(properties?.symbol), how: "m-g", time: now },
      // What does not say until when it holds, holds now: receivers drop what is stale.
      ...{ start, stale: instant(properties?.staleAt) || Math.max(start, now) + USUAL_MS },
      ...{ lat, lon },
      hae: geometry.type === "Point" ? geometry.coordinates[2] : undefined,
      ...{ ce: properties?.ce, le: properties?.le },
    },
    [contact(saidBy(properties?.name ?? id ?? uid))],
  );
}

/** A report as it came, with all that it said: whoever takes it in again knows it for the same one. */
function eventOfReport({
  uid,
  type,
  how = "m-g",
  name,
  location,
  heightAccuracy,
  detail,
  attributes,
  at,
  ...report
}: Report): Markup {
  // What came before detail was looked through may be no XML.
  const read = detail === undefined ? undefined : readDetail(detail);
  const kept = read && "detail" in read ? read : { detail: "", names: [] };
  const isNamed = name === uid || kept.names.includes("contact");
  const time = Date.parse(at);
  return eventOf(
    {
      ...{ uid, type, how, time, stale: Date.parse(report.staleAt) },
      start: report.startAt === undefined ? time : Date.parse(report.startAt),
      ...{ lat: location.latitude, lon: location.longitude, hae: location.altitude },
      ...{ ce: location.accuracy, le: heightAccuracy, attributes },
    },
    [...(isNamed ? [] : [contact(name)]), ...(kept.detail ? [{ markup: kept.detail }] : [])],
  );
}

/** The report that a feature was made from, by its id. */
export const reportIdOf = ({ properties }: Feature): string | undefined =>
  properties?.entityType === "report" && typeof properties.entityId === "string" ? properties.entityId : undefined;

/** Features as events, one element around them, in steps; those made of reports as these came. */
export function* cotOf(
  layerId: string,
  features: readonly Feature[],
  now: number,
  reports: ReadonlyMap<string, Report> = new Map(),
): Steps<string> {
  const events: Markup[] = [];
  for (const feature of features) {
    const report = reports.get(reportIdOf(feature) ?? "");
    const event = report && !report.gone ? eventOfReport(report) : eventOfFeature(layerId, feature, now);
    if (event) events.push(event);
    yield;
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("events", {}, events).markup}\n`;
}
