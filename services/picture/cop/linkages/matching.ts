import { compareNames, SAME } from "../../../../core/text/names/compare.ts";
import { WEIGHTS as PARTS } from "../../../../core/text/names/parts.ts";
import { nameKindOf, prepareName, type NameKind, type PreparedName } from "../../../../core/text/names/prepared.ts";
import { distance, distanceInWords } from "../../../../core/geo/earth.ts";
import type { Geometry, Position } from "../../../../core/geo/positions.ts";
import { sha256 } from "../../../../core/ids.ts";
import type { Linkage } from "./linkages.ts";
import { LEAST_PROBABILITY, WEIGHTS } from "./weights.ts";

/** One side of a pair: a feature, or a record of the platform. */
export interface Side {
  name?: string | undefined;
  aliases?: readonly string[] | undefined;
  /** Of a record: by it names are compared as those of persons, of bodies, or of things. */
  kind?: string | undefined;
  /** DID or uid. */
  identity?: string | undefined;
  /** Registration and serial numbers, as `marks.ts` writes them; of a feature all that may be some. */
  marks?: readonly string[] | undefined;
  position?: Position | undefined;
  ce?: number | undefined;
  at?: string | undefined;
}
type Part = Linkage["parts"][number];

/** The accuracy, in metres, of a place that comes without one. */
const USUAL_CE = 100;

/** From here on the comparison takes two names for one; a whole step of the weights below begins there. */
export const ALIKE = 0.85;

const prepare = (name: string, kind: NameKind): PreparedName => prepareName(name.slice(0, LONGEST_NAME), kind);
const LONGEST_NAME = 200;

/** The names of a side, made ready to be compared once: as a person's, and as what anything else is called. */
class Names {
  readonly #names: readonly string[];
  readonly #prepared = new Map<NameKind, readonly PreparedName[]>();

  constructor({ name, aliases = [] }: Side) {
    this.#names = [...(name ? [name] : []), ...aliases];
  }

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  as(kind: NameKind): readonly PreparedName[] {
    let prepared = this.#prepared.get(kind);
    if (!prepared) this.#prepared.set(kind, (prepared = this.#names.map((name) => prepare(name, kind))));
    return prepared;
  }
}

const namesBySide = new WeakMap<Side, Names>();

function namesOf(side: Side): Names {
  let names = namesBySide.get(side);
  if (!names) namesBySide.set(side, (names = new Names(side)));
  return names;
}

/** How much of two names is alike, from 0 to 1: from .85 on a reader takes them for one thing's. */
function likeness(one: PreparedName, other: PreparedName): number {
  const { score } = compareNames(one, other);
  const same = SAME[one.kind];
  return score < same ? (score / same) * ALIKE : ALIKE + ((1 - ALIKE) * (score - same)) / (1 - same);
}

export const nameLikeness = (one: string, other: string, kind: NameKind = "designation"): number =>
  likeness(prepare(one, kind), prepare(other, kind));

const upTo = (steps: readonly { most: number; logOdds: number }[], value: number): number =>
  steps.find(({ most }) => value <= most)!.logOdds;

/** What says who the two sides are. */
function whoOf(feature: Side, record: Side): Part[] {
  const parts: Part[] = [];
  if (feature.identity && record.identity)
    parts.push(
      feature.identity === record.identity
        ? { part: "identity", logOdds: WEIGHTS.sameIdentity, why: "The same DID or uid." }
        : { part: "identity", logOdds: WEIGHTS.otherIdentity, why: "Another DID or uid." },
    );
  const mark = record.marks?.find((one) => feature.marks?.includes(one));
  if (mark) parts.push({ part: "mark", logOdds: WEIGHTS.mark, why: `Both say ${mark}.` });
  const [names, others] = [namesOf(feature), namesOf(record)];
  if (!names.isEmpty && !others.isEmpty) {
    const kind = nameKindOf(record.kind);
    const alike = Math.max(...names.as(kind).flatMap((one) => others.as(kind).map((other) => likeness(one, other))));
    const { logOdds } = WEIGHTS.name.find(({ least }) => alike >= least)!;
    parts.push({ part: "name", logOdds, why: `The names are alike to ${Math.round(100 * alike)} %.` });
  }
  return parts;
}

/** Where and when the two were seen. */
function whereOf(feature: Side, record: Side): Part[] {
  const parts: Part[] = [];
  if (feature.position && record.position) {
    const metres = distance(feature.position, record.position);
    const share = metres / ((feature.ce ?? USUAL_CE) + (record.ce ?? USUAL_CE) || 1);
    parts.push({
      part: "distance",
      logOdds: upTo(WEIGHTS.distance, share),
      why: `${distanceInWords(metres)} apart, ${share.toFixed(1)} times their accuracy.`,
    });
  }
  if (feature.at && record.at) {
    const minutes = Math.abs(Date.parse(feature.at) - Date.parse(record.at)) / 60_000;
    parts.push({ part: "time", logOdds: upTo(WEIGHTS.time, minutes), why: `${Math.round(minutes)} min apart.` });
  }
  return parts;
}

