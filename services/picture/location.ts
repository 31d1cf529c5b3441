import { z } from "zod";
import { cellOf } from "../../core/geo/cells.ts";
import type { Position } from "../../core/geo/positions.ts";

/** Where something is: WGS 84, degrees and metres. */
export const Location = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  altitude: z.number().min(-12_000).max(1e8).optional().describe("Metres above the ellipsoid."),
  accuracy: z.number().min(0).max(1e7).optional().describe("Radius in metres that contains it with 95 % probability."),
});
export type Location = z.output<typeof Location>;

export const positionOf = ({ longitude, latitude }: Location): Position => [longitude, latitude];
export const cellAt = (location: Location): string => cellOf(positionOf(location));
