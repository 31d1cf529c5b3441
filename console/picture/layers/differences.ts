import type { Data } from "../../api/client.ts";
import type { PictureFeature } from "../../api/operations.d.ts";
import { nameOf, propertiesInWords, type LayerType } from "../map/feature-words.ts";
import { inDegrees, type LonLat } from "../map/positions.ts";

type LayerPatch = Data<"GET /cop/layers/{id}/versions/{version}/diff">["patch"];
type Json = Record<string, unknown>;

/** What of a feature, or of the spec of a live layer, is another than it was. */
export interface ChangedPart {
  head: string;
  before: string;
  after: string;
}
export interface LayerChanges {
  came: string[];
  went: string[];
  changed: { id: string; name: string; parts: ChangedPart[] }[];
  /** Of a live layer: what it follows and how that is drawn. */
  rules: ChangedPart[];
}

const HEADS: Readonly<Record<string, string>> = {
  name: "Name",
  at: "Seen at",
  staleAt: "Holds until",
  symbol: "Symbol",
  colour: "Colour",
  source: "Follows",
  filter: "Which of them",
  style: "How they are drawn",
  staleAfterSeconds: "Stale after, in seconds",
};
const NOTHING = "nothing";

const stepsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
const valueAt = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (one, step) => (typeof one === "object" && one !== null ? (one as Json)[step] : undefined),
    value,
  );

function inWords(name: string, value: unknown): ChangedPart["before"] {
  if (value === undefined || value === null || value === "") return NOTHING;
  const told = propertiesInWords({ properties: { [name]: value } } as unknown as PictureFeature)[0]?.[1];
  return told ?? (typeof value === "string" ? value : JSON.stringify(value));
}
const headOf = (name: string): string =>
  HEADS[name] ?? propertiesInWords({ properties: { [name]: 1 } } as unknown as PictureFeature)[0]?.[0] ?? name;

const isPoint = (value: unknown): value is LonLat =>
  Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number";

function partOf(steps: readonly string[], before: unknown, after: unknown): ChangedPart {
  const name = steps.at(-1)!;
  if (steps[0] !== "geometry")
    return { head: headOf(name), before: inWords(name, before), after: inWords(name, after) };
  return isPoint(before) && isPoint(after)
    ? { head: "Place", before: inDegrees(before), after: inDegrees(after) }
    : { head: "Place", before: "as it was drawn", after: "drawn anew" };
}

/** What makes one version into another, in words: the patch is gone through step by step, as it counts places. */
export function changesIn(before: Json, patch: LayerPatch, type: LayerType): LayerChanges {
  const features = [...((before["features"] ?? []) as PictureFeature[])];
  const found: LayerChanges = { came: [], went: [], changed: [], rules: [] };
  const named = (feature: PictureFeature): string => nameOf({ feature, type });
  for (const { op, path, from, value } of patch) {
    const [first, place, ...steps] = stepsOf(path);
    const at = Number(place);
    if (first !== "features" || place === undefined) {
      const all = stepsOf(path);
      found.rules.push(partOf(all, valueAt(before, all), value));
    } else if (steps.length) {
      const feature = features[at]!;
      const id = String(feature.id);
      const known = found.changed.find((one) => one.id === id);
      const part = partOf(steps, valueAt(feature, steps), value);
      if (known) known.parts.push(part);
      else found.changed.push({ id, name: named(feature), parts: [part] });
    } else if (op === "add") {
      features.splice(at, 0, value as PictureFeature);
      found.came.push(named(value as PictureFeature));
    } else if (op === "remove") found.went.push(...features.splice(at, 1).map(named));
    else if (op === "move") features.splice(at, 0, ...features.splice(Number(stepsOf(from!)[1]), 1));
  }
  return found;
}
