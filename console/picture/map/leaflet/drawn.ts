import * as L from "leaflet";
import type { GeoJsonObject } from "geojson";
import { letterOf, nameOf, type MapFeature } from "../feature-words.ts";
import type { SymbolMaker } from "./symbols.ts";

interface Drawing {
  symbolOf: SymbolMaker | undefined;
  isSelected: boolean;
  hasLabel: boolean;
  onSelect(): void;
}

const CHIP_PX = 22;

function iconOf(one: MapFeature, { symbolOf, isSelected }: Drawing): L.DivIcon {
  const { properties, staleness } = one.feature;
  const classes = `mark type-${one.type} ${staleness.state} ${isSelected ? "selected" : ""}`;
  const symbol = typeof properties?.symbol === "string" ? symbolOf?.(properties.symbol) : undefined;
  if (symbol) {
    const { svg, width, height, anchor } = symbol;
    return L.divIcon({ className: `${classes} symbol`, html: svg, iconSize: [width, height], iconAnchor: [...anchor] });
  }
  const chip = document.createElement("span");
  chip.textContent = letterOf(one);
  return L.divIcon({ className: `${classes} chip`, html: chip, iconSize: [CHIP_PX, CHIP_PX] });
}

/** `#2266cc`, as layers may say; the sheet's colours otherwise. */
function colourOf({ feature: { properties } }: MapFeature): L.PathOptions {
  const colour = properties?.colour;
  return typeof colour === "string" && /^#[0-9a-f]{6}$/i.test(colour) ? { color: colour } : {};
}

/** A feature as the map shows it; null where it has no place. */
export function drawn(one: MapFeature, drawing: Drawing): L.Layer | null {
  const { geometry, staleness } = one.feature;
  if (!geometry) return null;
  const { color } = colourOf(one);
  const className = `shape type-${one.type} ${staleness.state} ${drawing.isSelected ? "selected" : ""}`;
  const layer = L.geoJSON(geometry as unknown as GeoJsonObject, {
    style: {
      className: color ? `${className} own-colour` : className,
      ...(color && { color }),
      weight: drawing.isSelected ? 4 : 2,
      ...(staleness.state === "stale" && { dashArray: "5 5" }),
    },
    // The list beside the map is where the keyboard finds features.
    pointToLayer: (_feature, at) => L.marker(at, { icon: iconOf(one, drawing), keyboard: false }),
  });
  layer.on("click", (event) => {
    L.DomEvent.stopPropagation(event);
    drawing.onSelect();
  });
  const isPoint = geometry.type === "Point";
  const label = document.createElement("span");
  label.textContent = nameOf(one) + (staleness.state === "stale" ? " (stale)" : "");
  layer.bindTooltip(label, {
    permanent: drawing.hasLabel,
    direction: isPoint ? "right" : "center",
    className: `map-label type-${one.type} ${staleness.state} ${drawing.isSelected ? "first" : ""} ${isPoint ? "of-point" : ""}`,
    offset: isPoint ? [12, 0] : [0, 0],
  });
  return layer;
}
