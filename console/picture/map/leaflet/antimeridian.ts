import type { LonLat } from "../positions.ts";

/** A ring or line whose longitudes go on beyond 180° where it crosses that, in place of a jump over the whole map. */
export function unwrapped(line: readonly LonLat[]): LonLat[] {
  let shift = 0;
  return line.map(([longitude, latitude], at) => {
    const before = line[at - 1]?.[0];
    if (before !== undefined && longitude - before > 180) shift -= 360;
    if (before !== undefined && longitude - before < -180) shift += 360;
    return [longitude + shift, latitude];
  });
}

/** A ring around a pole ends a turn away from where it began: it is closed over the pole. */
function closed(ring: readonly LonLat[]): LonLat[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  if (Math.abs(last[0] - first[0]) < 180) return [...ring];
  const pole = first[1] < 0 ? -90 : 90;
  return [...ring, [last[0], pole], [first[0], pole]];
}

/** A line as it lies on a flat map from -180° to 180°: once, or twice where it goes over the edge. */
export function onFlatMap(line: readonly LonLat[]): LonLat[][] {
  const whole = closed(unwrapped(line));
  const longitudes = whole.map(([longitude]) => longitude);
  const moved = (by: number): LonLat[] => whole.map(([longitude, latitude]) => [longitude + by, latitude]);
  return [
    whole,
    ...(Math.max(...longitudes) > 180 ? [moved(-360)] : []),
    ...(Math.min(...longitudes) < -180 ? [moved(360)] : []),
  ];
}
