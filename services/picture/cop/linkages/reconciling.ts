import { unionOfCompartments } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { inTurns, type Steps } from "../../../../core/work/turns.ts";
import { LayerFeature } from "../generation/features.ts";
import type { PlacedRecord } from "../../../../core/geo/placed.ts";
import { recordsOf } from "../generation/sources.ts";
import { Linkage } from "./linkages.ts";
import { candidatesAmong, pointIn, proposed, type Side } from "./matching.ts";

const mesh = asSystem("cop");
/** Of a picture with more features the first so many are compared. */
const MOST_COMPARED = 20_000;

type Proposal = Omit<Linkage, "rev" | "createdAt" | "updatedAt" | "createdBy" | "status">;

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const sideOf = ({ geometry, properties: { name, did, uid, ce, at } }: LayerFeature): Side => ({
  name: text(name),
  identity: text(did) ?? text(uid),
  position: pointIn(geometry),
  ce: typeof ce === "number" ? ce : undefined,
  at: text(at),
});
const sideOfRecord = ({ name, did, geometry, ce, at }: PlacedRecord): Side => ({
  name,
  identity: did,
  position: pointIn(geometry),
  ce,
  at,
});

/** Every pair that is worth a look. What was made from a record is linked to it already. */
function* proposals(
  features: readonly LayerFeature[],
  records: readonly (PlacedRecord & { type: "unit" | "resource" })[],
): Steps<Proposal[]> {
  const found: Proposal[] = [];
  const candidates = candidatesAmong(records, sideOfRecord);
  for (const feature of features) {
    if (feature.properties.entityId !== undefined) continue;
    const side = sideOf(feature);
    for (const record of candidates(side)) {
      const proposal = proposed(side, sideOfRecord(record));
      if (!proposal) continue;
      const { problemSetId, layerId, featureId } = feature;
      found.push({
        id: derivedId(`linkage ${feature.id} ${record.type} ${record.id}`),
        problemSetId,
        compartments: unionOfCompartments([feature, record]),
        layerId,
        featureId,
        ...(side.name !== undefined && { featureName: side.name }),
        entityType: record.type,
        entityId: record.id,
        entityName: record.name,
        ...proposal,
      });
    }
    yield;
  }
  return found;
}

/**
 * Brings the linkages of a problem set in line with its features and records. A pair that a person decided about stays
 * decided; a rejected one is asked again when its evidence differs.
 */
export async function findLinkages(host: Host, problemSetId: string): Promise<{ added: number; removed: number }> {
  const features = await host.store(LayerFeature).find(mesh, { problemSetId }, { sort: ["_id"], limit: MOST_COMPARED });
  const [units, resources] = await Promise.all([
    recordsOf(host, "units", { problemSetId }),
    recordsOf(host, "resources", { problemSetId }),
  ]);
  const records = [
    ...(units ?? []).map((one) => ({ ...one, type: "unit" as const })),
    ...(resources ?? []).map((one) => ({ ...one, type: "resource" as const })),
  ];
  const found = await inTurns(proposals(features, records));
  const linkages = host.store(Linkage);
  const known = new Map((await linkages.find(mesh, { problemSetId })).map((one) => [one.id, one]));
  let added = 0;
  for (const { id, probability, parts, evidence, ...rest } of found) {
    const before = known.get(id);
    known.delete(id);
    if (!before) await linkages.createOnce(mesh, { id, probability, parts, evidence, ...rest, status: "pending" });
    else if (before.evidence === evidence || before.status === "approved") continue;
    else
      await linkages.amend(mesh, id, () => ({
        probability,
        parts,
        evidence,
        status: "pending",
        reviewedBy: null,
        reviewedAt: null,
        note: null,
      }));
    added++;
  }
  const gone = [...known.values()].filter(({ status }) => status === "pending").map(({ id }) => id);
  if (gone.length) await linkages.removeAll(mesh, { _id: { $in: gone }, status: "pending" });
  return { added, removed: gone.length };
}
