import { z } from "zod";
import { entity, TextId, type Item } from "../../../core/records/entity.ts";
import { event } from "../../../core/records/event.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";

/** Sizes of units, the smallest first. */
export const ECHELONS = ["team", "squad", "section", "platoon", "company", "battalion", "regiment", "brigade", "division", "corps", "command"] as const;

export const Unit = entity("command.units", {
  title: "unit",
  fields: {
    problemSetId: TextId.describe("The problem set that the unit lies in."),
    compartments: Compartments,
    name: z.string().min(1).max(200),
    designation: z.string().max(40).optional().describe("Short form, as on a map: `2-7 IN`."),
    echelon: z.enum(ECHELONS).default("company"),
    kind: z.string().max(80).optional().describe("What it is: infantry, engineers, medical, civil affairs."),
    location: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }).optional().describe("WGS 84, in degrees."),
    strength: z.int().min(0).max(10_000_000).optional().describe("People."),
  },
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "echelon", "kind"],
  sort: ["name"],
  barrier,
  indexes: [{ fields: ["problemSetId", "name"] }],
});
export type Unit = Item<typeof Unit>;

const Told = z.object({ id: z.string(), problemSetId: z.string(), compartments: z.array(z.string()), by: z.string() });
export const UnitCreated = event("workspace.unit.created", Told.extend({ name: z.string() }), {
  activity: { subject: ["unit", "id"], words: ({ name }) => `The unit "${name}" was added.` },
});
export const UnitChanged = event("workspace.unit.changed", Told.extend({ name: z.string() }), {
  activity: { subject: ["unit", "id"], words: ({ name }) => `The unit "${name}" was changed.` },
});
export const UnitRemoved = event("workspace.unit.removed", Told.extend({ name: z.string() }), {
  activity: { subject: ["unit", "id"], words: ({ name }) => `The unit "${name}" was removed.` },
});
export const RelationshipCreated = event("workspace.command-relationship.created", Told.extend({ kind: z.string() }), {
  activity: { words: ({ kind: relation }) => `A command relationship (${relation}) was added.` },
});
export const RelationshipChanged = event("workspace.command-relationship.changed", Told.extend({ kind: z.string() }), {
  activity: { words: ({ kind: relation }) => `A command relationship (${relation}) was changed.` },
});
export const RelationshipRemoved = event("workspace.command-relationship.removed", Told.extend({ kind: z.string() }), {
  activity: { words: ({ kind: relation }) => `A command relationship (${relation}) was removed.` },
});
