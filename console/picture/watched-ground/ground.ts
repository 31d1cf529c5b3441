import type { Data } from "../../api/client.ts";

export type MissionCoverage = Data<"GET /sensors/coverage/{missionId}">;
type Ground = MissionCoverage["union"];

/** Areas as paths of an SVG, in one frame: true to form about their middle, north up. */
export interface GroundDrawing {
  width: number;
  height: number;
  pathOf(ground: Ground | null): string;
}

const positionsIn = ({ coordinates }: Ground): number[][] => coordinates.flat(2);

/** The frame around these areas, so wide; undefined around none. */
export function drawingOf(
  grounds: readonly (Ground | null)[],
  width: number,
  mostHeight: number,
): GroundDrawing | undefined {
  const all = grounds.flatMap((one) => (one ? positionsIn(one) : []));
  if (!all.length) return undefined;
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [longitude, latitude] of all as [number, number][]) {
    [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
    [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
  }
  // A degree of longitude is shorter the farther it lies from the equator.
  const narrower = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [across, down] = [Math.max((east - west) * narrower, 1e-6), Math.max(north - south, 1e-6)];
  const scale = Math.min(width / across, mostHeight / down);
  const place = ([longitude = 0, latitude = 0]: number[]): string =>
    `${((longitude - west) * narrower * scale).toFixed(1)} ${((north - latitude) * scale).toFixed(1)}`;
  return {
    width: across * scale,
    height: down * scale,
    pathOf: (ground) =>
      ground
        ? ground.coordinates
            .flat()
            .map((ring) => `M${ring.map(place).join("L")}Z`)
            .join("")
        : "",
  };
}
