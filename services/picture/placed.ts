import type { PlacedRecord } from "../../core/geo/placed.ts";
import { positionOf, type Location } from "./location.ts";

/** What the picture shows of anything that lies in one point: nothing of what has no place. */
export function placedPoint({
  id,
  rev,
  updatedAt,
  compartments,
  name,
  location,
  locatedAt,
}: Pick<PlacedRecord, "id" | "rev" | "updatedAt" | "compartments" | "name"> & {
  location?: Location | undefined;
  locatedAt?: string | undefined;
}): PlacedRecord | null {
  if (!location) return null;
  return {
    ...{ id, rev, updatedAt, compartments, name },
    geometry: { type: "Point", coordinates: positionOf(location) },
    ...(locatedAt !== undefined && { at: locatedAt }),
    ...(location.accuracy !== undefined && { ce: location.accuracy }),
  };
}
