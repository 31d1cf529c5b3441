import { z } from "zod";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/records/event.ts";
import { personDid } from "../../../../core/access/person-reference.ts";
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
      .describe("What lies in a dissolved compartment stays closed: nobody is read into it again."),
  },
  readonly: ["problemSetId", "status"],
  immutable: ["problemSetId"],
  barrier: { set: "problemSetId" },
  indexes: [{ fields: ["problemSetId", "-createdAt"] }],
});
export type Compartment = Item<typeof Compartment>;

export const CompartmentView = Compartment.view.meta({ id: "Compartment" });
export const CompartmentRow = Compartment.view
  .extend({ memberDids: z.array(personDid(Did)).describe("Who is read in.") })
  .meta({ id: "CompartmentWithMembers" });

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
