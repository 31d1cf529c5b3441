import { z } from "zod";
import { invalid, unprocessable } from "../problem.ts";
import { inTurns } from "../work/turns.ts";
import { readGeoJson } from "./geojson.ts";
import type { Geometry } from "./positions.ts";

export type Area = Extract<Geometry, { type: "Polygon" | "MultiPolygon" }>;

/** Positions that an area of a record has at most: it is shown in lists. */
const MOST_POSITIONS = 2_000;

/** A field that holds an area, as far as a schema sees; `areaOf` reads it. */
export const AreaField = z
  .strictObject({ type: z.enum(["Polygon", "MultiPolygon"]), coordinates: z.array(z.unknown()).min(1) })
  .meta({ id: "Area" });

/**
 * The area in a field, mended where it is only unusual. Throws 400 with a path for what is no GeoJSON, 422
 * `IMPOSSIBLE_AREA` for rings that cross or have no area.
 */
export async function areaOf(path: string, given: unknown): Promise<Area> {
  const bounds = { features: 1, positions: MOST_POSITIONS, propertyBytes: 0 };
  const { value, malformed, impossible } = await inTurns(readGeoJson("geometry", given, { path, bounds }));
  if (malformed.length) throw invalid(malformed);
  if (impossible.length) throw unprocessable("IMPOSSIBLE_AREA", "This is no area that there could be.", impossible);
  if (value.type !== "Polygon" && value.type !== "MultiPolygon")
    throw invalid([{ path, message: "An area is a Polygon or a MultiPolygon." }]);
  return value;
}
