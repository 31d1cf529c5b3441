import { directing, grouped, holdsAt, type Relationship } from "./relationships.ts";
import type { Unit } from "./units.ts";

export interface UnitNode {
  unit: Unit;
  by?: { relationshipId: string; kind: Relationship["kind"] };
  others: { relationshipId: string; kind: Relationship["kind"]; superiorId: string; superiorName: string }[];
  subordinates: UnitNode[];
}

/**
 * Who directs whom at an instant, as trees: each unit stands below the one that directs it, its other relationships
 * beside it. Units of a cycle hang below the first of them by id, so that every unit is in the answer once.
 */
export function hierarchy(units: readonly Unit[], relationships: readonly Relationship[], at: string): UnitNode[] {
  const known = new Map(units.map((unit) => [unit.id, unit]));
  const inForce = relationships.filter(
    (one) => holdsAt(one, at) && known.has(one.superiorId) && known.has(one.subordinateId),
  );
  const above = grouped(inForce, (one) => one.subordinateId);
  const nodes = new Map(units.map((unit): [string, UnitNode] => [unit.id, { unit, others: [], subordinates: [] }]));
  const parent = new Map<string, Relationship>();
  for (const [id, mine] of above) {
    const by = directing(mine);
    if (by) parent.set(id, by);
    nodes.get(id)!.others = mine
      .filter((one) => one !== by)
      .map(({ id: relationshipId, kind, superiorId }) => ({
        relationshipId,
        kind,
        superiorId,
        superiorName: known.get(superiorId)!.name,
      }));
  }
  for (const id of loopHeads(parent)) parent.delete(id);
  const roots: UnitNode[] = [];
  for (const [id, node] of nodes) {
    const by = parent.get(id);
    if (!by) {
      roots.push(node);
      continue;
    }
    node.by = { relationshipId: by.id, kind: by.kind };
    nodes.get(by.superiorId)!.subordinates.push(node);
  }
  return roots;
}

/** In each cycle of "is directed by", the unit with the smallest id. */
function loopHeads(parent: ReadonlyMap<string, Relationship>): string[] {
  const heads: string[] = [];
  const seen = new Map<string, number>();
  let walk = 0;
  for (const start of parent.keys()) {
    walk += 1;
    let at: string | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.set(at, walk);
      at = parent.get(at)?.superiorId;
    }
    if (at === undefined || seen.get(at) !== walk) continue;
    const loop = [at];
    for (let next = parent.get(at)!.superiorId; next !== at; next = parent.get(next)!.superiorId) loop.push(next);
    heads.push(loop.sort()[0]!);
  }
  return heads;
}
