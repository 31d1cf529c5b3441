import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { distance, distanceInWords } from "../../../../core/geo/earth.ts";
import type { Geometry, Position } from "../../../../core/geo/positions.ts";
import { derivedId } from "../../../../core/ids.ts";
import { saidBy } from "../layers/properties.ts";
import { stalenessOf } from "../layers/staleness.ts";
import type { ConflictKind, ConflictFinding } from "./conflicts.ts";

/** A feature as conflicts see it. */
export interface ComparedFeature {
  id: string;
  layerId: string;
  featureId: string;
  compartments: string[];
  geometry: unknown;
  properties: Record<string, unknown>;
}

/** Greatest speeds, in metres a second, by the symbol set of MIL-STD-2525D and E, or C's dimension. */
const FASTEST: Readonly<Record<string, number>> = {
  "01": 900,
  "02": 3_000,
  "05": 12_000,
  "06": 12_000,
  "30": 30,
  "35": 25,
  A: 900,
  P: 12_000,
  S: 30,
  U: 25,
};
const FASTEST_ON_LAND = 45;
/** The accuracy, in metres, of a place that comes without one. */
const USUAL_CE = 50;
const ATTRIBUTES = ["status", "kind", "strength", "readiness"] as const;

const IDENTITIES: Readonly<Record<string, string>> = {
  "2": "friend",
  "3": "friend",
  "4": "neutral",
  "5": "hostile",
  "6": "hostile",
  A: "friend",
  F: "friend",
  N: "neutral",
  S: "hostile",
  H: "hostile",
};

const isDigits = (symbol: string): boolean => /^\d{20,30}$/.test(symbol);
function identityOf({ properties: { symbol } }: ComparedFeature): string | undefined {
  if (typeof symbol !== "string") return undefined;
  return IDENTITIES[symbol[isDigits(symbol) ? 3 : 1]!];
}
function fastest({ properties: { symbol } }: ComparedFeature): number {
  if (typeof symbol !== "string") return FASTEST_ON_LAND;
  return FASTEST[isDigits(symbol) ? symbol.slice(4, 6) : symbol[2]!] ?? FASTEST_ON_LAND;
}

/** What a feature is a report of: an entity by its DID or uid, or a record of the platform's. */
export function entityOf({ properties }: ComparedFeature): string | undefined {
  const { did, uid, entityType, entityId } = properties;
  if (typeof did === "string") return did;
  if (typeof uid === "string") return `uid ${uid}`;
  return typeof entityId === "string" && entityType !== "feature" ? `${String(entityType)} ${entityId}` : undefined;
}

/** The record of the platform's that a feature shows. */
export const recordOf = ({ properties: { entityType, entityId } }: ComparedFeature): string | undefined =>
  typeof entityType === "string" && typeof entityId === "string" ? `${entityType} ${entityId}` : undefined;

const pointOf = ({ geometry }: ComparedFeature): Position | undefined =>
  (geometry as Geometry | null)?.type === "Point" ? (geometry as { coordinates: Position }).coordinates : undefined;
const instant = (value: unknown): number | undefined => {
  const at = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : at;
};
const accuracy = ({ properties: { ce } }: ComparedFeature): number =>
  typeof ce === "number" && ce >= 0 ? ce : USUAL_CE;
export const featureName = ({ featureId, properties: { name } }: ComparedFeature): string =>
  typeof name === "string" ? name : featureId;

/** Whether two spans of time (`from`, `until`, open where they are absent) have a moment in common. */
export function meetInTime(one: ComparedFeature, other: ComparedFeature): boolean {
  const [from, until] = [
    (shown: ComparedFeature) => instant(shown.properties.from) ?? -Infinity,
    (shown: ComparedFeature) => instant(shown.properties.until) ?? Infinity,
  ];
  return from(one) < until(other) && from(other) < until(one);
}

export const found = (
  kind: ConflictKind,
  severity: ConflictFinding["severity"],
  features: readonly ComparedFeature[],
  summary: string,
  evidence: Record<string, unknown>,
): ConflictFinding => ({
  id: derivedId(
    `conflict ${kind} ${features
      .map(({ id }) => id)
      .sort()
      .join(" ")} ${String(evidence.attribute ?? "")}`,
  ),
  kind,
  severity,
  compartments: unionOfCompartments(features),
  between: features.map(({ id }) => id),
  features: features.map(({ layerId, featureId }) => ({ layerId, featureId })).sort(inOrder),
  summary,
  evidence,
});
const inOrder = (one: { layerId: string; featureId: string }, other: { layerId: string; featureId: string }): number =>
  `${one.layerId} ${one.featureId}` < `${other.layerId} ${other.featureId}` ? -1 : 1;

