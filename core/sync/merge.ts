import { isDeepStrictEqual } from "node:util";
import type { Hlc } from "./hlc.ts";
import type { MergeKind, Kinds } from "./kinds.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Names a change: `<node>:<seq>`. What was had is known by it, never by its content. */
export type Dot = string;
/** The hub as a node: whatever is edited there by other ways than a sync. */
export const HUB = "hub";

export interface Head {
  dot: Dot;
  value: Json;
  hlc: Hlc;
}

/** All that is known of one record, by which any two who have it can tell what is new. */
export interface RecordState {
  /** By node, the last of its changes to this record that is in here. */
  vector: Record<string, number>;
  /** Of a field, the values that no later change has seen; of a `last` one, the latest. */
  fields: Record<string, Head[]>;
  /** `dots`: by node, its last change of the counter that no delete has seen. */
  counters: Record<string, { value: number; dots: Record<string, number> }>;
  sets: Record<string, { value: string; dots: Dot[] }[]>;
  fixed: Record<string, Json>;
  /** Not empty: deleted. */
  deletes: { dot: Dot; hlc: Hlc }[];
}

export type Op = "set" | "delete" | "add" | "remove" | "delta" | "restore";

/** One change as its node made it. A `set` without a field makes the record; `restore` is the hub's alone. */
export interface Change {
  seq: number;
  entity: string;
  id: string;
  op: Op;
  field?: string | undefined;
  value?: Json | undefined;
  bases?: readonly Dot[] | undefined;
  hlc: Hlc;
}

export type MergeOutcome = "applied" | "duplicate" | "conflict";

export const dotOf = (by: string, seq: number): Dot => `${by}:${seq}`;
const partsOf = (dot: Dot): [by: string, seq: number] => {
  const colon = dot.lastIndexOf(":");
  return [dot.slice(0, colon), Number(dot.slice(colon + 1))];
};

export const emptyState = (): RecordState => ({
  vector: {},
  fields: {},
  counters: {},
  sets: {},
  fixed: {},
  deletes: [],
});

/** The later of two: by stamp, ties by name, so that everybody shows the same. */
const isLater = (one: Head, other: Head): boolean =>
  one.hlc === other.hlc ? one.dot > other.dot : one.hlc > other.hlc;
const latest = (heads: readonly Head[]): Head | undefined =>
  heads.reduce<Head | undefined>((best, head) => (best && !isLater(head, best) ? best : head), undefined);

const without = <T extends { dot: Dot }>(all: readonly T[] | undefined, bases: readonly Dot[]): T[] =>
  (all ?? []).filter(({ dot }) => !bases.includes(dot));

/** The head of a field that is shown. */
export const headOf = (state: RecordState, field: string): Head | undefined => latest(headsOf(state, field));
/** A field is whatever somebody calls one: what all objects have is none. */
const headsOf = ({ fields }: RecordState, field: string): readonly Head[] =>
  Object.hasOwn(fields, field) ? fields[field]! : [];

function setField(state: RecordState, kind: MergeKind, field: string, head: Head, bases: readonly Dot[]): void {
  const heads = [...without(state.fields[field], bases), head];
  state.fields[field] = kind === "last" ? [latest(heads)!] : heads;
}

function addTo(state: RecordState, field: string, value: string, dot: Dot): void {
  const entries = state.sets[field] ?? [];
  const dots = entries.find((entry) => entry.value === value)?.dots ?? [];
  state.sets[field] = [...entries.filter((entry) => entry.value !== value), { value, dots: [...dots, dot] }];
}

/** What was added by a change that is not named stays: who adds wins. */
function removeFrom(state: RecordState, field: string, bases: readonly Dot[], value?: string): void {
  state.sets[field] = (state.sets[field] ?? [])
    .map((entry) =>
      value === undefined || entry.value === value
        ? { ...entry, dots: entry.dots.filter((dot) => !bases.includes(dot)) }
        : entry,
    )
    .filter(({ dots }) => dots.length);
}

function count(state: RecordState, field: string, delta: number, by: string, seq: number): void {
  const { value = 0, dots = {} } = state.counters[field] ?? {};
  state.counters[field] = { value: value + delta, dots: { ...dots, [by]: seq } };
}

/** The values that a new record begins with, or that a restored one has again where nothing else is left of them. */
function begin(state: RecordState, kinds: Kinds, by: string, { seq, value, hlc }: Change): void {
  const dot = dotOf(by, seq);
  for (const [field, given] of Object.entries((value ?? {}) as Record<string, Json>)) {
    const kind = kinds[field];
    if (kind === "heads" || kind === "last") {
      if (!state.fields[field]?.length) state.fields[field] = [{ dot, value: given, hlc }];
    } else if (kind === "counter") {
      if (!state.counters[field]) count(state, field, given as number, by, seq);
    } else if (kind === "set") for (const one of given as string[]) addTo(state, field, one, dot);
    else if (kind === "fixed") state.fixed[field] ??= given;
  }
}

/**
 * What a record has beside what its maker gave it. Its maker knows nothing of these dots, which come before its first
 * change: whatever it does next takes their place.
 */
export function withDefaults(before: RecordState, kinds: Kinds, by: string, value: Json, hlc: Hlc): RecordState {
  const state = copied(before);
  begin(state, kinds, by, { seq: 0, entity: "", id: "", op: "set", value, hlc });
  return state;
}

