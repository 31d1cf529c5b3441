import { iso } from "../../../../core/clock.ts";
import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId, sha256 } from "../../../../core/ids.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import type { NewStatement } from "../statements/keeping.ts";
import { entityIdOf, statementIdOf, type SourceKey } from "../statements/statements.ts";
import { entityTypeOf, EXTENSION, referencesOf, relationOf, STIX_ID, type StixObject } from "./mapping.ts";

const MOST_BYTES = 200_000;

/** An object as it came in, to go out so: what nobody here understands is kept. */
export const StixRecord = entity("graph.stix", {
  title: "STIX object",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    stixId: z.string(),
    type: z.string(),
    json: z.string(),
    entityId: TextId.optional(),
    refs: z.array(z.string()).default([]),
  },
  immutable: ["problemSetId", "compartments", "stixId"],
  barrier,
  indexes: [{ fields: ["problemSetId", "stixId"] }, { fields: ["createdBy"] }],
});
export type StixRecord = Item<typeof StixRecord>;

export interface ImportPlace {
  problemSetId: string;
  compartments: readonly string[];
}
export interface RefusedObject {
  index: number;
  code: string;
  message: string;
}

const placeKey = ({ problemSetId, compartments }: ImportPlace): string =>
  `${problemSetId}/${[...compartments].sort().join()}`;
export const stixRecordId = (place: ImportPlace, stixId: string): string =>
  derivedId(`graph.stix/${placeKey(place)}/${stixId}`);
/** One object is one entity, wherever its statements lie: readers of several compartments see one. */
export const importedEntity = (problemSetId: string, stixId: string): string =>
  entityIdOf(problemSetId, "import:stix", stixId);
export const sourceOf = (place: ImportPlace, stixId: string): SourceKey =>
  `import:${derivedId(`${placeKey(place)}/${stixId}`)}`;

const text = (value: unknown): string | undefined => (typeof value === "string" && value.trim() ? value : undefined);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((one) => text(one) ?? []) : []);
/** As others write moments. */
const instant = (value: unknown): string | undefined => {
  const at = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : iso(at);
};

/** Objects that may come in, and why others may not; of two with one id the later `modified` counts. */
export function sorted(objects: readonly unknown[]): { taken: StixObject[]; refused: RefusedObject[] } {
  const taken = new Map<string, StixObject>();
  const refused: RefusedObject[] = [];
  for (const [index, object] of objects.entries()) {
    const refuse = (code: string, message: string) => refused.push({ index, code, message });
    if (!object || typeof object !== "object" || Array.isArray(object)) refuse("NO_OBJECT", "It is no JSON object.");
    else {
      const one = object as StixObject;
      if (typeof one.id !== "string" || !STIX_ID.test(one.id)) refuse("BAD_ID", "`id` is no identifier of STIX 2.1.");
      else if (one.type !== one.id.split("--")[0]) refuse("BAD_TYPE", "`type` is not the one that `id` begins with.");
      else if (JSON.stringify(one).length > MOST_BYTES)
        refuse("TOO_LARGE", `It has more than ${MOST_BYTES} characters.`);
      else if (String(one["modified"] ?? "") >= String(taken.get(one.id)?.["modified"] ?? "")) taken.set(one.id, one);
    }
  }
  return { taken: [...taken.values()], refused };
}

/** References of these objects to what is neither among them nor known. */
export const missingAmong = (objects: readonly StixObject[], known: ReadonlySet<string>) =>
  objects.flatMap((object) =>
    referencesOf(object).flatMap(({ property, ref }) => (known.has(ref) ? [] : [{ object: object.id, property, ref }])),
  );

/** What an object says, as statements: of a relationship whose ends come later too, since ids are derived. */
export function statementsOf(place: ImportPlace, object: StixObject, bundle: string, now: string): NewStatement[] {
  const source = sourceOf(place, object.id);
  const observedAt = instant(object["modified"]) ?? instant(object["created"]) ?? now;
  const given = object["confidence"];
  const confidence = typeof given === "number" && given >= 0 && given <= 100 ? given / 100 : 0.7;
  const make = (said: Pick<NewStatement, "subject" | "predicate" | "object" | "value">): NewStatement => ({
    id: statementIdOf(source, 0, said),
    ...place,
    compartments: [...place.compartments],
    ...said,
    confidence,
    method: "manual",
    reason: `STIX ${object.type}`,
    origin: { kind: "import", format: "stix", object: object.id, bundle },
    ...{ source, version: 0, extractor: "stix-2.1", observedAt, times: 1, passages: [] },
    voice: `import:${text(object["created_by_ref"]) ?? object.id}`,
    ...period(object),
  });
  const entityOf = (ref: unknown) => importedEntity(place.problemSetId, String(ref));
  if (object.type === "relationship") {
    if (!text(object["source_ref"]) || !text(object["target_ref"])) return [];
    const predicate = relationOf(String(object["relationship_type"]));
    return [make({ subject: entityOf(object["source_ref"]), predicate, object: entityOf(object["target_ref"]) })];
  }
  const type = entityTypeOf(object);
  const name = text(object["name"]);
  if (!type || !name) return [];
  const subject = entityOf(object.id);
  const extended = (object["extensions"] as Record<string, { other_names?: unknown }> | undefined)?.[EXTENSION];
  const aliases = [...texts(object["aliases"]), ...texts(extended?.other_names)].slice(0, 50);
  const description = text(object["description"]);
  return [
    make({ subject, predicate: "name", value: upTo(500, name) }),
    make({ subject, predicate: "type", value: type }),
    ...aliases.map((value) => make({ subject, predicate: "alias", value: upTo(500, value) })),
    ...(description ? [make({ subject, predicate: "description", value: upTo(4_000, description) })] : []),
    ...identifiersOf(object).map((value) => make({ subject, predicate: "identifier", value })),
  ];
}

function period(object: StixObject): { validFrom?: string; validTo?: string } {
  const [from, to] = [instant(object["start_time"]), instant(object["stop_time"])];
  return { ...(from && { validFrom: from }), ...(to && { validTo: to }) };
}

function identifiersOf(object: StixObject): string[] {
  const references = Array.isArray(object["external_references"]) ? object["external_references"] : [];
  return (references as { source_name?: unknown; external_id?: unknown }[]).flatMap((one) => {
    const [source, id] = [text(one?.source_name), text(one?.external_id)];
    return source && id ? [upTo(300, `${source.toLowerCase()}:${id}`)] : [];
  });
}

export const digestOf = (object: StixObject): string => sha256(JSON.stringify(object));
