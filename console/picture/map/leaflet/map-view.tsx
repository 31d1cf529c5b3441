import * as L from "leaflet";
import "leaflet/dist/leaflet.css";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { addBase, addGraticule, BASE_WORDS } from "./base.ts";
import type { MapFeature } from "../feature-words.ts";
import { boundsOf, positionsOf, type LonLat, type DrawnShape } from "../positions.ts";
import { ShownFeatures } from "./shown-features.ts";
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
  const shown = useRef<ShownFeatures>(undefined);
  const select = useRef(onSelect);
  useEffect(() => {
    select.current = onSelect;
  });
  useEffect(() => {
    if (!map) return undefined;
    const made = (shown.current = new ShownFeatures(map));
    return () => made.close();
  }, [map]);
  useEffect(() => {
    if (map) shown.current?.show({ features, selected, symbolOf, onSelect: (key) => select.current(key) });
  }, [map, features, selected, symbolOf]);
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
        {BASE_WORDS}; your features are as exact as their sources. Where too many lie together, their number stands for
        them: choose it to come closer. Arrow keys move the map, + and − zoom.
      </figcaption>
    </figure>
  );
}
