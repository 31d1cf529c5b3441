import * as L from "leaflet";
import "leaflet/dist/leaflet.css";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { addBase, addGraticule, BASE_WORDS } from "./base.ts";
import { drawn } from "./drawn.ts";
import type { MapFeature } from "../feature-words.ts";
import { boundsOf, positionsOf, type LonLat, type DrawnShape } from "../positions.ts";
import { useSymbols, type SymbolMaker } from "./symbols.ts";

/** What is being drawn: its positions so far. */
export interface Sketch {
  shape: DrawnShape;
  positions: readonly LonLat[];
}
interface MapViewProps {
  features: readonly MapFeature[];
  selected: string | undefined;
  onSelect(key: string): void;
  /** While there is one, a click on the map adds a position to it. */
  sketch: Sketch | undefined;
  onPoint(position: LonLat): void;
}

/** More names than this would cover one another. */
const MOST_LABELS = 40;
const CLOSEST = 18;
/** Where the world is shown from, as long as nothing is on the map. */
const WORLD: L.LatLngExpression = [30, 10];

function open(place: HTMLElement): L.Map {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = L.map(place, {
    attributionControl: false,
    maxZoom: CLOSEST,
    minZoom: 1,
    zoomSnap: 0.5,
    zoomAnimation: !isStill,
    // Names that fade out would still take the place of others.
    fadeAnimation: false,
    markerZoomAnimation: !isStill,
    maxBounds: [
      [-86, -200],
      [86, 200],
    ],
  });
  map.setView(WORLD, 1.5);
  L.control.scale({ imperial: false }).addTo(map);
  addGraticule(map);
  addBase(map).catch(() => place.setAttribute("data-base", "missing"));
  return map;
}

/** A map of Leaflet in an element of the page. */
function useMap(): [place: React.RefObject<HTMLDivElement | null>, map: L.Map | undefined] {
  const place = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<L.Map>();
  useEffect(() => {
    const made = open(place.current!);
    setMap(made);
    const watch = new ResizeObserver(() => made.invalidateSize());
    watch.observe(place.current!);
    return () => {
      watch.disconnect();
      made.remove();
      setMap(undefined);
    };
  }, []);
  return [place, map];
}

/** Draws what came or changed, and takes away what is gone; the rest stays as it is. */
function useFeatures(
  map: L.Map | undefined,
  { features, selected, onSelect }: MapViewProps,
  symbolOf: SymbolMaker | undefined,
): void {
  const shown = useRef(new Map<string, { of: string; layer: L.Layer }>());
  const select = useRef(onSelect);
  useEffect(() => {
    select.current = onSelect;
  });
  useEffect(() => {
    // Leaflet takes its layers away with the map.
    if (!map) {
      shown.current.clear();
      return undefined;
    }
    const wanted = new Set(features.map(({ key }) => key));
    for (const [key, { layer }] of shown.current)
      if (!wanted.has(key)) {
        layer.remove();
        shown.current.delete(key);
      }
    for (const one of features) {
      const isSelected = one.key === selected;
      const hasLabel = features.length <= MOST_LABELS || isSelected;
      const { geometry, properties, staleness } = one.feature;
      const of = JSON.stringify([geometry, properties, staleness.state, isSelected, hasLabel, Boolean(symbolOf)]);
      const before = shown.current.get(one.key);
      if (before?.of === of) continue;
      before?.layer.remove();
      const layer = drawn(one, { symbolOf, isSelected, hasLabel, onSelect: () => select.current(one.key) });
      if (layer) shown.current.set(one.key, { of, layer: layer.addTo(map) });
    }
    let frame = 0;
    const clear = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => clearLabels(map.getContainer()));
    };
    clear();
    map.on("zoomend moveend", clear);
    return () => {
      cancelAnimationFrame(frame);
      map.off("zoomend moveend", clear);
    };
  }, [map, features, selected, symbolOf]);
}

