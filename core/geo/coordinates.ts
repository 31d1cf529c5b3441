import type { Detail } from "../problem.ts";
import type { Steps } from "../work/turns.ts";
import { cutLine, cutPolygon, isAcross, isBeyondOneTurn, unrolledPolygon } from "./antimeridian.ts";
import { clashIn, holdersOf, type Clash } from "./clashes.ts";
import { LEAST_DOUBLE_AREA } from "./halving.ts";
import type { Polygon, Position, Ring } from "./positions.ts";
import { doubleArea } from "./rings.ts";

/** How much a document may hold. */
export interface GeoJsonBounds {
  features: number;
  positions: number;
  /** Bytes of one feature's properties, as JSON. */
  propertyBytes: number;
}

/** No more complaints are collected: the answer tells fewer. */
const MOST_COMPLAINTS = 100;

const isPosition = (given: unknown): given is Position => {
  if (!Array.isArray(given) || given.length < 2) return false;
  const [lon, lat, altitude] = given as unknown[];
  return (
    typeof lon === "number" &&
    typeof lat === "number" &&
    Math.abs(lon) <= 180 &&
    Math.abs(lat) <= 90 &&
    (given.length === 2 || Number.isFinite(altitude))
  );
};

/** What is wrong with a position; null where nothing is. */
function complaintAbout(given: unknown): string | null {
  if (isPosition(given)) return null;
  if (!Array.isArray(given) || given.length < 2)
    return "A position is [longitude, latitude] or [longitude, latitude, altitude].";
  const [lon, lat] = given as number[];
  if (!given.slice(0, 3).every(Number.isFinite)) return "A position consists of finite numbers.";
  if (Math.abs(lat!) <= 90) return "The longitude is beyond 180°.";
  const isSwapped = Math.abs(lon!) <= 90 && Math.abs(lat!) <= 180;
  return `The latitude is beyond 90°.${isSwapped ? " Longitude comes first: are the axes swapped?" : ""}`;
}

/** What was read, as it was given where nothing of it was mended: a sound document is not copied. */
export const unchanged = <T>(found: T[], given: unknown[]): T[] =>
  found.length === given.length && found.every((one, at) => one === given[at]) ? (given as T[]) : found;

/** Reads, checks and mends coordinates where they stand: positions, lines, rings and areas. */
export class CoordinateReader {
  readonly malformed: Detail[] = [];
  readonly impossible: Detail[] = [];
  readonly warnings: Detail[] = [];
  positions = 0;
  readonly bounds: GeoJsonBounds;
  constructor(bounds: GeoJsonBounds) {
    this.bounds = bounds;
  }

  wrong(path: string, message: string): null {
    if (this.malformed.length < MOST_COMPLAINTS) this.malformed.push({ path, message });
    return null;
  }
  no(path: string, message: string): void {
    if (this.impossible.length < MOST_COMPLAINTS) this.impossible.push({ path, message });
  }
  mended(path: string, message: string): void {
    if (this.warnings.length < MOST_COMPLAINTS) this.warnings.push({ path, message });
  }

  /** A position, or null where it is none. Its path is made only where something is said of it. */
  position(given: unknown, path: string, at?: number): Position | null {
    this.positions++;
    if (isPosition(given) && given.length <= 3) return given;
    const here = at === undefined ? path : `${path}[${at}]`;
    const complaint = complaintAbout(given);
    if (complaint) return this.wrong(here, complaint);
    this.mended(here, "Only longitude, latitude and altitude were kept.");
    return (given as number[]).slice(0, 3) as Position;
  }

  /** A list of positions: null where one of them is none, or where there are fewer than `least`. */
  line(given: unknown, path: string, least: number, what: string): Position[] | null {
    if (!Array.isArray(given)) return this.wrong(path, `${what} is a list of positions.`);
    if (given.length < least) return this.wrong(path, `${what} has at least ${least} positions.`);
    if (this.positions + given.length > this.bounds.positions) {
      this.positions += given.length;
      return this.wrong(path, `There are more than ${this.bounds.positions} positions.`);
    }
    let line = given as Position[];
    let isSound = true;
    for (let at = 0; at < given.length; at++) {
      const read = this.position(given[at], path, at);
      if (read === null) isSound = false;
      else if (read !== given[at]) {
        if (line === given) line = given.slice() as Position[];
        line[at] = read;
      }
    }
    return isSound ? line : null;
  }