const probabilityOf = (parts: readonly Part[]): number =>
  1 / (1 + Math.exp(-parts.reduce((sum, { logOdds }) => sum + logOdds, 0)));

const PRIOR: Part = { part: "prior", logOdds: WEIGHTS.prior, why: "Most pairs are not the same." };

/** Whether a pair is put before a person, and by what evidence; null where it is not. */
export function proposed(feature: Side, record: Side): Pick<Linkage, "probability" | "parts" | "evidence"> | null {
  const who = whoOf(feature, record);
  // Nearness alone says nothing: something must say who it is.
  if (!who.some(({ logOdds }) => logOdds > 0)) return null;
  const parts = [PRIOR, ...who, ...whereOf(feature, record)];
  const probability = probabilityOf(parts);
  if (probability < LEAST_PROBABILITY) return null;
  // By steps, not by metres: what moves a little is no other evidence.
  const evidence = sha256(JSON.stringify(parts.map(({ part, logOdds }) => [part, logOdds])));
  return { probability, parts, evidence };
}

/** How many letters at the beginning of a word a slip of the pen is taken to leave alone. */
const BEGINNING = 3;
/** A feature is compared with so many records at the most: those that share what is rare first. */
const MOST_CANDIDATES = 200;

/** The keys that a side is found by: two sides that are the same have one in common. */
function keysOf(side: Side): string[] {
  const names = namesOf(side);
  const named = names.isEmpty ? ["named"] : names.as("designation").flatMap(keysOfName);
  const marks = side.marks?.map((mark) => `marked ${mark}`) ?? [];
  return [...new Set([...(side.identity ? [`is ${side.identity}`] : []), ...marks, ...named])];
}

/** By the marks and what else a name is made of; by kinds of things ("bridge") only where there is nothing else. */
function keysOfName({ tokens, acronyms }: PreparedName): string[] {
  const marks = tokens
    .filter(({ isMark }) => isMark)
    .map(({ text }) => text)
    .sort()
    .join(" ");
  const words = tokens.filter(({ isMark, weight }) => !isMark && weight > PARTS.particle);
  const own = words.filter(({ weight }) => weight > PARTS.generic);
  const found = (own.length ? own : words).map(({ text }) => text.slice(0, BEGINNING));
  return [...(found.length ? found : [""]), ...acronyms].map((word) => `named ${marks} ${word}`);
}

/** Sides by what they may be found by, so that one need not be compared with all of the other kind. */
export class Candidates<R extends { id: string }> {
  readonly #side: (one: R) => Side;
  readonly #byKey = new Map<string, Map<string, R>>();
  readonly #known = new Map<string, R>();

  constructor(side: (one: R) => Side) {
    this.#side = side;
  }

  get(id: string): R | undefined {
    return this.#known.get(id);
  }

  values(): Iterable<R> {
    return this.#known.values();
  }

  put(one: R): void {
    const keys = new Set(keysOf(this.#side(one)));
    const before = this.#known.get(one.id);
    // Where it has a key already it keeps its place: of very many the same ones are compared.
    if (before) for (const key of keysOf(this.#side(before))) if (!keys.has(key)) this.#leave(key, one.id);
    this.#known.set(one.id, one);
    for (const key of keys) {
      const known = this.#byKey.get(key);
      if (known) known.set(one.id, one);
      else this.#byKey.set(key, new Map([[one.id, one]]));
    }
  }

  delete(id: string): void {
    const before = this.#known.get(id);
    if (!before) return;
    this.#known.delete(id);
    for (const key of keysOf(this.#side(before))) this.#leave(key, id);
  }

  #leave(key: string, id: string): void {
    const known = this.#byKey.get(key);
    if (known?.delete(id) && !known.size) this.#byKey.delete(key);
  }

  /** Those that have something in common with a side: those that share what is rare first, and so many at the most. */
  of(side: Side, most = MOST_CANDIDATES): R[] {
    const found = new Set<R>();
    const lists = keysOf(side).map((key) => this.#byKey.get(key) ?? new Map<string, R>());
    for (const list of lists.sort((one, other) => one.size - other.size))
      for (const record of list.values()) {
        if (found.size >= most) return [...found];
        found.add(record);
      }
    return [...found];
  }
}

export function pointIn(geometry: unknown): Position | undefined {
  const { type, coordinates } = (geometry ?? {}) as Geometry & { coordinates: unknown };
  return type === "Point" ? (coordinates as Position) : undefined;
}
