import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { PersonId, personDid } from "../../../../core/access/person-reference.ts";
import { Did } from "../members/members.ts";

/** An information barrier within a problem set. Its id is unique over all sets and never used again. */
export const Compartment = entity("problem-sets.compartments", {
  title: "compartment",
  collection: "compartments",
  fields: {
    problemSetId: TextId,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(2_000).optional(),
    status: z
      .enum(["active", "dissolved"])
      .default("active")
      .describe("What lies in a dissolved compartment is closed, or open to those of the one it was moved to."),
    closing: z
      .strictObject({ by: PersonId, at: Instant })
      .optional()
      .describe("Who asked to dissolve it without being read in, and when: a second person must ask for the same."),
    restorableUntil: Instant.optional().describe("Until when it can be restored; absent once that is over."),
    movedTo: TextId.optional().describe("The compartment whose members see its records since it was dissolved."),
    /**
     * Dissolved compartments that were moved to this one: whoever sees its records sees theirs too, and those moved
     * there before.
     */
    takes: z.array(TextId).default([]),
  },
  readonly: ["problemSetId", "status", "closing", "restorableUntil", "movedTo", "takes"],
  hidden: ["takes"],
  immutable: ["problemSetId"],
  barrier: { set: "problemSetId" },
  lists: [{ by: ["problemSetId", "status"], sort: ["-createdAt"] }],
  indexes: [{ fields: ["problemSetId", "takes"] }, { fields: ["restorableUntil"], sparse: true }],
});
export type Compartment = Item<typeof Compartment>;

export const CompartmentView = Compartment.view.meta({ id: "Compartment" });
export const CompartmentRow = Compartment.view
  .extend({ memberDids: z.array(personDid(Did)).describe("Who is read in.") })
  .meta({ id: "CompartmentWithMembers" });

/** How many records of one kind lie in a compartment. */
export const Lying = z.object({ kind: z.string(), count: z.int() }).meta({ id: "CompartmentContents" });
export const DissolvedView = Compartment.view
  .extend({
    records: z
      .array(Lying)
      .nullable()
      .describe("How many records of each kind it concerns, of those you see; null if you are not read in."),
  })
  .meta({ id: "DissolvedCompartment" });

const about = {
  problemSetId: TextId,
  by: z.string(),
  compartments: z.array(TextId).describe("The compartment: the fact lies in it."),
};
export const CompartmentCreated = event("workspace.compartment.created", z.object(about), {
  activity: { words: () => "A compartment was set up." },
});
export const CompartmentDissolved = event("workspace.compartment.dissolved", z.object(about), {
  activity: { words: () => "A compartment was dissolved." },
});
export const CompartmentClosing = event("workspace.compartment.closing", z.object(about), {
  activity: { words: () => "It was asked to dissolve a compartment; a second person must ask for the same." },
});
export const CompartmentRestored = event("workspace.compartment.restored", z.object(about), {
  activity: { words: () => "A compartment that was dissolved, or was to be, goes on." },
});
