import type { Feature, Geometry, Position } from "../../../../core/geo/positions.ts";
import { saidBy } from "../layers/properties.ts";
import { element, type Markup } from "./markup.ts";

const coordinatesOf = (positions: readonly Position[]): Markup =>
  element("coordinates", {}, positions.map((position) => position.join(",")).join(" "));

const ring = (name: string, positions: readonly Position[]): Markup =>
  element(name, {}, [element("LinearRing", {}, [coordinatesOf(positions)])]);

/** A geometry in KML 2.3 (OGC 12-007r2), which knows the same kinds. */
function geometryOf(geometry: Geometry): Markup {
  switch (geometry.type) {
    case "Point":
      return element("Point", {}, [coordinatesOf([geometry.coordinates])]);
    case "LineString":
      return element("LineString", {}, [coordinatesOf(geometry.coordinates)]);
    case "Polygon":
      return element(
        "Polygon",
        {},
        geometry.coordinates.map((positions, at) => ring(at === 0 ? "outerBoundaryIs" : "innerBoundaryIs", positions)),
      );
    case "GeometryCollection":
      return element("MultiGeometry", {}, geometry.geometries.map(geometryOf));
    default:
      return element("MultiGeometry", {}, partsOf(geometry).map(geometryOf));
  }
}

function partsOf(geometry: Extract<Geometry, { type: `Multi${string}` }>): Geometry[] {
  const type = geometry.type.slice("Multi".length);
  return (geometry.coordinates as unknown[]).map((coordinates) => ({ type, coordinates }) as Geometry);
}

/** Features as a KML document; properties go along as extended data. */
export function kmlOf(name: string, features: readonly Feature[]): string {
  const placemarks = features.map(({ id, geometry, properties }) =>
    element("Placemark", {}, [
      element("name", {}, saidBy(properties?.name ?? id ?? "")),
      ...(typeof properties?.at === "string" ? [element("TimeStamp", {}, [element("when", {}, properties.at)])] : []),
      element(
        "ExtendedData",
        {},
        Object.entries(properties ?? {}).map(([key, value]) =>
          element("Data", { name: key }, [element("value", {}, saidBy(value))]),
        ),
      ),
      ...(geometry ? [geometryOf(geometry)] : []),
    ]),
  );
  const document = element("Document", {}, [element("name", {}, name), ...placemarks]);
  return (
    `<?xml version="1.0" ` +
    `encoding="UTF-8"?>\n${element("kml", { xmlns: "http://www.opengis.net/kml/2.2" }, [document]).markup}\n`
  );
}
