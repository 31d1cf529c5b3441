import type { Operations } from "../../api/operations.d.ts";
import { inMetres } from "../map/positions.ts";

type Ground = NonNullable<Operations["GET /sensors"]["answer"]["data"][number]["coverage"]>;

const WINDS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"] as const;
/** "south-west" of 225 degrees. */
export const windOf = (degrees: number): string => WINDS[Math.round((((degrees % 360) + 360) % 360) / 45) % 8]!;

/** What ground a sensor covers: "3 km around", "4 km towards the south-west (120° wide)". */
export function coverageInWords(ground: Ground | undefined): string | undefined {
  if (!ground) return undefined;
  if (ground.shape === "radius") return `${inMetres(ground.range)} around`;
  if (ground.shape === "polygon") return "an area that was drawn";
  const { azimuth, width, range, minRange } = ground;
  const from = minRange ? `${inMetres(minRange)} to ` : "";
  return `${from}${inMetres(range)} towards the ${windOf(azimuth + width / 2)} (${width}° wide)`;
}

/** Ground from the fields of a form; undefined where they are empty. */
export function groundOf({ shape, range, azimuth, width }: Record<string, string>): Ground | undefined {
  if (!range) return undefined;
  if (shape !== "sector") return { shape: "radius", range: Number(range) };
  return { shape: "sector", range: Number(range), azimuth: Number(azimuth ?? 0), width: Number(width ?? 90) };
}
