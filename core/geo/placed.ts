import { z } from "zod";
import { MODES } from "../access/training-mode.ts";
import { Instant, TextId } from "../records/entity.ts";

/** Records that are asked for by name at a time. */
export const MOST_PLACES = 1_000;

/** A record with its place, in the form in which the picture shows what domains have. */
export const PlacedRecord = z.object({
  id: z.string(),
  rev: z.int(),
  updatedAt: z.string(),
  compartments: z.array(z.string()),
  name: z.string(),
  /** What else it is called. */
  aliases: z.array(z.string()).optional(),
  /** Registration and serial numbers. */
  marks: z.array(z.string()).optional(),
  kind: z.string().optional(),
  status: z.string().optional(),
  symbol: z.string().optional(),
  did: z.string().optional(),
  /** What another system calls it. */
  uid: z.string().optional(),
  /** What it is told of, where one thing is told of several times, each behind a barrier of its own. */
  entityId: z.string().optional(),
  /** Empty where nobody says where it is. */
  geometry: z.record(z.string(), z.unknown()),
  at: z.string().optional(),
  staleAt: z.string().optional(),
  /** Its commitments that are not over: from when until when, open-ended where nobody says. */
  missions: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().optional(),
        from: z.string().optional(),
        until: z.string().optional(),
      }),
    )
    .optional(),
  /** Metres within which it is. */
  ce: z.number().optional(),
});
export type PlacedRecord = z.output<typeof PlacedRecord>;

/** What an action that tells places is asked: all of a problem set, those that changed then or later, or these. */
export const placesAsked = {
  problemSetId: TextId,
  since: Instant.optional(),
  ids: z.array(TextId).max(MOST_PLACES).optional(),
};
/** The same of what lies outside of all problem sets too, for everybody of a mode. */
export const placesAskedAnywhere = {
  ...placesAsked,
  problemSetId: TextId.optional(),
  audience: z.enum(MODES).optional(),
};
export interface PlacesAsked {
  problemSetId?: string | undefined;
  audience?: string | undefined;
  since?: string | undefined;
  ids?: string[] | undefined;
}
/** The query of the store for it. */
export const asPlacesQuery = ({ problemSetId, audience, since, ids }: PlacesAsked) => ({
  ...(problemSetId !== undefined ? { problemSetId } : { audience }),
  ...(since !== undefined && { updatedAt: { $gte: since } }),
  ...(ids && { _id: { $in: ids } }),
});