/** The delete takes with it what it names, and nothing else. */
function drop(state: RecordState, bases: readonly Dot[], hlc: Hlc, dot: Dot): void {
  state.deletes = [...without(state.deletes, bases), { dot, hlc }];
  for (const field of Object.keys(state.fields)) state.fields[field] = without(state.fields[field], bases);
  for (const field of Object.keys(state.sets)) removeFrom(state, field, bases);
  for (const counter of Object.values(state.counters))
    for (const [by, seq] of bases.map(partsOf)) if (counter.dots[by]! <= seq) delete counter.dots[by];
}

const copied = (state: RecordState): RecordState => ({
  vector: { ...state.vector },
  fields: { ...state.fields },
  counters: Object.fromEntries(
    Object.entries(state.counters).map(([field, one]) => [field, { ...one, dots: { ...one.dots } }]),
  ),
  sets: { ...state.sets },
  fixed: { ...state.fixed },
  deletes: state.deletes,
});

/**
 * A record with one more change of a node in it. Changes of one node come in their order; those of several in any. A
 * change that was had already changes nothing.
 */
export function merge(
  before: RecordState | undefined,
  kinds: Kinds,
  by: string,
  change: Change,
): { state: RecordState; outcome: MergeOutcome } {
  if (before && change.seq <= (before.vector[by] ?? 0)) return { state: before, outcome: "duplicate" };
  const state = before ? copied(before) : emptyState();
  const { seq, op, field, value = null, hlc } = change;
  const bases = [...(change.bases ?? []), dotOf(by, 0)];
  const dot = dotOf(by, seq);
  state.vector[by] = seq;
  if (op === "delete") drop(state, bases, hlc, dot);
  else if (op === "restore") {
    state.deletes = without(state.deletes, bases);
    begin(state, kinds, by, change);
  } else if (field === undefined) begin(state, kinds, by, change);
  else if (op === "delta") count(state, field, value as number, by, seq);
  else if (op === "add") addTo(state, field, value as string, dot);
  else if (op === "remove") removeFrom(state, field, bases, value as string);
  else setField(state, kinds[field]!, field, { dot, value, hlc }, bases);
  return { state, outcome: outcomeIn(state, kinds, field) };
}

/** What a change of a field, or of all of a record, came to: a conflict where people must decide on that, or on a delete. */
export const outcomeIn = (state: RecordState, kinds: Kinds, field: string | undefined): MergeOutcome =>
  conflictsOf(state, kinds).some((one) => one === "" || one === field) ? "conflict" : "applied";

export const isDeleted = ({ deletes }: RecordState): boolean => deletes.length > 0;

/** Whether there is something that a person did and the delete had not seen; reports of a device hold nothing back. */
function isUnseen({ fields, counters, sets }: RecordState, kinds: Kinds): boolean {
  return (
    Object.entries(fields).some(([field, heads]) => kinds[field] === "heads" && heads.length) ||
    Object.values(counters).some(({ dots }) => Object.keys(dots).length) ||
    Object.values(sets).some((entries) => entries.length)
  );
}

/** The fields that a person must decide on, for they have several values; `""`: a delete against what it had not seen. */
export function conflictsOf(state: RecordState, kinds: Kinds): string[] {
  if (isDeleted(state)) return isUnseen(state, kinds) ? [""] : [];
  return Object.entries(state.fields)
    .filter(([, heads]) => heads.some(({ value }) => !isDeepStrictEqual(value, heads[0]!.value)))
    .map(([field]) => field)
    .sort();
}

/** What is shown of each field; of one that was never set, nothing. */
export function shownOf(state: RecordState): Record<string, Json> {
  const shown: Record<string, Json> = { ...state.fixed };
  for (const field of Object.keys(state.fields)) {
    const head = headOf(state, field);
    if (head) shown[field] = head.value;
  }
  for (const [field, { value }] of Object.entries(state.counters)) shown[field] = value;
  for (const [field, entries] of Object.entries(state.sets)) shown[field] = entries.map(({ value }) => value).sort();
  return shown;
}

/** What a change of a field names: every value of it that somebody saw. */
export const basesOf = (state: RecordState, field: string): Dot[] => headsOf(state, field).map(({ dot }) => dot);
/** What the removal of a value from a set names. */
export const dotsOfValue = ({ sets }: RecordState, field: string, value: string): Dot[] =>
  (Object.hasOwn(sets, field) && sets[field]!.find((entry) => entry.value === value)?.dots) || [];

/** What a delete names: all there is of the record. */
export const dotsOf = ({ fields, counters, sets, deletes }: RecordState): Dot[] => [
  ...new Set([
    ...Object.values(fields).flatMap((heads) => heads.map(({ dot }) => dot)),
    ...Object.values(counters).flatMap(({ dots }) => Object.entries(dots).map(([by, seq]) => dotOf(by, seq))),
    ...Object.values(sets).flatMap((entries) => entries.flatMap(({ dots }) => dots)),
    ...deletes.map(({ dot }) => dot),
  ]),
];

/** A record as its own node shows it: as the hub told it, with the changes on it that the hub has not had. */
export const withUnsent = (
  told: RecordState | undefined,
  kinds: Kinds,
  by: string,
  changes: readonly Change[],
): RecordState | undefined =>
  changes.reduce<RecordState | undefined>((state, change) => merge(state, kinds, by, change).state, told);
