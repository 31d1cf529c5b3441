import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { invalid } from "../../../../core/problem.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

export const ASSIGNMENT_STATES = ["open", "accepted", "done", "declined"] as const;
export type AssignmentState = (typeof ASSIGNMENT_STATES)[number];
/** States that can be overdue. */
export const PENDING = ["open", "accepted"] as const satisfies readonly AssignmentState[];
export const isPending = ({ status }: { status: AssignmentState }): boolean =>
  status === "open" || status === "accepted";

/** The assignee's transitions, and the states they start from. */
export const ASSIGNMENT_MOVES = {
  accepted: ["open"],
  done: ["accepted"],
  declined: ["open", "accepted"],
} as const satisfies Partial<Record<AssignmentState, readonly AssignmentState[]>>;
export type AssignmentMove = keyof typeof ASSIGNMENT_MOVES;

/** What can be assigned: the action that shows it to its caller, and the parameter for its id. */
export const SUBJECTS = {
  document: { action: "documents.get", by: "documentId" },
  objective: { action: "strategic.objectives.get", by: "id" },
  review: { action: "strategic.reviews.get", by: "reviewId" },
  container: { action: "strategic.containers.place", by: "containerId" },
} as const;
export const SUBJECT_KINDS = [
  "document",
  "objective",
  "review",
  "container",
] as const satisfies (keyof typeof SUBJECTS)[];
export type SubjectKind = keyof typeof SUBJECTS;

export const Assignment = entity("strategic.assignments", {
  title: "assignment",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    subjectKind: z.enum(SUBJECT_KINDS).describe("What it is about."),
    subjectId: TextId,
    title: z.string().trim().min(1).max(300).describe("What is to be done."),
    description: z.string().max(10_000).optional(),
    assigneeId: PersonId.describe("Who is to do it: a member who sees what it is about."),
    dueAt: Instant.optional().describe("By when it must be done."),
    remindAt: Instant.optional().describe("When the assignee is reminded, once; not after `dueAt`."),
    status: z.enum(ASSIGNMENT_STATES),
    note: z.string().max(2_000).optional().describe("The assignee's word on its state."),
    movedAt: Instant.optional().describe("Since when it has this state."),
    ended: z
      .enum(["member-removed", "compartment-left"])
      .optional()
      .describe("Why it was declined automatically: its assignee no longer sees the subject."),
    /** When the next notice is due. */
    tellAt: Instant.optional(),
  },
  readonly: ["problemSetId", "status", "note", "movedAt", "ended", "tellAt"],
  hidden: ["tellAt"],
  immutable: ["problemSetId", "compartments", "subjectKind", "subjectId"],
  filter: ["problemSetId", "status", "assigneeId"],
  sort: ["dueAt"],
  barrier,
  most: {
    count: 10_000,
    per: ["problemSetId"],
    refusal: (count) =>
      invalid([
        { path: "subjectId", message: `A problem set has at most ${count} assignments in the same compartments.` },
      ]),
  },
  lists: [
    { by: ["problemSetId"], sort: ["-createdAt", "dueAt"] },
    { by: ["problemSetId", "subjectKind", "subjectId"], sort: ["-createdAt", "dueAt"] },
  ],
  indexes: [{ fields: ["tellAt"], sparse: true }, { fields: ["assigneeId"] }, { fields: ["createdBy"] }],
});
export type Assignment = Item<typeof Assignment>;

export const AssignmentView = Assignment.view
  .extend({ overdue: z.boolean().describe("It is still to be done, and its time is over; by the clock.") })
  .meta({ id: "Assignment" });
export type AssignmentView = z.output<typeof AssignmentView>;

export const isOverdue = ({ status, dueAt }: Pick<Assignment, "status" | "dueAt">, now: string): boolean =>
  isPending({ status }) && dueAt !== undefined && dueAt < now;

/** The same as a query. */
export const overdueQuery = (now: string, status?: AssignmentState): Query => ({
  status: status ?? { $in: [...PENDING] },
  dueAt: { $lt: now },
});

/** Throws 400 where the reminder would come after the due date. */
export function demandOrder({
  dueAt,
  remindAt,
}: {
  dueAt?: string | null | undefined;
  remindAt?: string | null | undefined;
}) {
  if (dueAt && remindAt && remindAt > dueAt)
    throw invalid([{ path: "remindAt", message: "A reminder comes before the time is over (dueAt)." }]);
}

type Times = Pick<Assignment, "status" | "dueAt" | "remindAt">;

/** When the next notice after `after` is due: the reminder, or that it is overdue. Null: none. */
export function nextTelling({ status, dueAt, remindAt }: Times, after: string): string | null {
  if (!isPending({ status })) return null;
  const coming = [remindAt, dueAt].filter((at): at is string => at !== undefined && at > after).sort();
  return coming[0] ?? null;
}

/** The notice that is due: if both are, only that it is overdue. */
export const tellingOf = ({ dueAt }: Times, now: string): "reminder" | "overdue" =>
  dueAt !== undefined && dueAt <= now ? "overdue" : "reminder";
