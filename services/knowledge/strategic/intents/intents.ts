import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { Citations } from "../../../../core/contract/citation.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import type { Objective } from "../objectives/objectives.ts";

const text = z.string().trim().min(1).max(4_000);
/** The parts of a commander's intent (ADP 5-0): purpose, key tasks, end state. */
const said = {
  purpose: text.describe("Why it is done."),
  keyTasks: z.array(z.string().min(1).max(1_000)).min(1).max(30).describe("What must be done, whatever else changes."),
  endState: text.describe("The end state."),
};

/** Who stands behind a version. */
const signed = {
  writtenBy: PersonId.optional().describe("Who wrote this version."),
  approvedBy: PersonId.optional(),
  approvedAt: Instant.optional(),
};

export const Intent = entity("strategic.intents", {
  title: "intent",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    objectiveId: TextId,
    ...said,
    citations: Citations,
    status: z.enum(["draft", "approved"]).describe("Approved, it passes down to the children with its objective."),
    version: z.int(),
    ...signed,
  },
  readonly: ["status", "version", "writtenBy", "approvedBy", "approvedAt", "citations"],
  immutable: ["problemSetId", "compartments", "objectiveId"],
  barrier,
  indexes: [
    { fields: ["objectiveId"], unique: true },
    { fields: ["createdBy"] },
    { fields: ["approvedBy"], sparse: true },
    { fields: ["writtenBy"], sparse: true },
  ],
});
export type Intent = Item<typeof Intent>;

/** An earlier text of an intent; its id is derived from the intent and the version. */
export const IntentVersion = entity("strategic.intent-versions", {
  title: "version of an intent",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    intentId: TextId,
    objectiveId: TextId,
    ...said,
    citations: Citations,
    status: z.enum(["draft", "approved"]),
    version: z.int(),
    ...signed,
    at: Instant,
  },
  immutable: ["problemSetId", "compartments", "intentId", "objectiveId"],
  barrier,
  most: { count: 1_000, per: ["intentId"], refusal: (count) => conflict(`An intent has at most ${count} versions.`) },
  lists: [{ by: ["problemSetId", "intentId"] }],
  indexes: [{ fields: ["objectiveId"] }, { fields: ["writtenBy"], sparse: true }],
});

/** Whether an intent is offered to child sets: approved, with an approved objective of the set's own. */
export const isOffered = (
  { status }: Pick<Intent, "status">,
  objective: Pick<Objective, "status" | "escalatedFrom">,
): boolean => status === "approved" && objective.status === "approved" && !objective.escalatedFrom;

/** An intent as running text. */
export const intentText = ({
  purpose,
  keyTasks,
  endState,
}: Pick<Intent, "purpose" | "keyTasks" | "endState">): string =>
  upTo(
    20_000,
    [`Purpose: ${purpose}`, "Key tasks:", ...keyTasks.map((task) => `- ${task}`), `End state: ${endState}`].join("\n"),
  );

export const IntentChanged = event(
  "knowledge.intent.changed",
  z.object({
    id: z.string(),
    objectiveId: z.string(),
    problemSetId: z.string(),
    compartments: z.array(z.string()),
    title: z.string(),
    version: z.int(),
    status: z.enum(["draft", "approved"]),
    by: z.string(),
  }),
  {
    activity: {
      subject: ["objective", "objectiveId"],
      words: ({ title, version, status }) =>
        status === "approved"
          ? `The intent for "${title}" was approved (version ${version}).`
          : `The intent for "${title}" was written (version ${version}).`,
    },
  },
);
