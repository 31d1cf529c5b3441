import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { PARTS } from "./scoring.ts";

const Score = z.number().min(0).max(100);
const Parts = z
  .array(z.object({ part: z.enum(PARTS), value: z.number(), why: z.string() }))
  .describe("What the score is made of: they add up to it.");

/** How far an objective still holds, now. Its id is the objective's; it lies where that lies. */
export const Validity = entity("graph.validity", {
  title: "validity",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    statement: z.string().describe("What the objective says."),
    score: Score,
    parts: Parts,
    at: Instant.describe("When it was calculated last."),
    changedAt: Instant.describe("When the score changed last."),
    nextAt: Instant.describe("When it is calculated again, if nothing happens before."),
    alertId: TextId.optional().describe("The alert that is open."),
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["nextAt"],
  filter: ["problemSetId"],
  sort: ["score", "changedAt"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["nextAt"] }],
});
export type Validity = Item<typeof Validity>;

/** One point a change. */
export const ValidityPoint = entity("graph.validity-points", {
  title: "validity point",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    objectiveId: TextId,
    score: Score,
    parts: Parts,
    at: Instant,
  },
  immutable: ["problemSetId", "compartments", "objectiveId"],
  sort: ["at"],
  barrier,
  lists: [{ by: ["problemSetId", "objectiveId"] }],
  indexes: [{ fields: ["objectiveId"] }],
});
export type ValidityPoint = Item<typeof ValidityPoint>;

export const ALERT_STATES = ["open", "acknowledged", "closed"] as const;

export const ValidityAlert = entity("graph.validity-alerts", {
  title: "validity alert",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    objectiveId: TextId,
    statement: z.string(),
    reason: z.enum(["low", "falling"]).describe("Below 50, or 15 less than a week before."),
    score: Score.describe("When it opened."),
    before: Score.optional().describe("A week before, or the first since."),
    status: z.enum(ALERT_STATES),
    acknowledgedBy: PersonId.optional(),
    acknowledgedAt: Instant.optional(),
    note: z.string().optional(),
    closedAt: Instant.optional(),
  },
  immutable: ["problemSetId", "compartments", "objectiveId"],
  filter: ["problemSetId", "status"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["objectiveId"] }, { fields: ["acknowledgedBy"], sparse: true }],
});
export type ValidityAlert = Item<typeof ValidityAlert>;

/** What an approved product of fusion says: kept here, where objectives are held against it. */
export const Assertion = entity("graph.assertions", {
  title: "assertion",
  fields: { problemSetId: TextId, compartments: Compartments, text: z.string(), likelihood: z.number(), at: Instant },
  immutable: ["problemSetId", "compartments"],
  barrier,
  indexes: [{ fields: ["problemSetId"] }],
});
export type Assertion = Item<typeof Assertion>;

export const pointId = (objectiveId: string, rev: number): string =>
  derivedId(`validity of ${objectiveId} at revision ${rev}`);
export const alertIdOf = (objectiveId: string, at: string): string =>
  derivedId(`validity alert of ${objectiveId} since ${at}`);

export const VALIDITY = [Validity, ValidityPoint, ValidityAlert, Assertion] as const;
