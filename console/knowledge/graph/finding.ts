import typeData from "../../../data/graph/types.json" with { type: "json" };
import type { EntityKind } from "../vocabulary.ts";

const TYPES: Readonly<Record<EntityKind, { actor: boolean }>> = typeData.types;
/** Whether it is a kind that can act: these are found by names that are typed differently too. */
export const isActorKind = (kind: EntityKind): boolean => TYPES[kind].actor;

/** Those found by either way, each once: first by their names as they are. */
export function merged<T extends { id: string }>(exact: readonly T[], alike: readonly T[]): T[] {
  const known = new Set(exact.map(({ id }) => id));
  return [...exact, ...alike.filter(({ id }) => !known.has(id))];
}
