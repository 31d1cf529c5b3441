import { z } from "zod";
import { entity, TextId, type Item } from "../../../core/records/entity.ts";
import { HigherSetId } from "../../../core/access/set-reference.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";
import { Inherited } from "./context.ts";

const fields = {
  problemSetId: TextId.describe("The child in which it was written."),
  compartments: Compartments,
  parentId: HigherSetId.describe("Absent where you are no member of it."),
  itemId: TextId.describe("The inherited item it is about."),
  text: z.string().trim().min(1).max(10_000),
  kind: z.enum(["note", "question", "concern", "agreement"]).default("note"),
  shared: z.boolean().default(true).describe("Whether the parent can see it."),
};

/** A child's remark on something inherited. */
export const Annotation = entity("inheritance.annotations", {
  title: "annotation",
  fields,
  readonly: [],
  immutable: ["problemSetId", "compartments", "parentId", "itemId"],
  filter: ["itemId", "kind"],
  barrier,
  lists: [{ by: ["problemSetId"] }, { by: ["parentId", "shared"] }],
  indexes: [{ fields: ["createdBy"] }],
});
export type Annotation = Item<typeof Annotation>;

/** The same records from above: behind the parent's barrier instead of the child's. Read with `shared: true` only. */
export const AnnotationFromBelow = entity("inheritance.annotations-from-below", {
  title: "annotation",
  collection: Annotation.collection,
  fields,
  immutable: ["problemSetId", "compartments", "parentId", "itemId"],
  filter: ["itemId", "kind"],
  barrier: { set: "parentId", compartments: "compartments" },
});
/** As a parent reads it: with what it is about, which lies in the compartments that the remark lies in. */
export const AnnotationInView = AnnotationFromBelow.view
  .extend({
    about: Inherited.view
      .pick({ kind: true, sourceId: true, title: true })
      .optional()
      .describe("The parent's own item that it is about, as it is called now."),
  })
  .meta({ id: "AnnotationFromBelow" });
