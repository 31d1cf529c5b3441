import { z } from "zod";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { isConflict, isUnserved, nullIf, unprocessable } from "../../../../core/problem.ts";
import {
  Assignment,
  AssignmentView,
  isOverdue,
  isPending,
  nextTelling,
  PENDING,
  SUBJECTS,
  tellingOf,
  type SubjectKind,
} from "./assignments.ts";
import { AssignmentDue, AssignmentMoved, type AssignmentGiven } from "./events.ts";

const MESH = asSystem("strategic");
const BATCH = 200;

export const AssignmentTold = liveType("assignment.told", {
  domain: "strategic",
  summary: "Something was assigned to you, changed, is due or is overdue",
  payload: z.object({ what: z.enum(["given", "changed", "reminder", "overdue"]), assignment: AssignmentView }),
  may: "assignments:read",
});

export const assignmentView = (assignment: Assignment, now: number): AssignmentView => ({
  ...assignment,
  overdue: isOverdue(assignment, iso(now)),
});

/** Notifies the assignee on their sockets. */
export const tellAssignee = (
  host: Host,
  assignment: Assignment,
  what: z.output<typeof AssignmentTold.payload>["what"],
): Promise<unknown> =>
  live(host, {
    event: AssignmentTold,
    to: {
      userId: assignment.assigneeId,
      problemSetId: assignment.problemSetId,
      compartments: assignment.compartments,
    },
    data: { what, assignment: AssignmentView.parse(assignmentView(assignment, host.world.clock.now())) },
  });

interface Place {
  problemSetId: string;
  compartments: string[];
}
/** The place of a subject, as its own domain shows it to the caller. Throws 404 where they do not see it. */
export async function placeOfSubject(ctx: Ctx<any>, kind: SubjectKind, id: string): Promise<Place> {
  const { action, by } = SUBJECTS[kind];
  const place = await ctx.call<Place, object>(action, { [by]: id }).catch(nullIf(isUnserved));
  if (!place) throw unprocessable("NO_SUCH_SUBJECT", `Nothing of the kind ${kind} can be assigned here.`);
  return place;
}

const readersOf = async (host: Host, { problemSetId, compartments }: Place): Promise<ReadonlySet<string>> =>
  new Set(
    (await host.ask<{ userId: string }[]>("problem-sets.readersOf", { problemSetId, compartments })).map(
      ({ userId }) => userId,
    ),
  );
const canSee = async (host: Host, { assigneeId, ...place }: Place & { assigneeId: string }): Promise<boolean> =>
  (await readersOf(host, { problemSetId: place.problemSetId, compartments: place.compartments })).has(assigneeId);

/** Throws 422 where the assignee cannot see the subject; they then learn nothing of it. */
export async function demandSight(host: Host, wanted: Place & { assigneeId: string }): Promise<void> {
  if (!(await canSee(host, wanted)))
    throw unprocessable(
      "ASSIGNEE_CANNOT_SEE",
      "The assignee is no active member who sees what this is about: nothing was assigned, and nobody was told.",
      { field: "assigneeId" },
    );
}

export const assignmentEvent = ({ id, problemSetId, compartments, title, assigneeId }: Assignment, by: string) => ({
  ...{ id, problemSetId, compartments, title, assigneeId, by },
});

/**
 * Sends due notices, once each: to the activity of the place, and to the assignee if they can still see the subject.
 */
export async function tellDue(this: Host): Promise<void> {
  const now = iso(this.world.clock.now());
  const assignments = this.store(Assignment);
  const due = await assignments.find(MESH, { tellAt: { $lte: now } }, { sort: ["tellAt"], limit: BATCH });
  for (const assignment of due) {
    const telling = tellingOf(assignment, now);
    const isSeen = await canSee(this, assignment);
    const { dueAt } = assignment;
    const data = { ...assignmentEvent(assignment, MESH.meta.actor!.userId), telling, ...(dueAt && { dueAt }) };
    const kept = await assignments
      .revise(
        MESH,
        assignment,
        { tellAt: nextTelling(assignment, now) },
        { facts: isSeen ? [AssignmentDue.fact(assignment.id, data)] : [] },
      )
      .catch(nullIf(isConflict));
    if (kept && isSeen) await tellAssignee(this, kept, telling);
  }
}

/**
 * Declines assignments of somebody who no longer sees them, so that the assigner can reassign them. Somebody who
 * regained access before this event arrived keeps theirs.
 */
export async function release(this: Host, { userId }: { userId: string }): Promise<void> {
  const assignments = this.store(Assignment);
  const pending = await assignments.find(MESH, { assigneeId: userId, status: { $in: [...PENDING] } });
  for (const assignment of pending) {
    if (await canSee(this, assignment)) continue;
    const members = await readersOf(this, { problemSetId: assignment.problemSetId, compartments: [] });
    const ended = members.has(userId) ? "compartment-left" : "member-removed";
    const change = { status: "declined", ended, movedAt: iso(this.world.clock.now()), tellAt: null };
    const by = MESH.meta.actor!.userId;
    await assignments.amend(MESH, assignment.id, (at) => (isPending(at) && at.assigneeId === userId ? change : null), {
      facts: (at: Assignment) => [
        AssignmentMoved.fact(at.id, { ...assignmentEvent(at, by), status: "declined", ended }),
      ],
    });
  }
}

type Told = Pick<Assignment, "id" | "problemSetId" | "compartments" | "title" | "assigneeId"> & { by: string };

/** Adds a notification for the assignee, once for each fact; none for their own acts. */
async function notify(host: Host, about: Told, kind: string, summary: string, fact: Fact): Promise<void> {
  const { id: activityId, problemSetId, compartments, assigneeId: userId, by } = about;
  if (by === userId) return;
  const id = derivedId(`told of ${fact.id}`);
  await host.ask("problem-sets.tellMember", { id, problemSetId, compartments, userId, activityId, kind, summary });
}

export async function notifyGiven(this: Host, given: z.output<typeof AssignmentGiven.payload>, fact: Fact) {
  await notify(this, given, "assignment.given", `"${given.title}" was assigned to you.`, fact);
}
export async function notifyMoved(this: Host, moved: z.output<typeof AssignmentMoved.payload>, fact: Fact) {
  if (moved.status === "open")
    await notify(this, moved, "assignment.given", `"${moved.title}" was assigned to you.`, fact);
}
export async function notifyDue(this: Host, due: z.output<typeof AssignmentDue.payload>, fact: Fact) {
  await notify(this, due, "assignment.due", AssignmentDue.activity!.words(due), fact);
}
