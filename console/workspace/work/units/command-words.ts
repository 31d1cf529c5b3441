import type { Data, ListRow } from "../../../api/client.ts";

export type UnitRow = ListRow<"GET /command/units">;
export type RelationshipRow = ListRow<"GET /command/relationships">;
export type CommandTree = Data<"GET /command/hierarchy/{missionId}">["roots"][number];
export type RelationshipKind = NonNullable<CommandTree["by"]>["kind"];

/** How one unit stands to the one above it, in the terms of the field. */
export const RELATIONSHIP_KINDS = [
  ["opcon", "under operational control of"],
  ["tacon", "under tactical control of"],
  ["assigned", "assigned to"],
  ["attached", "attached to"],
  ["organic", "an organic part of"],
  ["adcon", "under administrative control of"],
  ["direct-support", "in direct support of"],
  ["general-support", "in general support of"],
] as const satisfies readonly (readonly [RelationshipKind, string])[];
export const relationWords = (kind: RelationshipKind): string => RELATIONSHIP_KINDS.find(([name]) => name === kind)![1];

export const ECHELONS = [
  ...["team", "squad", "section", "platoon", "company", "battalion"],
  ...["regiment", "brigade", "division", "corps", "command"],
] as readonly CommandTree["unit"]["echelon"][];

/** Every unit of the tree, by name. */
export const unitsIn = (roots: readonly CommandTree[]): CommandTree["unit"][] =>
  roots
    .flatMap(({ unit, subordinates }) => [unit, ...unitsIn(subordinates)])
    .toSorted((one, other) => one.name.localeCompare(other.name));
