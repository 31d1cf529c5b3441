import { boxOf, positionsOf, type Feature } from "../../../../core/geo/positions.ts";
import { element, type Markup } from "./markup.ts";

/** What Cursor on Target writes for a figure that nobody knows. */
const UNKNOWN = 9_999_999;
/** So long a report holds that does not say. */
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
export function cotTypeOf(symbol: unknown): string {
  if (typeof symbol !== "string") return "a-u-G";
  if (/^\d{20,30}$/.test(symbol))
    return `a-${AFFILIATIONS[Number(symbol[3])] ?? "u"}-${DIMENSIONS[symbol.slice(4, 6)] ?? "G"}`;
  if (!/^S[A-Z]{2}/.test(symbol)) return "a-u-G";
  const functions = [...symbol.slice(4, 10)].filter((letter) => letter !== "-" && letter !== "*");
  return ["a", symbol[1]!.toLowerCase(), symbol[2]!, ...functions].join("-");
}

const figure = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : UNKNOWN);
const instant = (value: unknown): number => (typeof value === "string" ? Date.parse(value) : NaN);
const iso = (at: number): string => new Date(at).toISOString();

/** An event of Cursor on Target 2.0; null for what has no place. Of what is no point, the middle of its box. */
function eventOf(uid: string, { id, geometry, properties }: Feature, now: number): Markup | null {
  const box = geometry && boxOf(positionsOf(geometry));
  if (!box) return null;
  const [west, south, east, north] = box;
  const altitude = geometry.type === "Point" ? geometry.coordinates[2] : undefined;
  const start = instant(properties?.at) || now;
  const stale = instant(properties?.staleAt) || start + USUAL_MS;
  const name = properties?.name ?? id;
  return element(
    "event",
    {
      version: "2.0",
      uid: typeof properties?.uid === "string" ? properties.uid : uid,
      type: cotTypeOf(properties?.symbol),
      how: "m-g",
      time: iso(now),
      start: iso(start),
      stale: iso(stale),
    },
    [
      element("point", {
        lat: (south + north) / 2,
        lon: (west + east) / 2,
        hae: figure(altitude),
        ce: figure(properties?.ce),
        le: figure(properties?.le),
      }),
      element("detail", {}, [element("contact", { callsign: String(name ?? uid) })]),
    ],
  );
}

/** Features as events, one element around them. */
export function cotOf(layerId: string, features: readonly Feature[], now: number): string {
  const events = features.map((feature) => eventOf(`${layerId}.${String(feature.id)}`, feature, now));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    element(
      "events",
      {},
      events.filter((one) => one !== null),
    ).markup
  }\n`;
}
