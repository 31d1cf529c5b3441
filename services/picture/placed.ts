import { z } from "zod";
import { Instant, TextId } from "../../core/records/entity.ts";
import { positionOf, type Location } from "./whereabouts.ts";

/** A record with its place, in the form in which the picture shows what domains have. */
export const PlacedRecord = z.object({
  id: z.string(),
  rev: z.int(),
  updatedAt: z.string(),
  compartments: z.array(z.string()),
  name: z.string(),
  kind: z.string().optional(),
  status: z.string().optional(),
  symbol: z.string().optional(),
  did: z.string().optional(),
  geometry: z.record(z.string(), z.unknown()),
  at: z.string().optional(),
  staleAt: z.string().optional(),
  /** Metres within which it is. */
  ce: z.number().optional(),
});
export type PlacedRecord = z.output<typeof PlacedRecord>;

/** What an action that tells places is asked: all of a problem set, or those that changed then or later. */
export const placesAsked = { problemSetId: TextId, since: Instant.optional() };
export const asPlacesQuery = ({ problemSetId, since }: { problemSetId: string; since?: string | undefined }) => ({
  problemSetId,
  ...(since !== undefined && { updatedAt: { $gte: since } }),
});

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
