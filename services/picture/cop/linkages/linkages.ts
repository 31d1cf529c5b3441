import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Figure, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed } from "../../place.ts";
import { pictureReach } from "../pictures.ts";

const Part = z.object({
  part: z.enum(["identity", "mark", "name", "distance", "time", "prior"]),
  logOdds: Figure,
  why: z.string(),
});

/** That a feature shows a record of the platform: proposed by evidence, decided by a person. */
export const Linkage = entity("cop_linkages", {
  title: "linkage",
  fields: {
    ...placed,
    layerId: TextId,
    featureId: z.string(),
    featureName: z.string().optional(),
    entityType: z.enum(["actor", "unit", "resource"]),
    entityId: TextId,
    entityName: z.string(),
    probability: z.number(),
    parts: z.array(Part).describe("Evidence for and against it, in log-odds, which add up."),
    evidence: z.string().describe("A digest of the parts; a different one reopens a rejected linkage."),
    status: z.enum(["pending", "approved", "rejected"]),
    reviewedBy: PersonId.optional(),
    reviewedAt: Instant.optional(),
    note: z.string().optional(),
  },
  readonly: ["audience", "status"],
  hidden: ["audience"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "status"],
  sort: ["probability"],
  barrier: pictureReach,
  lists: [
    { by: ["problemSetId", "status"], sort: ["-probability"], filter: [] },
    { by: ["problemSetId", "entityId"], sort: ["-probability"], filter: [] },
    { by: ["audience", "status"], having: "audience", sort: ["-probability"], filter: [] },
  ],
  indexes: [
    ...outsideIndexes,
    { fields: ["entityId", "-probability"] },
    { fields: ["status", "-probability"] },
    { fields: ["reviewedBy"], sparse: true },
  ],
});
export type Linkage = Item<typeof Linkage>;
export const LinkageView = Linkage.view
  .extend({ layer: z.string().optional().describe("The name of the layer that shows the feature.") })
  .meta({ id: "CopLinkage" });
