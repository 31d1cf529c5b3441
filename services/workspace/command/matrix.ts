import {
  COMMANDS,
  grouped,
  holdsAt,
  RELATIONSHIP_KINDS,
  type RelationshipKind,
  type Relationship,
} from "./relationships.ts";
import type { Unit } from "./units.ts";

/** What a superior may or must do for a unit. */
export const FUNCTIONS = [
  "task",
  "organize",
  "position",
  "prioritize",
  "administer",
  "sustain",
  "train",
  "protect",
  "communicate",
] as const;
export type Function = (typeof FUNCTIONS)[number];
export const AUTHORITIES = ["full", "limited", "none"] as const;
export type Authority = (typeof AUTHORITIES)[number];

const row = (full: readonly Function[], limited: readonly Function[] = []): Record<Function, Authority> =>
  Object.fromEntries(
    FUNCTIONS.map((name) => [name, full.includes(name) ? "full" : limited.includes(name) ? "limited" : "none"]),
  ) as Record<Function, Authority>;

/**
 * What each relationship gives the superior (or the supported unit), after the inherent responsibilities of US ADP 5-0,
 * Appendix A, and JP 1, chapter V. `limited`: for the mission at hand only, or shared with the unit's own parent.
 */
export const AUTHORITY_OF: Readonly<Record<RelationshipKind, Readonly<Record<Function, Authority>>>> = {
  organic: row(FUNCTIONS),
  assigned: row(FUNCTIONS),
  attached: row(
    ["task", "organize", "position", "prioritize", "sustain", "protect", "communicate"],
    ["administer", "train"],
  ),
  opcon: row(["task", "organize", "position", "prioritize", "protect", "communicate"], ["train"]),
  tacon: row(["position", "prioritize", "communicate"], ["task", "protect"]),
  adcon: row(["administer", "sustain", "train"], ["communicate"]),
  "direct-support": row(["prioritize", "communicate"], ["position"]),
  "general-support": row([], ["communicate"]),
};

export interface Holder {
  superiorId: string;
  superiorName: string;
  relationshipId: string;
  kind: RelationshipKind;
  authority: Exclude<Authority, "none">;
}
export interface MatrixRow {
  unitId: string;
  name: string;
  functions: Record<Function, Holder[]>;
}

/**
 * For each unit and function, who holds it at an instant, full authority before limited; an empty list: nobody but the
 * unit itself.
 */
export function matrix(units: readonly Unit[], relationships: readonly Relationship[], at: string): MatrixRow[] {
  const named = new Map(units.map(({ id, name }) => [id, name]));
  const above = grouped(
    relationships.filter((one) => holdsAt(one, at) && named.has(one.superiorId)),
    ({ subordinateId }) => subordinateId,
  );
  return units.map(({ id, name }) => ({ unitId: id, name, functions: functionsOf(above.get(id) ?? [], named) }));
}

function functionsOf(inForce: readonly Relationship[], names: ReadonlyMap<string, string>): Record<Function, Holder[]> {
  // What a temporary commander has been given in full, the permanent one does not hold meanwhile. Two by relationships
  // of one kind contradict each other: both are shown, and validation says so.
  const inOrder = [...inForce].sort((a, b) => precedence(a.kind) - precedence(b.kind) || (a.id < b.id ? -1 : 1));
  return Object.fromEntries(
    FUNCTIONS.map((name) => {
      const holders: Holder[] = [];
      for (const { id, kind, superiorId } of inOrder) {
        const authority = AUTHORITY_OF[kind][name];
        const isTwice = holders.some((other) => other.kind === kind && other.superiorId === superiorId);
        const isTaken =
          COMMANDS.has(kind) &&
          holders.some((other) => other.authority === "full" && COMMANDS.has(other.kind) && other.kind !== kind);
        if (authority !== "none" && !isTwice && !isTaken)
          holders.push({ superiorId, superiorName: names.get(superiorId)!, relationshipId: id, kind, authority });
      }
      return [name, holders.sort((a, b) => AUTHORITIES.indexOf(a.authority) - AUTHORITIES.indexOf(b.authority))];
    }),
  ) as Record<Function, Holder[]>;
}

const ORDER: readonly RelationshipKind[] = ["opcon", "attached", "tacon", "assigned", "organic"];
const precedence = (kind: RelationshipKind): number =>
  ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length + RELATIONSHIP_KINDS.indexOf(kind);
