import { z } from "zod";

/** A record with its place, as its domain tells the picture. */
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
