import { conflict, invalid, notFound } from "../core/problem.ts";
import { ENTITIES, KINDS, type MergeKind, type Kinds, type SyncedEntity } from "../core/sync/kinds.ts";
import { basesOf, conflictsOf, dotOf, dotsOf, dotsOfValue, isDeleted } from "../core/sync/merge.ts";
import type { Change, RecordState } from "../core/sync/merge.ts";

/** What somebody at the node wants of one record. */
export interface Wish {
  op: Change["op"];
  field?: string;
  value?: unknown;
  /** Heads that they decide between, where a field has several. */
  seen?: readonly string[];
}
export type ChangeDraft = Pick<Change, "op" | "field" | "value" | "bases">;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Where a record lies is said once, when it is made. */
const PLACE = ["problemSetId", "compartments"];

const refused = (path: string, message: string) => invalid([{ path, message }]);

/** The fields of an entity by their kinds. Throws 404 for what is not synchronised. */
export function kindsOf(entity: string): Kinds {
  if (!Object.hasOwn(KINDS, entity)) throw notFound("entity", `${entity}; there are ${ENTITIES.join(", ")}`);
  return KINDS[entity as SyncedEntity];
}

/** @throws 400 for what no hub would read as the id of a record */
export function checkedId(id: string): string {
  if (!UUID.test(id)) throw refused("id", "An id is a UUID in small letters.");
  return id;
}

/** A record that is new: its place and its first values. Throws 400. */
export function creation(entity: string, value: Record<string, unknown>): ChangeDraft {
  const kinds = kindsOf(entity);
  for (const name of Object.keys(value))
    if (!PLACE.includes(name) && !Object.hasOwn(kinds, name)) throw refused(name, `A ${entity} has no such field.`);
  return { op: "set", value: value as Change["value"] };
}

/**
 * A wish, as a change of a record as it is seen now; it says what its person saw. Throws 400, 404 and 409, each in words
 * that say what to do.
 */
export function draftOf(entity: string, state: RecordState, { op, field, value, seen }: Wish): ChangeDraft {
  if (isDeleted(state)) throw conflict("The record is deleted; what became of it is decided at the hub.");
  if (op === "delete") return { op, bases: dotsOf(state) };
  const kinds = kindsOf(entity);
  if (field === undefined || !Object.hasOwn(kinds, field))
    throw refused(field ?? "field", `A ${entity} has no such field; it has ${Object.keys(kinds).join(", ")}.`);
  const kind = kinds[field]!;
  if (kind === "fixed") throw refused(field, "It was said when the record was made, and stays.");
  if (op === "delta") return counted(kind, field, value);
  if (op === "add" || op === "remove") return ofSet(state, kind, field, op, value);
  return assigned(state, kinds, field, value, seen);
}

/** A change names at most 500 values; what is further back was sent long ago. */
const MOST_FORMER = 200;

/**
 * What a change names, and what the node's own unsent changes named that it takes the place of: where the hub refuses one
 * of those, the value before it does not come up against this one.
 */
export function withFormer(draft: ChangeDraft, unsent: readonly Change[], by: string): ChangeDraft {
  if (!draft.bases) return draft;
  const bases = new Set(draft.bases);
  for (const { seq, bases: former = [] } of unsent.toReversed().slice(0, MOST_FORMER))
    if (bases.has(dotOf(by, seq))) for (const dot of former.slice(0, MOST_FORMER)) bases.add(dot);
  return { ...draft, bases: [...bases].slice(0, 2 * MOST_FORMER) };
}

function counted(kind: MergeKind, field: string, value: unknown): ChangeDraft {
  if (kind !== "counter") throw refused(field, "It is no counter: set it.");
  if (typeof value !== "number" || !Number.isFinite(value) || value === 0)
    throw refused("value", "A counter goes up or down by a number other than 0.");
  return { op: "delta", field, value };
}

function ofSet(state: RecordState, kind: MergeKind, field: string, op: "add" | "remove", value: unknown): ChangeDraft {
  if (kind !== "set") throw refused(field, "It is no set: set it.");
  if (typeof value !== "string" || !value) throw refused("value", "Members of a set are text.");
  if (op === "add") return { op, field, value };
  const bases = dotsOfValue(state, field, value);
  if (!bases.length) throw notFound("member", value);
  return { op, field, value, bases };
}

function assigned(
  state: RecordState,
  kinds: Kinds,
  field: string,
  value: unknown,
  seen: readonly string[] | undefined,
): ChangeDraft {
  const kind = kinds[field]!;
  if (kind === "counter") throw refused(field, "A counter goes up or down: send the difference as a delta.");
  if (kind === "set") throw refused(field, "Members of a set are added and removed one by one.");
  if (value === undefined) throw refused("value", "Send a value; null clears the field.");
  const given = value as Change["value"];
  if (kind === "last") return { op: "set", field, value: given, bases: [] };
  const bases = basesOf(state, field);
  if (conflictsOf(state, kinds).includes(field)) {
    const decided = seen !== undefined && seen.length === bases.length && bases.every((dot) => seen.includes(dot));
    if (!decided)
      throw conflict(`${field} has several values: decide between them, naming the heads that you saw as \`seen\`.`, {
        field,
        heads: state.fields[field],
      });
  }
  return { op: "set", field, value: given, bases };
}