const overlap = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Whose name is shown rather than another's: what is selected, then points, then lines and areas. */
const rankOf = ({ classList }: HTMLElement): number =>
  classList.contains("first") ? 0 : classList.contains("of-point") ? 1 : 2;

/** Hides names that would lie over others. */
function clearLabels(place: HTMLElement): void {
  const labels = [...place.querySelectorAll<HTMLElement>(".map-label")];
  const kept: DOMRect[] = [];
  for (const label of labels.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const box = label.getBoundingClientRect();
    const isFree = !kept.some((other) => overlap(box, other));
    label.classList.toggle("covered", !isFree);
    if (isFree) kept.push(box);
  }
}

/** So near a single place is shown. */
const NEAR = 12;

/** Shows all features once, when the first come; afterwards whatever is chosen elsewhere than on the map. */
function useSight(map: L.Map | undefined, { features, selected }: MapViewProps, clicked: string | undefined): void {
  const isPlaced = useRef(false);
  useEffect(() => {
    if (!map || isPlaced.current || !features.length) return;
    const bounds = boundsOf(features.flatMap(({ feature }) => positionsOf(feature.geometry)));
    if (!bounds) return;
    isPlaced.current = true;
    map.fitBounds(bounds, { padding: [40, 40], maxZoom: NEAR + 1, animate: false });
  }, [map, features]);
  useEffect(() => {
    if (!map || !selected || selected === clicked) return;
    const one = features.find(({ key }) => key === selected);
    const bounds = one && boundsOf(positionsOf(one.feature.geometry));
    if (!bounds) return;
    if (one.feature.geometry?.type === "Point") map.setView(bounds[0], Math.max(NEAR, map.getZoom()));
    else map.fitBounds(bounds, { padding: [40, 40], maxZoom: NEAR + 1 });
    // Once for each selection, not whenever a feature changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [map, selected]);
}

/** Shows what is being drawn, and takes clicks as its positions. */
function useSketch(map: L.Map | undefined, { sketch, onPoint }: MapViewProps): void {
  const take = useRef(onPoint);
  useEffect(() => {
    take.current = onPoint;
  });
  const isDrawing = sketch !== undefined;
  useEffect(() => {
    if (!map || !isDrawing) return;
    const click = ({ latlng }: L.LeafletMouseEvent): void => {
      const { lng, lat } = latlng.wrap();
      take.current([Number(lng.toFixed(5)), Number(lat.toFixed(5))]);
    };
    map.on("click", click);
    map.doubleClickZoom.disable();
    return () => {
      map.off("click", click);
      map.doubleClickZoom.enable();
    };
  }, [map, isDrawing]);
  useEffect(() => {
    if (!map || !sketch) return;
    const corners = sketch.positions.map(([longitude, latitude]): [number, number] => [latitude, longitude]);
    const style = { className: "shape sketch", weight: 3, interactive: false };
    const group = L.layerGroup(corners.map((at) => L.circleMarker(at, { ...style, radius: 5 })));
    if (sketch.shape === "LineString") group.addLayer(L.polyline(corners, style));
    if (sketch.shape === "Polygon") group.addLayer(L.polygon(corners, style));
    group.addTo(map);
    return () => void group.remove();
  }, [map, sketch]);
}

/** The map itself. What it shows stands in words in the list beside it. */
export default function MapView(props: MapViewProps): ReactNode {
  const [place, map] = useMap();
  const symbolOf = useSymbols(props.features.some(({ feature }) => feature.properties?.symbol !== undefined));
  const [clicked, setClicked] = useState<string>();
  const onSelect = (key: string): void => {
    setClicked(key);
    props.onSelect(key);
  };
  useFeatures(map, { ...props, onSelect }, symbolOf);
  useSight(map, props, clicked);
  useSketch(map, props);
  return (
    <figure className={props.sketch ? "map drawing" : "map"}>
      <div ref={place} className="map-canvas" role="application" aria-label="Map of the picture" />
      <figcaption className="muted">
        {BASE_WORDS}; your features are as exact as their sources. Arrow keys move the map, + and − zoom.
      </figcaption>
    </figure>
  );
}