/** One entity cannot be so far away from itself: not even at its greatest speed between the two reports. */
function apart(one: ComparedFeature, other: ComparedFeature): ConflictFinding | null {
  const [from, to] = [pointOf(one), pointOf(other)];
  if (!from || !to) return null;
  const metres = distance(from, to);
  const [at, then] = [instant(one.properties.at), instant(other.properties.at)];
  const seconds = at === undefined || then === undefined ? 0 : Math.abs(at - then) / 1_000;
  const speed = Math.max(fastest(one), fastest(other));
  const allowed = accuracy(one) + accuracy(other) + speed * seconds;
  if (metres <= allowed) return null;
  return found(
    "two-places",
    metres > 10 * allowed ? "high" : "medium",
    [one, other],
    `${featureName(one)} is reported at two places ${distanceInWords(metres)} apart.`,
    { metres: Math.round(metres), allowed: Math.round(allowed), seconds, speed, ce: [accuracy(one), accuracy(other)] },
  );
}

function identified(one: ComparedFeature, other: ComparedFeature): ConflictFinding | null {
  const [first, second] = [identityOf(one), identityOf(other)];
  if (!first || !second || first === second) return null;
  return found(
    "two-identities",
    [first, second].includes("hostile") && [first, second].includes("friend") ? "high" : "medium",
    [one, other],
    `${featureName(one)} is shown as ${first} and as ${second}.`,
    { identities: [first, second], symbols: [one.properties.symbol, other.properties.symbol] },
  );
}

function* valued(one: ComparedFeature, other: ComparedFeature, now: number): Generator<ConflictFinding, void, void> {
  if (stalenessOf(one, now)?.state !== "fresh" || stalenessOf(other, now)?.state !== "fresh") return;
  for (const attribute of ATTRIBUTES) {
    const [first, second] = [one.properties[attribute], other.properties[attribute]];
    if (first === undefined || second === undefined || saidBy(first) === saidBy(second)) continue;
    yield found(
      "two-values",
      "low",
      [one, other],
      `The ${attribute} of ${featureName(one)} is said to be ${saidBy(first)} and ${saidBy(second)}.`,
      { attribute, values: [first, second] },
    );
  }
}

function committed(one: ComparedFeature, other: ComparedFeature): ConflictFinding | null {
  const [first, second] = [one.properties.missionId, other.properties.missionId];
  if (typeof first !== "string" || typeof second !== "string" || first === second || !meetInTime(one, other))
    return null;
  return found("two-missions", "high", [one, other], `${featureName(one)} is committed to two missions at once.`, {
    missions: [first, second].sort(),
  });
}

interface Commitment {
  id: string;
  name?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}
const spanOf = ({ from, until }: Commitment): [number, number] => [
  instant(from) ?? -Infinity,
  instant(until) ?? Infinity,
];

/** What is in several missions that are not over and have a moment in common. */
export function doublyCommitted(one: ComparedFeature, now: number): ConflictFinding | null {
  const { missions } = one.properties;
  if (!Array.isArray(missions) || one.properties.entityType !== "resource") return null;
  const left = (missions as Commitment[]).filter((mission) => spanOf(mission)[1] > now);
  const meets = (mission: Commitment, other: Commitment): boolean => {
    const [[from, until], [since, end]] = [spanOf(mission), spanOf(other)];
    return mission !== other && from < end && since < until;
  };
  const several = left.filter((mission) => left.some((other) => meets(mission, other)));
  if (!several.length) return null;
  const names = several.map(({ id, name }) => name ?? id).sort();
  return found(
    "two-missions",
    "high",
    [one],
    `${featureName(one)} is committed to ${several.length} missions at once: ${names.join(", ")}.`,
    { missions: several.map(({ id }) => id).sort() },
  );
}

/**
 * All ways in which two reports of one entity contradict each other. Of two that are one since somebody said so, each
 * has its own words for what it says beside place, identity and mission.
 */
export function* contradictions(
  one: ComparedFeature,
  other: ComparedFeature,
  now: number,
): Generator<ConflictFinding, void, void> {
  for (const finding of [apart(one, other), identified(one, other), committed(one, other)]) if (finding) yield finding;
  if (entityOf(one) === entityOf(other)) yield* valued(one, other, now);
}
