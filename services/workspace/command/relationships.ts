import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";

/**
 * Command and support relationships (US ADP 5-0 and JP 1; NATO AJP-3 uses the same ideas), the most binding first. The
 * first five make a chain of command, ADCON one of administration, the last two give support without command.
 */
export const RELATIONSHIP_KINDS = [
  "organic",
  "assigned",
  "attached",
  "opcon",
  "tacon",
  "adcon",
  "direct-support",
  "general-support",
] as const;
export type RelationshipKind = (typeof RELATIONSHIP_KINDS)[number];

export const Relationship = entity("command.relationships", {
  title: "command relationship",
  fields: {
    problemSetId: TextId,
    compartments: Compartments.describe("In addition to those of both units, which always apply."),
    missionId: TextId.optional().describe(
      "The mission in which it is in force; without one it is standing, and in force in every mission of the set.",
    ),
    superiorId: TextId.describe("The unit that commands, administers or is supported."),
    subordinateId: TextId.describe("The unit that is commanded, administered or supports."),
    kind: z.enum(RELATIONSHIP_KINDS),
    from: Instant.optional().describe("In force from this instant; without one, with no beginning."),
    until: Instant.optional().describe("In force until this instant (exclusive); without one, with no end."),
    note: z.string().max(2_000).optional(),
  },
  immutable: ["problemSetId", "compartments", "superiorId", "subordinateId"],
  filter: ["problemSetId", "missionId", "kind", "superiorId", "subordinateId"],
  barrier,
  // A unit stands in few relationships.
  lists: [
    { by: ["problemSetId"], filter: ["kind"] },
    { by: ["problemSetId", "missionId"], filter: ["kind"] },
    { by: ["problemSetId", "superiorId"], filter: ["kind"], few: ["missionId"] },
    { by: ["problemSetId", "subordinateId"], filter: ["kind"], few: ["superiorId", "missionId"] },
  ],
  indexes: [{ fields: ["problemSetId", "missionId"] }, { fields: ["superiorId"] }, { fields: ["subordinateId"] }],
});
export type Relationship = Item<typeof Relationship>;

/** As it is answered: with the names of its units, as far as they are still there. */
export const RelationshipView = Relationship.view
  .extend({ superiorName: z.string().optional(), subordinateName: z.string().optional() })
  .meta({ id: "NamedCommandRelationship" });
export type NamedRelationship = Relationship & { superiorName?: string; subordinateName?: string };

/** Relationships with the names of their units, of these. */
export function withNames(
  relationships: readonly Relationship[],
  units: readonly { id: string; name: string }[],
): NamedRelationship[] {
  const names = new Map(units.map(({ id, name }) => [id, name]));
  return relationships.map((one) => {
    const [superiorName, subordinateName] = [names.get(one.superiorId), names.get(one.subordinateId)];
    return { ...one, ...(superiorName && { superiorName }), ...(subordinateName && { subordinateName }) };
  });
}

/** Half open: in force at `from`, no longer at `until`. */
export const holdsAt = ({ from, until }: Pick<Relationship, "from" | "until">, at: string): boolean =>
  (!from || from <= at) && (!until || at < until);

/** Relationships that make a unit part of another's chain of command. */
export const COMMANDS: ReadonlySet<RelationshipKind> = new Set(["organic", "assigned", "attached", "opcon", "tacon"]);

/**
 * Who directs a unit now: a temporary relationship goes before a permanent one, operational control before tactical.
 */
const DIRECTS: readonly RelationshipKind[] = ["opcon", "attached", "tacon", "assigned", "organic"];

/**
 * The relationship by which a unit is directed, among those in force: the first in the order above, the oldest of
 * equals.
 */
export function directing(inForce: readonly Relationship[]): Relationship | undefined {
  return inForce
    .filter(({ kind }) => COMMANDS.has(kind))
    .sort((a, b) => DIRECTS.indexOf(a.kind) - DIRECTS.indexOf(b.kind) || (a.id < b.id ? -1 : 1))[0];
}

/** Rows by key, in their order. */
export const grouped = <T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
};
