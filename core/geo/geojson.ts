import type { Detail } from "../problem.ts";
import type { Steps } from "../work/turns.ts";
import { cutLine, cutPolygon, isAcross } from "./antimeridian.ts";
import type { Feature, FeatureCollection, GeoJson, Geometry, Polygon, Position, Ring } from "./positions.ts";
import { clashIn, doubleArea, isRingIn } from "./rings.ts";

/** How much a document may hold. */
export interface GeoJsonBounds {
  features: number;
  positions: number;
  /** Bytes of one feature's properties, as JSON. */
  propertyBytes: number;
}
export const GEOJSON_BOUNDS: GeoJsonBounds = { features: 10_000, positions: 200_000, propertyBytes: 16 * 1024 };

/** What was found in a document that claims to be GeoJSON (RFC 7946). */
export interface ReadGeoJson<T> {
  /** The document, mended where it could be; only to be used where nothing is wrong. */
  value: T;
  /** It is not well-formed: 400. */
  malformed: Detail[];
  /** It is well-formed, and no geometry: 422. */
  impossible: Detail[];
  /** What was mended. */
  warnings: Detail[];
  positions: number;
}

type Json = Record<string, unknown>;
const isObject = (given: unknown): given is Json =>
  typeof given === "object" && given !== null && !Array.isArray(given);

const GEOMETRY_TYPES = [
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
] as const;
/** RFC 7946 §7.1: members of one kind of object do not stand in another. */
const NOT_IN_FEATURES = ["coordinates", "geometries", "features"];
const NOT_IN_GEOMETRIES = ["geometry", "properties", "features"];
const NOT_IN_COLLECTIONS = ["coordinates", "geometries", "geometry", "properties"];

/** Areas smaller than this in square degrees have none: less than a square millimetre on the ground. */
const LEAST_DOUBLE_AREA = 1e-16;
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