  many<T>(given: unknown, path: string, what: string, read: (one: unknown, path: string) => T | null): T[] | null {
    if (!Array.isArray(given) || given.length === 0) return this.wrong(path, `${what} is a list that is not empty.`);
    const found: T[] = [];
    let isSound = true;
    for (let at = 0; at < given.length; at++) {
      const one = read(given[at], `${path}[${at}]`);
      if (one === null) isSound = false;
      else found.push(one);
    }
    return isSound ? unchanged(found, given) : null;
  }

  ring(given: unknown, path: string): Ring | null {
    const ring = this.line(given, path, 4, "A ring");
    if (!ring) return null;
    const [first, last] = [ring[0]!, ring.at(-1)!];
    if (first[0] !== last[0] || first[1] !== last[1] || first[2] !== last[2])
      return this.wrong(path, "A ring is closed: its last position is its first again.");
    return ring;
  }

  /** The rings of an area, checked and turned as RFC 7946 §3.1.6 wants them; what crosses 180° becomes several. */
  *polygon(given: unknown, path: string): Steps<Polygon[] | null> {
    const rings = this.many(given, path, "A polygon", (one, at) => this.ring(one, at));
    if (!rings) return null;
    const isOver = rings.some(isAcross);
    const whole = isOver ? this.whole(rings, path) : rings;
    if (!whole || !(yield* this.isArea(whole, path))) return [rings];
    const parts = isOver ? yield* this.cut(whole, path) : [rings];
    return parts?.map((part) => this.wound(part, path)) ?? [rings];
  }

  /** An area over 180° with longitudes that go on; null, and told, where there is none. */
  whole(rings: Polygon, path: string): Polygon | null {
    const whole = unrolledPolygon(rings);
    if (!whole) this.no(path, "The area lies around a pole, which no ring can say.");
    else if (isBeyondOneTurn(whole)) this.no(path, "The area reaches around the earth more than once.");
    else return whole;
    return null;
  }

  *cut(whole: Polygon, path: string): Steps<Polygon[] | null> {
    const cut = yield* cutPolygon(whole);
    if (cut === "intricate") return this.intricate(path);
    this.mended(path, "The area crosses 180° and was cut there.");
    return cut;
  }

  intricate(path: string): null {
    this.no(path, "The polygon is too intricate to be checked: divide it.");
    return null;
  }

  *isArea(rings: Polygon, path: string): Steps<boolean> {
    for (let at = 0; at < rings.length; at++)
      if (Math.abs(doubleArea(rings[at]!)) < LEAST_DOUBLE_AREA) {
        this.no(`${path}[${at}]`, "The ring has no area.");
        return false;
      }
    const clash = yield* clashIn(rings);
    if (clash === "intricate") this.intricate(path);
    else if (clash) this.clash(clash, path);
    if (clash) return false;
    const holders = yield* holdersOf(rings.slice(1), rings.slice(0, 1));
    if (holders === "intricate") this.intricate(path);
    const stray = holders === "intricate" ? -1 : holders.indexOf(-1);
    if (stray >= 0) this.no(`${path}[${stray + 1}]`, "The hole lies outside of its polygon.");
    return holders !== "intricate" && stray < 0;
  }

  clash({ ring, at, other }: Clash, path: string): void {
    this.no(
      `${path}[${ring}][${at}]`,
      ring === other.ring
        ? `The ring meets itself at the edge that begins at [${other.ring}][${other.at}].`
        : `The ring crosses another one at the edge that begins at [${other.ring}][${other.at}].`,
    );
  }

  wound(rings: Polygon, path: string): Polygon {
    if (rings.every((ring, at) => doubleArea(ring) > 0 === (at === 0))) return rings;
    this.mended(path, "Rings were turned: the outer one runs anticlockwise, holes clockwise.");
    return rings.map((ring, at) => (doubleArea(ring) > 0 === (at === 0) ? ring : ring.toReversed()));
  }

  *polygons(given: unknown, path: string): Steps<Polygon[] | null> {
    if (!Array.isArray(given) || given.length === 0)
      return this.wrong(path, "A multi-polygon is a list that is not empty.");
    const found: Polygon[] = [];
    let isSound = true;
    for (let at = 0; at < given.length; at++) {
      const polygons = yield* this.polygon(given[at], `${path}[${at}]`);
      if (polygons) found.push(...polygons);
      else isSound = false;
    }
    return isSound ? unchanged(found, given) : null;
  }

  lines(given: unknown[], path: string): Position[][] {
    const lines = (given as Position[][]).flatMap((line, at) => {
      if (!isAcross(line)) return [line];
      this.mended(given.length === 1 ? path : `${path}[${at}]`, "The line crosses 180° and was cut there.");
      return cutLine(line);
    });
    return unchanged(lines, given);
  }
}
