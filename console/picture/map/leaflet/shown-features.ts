import * as L from "leaflet";
import { letterOf, nameOf, type MapFeature } from "../feature-words.ts";
import { boundsOf, positionsOf } from "../positions.ts";
import { drawn } from "./drawn.ts";
import { gathered, middleOf, MOST_MARKS, type Spot } from "./gathering.ts";
import { gatheredMark } from "./gathered-mark.ts";
import { clearLabels, MOST_LABELS } from "./labels.ts";
import type { SymbolMaker } from "./symbols.ts";

export interface Shown {
  features: readonly MapFeature[];
  selected: string | undefined;
  symbolOf: SymbolMaker | undefined;
  onSelect(key: string): void;
}
interface Placed {
  one: MapFeature;
  bounds: L.LatLngBounds;
}
interface OnMap {
  /** How it looks, and where it lies. */
  look: string;
  geometry: unknown;
  layer: L.Layer;
}

/** Around the window, as a share of it, is drawn too: a small move shows no empty edge. */
const PAD = 0.2;
/** A line or an area so small on the screen is a spot among spots, where these are too many. */
const SMALL_PX = 10;

type Geometry = MapFeature["feature"]["geometry"];
const known = new WeakMap<NonNullable<Geometry>, L.LatLngBounds>();
function placeOf(geometry: Geometry): L.LatLngBounds | undefined {
  if (!geometry) return undefined;
  const before = known.get(geometry);
  if (before) return before;
  const bounds = boundsOf(positionsOf(geometry));
  if (!bounds) return undefined;
  const made = L.latLngBounds(bounds);
  known.set(geometry, made);
  return made;
}

/**
 * The features on a map: only those in sight are drawn, and where points are too many to be told apart, a number stands
 * for those that lie together. What stays as it is is left alone, and what moves is moved.
 */
export class ShownFeatures {
  readonly #map: L.Map;
  readonly #onMap = new Map<string, OnMap>();
  #shown: Shown = { features: [], selected: undefined, symbolOf: undefined, onSelect: () => undefined };
  #frame = 0;

  constructor(map: L.Map) {
    this.#map = map;
    map.on("moveend", this.#draw, this);
  }

  /** Leaflet takes its layers away with the map. */
  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#map.off("moveend", this.#draw, this);
  }

  show(shown: Shown): void {
    this.#shown = shown;
    this.#draw();
  }

  #draw(): void {
    const { features, selected } = this.#shown;
    const view = this.#map.getBounds().pad(PAD);
    const inSight = features.flatMap((one): Placed[] => {
      const bounds = placeOf(one.feature.geometry);
      return bounds && view.intersects(bounds) ? [{ one, bounds }] : [];
    });
    const [alone, groups] = this.#arranged(inSight);
    const wanted = new Set<string>();
    const areNamed = alone.length + groups.length <= MOST_LABELS;
    for (const { one } of alone) {
      wanted.add(one.key);
      this.#put(one, one.key === selected, areNamed || one.key === selected);
    }
    for (const group of groups) wanted.add(this.#putGroup(group));
    for (const [key, { layer }] of this.#onMap)
      if (!wanted.has(key)) {
        layer.remove();
        this.#onMap.delete(key);
      }
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => clearLabels(this.#map.getContainer()));
  }

  /** What is drawn by itself, and what a number stands for. */
  #arranged(inSight: readonly Placed[]): [alone: Placed[], groups: Placed[][]] {
    const spots: Spot[] = [];
    const byKey = new Map(inSight.map((placed) => [placed.one.key, placed]));
    for (const { one, bounds } of inSight) {
      if (one.key === this.#shown.selected) continue;
      const [from, to] = [this.#map.project(bounds.getNorthWest()), this.#map.project(bounds.getSouthEast())];
      if (Math.max(to.x - from.x, to.y - from.y) < SMALL_PX)
        spots.push({ key: one.key, x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
    }
    const groups = gathered(spots, MOST_MARKS).filter(({ length }) => length > 1);
    for (const { key } of groups.flat()) byKey.delete(key);
    const placed = new Map(inSight.map((one) => [one.one.key, one]));
    return [[...byKey.values()], groups.map((group) => group.map(({ key }) => placed.get(key)!))];
  }

  #put(one: MapFeature, isSelected: boolean, hasLabel: boolean): void {
    const { symbolOf } = this.#shown;
    const { geometry, properties, staleness } = one.feature;
    const { symbol, colour } = properties ?? {};
    const look = JSON.stringify([
      ...[nameOf(one), letterOf(one), one.type, symbol, colour, staleness.state],
      ...[isSelected, hasLabel, symbol !== undefined && Boolean(symbolOf)],
    ]);
    const before = this.#onMap.get(one.key);
    if (before?.look === look && (before.geometry === geometry || moved(before, geometry))) return;
    before?.layer.remove();
    const layer = drawn(one, { symbolOf, isSelected, hasLabel, onSelect: () => this.#shown.onSelect(one.key) });
    if (layer) this.#onMap.set(one.key, { look, geometry, layer: layer.addTo(this.#map) });
  }

  #putGroup(group: readonly Placed[]): string {
    const spots = group.map(({ one, bounds }): Spot => ({ key: one.key, ...this.#map.project(bounds.getCenter()) }));
    const at = this.#map.unproject(L.point(middleOf(spots)));
    // It may move with its members: it is the same one while these are.
    const key = `group ${group.map(({ one }) => one.key).join()}`;
    const before = this.#onMap.get(key);
    if (before) {
      (before.layer as L.Marker).setLatLng(at);
      return key;
    }
    const layer = gatheredMark(this.#map, at, group, (one) => this.#shown.onSelect(one));
    this.#onMap.set(key, { look: "", geometry: undefined, layer: layer.addTo(this.#map) });
    return key;
  }
}

/** Moves what was drawn as a point to another place, where nothing else of it changed. */
function moved(drawnBefore: OnMap, geometry: Geometry): boolean {
  const before = drawnBefore.geometry as Geometry;
  if (before?.type !== "Point" || geometry?.type !== "Point")
    return JSON.stringify(before) === JSON.stringify(geometry);
  const [longitude, latitude] = geometry.coordinates as [number, number];
  (drawnBefore.layer as L.GeoJSON).eachLayer((marker) => (marker as L.Marker).setLatLng([latitude, longitude]));
  drawnBefore.geometry = geometry;
  return true;
}
