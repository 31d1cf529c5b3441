import { z } from "zod";
import { Figure } from "../../../core/records/entity.ts";
import {
  areaOf,
  areIntricate,
  common,
  NOWHERE,
  polygonsIn,
  squareMetres,
  tooIntricate,
  united,
  unitedInSteps,
  without,
  type SheetArea,
} from "../../../core/geo/areas/areas.ts";
import { partsOver } from "../../../core/geo/antimeridian.ts";
import type { Area } from "../../../core/geo/area-field.ts";
import { circle, sector } from "../../../core/geo/earth.ts";
import { polygonsOf, type Polygon } from "../../../core/geo/positions.ts";
import type { Steps } from "../../../core/work/turns.ts";
import { positionOf, type Location } from "../location.ts";
import type { Coverage } from "./sensors.ts";

/** One sensor that covers something. */
export interface Covering {
  id: string;
  coverage: Coverage;
  location?: Location | undefined;
}

const Square = Figure.describe("Square kilometres.");
const MultiPolygon = z
  .object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(z.array(z.array(z.number())))) })
  .meta({ id: "MultiPolygon" });

export const Covered = z.object({
  areaKm2: Square.nullable().describe("Of the mission's area; null where it has none."),
  coveredKm2: Square.describe("Of what is covered, within the area where there is one."),
  percent: Figure.nullable().describe("How much of the area is covered."),
  gapsKm2: Square.nullable(),
  overlapKm2: Square.describe("What two sensors or more cover."),
  union: MultiPolygon.describe("What is covered."),
  gaps: MultiPolygon.nullable().describe("What of the area is not."),
  overlap: MultiPolygon,
  sensors: z.array(z.object({ id: z.string(), km2: Square })),
});
export type Covered = z.output<typeof Covered>;

/** The ground under a sensor; null for one whose place is not known. */
export function groundOf({ coverage, location }: Omit<Covering, "id">): Polygon[] | null {
  if (coverage.shape === "polygon") return polygonsOf(coverage.area as Area);
  if (!location) return null;
  const centre = positionOf(location);
  return [coverage.shape === "radius" ? [circle(centre, coverage.range)] : sector(centre, coverage)];
}

const km2 = (area: SheetArea): number => squareMetres(area) / 1e6;
function* drawn(area: SheetArea): Steps<z.output<typeof MultiPolygon>> {
  return { type: "MultiPolygon", coordinates: (yield* polygonsIn(area)) as number[][][][] };
}

const demandPlain = (one: SheetArea, other: SheetArea): void => {
  if (areIntricate(one, other)) throw tooIntricate();
};

/** The ground under a sensor as it is drawn on a map, parted where it lies over 180°; null where it is not known. */
export function drawnGround(one: Omit<Covering, "id">): z.output<typeof MultiPolygon> | null {
  const ground = groundOf(one);
  if (!ground) return null;
  return { type: "MultiPolygon", coordinates: ground.flatMap(partsOver) as number[][][][] };
}

/**
 * What sensors cover together, in steps: on sheets that are true to area, within the area where there is one. What two cover
 * is gathered on the way: each adds what it has in common with those before.
 */
export function* coveredBy(sensors: readonly Covering[], area?: Area): Steps<Covered> {
  const wanted = area && polygonsOf(area);
  const grounds = sensors.flatMap((one) => {
    const ground = groundOf(one);
    return ground ? [{ id: one.id, ground }] : [];
  });
  yield;
  const whole = wanted && areaOf(wanted);
  let union = NOWHERE;
  const shared: SheetArea[] = [];
  const each: Covered["sensors"] = [];
  for (const { id, ground } of grounds) {
    const own = areaOf(ground);
    demandPlain(own, whole ?? NOWHERE);
    demandPlain(own, union);
    const within = whole ? common(own, whole) : own;
    each.push({ id, km2: km2(within) });
    shared.push(common(union, within));
    union = united([union, within]);
    yield;
  }
  const overlap = yield* unitedInSteps(shared);
  if (whole) demandPlain(whole, union);
  const gaps = whole && without(whole, union);
  const [areaKm2, coveredKm2] = [whole ? km2(whole) : null, km2(union)];
  return {
    areaKm2,
    coveredKm2,
    percent: areaKm2 ? Math.min(100, (coveredKm2 / areaKm2) * 100) : null,
    gapsKm2: gaps ? km2(gaps) : null,
    overlapKm2: km2(overlap),
    union: yield* drawn(union),
    gaps: gaps ? yield* drawn(gaps) : null,
    overlap: yield* drawn(overlap),
    sensors: each,
  };
}
