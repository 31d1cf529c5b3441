import { z } from "zod";
import type { Query } from "../records/documents.ts";
import { atOnce } from "../work/turns.ts";
import { covering, relationToBox, relationToPolygons, type CellRange } from "./cells.ts";
import { destination, isWithin } from "./earth.ts";
import { readGeoJson } from "./geojson.ts";
import { boxOf, isInBox, polygonsOf, positionsOf, type Box, type Position } from "./positions.ts";
import { isInPolygon } from "./rings.ts";

/** A part of the earth that is asked about: which stretches of quadkeys may hold it, and what lies in it exactly. */
export interface PlaceQuery {
  stretches: CellRange[];
  holds(position: Position): boolean;
}

const inBox = (box: Box): PlaceQuery => ({
  stretches: covering(relationToBox(box)),
  holds: (position) => isInBox(box, position),
});

/** The box around a circle; the whole of the longitudes where it reaches a pole. */
function boxAround(centre: Position, metres: number): Box {
  const [north, south] = [destination(centre, 0, metres), destination(centre, 180, metres)];
  // Over a pole the way leads to the other side of the earth, and at a quarter of its girth it surely does.
  const overNorth = isOver(centre, north) || metres > 10_000_000;
  const overSouth = isOver(centre, south) || metres > 10_000_000;
  if (overNorth || overSouth) return [-180, overSouth ? -90 : south[1], 180, overNorth ? 90 : north[1]];
  // The farthest east of a circle lies beyond its centre's latitude: a little is added, since this only chooses cells.
  const widest = Math.max(Math.abs(north[1]), Math.abs(south[1]));
  const degrees = (metres / (111_000 * Math.cos((widest * Math.PI) / 180))) * 1.02;
  if (!(degrees < 180)) return [-180, south[1], 180, north[1]];
  const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
  return [wrap(centre[0] - degrees), south[1], wrap(centre[0] + degrees), north[1]];
}
const isOver = ([lon]: Position, [there]: Position): boolean => {
  const apart = Math.abs(lon - there) % 360;
  return apart > 90 && apart < 270;
};

const number = z
  .string()
  .regex(/^-?\d{1,10}(?:\.\d{1,15})?$/, "A number.")
  .transform(Number);
const longitude = number.refine((lon) => Math.abs(lon) <= 180, "A longitude lies between -180 and 180.");
const latitude = number.refine((lat) => Math.abs(lat) <= 90, "A latitude lies between -90 and 90.");
/** Numbers with commas between, so many of them. */
const numbers = (count: number, form: string) =>
  z
    .string()
    .max(200)
    .transform((text, context) => {
      const parts = text.split(",").map((part) => part.trim());
      if (parts.length === count) return parts;
      context.addIssue({ code: "custom", message: `Must be \`${form}\`.` });
      return z.NEVER;
    });
const BOX = "west,south,east,north";
const CIRCLE = "longitude,latitude,metres";

/** Characters of an area in an address: escaped it still fits into the head of a request, which Node bounds at 16 KiB. */
const LONGEST_AREA = 4_000;

/** `bbox`, `near` and `within` of a list of what lies somewhere; at most one of them is sent. */
export const placeParameters = {
  bbox: numbers(4, BOX)
    .pipe(z.tuple([longitude, latitude, longitude, latitude]))
    .refine(([, south, , north]) => south <= north, "South is at most north.")
    .optional()
    .describe(`Only what lies in this box: \`${BOX}\` in degrees; west > east crosses 180°.`),
  near: numbers(3, CIRCLE)
    .pipe(z.tuple([longitude, latitude, number.refine((metres) => metres > 0, "Metres are more than 0.")]))
    .optional()
    .describe(`Only what lies within so many metres of a place: \`${CIRCLE}\`.`),
  within: z
    .string()
    .max(LONGEST_AREA)
    .regex(/^[\x20-\x7e]*$/, "GeoJSON of an area is plain ASCII.")
    .transform((text, context) => {
      const read = areaIn(text);
      if (typeof read !== "string") return read;
      context.addIssue({ code: "custom", message: read });
      return z.NEVER;
    })
    .optional()
    .describe("Only what lies in this area: a GeoJSON Polygon or MultiPolygon as JSON."),
};

/** The polygons of a text, or what is wrong with it. */
function areaIn(text: string) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return "GeoJSON is JSON.";
  }
  const { value, malformed, impossible } = atOnce(
    readGeoJson("geometry", parsed, { bounds: { features: 1, positions: 500, propertyBytes: 0 } }),
  );
  const [wrong] = [...malformed, ...impossible];
  if (wrong) return [wrong.path, wrong.message].filter(Boolean).join(": ");
  return value.type === "Polygon" || value.type === "MultiPolygon" ? value : "Send a Polygon or a MultiPolygon.";
}

type Given = { [P in keyof typeof placeParameters]?: z.output<(typeof placeParameters)[P]> };

/** What the parameters ask for; null where none is there. Several narrow one another. */
export function placeAsked({ bbox, near, within }: Given): PlaceQuery | null {
  const asked: PlaceQuery[] = [];
  if (within) {
    const polygons = polygonsOf(within);
    const around = boxOf(positionsOf(within))!;
    asked.push({
      stretches: covering(relationToPolygons(polygons)),
      holds: (position) => isInBox(around, position) && polygons.some((polygon) => isInPolygon(polygon, position)),
    });
  }
  if (near) {
    const [lon, lat, metres] = near;
    asked.push({
      stretches: covering(relationToBox(boxAround([lon, lat], metres))),
      holds: (position) => isWithin([lon, lat], position, metres),
    });
  }
  if (bbox) asked.push(inBox(bbox as Box));
  if (asked.length === 0) return null;
  return { stretches: asked[0]!.stretches, holds: (position) => asked.every((one) => one.holds(position)) };
}

/**
 * The query for records that carry a quadkey in `field`: each stretch is one range of an index on the fields of
 * `alike` and it. What it finds is checked by `holds`.
 */
export const inStretches = ({ stretches }: PlaceQuery, alike: Query = {}, field = "cell"): Query => ({
  $or: stretches.map(({ from, to }) => ({ ...alike, [field]: { $gte: from, $lt: to } })),
});

/** Whether a quadkey lies in the stretches: the same question of a record at hand. */
export const isInStretches = ({ stretches }: PlaceQuery, cell: string): boolean =>
  stretches.some(({ from, to }) => cell >= from && cell < to);
