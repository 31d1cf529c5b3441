import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { outsideIndexes, placed, reach } from "../../place.ts";

export const ALARM_SEVERITIES = ["info", "warning", "critical"] as const;
export const ALARM_STATES = ["open", "cleared"] as const;
export const AcknowledgementNote = z.string().trim().min(1).max(1_000).describe("What is done about it.");

/** What a threshold raised: its id is made of resource, threshold and moment, so that it is raised once. */
export const Alarm = entity("resources.alarms", {
  title: "alarm",
  fields: {
    ...placed,
    resourceId: z.string(),
    threshold: z.string().describe("Its id among those of the resource."),
    key: z.string(),
    severity: z.enum(ALARM_SEVERITIES),
    state: z
      .enum(ALARM_STATES)
      .describe("`open` until its readings are well again, acknowledged or not; then `cleared`."),
    why: z.enum(["value", "silence"]).describe("A reading beyond the bound, or none for too long."),
    raisedAt: z.string().describe("Since when readings were beyond; of silence, when the last one was taken."),
    toldAt: Instant,
    clearedAt: z.string().optional().describe("When the reading was taken that ended it."),
    value: z.union([z.number(), z.boolean(), z.string()]).optional(),
    acknowledgedBy: PersonId.optional().describe(
      "Who has seen it and sees to it; standing or over, it stays on record.",
    ),
    acknowledgedAt: Instant.optional(),
    acknowledgedNote: AcknowledgementNote.optional(),
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience"],
  barrier: reach,
  filter: ["problemSetId", "state", "severity"],
  lists: [
    { by: ["problemSetId", "resourceId"], filter: [], sort: ["-createdAt"] },
    { by: ["problemSetId"] },
    { by: ["audience"], having: "audience" },
  ],
  indexes: [...outsideIndexes, { fields: ["resourceId"] }, { fields: ["acknowledgedBy"], sparse: true }],
});
export type Alarm = Item<typeof Alarm>;

const Raised = z.object({ why: z.enum(["value", "silence"]), at: z.number() });

/** Where a threshold stands; a book of the domain's own. */
export const StandingAlarm = entity("resources.standings", {
  title: "threshold standing",
  fields: {
    resourceId: z.string(),
    threshold: z.string(),
    /** The series that it went by: another one is no continuation. */
    key: z.string().optional(),
    since: z.number().optional(),
    lastAt: z.number().optional(),
    beyondSince: z.number().optional(),
    raised: Raised.optional(),
    newest: z
      .object({
        value: z.union([z.number(), z.boolean(), z.string()]),
        lastAt: z.number().optional(),
        beyondSince: z.number().optional(),
        raised: Raised.optional(),
      })
      .optional(),
    /** When silence is looked for. */
    dueAt: Instant.optional(),
  },
  indexes: [{ fields: ["dueAt"], sparse: true }, { fields: ["resourceId"] }],
});
export type StandingAlarm = Item<typeof StandingAlarm>;
