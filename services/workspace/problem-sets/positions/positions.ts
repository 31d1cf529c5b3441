import { z } from "zod";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { personDid } from "../../../../core/access/person-reference.ts";
import { PHASES } from "../../mdmp/client.ts";
import { Did } from "../members/members.ts";

export const PhaseMapping = z.strictObject({
  phase: z.enum(PHASES).describe("Phase of the decision process."),
  part: z.enum(["lead", "support", "informed"]).default("support").describe("What the position does in it."),
});
export type PhaseMapping = z.output<typeof PhaseMapping>;

/** No phase twice. */
export const PhaseMappings = z
  .array(PhaseMapping)
  .max(PHASES.length)
  .refine(
    (mappings) => new Set(mappings.map(({ phase }) => phase)).size === mappings.length,
    "Each phase at most once.",
  );

/** A place on the staff, whoever holds it. */
export const Position = entity("problem-sets.positions", {
  title: "position",
  collection: "positions",
  fields: {
    problemSetId: TextId,
    title: z.string().trim().min(1).max(200).describe("Unique in the problem set."),
    abbreviation: z.string().trim().min(1).max(20).optional().describe("As on a staff list: `S3`."),
    description: z.string().max(2_000).optional(),
    holderDid: personDid(Did).optional().describe("DID of the member who holds it; vacant when they leave."),
    phases: PhaseMappings.default([]),
  },
  readonly: ["problemSetId"],
  immutable: ["problemSetId"],
  sort: ["title"],
  barrier: { set: "problemSetId" },
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["problemSetId", "title"], unique: true }, { fields: ["problemSetId", "holderDid"] }],
});
export type Position = Item<typeof Position>;
export const PositionView = Position.view.meta({ id: "Position" });
export const NewPosition = z.strictObject(Position.create);
export type NewPosition = z.output<typeof NewPosition>;

const about = { problemSetId: TextId, by: z.string(), title: z.string() };
export const PositionCreated = event("workspace.position.created", z.object(about), {
  activity: { words: ({ title }) => `The position "${title}" was added.` },
});
export const PositionChanged = event(
  "workspace.position.changed",
  z.object({ ...about, fields: z.array(z.string()) }),
  { activity: { words: ({ title }) => `The position "${title}" was changed.` } },
);
export const PositionRemoved = event("workspace.position.removed", z.object(about), {
  activity: { words: ({ title }) => `The position "${title}" was removed.` },
});
