import { distance, distanceInWords } from "../../../../core/geo/earth.ts";
import type { Geometry, Position } from "../../../../core/geo/positions.ts";
import { sha256 } from "../../../../core/ids.ts";
import type { Linkage } from "./linkages.ts";
import { LEAST_PROBABILITY, WEIGHTS } from "./weights.ts";

/** One side of a pair: a feature, or a record of the platform. */
export interface Side {
  name?: string | undefined;
  aliases?: readonly string[] | undefined;
  /** DID or uid. */
  identity?: string | undefined;
  position?: Position | undefined;
  ce?: number | undefined;
  at?: string | undefined;
}
type Part = Linkage["parts"][number];

/** The accuracy, in metres, of a place that comes without one. */
const USUAL_CE = 100;

const folded = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const numbersIn = (text: string): string => (text.match(/\d+/g) ?? []).sort().join(" ");

const pairsOf = (text: string): string[] =>
  Array.from({ length: text.length - 1 }, (_none, at) => text.slice(at, at + 2));

/** How much of two names is alike, from 0 to 1: pairs of letters that both have; other numbers are other names. */
export function nameLikeness(one: string, other: string): number {
  const [a, b] = [folded(one), folded(other)];
  if (a === b) return 1;
  if (numbersIn(a) !== numbersIn(b)) return 0;
  const [first, second] = [pairsOf(a.replaceAll(" ", "")), pairsOf(b.replaceAll(" ", ""))];
  if (first.length + second.length === 0) return 0;
  const left = [...second];
  let shared = 0;
  for (const pair of first) {
    const at = left.indexOf(pair);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return Math.min(0.99, (2 * shared) / (first.length + second.length));
}

const upTo = (steps: readonly { most: number; logOdds: number }[], value: number): number =>
  steps.find(({ most }) => value <= most)!.logOdds;

const namesOf = ({ name, aliases = [] }: Side): string[] => [...(name ? [name] : []), ...aliases];

/** What speaks for and against two sides being the same. */
export function partsOf(feature: Side, record: Side): Part[] {
  const parts: Part[] = [{ part: "prior", logOdds: WEIGHTS.prior, why: "Most pairs are not the same." }];
  if (feature.identity && record.identity)
    parts.push(
      feature.identity === record.identity
        ? { part: "identity", logOdds: WEIGHTS.sameIdentity, why: "The same DID or uid." }
        : { part: "identity", logOdds: WEIGHTS.otherIdentity, why: "Another DID or uid." },
    );
  const [names, others] = [namesOf(feature), namesOf(record)];
  if (names.length && others.length) {
    const alike = Math.max(...names.flatMap((one) => others.map((other) => nameLikeness(one, other))));
    const { logOdds } = WEIGHTS.name.find(({ least }) => alike >= least)!;
    parts.push({ part: "name", logOdds, why: `The names are alike to ${Math.round(100 * alike)} %.` });
  }
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

/** Whether a pair is put before a person, and by what evidence; null where it is not. */
export function proposed(feature: Side, record: Side): Pick<Linkage, "probability" | "parts" | "evidence"> | null {
  const parts = partsOf(feature, record);
  // Nearness alone says nothing: something must say who it is.
  if (!parts.some(({ part, logOdds }) => (part === "name" || part === "identity") && logOdds > 0)) return null;
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
  const names = namesOf(side).flatMap(keysOfName);
  return [...new Set([...(side.identity ? [`is ${side.identity}`] : []), ...(names.length ? names : keysOfName(""))])];
}

function keysOfName(name: string): string[] {
  const text = folded(name);
  const words = text.split(" ").filter((word) => word !== "" && !/^\d+$/.test(word));
  const numbers = numbersIn(text);
  return (words.length ? words : [""]).map((word) => `named ${numbers} ${word.slice(0, BEGINNING)}`);
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