/** One pass over a document: reads, checks and mends each object where it stands. */
class Reader {
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
    let parts = [rings];
    if (rings.some(isAcross)) {
      const cut = cutPolygon(rings);
      if (!cut || cut.length === 0) {
        this.no(path, cut ? "The ring has no area." : "The area lies around a pole, which no ring can say.");
        return [rings];
      }
      this.mended(path, "The area crosses 180° and was cut there.");
      parts = cut;
    } else if (!(yield* this.isArea(rings, path))) return [rings];
    return parts.map((part) => this.wound(part, path));
  }

  *isArea(rings: Polygon, path: string): Steps<boolean> {
    for (let at = 0; at < rings.length; at++)
      if (Math.abs(doubleArea(rings[at]!)) < LEAST_DOUBLE_AREA) {
        this.no(`${path}[${at}]`, "The ring has no area.");
        return false;
      }
    const clash = yield* clashIn(rings);
    if (clash) {
      const other = `[${clash.other.ring}][${clash.other.at}]`;
      this.no(
        `${path}[${clash.ring}][${clash.at}]`,
        clash.ring === clash.other.ring
          ? `The ring meets itself at the edge that begins at ${other}.`
          : `The ring crosses another one at the edge that begins at ${other}.`,
      );
      return false;
    }
    for (let at = 1; at < rings.length; at++)
      if (!isRingIn(rings[at]!, rings[0]!)) {
        this.no(`${path}[${at}]`, "The hole lies outside of its polygon.");
        return false;
      }
    return true;
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

  *geometry(given: unknown, path: string, isNested = false): Steps<Geometry | null> {
    if (!isObject(given)) return this.wrong(path, "A geometry is an object.");
    const { type } = given;
    if (!GEOMETRY_TYPES.includes(type as never))
      return this.wrong(join(path, "type"), `A geometry's type is one of ${GEOMETRY_TYPES.join(", ")}.`);
    this.foreign(given, path, NOT_IN_GEOMETRIES);
    this.box(given, path);
    if (type === "GeometryCollection") return yield* this.collection(given, path, isNested);
    const coordinates = yield* this.coordinates(type as string, given.coordinates, join(path, "coordinates"));
    if (!coordinates) return null;
    if (coordinates.type === type && coordinates.coordinates === given.coordinates) return given as never;
    return { ...given, ...coordinates } as Geometry;
  }

  *coordinates(type: string, given: unknown, path: string): Steps<{ type: string; coordinates: unknown } | null> {
    if (type === "Point") {
      const coordinates = this.position(given, path);
      return coordinates && { type, coordinates };
    }
    if (type === "MultiPoint") {
      const coordinates = this.line(given, path, 1, "A multi-point");
      return coordinates && { type, coordinates };
    }
    if (type === "LineString") {
      const line = this.line(given, path, 2, "A line");
      const lines = line && this.lines([line], path);
      if (!lines) return null;
      return lines.length === 1 && lines[0] === line
        ? { type, coordinates: line }
        : { type: "MultiLineString", coordinates: lines };
    }
    if (type === "MultiLineString") {
      const lines = this.many(given, path, "A multi-line", (one, at) => this.line(one, at, 2, "A line"));
      return lines && { type, coordinates: this.lines(lines, path) };
    }
    if (type === "Polygon") {
      const polygons = yield* this.polygon(given, path);
      if (!polygons) return null;
      return polygons.length === 1
        ? { type, coordinates: polygons[0] }
        : { type: "MultiPolygon", coordinates: polygons };
    }
    const coordinates = yield* this.polygons(given, path);
    return coordinates && { type, coordinates };
  }

  *collection(given: Json, path: string, isNested: boolean): Steps<Geometry | null> {
    if (isNested) return this.wrong(path, "A collection of geometries holds no other collection.");
    if (!Array.isArray(given.geometries))
      return this.wrong(join(path, "geometries"), "A collection of geometries has a list of them.");
    const geometries: Geometry[] = [];
    for (let at = 0; at < given.geometries.length; at++) {
      const one = yield* this.geometry(given.geometries[at], `${join(path, "geometries")}[${at}]`, true);
      if (one) geometries.push(one);
    }
    return { ...given, type: "GeometryCollection", geometries: unchanged(geometries, given.geometries) };
  }

  *feature(given: unknown, path: string): Steps<Feature | null> {
    if (!isObject(given) || given.type !== "Feature")
      return this.wrong(join(path, "type"), 'A feature is an object whose type is "Feature".');
    this.foreign(given, path, NOT_IN_FEATURES);
    this.box(given, path);
    const { id, properties = null } = given;
    if (id !== undefined && typeof id !== "string" && !Number.isFinite(id))
      this.wrong(join(path, "id"), "A feature's id is a text or a number.");
    if (properties !== null && !isObject(properties))
      this.wrong(join(path, "properties"), "Properties are an object, or null.");
    else if (properties && isLonger(properties, this.bounds.propertyBytes))
      this.wrong(join(path, "properties"), `Properties have at most ${this.bounds.propertyBytes} bytes.`);
    if (given.geometry === undefined)
      return this.wrong(join(path, "geometry"), "A feature has a geometry, or null for none.");
    const geometry = given.geometry === null ? null : yield* this.geometry(given.geometry, join(path, "geometry"));
    if (geometry === null && given.geometry !== null) return null;
    return geometry === given.geometry && given.properties !== undefined
      ? (given as never)
      : ({ ...given, geometry, properties } as Feature);
  }

  *features(given: unknown, path: string): Steps<FeatureCollection | null> {
    if (!isObject(given) || given.type !== "FeatureCollection")
      return this.wrong(join(path, "type"), 'The type is "FeatureCollection".');
    this.foreign(given, path, NOT_IN_COLLECTIONS);
    this.box(given, path);
    const at = join(path, "features");
    if (!Array.isArray(given.features)) return this.wrong(at, "A feature collection has a list of features.");
    if (given.features.length > this.bounds.features)
      return this.wrong(at, `There are at most ${this.bounds.features} features.`);
    const features: Feature[] = [];
    let isMended = false;
    for (let index = 0; index < given.features.length; index++) {
      const feature = yield* this.feature(given.features[index], `${at}[${index}]`);
      if (!feature) continue;
      isMended ||= feature !== given.features[index];
      features.push(feature);
      yield;
    }
    return isMended ? ({ ...given, features } as unknown as FeatureCollection) : (given as never);
  }

  foreign(given: Json, path: string, names: readonly string[]): void {
    for (const name of names)
      if (name in given) this.wrong(join(path, name), `This does not stand beside type ${String(given.type)}.`);
  }

  box(given: Json, path: string): void {
    const { bbox } = given;
    if (bbox === undefined) return;
    if (!Array.isArray(bbox) || (bbox.length !== 4 && bbox.length !== 6) || !bbox.every(Number.isFinite))
      this.wrong(join(path, "bbox"), "A bbox is four or six numbers.");
  }
}

/** What was read, as it was given where nothing of it was mended: a sound document is not copied. */
const unchanged = <T>(found: T[], given: unknown[]): T[] =>
  found.length === given.length && found.every((one, at) => one === given[at]) ? (given as T[]) : found;
const join = (path: string, name: string): string => (path ? `${path}.${name}` : name);
const isLonger = (value: Json, bytes: number): boolean => Buffer.byteLength(JSON.stringify(value)) > bytes;

type Kind = "geometry" | "feature" | "features" | "any";
interface Kinds {
  geometry: Geometry;
  feature: Feature;
  features: FeatureCollection;
  any: GeoJson;
}

function* document(reader: Reader, kind: Kind, given: unknown, path: string): Steps<GeoJson | null> {
  const type = isObject(given) ? given.type : undefined;
  if (kind === "features" || (kind === "any" && type === "FeatureCollection"))
    return yield* reader.features(given, path);
  if (kind === "feature" || (kind === "any" && type === "Feature")) return yield* reader.feature(given, path);
  return yield* reader.geometry(given, path);
}

/**
 * Reads parsed JSON as GeoJSON (RFC 7946), in steps: one pass that says what is wrong by path
 * (`features[3].geometry.coordinates[0][5]`) and mends what is only unusual. A document without complaints is not
 * copied.
 */
export function* readGeoJson<K extends Kind>(
  kind: K,
  given: unknown,
  { path = "", bounds = GEOJSON_BOUNDS }: { path?: string; bounds?: GeoJsonBounds } = {},
): Steps<ReadGeoJson<Kinds[K]>> {
  const reader = new Reader(bounds);
  const value = yield* document(reader, kind, given, path);
  const { malformed, impossible, warnings, positions } = reader;
  return { value: value as Kinds[K], malformed, impossible, warnings, positions };
}
