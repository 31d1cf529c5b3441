import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { saidBy } from "../layers/properties.ts";
import { outsideIndexes, placed } from "../../place.ts";
import { pictureReach } from "../pictures.ts";

const CONFLICT_KINDS = [
  "two-places",
  "two-identities",
  "areas-overlap",
  "two-values",
  "two-missions",
  "stale-on-cop",
] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];
export const CONFLICT_SEVERITIES = ["low", "medium", "high"] as const;

const CONFLICT_STATES = ["open", "cleared", "resolved", "waived"] as const;
/** From where a person takes one to where; it is opened and cleared by what is found alone. */
export const FROM = { resolve: ["open"], waive: ["open", "resolved"] } as const;

/** A contradiction between what layers on the COP show. Its id follows from its kind and what contradicts itself. */
export const Conflict = entity("cop_conflicts", {
  title: "conflict",
  fields: {
    ...placed,
    kind: z.enum(CONFLICT_KINDS),
    severity: z.enum(CONFLICT_SEVERITIES),
    features: z.array(z.object({ layerId: z.string(), featureId: z.string() })).max(2),
    summary: z.string(),
    evidence: z.record(z.string(), z.unknown()).describe("What was compared, with its figures."),
    state: z
      .enum(CONFLICT_STATES)
      .describe(
        "`cleared` automatically, when it ceased; `resolved` by a person, until its evidence changes; " +
          "`waived` permanently.",
      ),
    clearedAt: Instant.optional(),
    waivedBy: PersonId.optional(),
    resolvedBy: PersonId.optional().describe("Kept when it reopens, as are the reason and the time."),
    resolvedAt: Instant.optional(),
    reason: z.string().optional(),
  },
  readonly: ["audience", "state"],
  hidden: ["audience"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "state", "kind", "severity"],
  barrier: pictureReach,
  lists: [{ by: ["problemSetId"] }, { by: ["audience"], having: "audience" }],
  indexes: [...outsideIndexes, { fields: ["waivedBy"], sparse: true }, { fields: ["resolvedBy"], sparse: true }],
});
export type Conflict = Item<typeof Conflict>;
export const ConflictView = Conflict.view
  .extend({
    features: z
      .array(
        z.object({ layerId: z.string(), layer: z.string().optional().describe("Its name."), featureId: z.string() }),
      )
      .max(2),
  })
  .meta({ id: "CopConflict" });

/** A contradiction as it is found. */
export interface ConflictFinding {
  id: string;
  kind: ConflictKind;
  severity: (typeof CONFLICT_SEVERITIES)[number];
  compartments: string[];
  /** The records of the features that contradict one another. */
  between: string[];
  features: { layerId: string; featureId: string }[];
  summary: string;
  evidence: Record<string, unknown>;
}

type Evidence = Pick<ConflictFinding, "severity" | "evidence">;
const sorted = (values: unknown): string => JSON.stringify(Array.isArray(values) ? values.map(saidBy).sort() : values);
const metresOf = ({ evidence: { metres } }: Evidence): number => Number(metres ?? 0);
const shareOf = ({ evidence: { share } }: Evidence): number => Number(share ?? 0);

/**
 * Whether evidence is another one than before: by steps, not by metres, since what moves differs with every report. A
 * step counts from what is kept, so that nothing is told again and again at the edge of one.
 */
export function differs(before: Evidence, now: Evidence): boolean {
  const [least, most] = [metresOf(before), metresOf(now)].sort((one, other) => one - other) as [number, number];
  return (
    before.severity !== now.severity ||
    most > 2 * least ||
    Math.abs(shareOf(before) - shareOf(now)) > 0.1 ||
    ["identities", "values", "missions", "staleAt"].some(
      (name) => sorted(before.evidence[name]) !== sorted(now.evidence[name]),
    )
  );
}
