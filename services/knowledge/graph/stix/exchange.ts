import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { DuplicateKey } from "../../../../core/records/documents.ts";
import { overtaken, unprocessable } from "../../../../core/problem.ts";
import { documentRows } from "../../documents/client.ts";
import { graphOf } from "../memory.ts";
import { beginLooking } from "../resolution/duplicate-search.ts";
import { keep, takeBack } from "../statements/keeping.ts";
import { MESH } from "../statements/marks.ts";
import type { GraphView } from "../view.ts";
import { bundleOf, type Reported } from "./exporting.ts";
import {
  digestOf,
  importedEntity,
  missingAmong,
  sorted,
  sourceOf,
  statementsOf,
  stixRecordId,
  StixRecord,
  type ImportPlace,
} from "./importing.ts";
import { entityTypeOf, referencesOf, type Bundle, type StixObject } from "./mapping.ts";

const MOST_EXPORTED = 20_000;
const SLICE = 200;
const MOST_REFS = 2_000;

const parsed = ({ json }: StixRecord): StixObject => JSON.parse(json) as StixObject;

type Outcome = "new" | "changed" | "same" | "older";

/** What is stored of an object. */
function recordOf(place: ImportPlace, object: StixObject) {
  const entityId = entityTypeOf(object) ? importedEntity(place.problemSetId, object.id) : undefined;
  return {
    ...{ id: stixRecordId(place, object.id), ...place, stixId: object.id, type: object.type },
    json: JSON.stringify(object),
    refs: [...new Set(referencesOf(object).map(({ ref }) => ref))].slice(0, MOST_REFS),
    ...(entityId && { entityId }),
  };
}

function outcomeOf(known: StixRecord, object: StixObject): Outcome {
  const before = parsed(known);
  if (digestOf(before) === digestOf(object)) return "same";
  return String(before["modified"] ?? "") > String(object["modified"] ?? "") ? "older" : "changed";
}

/** Keeps objects as they came, as the caller: nobody puts anything where they do not see. */
function keepObjects(
  host: Host,
  caller: Caller,
  place: ImportPlace,
  objects: readonly StixObject[],
): Promise<Outcome[]> {
  const store = host.store(StixRecord);
  return retryOnConflict(async () => {
    const records = objects.map((object) => recordOf(place, object));
    const ids = records.map(({ id }) => id);
    const known = new Map((await store.many(caller, ids)).map((one) => [one.id, one]));
    const missing = records.filter(({ id }) => !known.has(id));
    if (missing.length)
      await store.createMany(caller, missing).catch((error: unknown) => {
        throw error instanceof DuplicateKey ? overtaken(StixRecord.title, { id: missing[0]!.id, rev: 0 }) : error;
      });
    const outcomes: Outcome[] = [];
    for (const [at, object] of objects.entries()) {
      const record = known.get(ids[at]!);
      const outcome = record ? outcomeOf(record, object) : "new";
      const { json, refs, type, entityId } = records[at]!;
      if (outcome === "changed") await store.revise(MESH, record!, { json, refs, type, entityId: entityId ?? null });
      outcomes.push(outcome);
    }
    return outcomes;
  });
}

/** Takes objects of STIX in, in whatever order they stand. */
export async function importBundle(
  host: Host,
  caller: Caller,
  place: ImportPlace,
  bundle: { id?: string; objects: unknown[] },
) {
  const by = actorOf(caller);
  const { problemSetId } = place;
  const { taken, refused } = sorted(bundle.objects);
  const now = iso(host.world.clock.now());
  const answer = { imported: 0, unchanged: 0, entities: 0, relations: 0 };
  for (let from = 0; from < taken.length; from += SLICE) {
    const slice = taken.slice(from, from + SLICE);
    const outcomes = await keepObjects(host, caller, place, slice);
    const said = slice.map((object) => statementsOf(place, object, bundle.id ?? "", now));
    for (const [at, object] of slice.entries()) {
      const outcome = outcomes[at]!;
      answer[outcome === "new" || outcome === "changed" ? "imported" : "unchanged"] += 1;
      if (said[at]!.length) answer[object.type === "relationship" ? "relations" : "entities"] += 1;
      if (outcome === "changed") await takeBack(host, { problemSetId, source: sourceOf(place, object.id) });
    }
    // The statements of the same object once more: completes what a kill left half done.
    const current = said.filter((_, at) => outcomes[at] !== "older").flat();
    if (current.length) await keep(host, by, current);
  }
  if (answer.imported) await beginLooking(host, problemSetId);
  return { ...answer, refused, missing: missingAmong(taken, await knownTo(host, caller, place, taken)) };
}

/** The objects that these refer to and that the caller sees here. */
async function knownTo(host: Host, caller: Caller, { problemSetId }: ImportPlace, taken: readonly StixObject[]) {
  const known = new Set(taken.map(({ id }) => id));
  const wanted = [...new Set(taken.flatMap((object) => referencesOf(object).map(({ ref }) => ref)))].filter(
    (ref) => !known.has(ref),
  );
  for (let from = 0; from < wanted.length; from += SLICE)
    for await (const slice of host
      .store(StixRecord)
      .slices(caller, { problemSetId, stixId: { $in: wanted.slice(from, from + SLICE) } }, { fields: ["stixId"] }))
      for (const { stixId } of slice) known.add(stixId);
  return known;
}

async function reportsOf(host: Host, view: GraphView): Promise<Reported[]> {
  const ids = new Set<string>();
  for (const { sources } of view.nodes.values())
    for (const source of sources) if (source.startsWith("document:")) ids.add(source.slice("document:".length));
  const all = [...ids].sort();
  const found: Reported[] = [];
  for (let from = 0; from < all.length; from += 100)
    for (const row of await documentRows(host, all.slice(from, from + 100)))
      found.push({ documentId: row.id, title: row.title, at: row.createdAt });
  return found;
}

/** What the caller sees of a graph, and what came in as STIX, as one bundle. */
export async function exportBundle(host: Host, caller: Caller, problemSetId: string): Promise<Bundle> {
  const view = await graphOf(host, caller, { problemSetId });
  const records = new Map<string, { entityId: string | undefined; object: StixObject }>();
  for await (const slice of host.store(StixRecord).slices(caller, { problemSetId }))
    for (const record of slice) {
      const object = parsed(record);
      const known = records.get(object.id)?.object;
      if (known && String(known["modified"] ?? "") > String(object["modified"] ?? "")) continue;
      records.set(object.id, { entityId: record.entityId && view.canonicalOf(record.entityId), object });
    }
  if (view.nodes.size + view.edges.length + records.size > MOST_EXPORTED)
    throw unprocessable("TOO_LARGE", `A graph of more than ${MOST_EXPORTED} objects does not go out in one bundle.`);
  return bundleOf({
    problemSetId,
    nodes: [...view.nodes.values()],
    edges: view.edges,
    reports: await reportsOf(host, view),
    imported: [...records.values()],
  });
}
