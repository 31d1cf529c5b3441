import type { Detail } from "../problem.ts";
import type { Steps } from "../work/turns.ts";
import { CoordinateReader, unchanged, type GeoJsonBounds } from "./coordinates.ts";
import type { Feature, FeatureCollection, GeoJson, Geometry } from "./positions.ts";

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

/** One pass over a document: reads, checks and mends each object where it stands. */
class Reader extends CoordinateReader {
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
