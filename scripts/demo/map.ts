import type { Geometry, Position } from "../../core/geo/positions.ts";
import { boxOf, positionsOf } from "../../core/geo/positions.ts";

/** Features of one layer, as its GeoJSON export has them, and the colour that they are drawn in. */
export interface Drawn {
  title: string;
  colour: string;
  features: readonly { geometry: Geometry | null; properties: Record<string, unknown> | null }[];
}

const WIDTH = 900;
const MARGIN = 50;
const escaped = (text: string): string => text.replace(/[<>&"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** A map of layers as SVG, north above; degrees of longitude are as wide as they are in the middle of the map. */
export function svgOf(layers: readonly Drawn[]): string {
  const drawnOn = layers.flatMap(({ features }) =>
    features.flatMap(({ geometry }) => (geometry ? [...positionsOf(geometry)] : [])),
  );
  const [west, south, east, north] = boxOf(drawnOn) ?? [0, 0, 0, 0];
  const narrowing = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = (WIDTH - 2 * MARGIN) / Math.max((east - west) * narrowing, 1e-6);
  const height = Math.round((north - south) * scale + 2 * MARGIN);
  const place = ([lon, lat]: Position): [number, number] => [
    Math.round(MARGIN + (lon - west) * narrowing * scale),
    Math.round(MARGIN + (north - lat) * scale),
  ];
  const path = (positions: readonly Position[]): string =>
    positions.map((position, at) => `${at ? "L" : "M"}${place(position).join(" ")}`).join("");
  const rings = (polygon: readonly (readonly Position[])[]): string => polygon.map((ring) => `${path(ring)}Z`).join("");

  const shape = (geometry: Geometry, colour: string): string => {
    const area = `fill="${colour}" fill-opacity="0.25" fill-rule="evenodd" stroke="${colour}"`;
    switch (geometry.type) {
      case "Point": {
        const [x, y] = place(geometry.coordinates);
        return `<circle cx="${x}" cy="${y}" r="6" fill="${colour}"/>`;
      }
      case "LineString":
        return `<path d="${path(geometry.coordinates)}" fill="none" stroke="${colour}" stroke-width="3"/>`;
      case "Polygon":
        return `<path d="${rings(geometry.coordinates)}" ${area}/>`;
      case "MultiPolygon":
        return `<path d="${geometry.coordinates.map(rings).join("")}" ${area}/>`;
      default:
        return "";
    }
  };
  const label = (geometry: Geometry, name: unknown): string => {
    const [first] = positionsOf(geometry);
    if (!first || typeof name !== "string") return "";
    const [x, y] = place(first);
    return `<text x="${x + 9}" y="${y - 5}">${escaped(name)}</text>`;
  };
  const drawn = layers.map(
    ({ title, colour, features }) =>
      `<g><title>${escaped(title)}</title>${features
        .map(({ geometry, properties }) =>
          geometry ? shape(geometry, colour) + label(geometry, properties?.["name"]) : "",
        )
        .join("")}</g>`,
  );
  const legend = layers.map(
    ({ title, colour }, at) => `<text x="10" y="${18 + 16 * at}" fill="${colour}">■ ${escaped(title)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>
${[...drawn, ...legend].join("\n")}
</svg>
`;
}
