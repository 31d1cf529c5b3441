import { v5 } from "uuid";
import { isEntityType, isRelation, type EntityType, type Relation } from "../statements/vocabulary.ts";

/** An object of STIX 2.1, with whatever else it has (https://docs.oasis-open.org/cti/stix/v2.1/). */
export interface StixObject {
  type: string;
  id: string;
  [property: string]: unknown;
}
export interface Bundle {
  type: "bundle";
  id: string;
  objects: StixObject[];
}

/** Names our objects in STIX: the same for the same, in every export. */
const NAMESPACE = "6d1a1bd0-97d4-5d0f-9c57-0cbd5c9c2a11";
export const stixIdOf = (type: string, seed: string): string => `${type}--${v5(`${type}/${seed}`, NAMESPACE)}`;

export const STIX_ID =
  /^[a-z][a-z0-9-]{1,248}[a-z0-9]--[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** What STIX has no words for is told in an extension of ours. */
export const EXTENSION = stixIdOf("extension-definition", "entities");
export const OWN_TYPE = "x-signalmesh-entity";

const CLASSES: Partial<Record<EntityType, string>> = {
  person: "individual",
  organisation: "organization",
  unit: "organization",
  group: "group",
};

/** The type of object that an entity is told as, and what this type demands. */
export function kindOf(type: EntityType, name: string): { type: string } & Record<string, unknown> {
  const identityClass = CLASSES[type];
  if (identityClass) return { type: "identity", identity_class: identityClass };
  if (type === "country" || type === "place") {
    const country = type === "country" ? countryCode(name) : undefined;
    return {
      type: "location",
      ...(country ? { country } : { region: name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-") }),
    };
  }
  if (type === "event") return { type: "incident" };
  if (type === "facility") return { type: "infrastructure" };
  return { type: OWN_TYPE };
}

let codes: Map<string, string> | undefined;
/** ISO 3166 of a country's English name, as ICU knows it. */
function countryCode(name: string): string | undefined {
  if (!codes) {
    const display = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const all = letters.flatMap((first) => letters.map((second) => first + second));
    codes = new Map(
      all.flatMap((code) => (display.of(code) ? [[display.of(code)!.toLowerCase(), code] as const] : [])),
    );
  }
  return codes.get(name.toLowerCase());
}

// Maps: words of others are looked up, and an object has a `constructor`.
const IDENTITY: ReadonlyMap<unknown, EntityType> = new Map([
  ["individual", "person"],
  ["group", "group"],
  ["class", "group"],
  ["organization", "organisation"],
  ["system", "equipment"],
]);
const TYPES: ReadonlyMap<string, EntityType> = new Map([
  ["threat-actor", "group"],
  ["intrusion-set", "group"],
  ["campaign", "event"],
  ["incident", "event"],
  ["malware", "equipment"],
  ["tool", "equipment"],
  ["infrastructure", "facility"],
  ["report", "document"],
  ["attack-pattern", "theme"],
  ["vulnerability", "theme"],
]);

/** What an entity is that an object tells of; undefined for one that tells of none. A type that is none of ours is none. */
export function entityTypeOf({ type, ...object }: StixObject): EntityType | undefined {
  const extended = (object["extensions"] as Record<string, { entity_type?: unknown }> | undefined)?.[EXTENSION];
  if (isEntityType(extended?.entity_type)) return extended.entity_type;
  if (type === "identity") return IDENTITY.get(object["identity_class"]) ?? "other";
  if (type === "location") return object["country"] && !object["city"] && !object["latitude"] ? "country" : "place";
  return TYPES.get(type);
}

const RELATIONS_OF: ReadonlyMap<string, Relation> = new Map([
  ["targets", "attacks"],
  ["compromises", "attacks"],
  ["located-at", "located-in"],
  ["originates-from", "located-in"],
  ["attributed-to", "part-of"],
  ["communicates-with", "met"],
  ["owns", "owns"],
  ["controls", "owns"],
]);
export const relationOf = (type: string): Relation =>
  isRelation(type) ? type : (RELATIONS_OF.get(type) ?? "related-to");

/** The objects that an object refers to, and by which property. */
export function referencesOf(object: StixObject): { property: string; ref: string }[] {
  return Object.entries(object).flatMap(([property, value]) => {
    if (property.endsWith("_ref") && typeof value === "string") return [{ property, ref: value }];
    if (!property.endsWith("_refs") || !Array.isArray(value)) return [];
    return value.flatMap((ref) => (typeof ref === "string" ? [{ property, ref }] : []));
  });
}

/** An instant as STIX wants it. */
export const stixTime = (at: string): string => new Date(at).toISOString();
