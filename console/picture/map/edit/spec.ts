/** A feature of a drawing, as its layer keeps it. */
export interface DrawnFeature {
  type: "Feature";
  id?: string | number;
  geometry: unknown;
  properties: Record<string, unknown> | null;
}

/** A drawing as somebody began to edit it: another version in the meantime is a conflict. */
export interface DrawingBase {
  layerId: string;
  version: number;
  rev: number;
}

export interface FeatureDrawing {
  type: string;
  features: DrawnFeature[];
}

/** A drawing with one feature put in place of the one with its id, or added; without it where it is null. */
export function withFeature(drawing: FeatureDrawing, id: string, feature: DrawnFeature | null): FeatureDrawing {
  const isThere = drawing.features.some((one) => String(one.id) === id);
  const kept = drawing.features.flatMap((one) => (String(one.id) !== id ? [one] : feature ? [feature] : []));
  return { ...drawing, features: !isThere && feature ? [...kept, feature] : kept };
}

const NUMBERS = new Set(["ce", "confidence"]);
/** Properties that the form has fields for; others stay as they are. */
export const FIELDS = ["name", "kind", "source", "confidence", "ce", "at", "staleAt", "symbol", "note"] as const;

/** Properties with what a form says of them; what was emptied goes. */
export function withFields(
  before: Record<string, unknown> | null | undefined,
  fields: Record<string, string>,
): Record<string, unknown> {
  const after = { ...before };
  for (const name of FIELDS) {
    const value = fields[name]?.trim();
    if (!value) delete after[name];
    else if (name === "confidence") after[name] = Number(value) / 100;
    else if (NUMBERS.has(name)) after[name] = Number(value);
    else if (name === "at" || name === "staleAt") after[name] = new Date(value).toISOString();
    else after[name] = value;
  }
  return after;
}

/** A property as its field takes it. */
export function fieldOf(properties: Record<string, unknown> | null | undefined, name: (typeof FIELDS)[number]): string {
  const value = properties?.[name];
  if (value === undefined || value === null) return "";
  if (name === "confidence") return String(Math.round(Number(value) * 100));
  if (name !== "at" && name !== "staleAt") return String(value);
  const time = new Date(String(value));
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
