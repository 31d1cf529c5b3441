import type { CommonPicture, PictureFeature } from "../../api/operations.d.ts";

export type LayerType = CommonPicture["layers"][number]["type"];

/** A feature on the map, with the layer that it lies on. */
export interface MapFeature {
  /** Of the layer and the feature. */
  key: string;
  layerId: string;
  layer: string;
  type: LayerType;
  feature: PictureFeature;
}

export const keyOf = (layerId: string, featureId: unknown): string => `${layerId} ${String(featureId)}`;

/** What a layer's features are called where they have no name. */
export const TYPE_WORDS: Record<LayerType, readonly [layer: string, one: string]> = {
  units: ["Units", "unit"],
  resources: ["Resources", "resource"],
  sensors: ["Sensors", "sensor"],
  coverage: ["What sensors cover", "covered ground"],
  events: ["Events", "event"],
  "control-measures": ["Control measures", "control measure"],
  routes: ["Routes", "route"],
  custom: ["Other", "feature"],
};

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;

export const nameOf = ({ feature: { properties, id }, type }: Pick<MapFeature, "feature" | "type">): string =>
  text(properties?.name) ?? `${TYPE_WORDS[type][1]} ${String(id ?? "")}`.trim();

/** The letter on the map of what has no symbol: of its kind, or of its layer's. */
export const letterOf = ({ feature: { properties }, type }: Pick<MapFeature, "feature" | "type">): string =>
  (text(properties?.kind) ?? TYPE_WORDS[type][1]).slice(0, 1).toUpperCase();

const UNITS = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;
/** "7 min old". */
export function ageInWords(seconds: number | undefined): string {
  if (seconds === undefined) return "age unknown";
  const unit = UNITS.find(([, length]) => seconds >= length);
  if (!unit) return "just now";
  const count = Math.floor(seconds / unit[1]);
  return `${count} ${unit[0] === "day" && count > 1 ? "days" : unit[0]} old`;
}

/** Told by other parts of the panel, or of no use to people. */
const ELSEWHERE = new Set(["name", "at", "staleAt", "symbol", "colour", "entityType", "entityId", "missions"]);
const KNOWN: Record<string, string> = {
  kind: "Kind",
  status: "State",
  basis: "Coverage",
  ce: "Accuracy",
  did: "DID",
  uid: "Report's name",
  exclusive: "Exclusive",
  source: "Source",
  confidence: "Confidence",
  keep: "Stays when stale",
  note: "Note",
};

function valueInWords(name: string, value: unknown): string {
  if (name === "ce" && typeof value === "number") return `within ${value.toLocaleString("en")} m`;
  if (name === "confidence" && typeof value === "number" && value >= 0 && value <= 1)
    return `${Math.round(value * 100)} %`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return text(value) ?? JSON.stringify(value);
}
const headOf = (name: string): string =>
  KNOWN[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, " ");

/** What else a feature says of itself, in words. */
export const propertiesInWords = ({ properties }: PictureFeature): (readonly [head: string, words: string])[] =>
  Object.entries(properties ?? {})
    .filter(([name, value]) => !ELSEWHERE.has(name) && value !== null && value !== "")
    .map(([name, value]) => [headOf(name), valueInWords(name, value)]);

/** The least that is said beside a name: "vehicle, ready", "stale", "3 min old". */
export function inBrief({ feature: { properties, staleness } }: Pick<MapFeature, "feature">): string {
  const parts = [text(properties?.kind), text(properties?.status)];
  if (staleness.ageSeconds !== undefined) parts.push(ageInWords(staleness.ageSeconds));
  return parts.filter(Boolean).join(", ");
}
