import * as L from "leaflet";
import { many } from "../../../parts/texts.tsx";
import { nameOf, type MapFeature } from "../feature-words.ts";

interface Member {
  one: MapFeature;
  bounds: L.LatLngBounds;
}
/** More names than this are found in the list beside the map. */
const MOST_NAMED = 30;

const sizeOf = (count: number): number => (count < 10 ? 30 : count < 100 ? 36 : 44);

/** A number in place of what lies too close together: it leads closer, or names what lies in one spot. */
export function gatheredMark(
  map: L.Map,
  at: L.LatLng,
  members: readonly Member[],
  onSelect: (key: string) => void,
): L.Marker {
  const count = document.createElement("span");
  count.textContent = members.length.toLocaleString("en");
  const types = new Set(members.map(({ one }) => one.type));
  const size = sizeOf(members.length);
  const mark = L.marker(at, {
    icon: L.divIcon({
      className: `mark gathered ${types.size === 1 ? `type-${[...types][0]!}` : ""}`,
      html: count,
      iconSize: [size, size],
    }),
    keyboard: false,
  });
  mark.bindTooltip(`${many(members.length, "feature")} close together`, { className: "map-label" });
  mark.on("click", (event) => {
    L.DomEvent.stopPropagation(event);
    const around = members.reduce((all, { bounds }) => all.extend(bounds), L.latLngBounds([]));
    const zoom = map.getBoundsZoom(around, false, L.point(40, 40));
    if (map.getZoom() < map.getMaxZoom() && zoom > map.getZoom()) map.fitBounds(around, { padding: [40, 40] });
    else map.openPopup(names(map, members, onSelect), at, { className: "gathered-names", maxHeight: 240 });
  });
  return mark;
}

function names(map: L.Map, members: readonly Member[], onSelect: (key: string) => void): HTMLElement {
  const list = document.createElement("ul");
  for (const { one } of members.slice(0, MOST_NAMED)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = nameOf(one);
    button.addEventListener("click", () => {
      map.closePopup();
      onSelect(one.key);
    });
    list.append(document.createElement("li"));
    list.lastElementChild!.append(button);
  }
  if (members.length > MOST_NAMED) {
    list.append(document.createElement("li"));
    list.lastElementChild!.textContent = `and ${members.length - MOST_NAMED} more: find them by name in the list.`;
  }
  return list;
}
