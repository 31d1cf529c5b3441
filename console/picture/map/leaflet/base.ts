import * as L from "leaflet";
import { graticuleStep, multiples, type LonLat } from "../positions.ts";
import { onFlatMap } from "./antimeridian.ts";

/** Where the base comes from, and how far it is good; said on the map. */
export const BASE_WORDS = "Base: Natural Earth, 1:50 million (coasts and borders to about 5 km)";

const pane = (map: L.Map, name: string, order: string): string => {
  if (!map.getPane(name)) map.createPane(name).style.zIndex = order;
  return name;
};

/** Land and borders under everything else; fetched when the first map is opened. */
export async function addBase(map: L.Map): Promise<void> {
  const [{ default: atlas }, { feature, mesh }] = await Promise.all([
    import("world-atlas/countries-50m.json"),
    import("topojson-client"),
  ]);
  const land = feature(atlas, atlas.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === "MultiPolygon" ? (geometry.coordinates as LonLat[][][]) : [],
  );
  const borders = mesh(atlas, atlas.objects.countries, (one, other) => one !== other).coordinates as LonLat[][];
  const style = { interactive: false, weight: 0.8, pane: pane(map, "base", "200") };
  // Holes of land, the great lakes, lie within their polygons.
  const rings = land.flatMap((polygon) => onFlatMapTogether(polygon).map((part) => part.map(asLatLng)));
  L.polygon(rings, { ...style, className: "base-land" }).addTo(map);
  L.polyline(borders.flatMap(onFlatMap).map(asLatLng), { ...style, className: "base-border" }).addTo(map);
}

const asLatLng = (line: readonly LonLat[]): [number, number][] =>
  line.map(([longitude, latitude]) => [latitude, longitude]);

/** A polygon's rings on the flat map; its holes lie in its first part, since none of them crosses 180°. */
function onFlatMapTogether([outer, ...holes]: LonLat[][]): LonLat[][][] {
  const [first, ...copies] = onFlatMap(outer!);
  return [[first!, ...holes], ...copies.map((copy) => [copy])];
}

const side = (value: number, positive: string, negative: string): string =>
  `${Number(Math.abs(value).toFixed(4))}°${value === 0 ? "" : value > 0 ? positive : negative}`;

/** Lines of latitude and longitude over what is shown, with their degrees at the edges; drawn anew at each move. */
export function addGraticule(map: L.Map): void {
  const lines = L.layerGroup().addTo(map);
  const draw = (): void => {
    lines.clearLayers();
    const [west, east] = [Math.max(-180, map.getBounds().getWest()), Math.min(180, map.getBounds().getEast())];
    const [south, north] = [Math.max(-85, map.getBounds().getSouth()), Math.min(85, map.getBounds().getNorth())];
    const step = graticuleStep(east - west);
    const options = {
      className: "base-graticule",
      weight: 0.6,
      interactive: false,
      pane: pane(map, "graticule", "210"),
    };
    const label = (at: L.LatLngExpression, words: string, edge: string): void => {
      const icon = L.divIcon({ className: `graticule-label ${edge}`, html: words, iconSize: [0, 0] });
      L.marker(at, { icon, interactive: false, keyboard: false, pane: "graticule" }).addTo(lines);
    };
    for (const longitude of multiples(step, west, east)) {
      L.polyline(
        [
          [south, longitude],
          [north, longitude],
        ],
        options,
      ).addTo(lines);
      label([north, longitude], side(longitude, "E", "W"), "top");
    }
    for (const latitude of multiples(step, south, north)) {
      L.polyline(
        [
          [latitude, west],
          [latitude, east],
        ],
        options,
      ).addTo(lines);
      label([latitude, east], side(latitude, "N", "S"), "right");
    }
  };
  map.on("moveend", draw);
  draw();
}
