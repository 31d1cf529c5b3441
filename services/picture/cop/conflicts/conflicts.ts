import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed } from "../../place.ts";
import { reach } from "../pictures.ts";

export const KINDS = [
  "two-places",
  "two-identities",
  "areas-overlap",
  "two-values",
  "two-missions",
  "stale-on-cop",
] as const;
export type ConflictKind = (typeof KINDS)[number];
export const SEVERITIES = ["low", "medium", "high"] as const;

/** A contradiction between what layers on the COP show. Its id follows from its kind and what contradicts itself. */
export const Conflict = entity("cop_conflicts", {
  title: "conflict",
  fields: {
    ...placed,
    kind: z.enum(KINDS),
    severity: z.enum(SEVERITIES),
    features: z.array(z.object({ layerId: z.string(), featureId: z.string() })).max(2),
    summary: z.string(),
    evidence: z.record(z.string(), z.unknown()).describe("What was compared, with its figures."),
    state: z
      .enum(["open", "cleared", "waived"])
      .describe("`cleared` by itself, when it ceased; `waived` by a person, for good."),
    clearedAt: Instant.optional(),
    waivedBy: PersonId.optional(),
    reason: z.string().optional(),
  },
  readonly: ["audience", "state"],
  hidden: ["audience"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "state", "kind", "severity"],
  barrier: reach,
  lists: [{ by: ["problemSetId"] }],
  indexes: [...outsideIndexes],
});
export type Conflict = Item<typeof Conflict>;

/** A contradiction as it is found. */
export interface Finding {
  id: string;
  kind: ConflictKind;
  severity: (typeof SEVERITIES)[number];
  compartments: string[];
  /** The records of the features that contradict one another. */
  between: string[];
  features: { layerId: string; featureId: string }[];
  summary: string;
  evidence: Record<string, unknown>;
}
