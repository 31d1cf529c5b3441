import { z } from "zod";
import type { PlacedRecord } from "../../../core/geo/placed.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";

/** Sizes of units, the smallest first. */
export const ECHELONS = [
  "team",
  "squad",
  "section",
  "platoon",
  "company",
  "battalion",
  "regiment",
  "brigade",
  "division",
  "corps",
  "command",
] as const;

export const Unit = entity("command.units", {
  title: "unit",
  fields: {
    problemSetId: TextId.describe("The problem set that the unit lies in."),
    compartments: Compartments,
    name: z.string().trim().min(1).max(200),
    designation: z.string().max(40).optional().describe("Short form, as on a map: `2-7 IN`."),
    echelon: z.enum(ECHELONS).default("company"),
    kind: z.string().max(80).optional().describe("What it is: infantry, engineers, medical, civil affairs."),
    location: z
      .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
      .optional()
      .describe("WGS 84, in degrees: as entered, or the position of the resource that tracks it."),
    locatedAt: Instant.optional().describe("When its position was determined."),
    strength: z.int().min(0).max(10_000_000).optional().describe("People."),
  },
  readonly: ["locatedAt"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "echelon", "kind"],
  sort: ["name"],
  barrier,
  lists: [{ by: ["problemSetId"], few: ["kind"] }],
  indexes: [{ fields: ["problemSetId", "name"] }],
});
export type Unit = Item<typeof Unit>;

export const placedUnit = ({
  id,
  rev,
  updatedAt,
  compartments,
  name,
  kind,
  location,
  locatedAt,
}: Unit): PlacedRecord[] =>
  location
    ? [
        {
          id,
          rev,
          updatedAt,
          compartments,
          name,
          ...(kind !== undefined && { kind }),
          geometry: { type: "Point" as const, coordinates: [location.longitude, location.latitude] },
          at: locatedAt ?? updatedAt,
        },
      ]
    : [];
