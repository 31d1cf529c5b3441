import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import type { PlacedRecord } from "../../../../core/geo/placed.ts";
import { derivedId } from "../../../../core/ids.ts";
import { atOnce, type Steps } from "../../../../core/work/turns.ts";
import { placeOf } from "../../place.ts";
import type { LayerFeature } from "../generation/features.ts";
import { FindingIndex, type FeatureFindings } from "../generation/finding-index.ts";
import type { Linkage } from "./linkages.ts";
import { marksIn, marksOf } from "./marks.ts";
import { Candidates, pointIn, proposed, type Side } from "./matching.ts";

/** Features of a picture that are compared at most. */
const MOST_COMPARED = 20_000;
/** Features that a changed record is compared with. */
const MOST_FEATURES = 2_000;

export type LinkageProposal = Omit<Linkage, "rev" | "createdAt" | "updatedAt" | "createdBy" | "status"> & {
  /** The records of the feature and of what it may show. */
  between: readonly string[];
};
export type Linked = Pick<
  LayerFeature,
  "id" | "problemSetId" | "audience" | "compartments" | "layerId" | "featureId" | "geometry" | "properties"
>;
export type Entity = PlacedRecord & { type: Linkage["entityType"] };

/** A feature or record keeps its side, and with it its names made ready, as long as it is held. */
function remembered<T extends object>(read: (one: T) => Side): (one: T) => Side {
  const sides = new WeakMap<T, Side>();
  return (one) => {
    let side = sides.get(one);
    if (!side) sides.set(one, (side = read(one)));
    return side;
  };
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const MOST_PROPERTIES = 20;
const UNSAID = new Set(["at", "readAt", "staleAt", "entityId", "entityType", "colour", "symbol"]);
/** What is said of a feature in words of its own, as the plate that somebody read. */
const saidOf = (properties: Linked["properties"]): string[] =>
  Object.entries(properties)
    .slice(0, MOST_PROPERTIES)
    .flatMap(([name, value]) => (UNSAID.has(name) ? [] : (text(value) ?? [])));

const sideOf = remembered(({ geometry, properties }: Linked): Side => ({
  name: text(properties["name"]),
  identity: text(properties["did"]) ?? text(properties["uid"]),
  marks: marksIn(saidOf(properties)),
  position: pointIn(geometry),
  ce: typeof properties["ce"] === "number" ? properties["ce"] : undefined,
  at: text(properties["at"]),
}));
const sideOfRecord = remembered(({ name, aliases, kind, did, marks, geometry, ce, at }: PlacedRecord): Side => ({
  name,
  aliases,
  kind,
  identity: did,
  marks: marks && marksOf(marks),
  position: pointIn(geometry),
  ce,
  at,
}));

/** Features of a picture beside records of the platform, by what either may be found by. It moves with both. */
export class Linking {
  readonly #features = new Candidates<Linked>(sideOf);
  readonly #records = new Candidates<Entity>(sideOfRecord);
  readonly #held = new FindingIndex();
  readonly #given: { features: readonly Linked[]; records: readonly Entity[] };
  #isFilled = false;

  constructor(features: readonly Linked[], records: readonly Entity[]) {
    this.#given = { features, records };
  }

  /** Every pair that is worth a look, in steps. */
  *all(): Steps<LinkageProposal[]> {
    yield* this.#fill();
    const found: LinkageProposal[] = [];
    for (const feature of this.#features.values()) {
      found.push(...this.#of(feature));
      yield;
    }
    for (const { id, between } of found) this.#held.add(id, between);
    return found;
  }

  /** Moves on with features and records that are new or differ, and null for those that are there no more. */
  change(
    features: ReadonlyMap<string, Linked | null>,
    records: ReadonlyMap<string, Entity | null>,
  ): FeatureFindings<LinkageProposal> {
    atOnce(this.#fill());
    const concerned = this.#held.take([...features.keys(), ...records.keys()]);
    for (const [id, one] of features)
      if (one && isOpen(one)) this.#features.put(one);
      else this.#features.delete(id);
    for (const [id, one] of records)
      if (one) this.#records.put(one);
      else this.#records.delete(id);
    const found = new Map<string, LinkageProposal>();
    for (const id of features.keys()) {
      const feature = this.#features.get(id);
      if (feature) for (const proposal of this.#of(feature)) found.set(proposal.id, proposal);
    }
    for (const id of records.keys()) {
      const record = this.#records.get(id);
      if (!record) continue;
      for (const feature of this.#features.of(sideOfRecord(record), MOST_FEATURES)) {
        const proposal = features.has(feature.id) ? null : pairOf(feature, record);
        if (proposal && this.#records.of(sideOf(feature)).includes(record)) found.set(proposal.id, proposal);
      }
    }
    for (const { id, between } of found.values()) {
      concerned.add(id);
      this.#held.add(id, between);
    }
    return { findings: [...found.values()], concerned };
  }

  #of(feature: Linked): LinkageProposal[] {
    return this.#records.of(sideOf(feature)).flatMap((record) => pairOf(feature, record) ?? []);
  }

  *#fill(): Steps<void> {
    if (this.#isFilled) return;
    this.#isFilled = true;
    for (const record of this.#given.records) {
      this.#records.put(record);
      yield;
    }
    for (const feature of this.#given.features.slice(0, MOST_COMPARED)) {
      if (isOpen(feature)) this.#features.put(feature);
      yield;
    }
  }
}

/** What was made from a record of the platform is linked to it already; a report is of something outside. */
const isOpen = ({ properties: { entityId, entityType } }: Linked): boolean =>
  entityId === undefined || entityType === "report";

function pairOf(feature: Linked, record: Entity): LinkageProposal | null {
  const side = sideOf(feature);
  const proposal = proposed(side, sideOfRecord(record));
  if (!proposal) return null;
  const { layerId, featureId } = feature;
  return {
    id: derivedId(`linkage ${feature.id} ${record.type} ${record.id}`),
    ...placeOf(feature),
    compartments: unionOfCompartments([feature, record]),
    layerId,
    featureId,
    ...(side.name !== undefined && { featureName: side.name }),
    entityType: record.type,
    entityId: record.entityId ?? record.id,
    entityName: record.name,
    between: [feature.id, record.id],
    ...proposal,
  };
}
