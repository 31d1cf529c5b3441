import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { DuplicateKey } from "../../../../core/records/documents.ts";
import { derivedId, newId, sha256 } from "../../../../core/ids.ts";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { overloaded } from "../../../../core/problem.ts";
import type { Place } from "../../place.ts";

const MESH = asSystem("edge-sync");
const MOST_TRIES = 100;

/** A problem set, or what lies outside of all in one mode, of which some node carries something: its records are followed. */
export const Scope = entity("edge-sync.scopes", {
  title: "scope of edge sync",
  fields: {
    scope: z.string(),
    /** By entity, the last record that was there before and is followed by now. */
    reached: z.record(z.string(), z.string()),
    complete: z.boolean(),
  },
  readonly: ["scope", "reached", "complete"],
});
export type Scope = Item<typeof Scope>;

/** Records of one scope and the same compartments: whoever may see one of them may see them all. */
export const SyncPlace = entity("edge-sync.places", {
  title: "place of edge sync",
  id: "number",
  fields: { key: z.string(), scope: z.string(), compartments: z.array(z.string()) },
  readonly: ["key", "scope", "compartments"],
  indexes: [{ fields: ["key"], unique: true }, { fields: ["scope"] }],
});
export type SyncPlace = Item<typeof SyncPlace>;

/** The changes of a place in their order: which record changed, never what. Numbers rise without a gap, as those of a channel of the bus do. */
export const PlaceEntry = entity("edge-sync.log", {
  title: "entry of edge sync",
  fields: { place: z.int(), number: z.int(), record: z.string() },
  readonly: ["place", "number", "record"],
  indexes: [{ fields: ["place", "number"], unique: true }, { fields: ["createdAt"] }],
});
export type PlaceEntry = Item<typeof PlaceEntry>;

export const scopeKeyOf = ({ problemSetId, audience }: Pick<Place, "problemSetId" | "audience">): string =>
  problemSetId ?? `outside ${audience ?? "operational"}`;
export const scopeId = (scope: string): string => derivedId(`edge scope ${scope}`);

const keyOf = (place: Place): string => sha256(JSON.stringify([scopeKeyOf(place), [...place.compartments].sort()]));
const known = new WeakMap<object, Map<string, number>>();

/** The number that a place is known by; they are few, and never change. */
export async function placeNumber(host: Host, place: Place): Promise<number> {
  const numbers = known.get(host.world) ?? new Map<string, number>();
  known.set(host.world, numbers);
  const key = keyOf(place);
  const before = numbers.get(key);
  if (before !== undefined) return before;
  const { record } = await host
    .store(SyncPlace)
    .createOnce(MESH, { key, scope: scopeKeyOf(place), compartments: [...place.compartments].sort() }, { by: ["key"] });
  numbers.set(key, record.id as number);
  return record.id as number;
}

/** Enters records into the log of their place; answers the number of the last of them. */
export async function enter(host: Host, place: number, records: readonly string[]): Promise<number> {
  const store = host.store(PlaceEntry);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const [last] = await store.find(MESH, { place }, { sort: ["-number"], limit: 1 });
    const first = (last?.number ?? 0) + 1;
    try {
      await store.createInOrder(
        records.map((record, at) => ({ caller: MESH, fields: { id: newId(), place, number: first + at, record } })),
      );
      return first + records.length - 1;
    } catch (error) {
      // Another node of the mesh was first: what of ours came through before is entered twice, which is harmless.
      if (!(error instanceof DuplicateKey)) throw error;
    }
  }
  throw overloaded("Too many records of one place change at once.");
}
