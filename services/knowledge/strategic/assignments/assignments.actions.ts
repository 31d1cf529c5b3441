import { z } from "zod";
import { memberOf } from "../../../../core/access/access.ts";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, forbidden, invalid } from "../../../../core/problem.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { paging } from "../../../../core/records/entity.ts";
import { refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { onFiling } from "../environments/containers.actions.ts";
import {
  Assignment,
  AssignmentView,
  demandOrder,
  ASSIGNMENT_MOVES,
  nextTelling,
  overdueQuery,
  SUBJECT_KINDS,
  type AssignmentMove,
  type AssignmentState,
} from "./assignments.ts";
import { AssignmentGiven, AssignmentMoved } from "./events.ts";
import { demandSight, placeOfSubject, assignmentView, tellAssignee, assignmentEvent } from "./notifying.ts";

const set = "problemSetId";
const onAssignment = { on: Assignment, within: { set, may: "assignments:read" } } as const;

const ORDERS = ["-createdAt", "createdAt", "dueAt", "-dueAt"] as const;
const query = {
  status: Assignment.query.status,
  assigneeId: Assignment.query.assigneeId,
  overdue: z
    .boolean()
    .refine(Boolean, "Only `overdue=true` narrows; leave it out for all.")
    .optional()
    .describe("Only unfinished ones past their due time, in the order of `dueAt`."),
  sort: z.enum(ORDERS).optional().describe("`-createdAt` by default, `dueAt` of those overdue."),
  ...paging,
};
type Wanted = z.output<z.ZodObject<typeof query>> & { problemSetId?: string | undefined };

async function pageOf(host: Host, ctx: Ctx<any>, { overdue, sort, ...window }: Wanted, within: Query = {}) {
  if (overdue && sort && !sort.endsWith("dueAt"))
    throw invalid([{ path: "sort", message: "Those overdue are listed by `dueAt`, or `-dueAt`." }]);
  const now = host.world.clock.now();
  const { data: rows, meta } = await host.store(Assignment).page(
    ctx,
    { ...window, sort: sort ?? (overdue ? "dueAt" : "-createdAt") },
    {
      ...within,
      ...(overdue && overdueQuery(iso(now), window.status as AssignmentState | undefined)),
    },
  );
  return { data: rows.map((row) => assignmentView(row, now)), meta };
}

/** An edit: the assignee's transition, and the fields of the assigner. */
interface Edit {
  status?: AssignmentMove | undefined;
  note?: string | undefined;
  assigneeId?: string | undefined;
  [field: string]: unknown;
}

/** Throws 403 where somebody makes a transition, or edits fields, that belong to the other side. */
function demandPart(ctx: Ctx<any>, assignment: Assignment, { status, note, ...fields }: Edit): void {
  const who = actorOf(ctx);
  if ((status !== undefined || note !== undefined) && who !== assignment.assigneeId)
    throw forbidden("Only the assignee says how far it is; whoever gave it may give it to another.");
  if (Object.values(fields).some((value) => value !== undefined) && who !== assignment.createdBy)
    memberOf(ctx.meta.actor, assignment.problemSetId, "assignments:manage", { writes: true });
}

/** The assignment after an edit. Throws 409 for a transition that its state does not allow. */
function edited(
  before: Assignment,
  { status, note, assigneeId, ...fields }: Edit,
  now: string,
): Record<string, unknown> {
  const isGivenAnew = assigneeId !== undefined && assigneeId !== before.assigneeId;
  if (isGivenAnew && status !== undefined)
    throw invalid([{ path: "status", message: "What is given to another is open: leave the status out." }]);
  if (isGivenAnew && before.status === "done") throw conflict("What is done is not given to another.");
  if (status !== undefined) refuseUnless(ASSIGNMENT_MOVES[status], before.status, `become ${status}`);
  const change = {
    ...fields,
    ...(note !== undefined && { note }),
    ...(status !== undefined && { status, movedAt: now }),
    ...(isGivenAnew && { assigneeId, status: "open" as const, movedAt: now, note: null, ended: null }),
  };
  const after = Object.fromEntries(
    Object.entries({ ...before, ...change }).map(([field, value]) => [field, value ?? undefined]),
  ) as Assignment;
  demandOrder(after);
  return { ...change, tellAt: nextTelling(after, now) };
}

export const assignmentActions = {
  "assignments.create": endpoint({
    rest: "POST /assignments",
    summary: "Assign a document, an objective, a review or a container to a member",
    permit: "signed-in",
    within: { set, may: "assignments:give" },
    body: {
      problemSetId: Assignment.record.shape.problemSetId.describe("The set that its subject lies in."),
      compartments: Assignment.create.compartments.describe("Beside those of its subject."),
      subjectKind: z.enum(SUBJECT_KINDS),
      subjectId: Assignment.create.subjectId,
      title: Assignment.create.title,
      description: Assignment.create.description,
      assigneeId: Assignment.create.assigneeId,
      dueAt: Assignment.create.dueAt,
      remindAt: Assignment.create.remindAt,
    },
    returns: data(AssignmentView),
    status: 201,
    description:
      "`open`, `accepted`, then `done` or `declined`; `overdue` follows from the clock. The assignee " +
      "must be able to see the subject: otherwise nothing is assigned and nobody is notified. They are " +
      "notified immediately, once at `remindAt`, and once when it is overdue.",
    errors: {
      404: "You see no such subject.",
      422:
        "The assignee does not see the subject (`ASSIGNEE_CANNOT_SEE`), or nothing of this kind is here " +
        "(`NO_SUCH_SUBJECT`).",
    },
    example: {
      problemSetId: "the problem set's id",
      subjectKind: "objective",
      subjectId: "the objective's id",
      title: "Find out who repairs the bridge",
      assigneeId: "the member's id",
      dueAt: "2027-03-01T12:00:00Z",
    },
    async handler(ctx) {
      const { problemSetId, subjectKind, subjectId, assigneeId } = ctx.params;
      demandOrder(ctx.params);
      const subject = await placeOfSubject(ctx, subjectKind, subjectId);
      if (subject.problemSetId !== problemSetId)
        throw invalid([{ path: "subjectId", message: "It lies in another problem set." }]);
      const compartments = unionOfCompartments([subject, ctx.params]);
      await demandSight(this, { problemSetId, compartments, assigneeId });
      const now = this.world.clock.now();
      const made = await this.store(Assignment).create(
        ctx,
        {
          ...ctx.params,
          compartments,
          status: "open",
          tellAt: nextTelling({ ...ctx.params, status: "open" }, iso(now)) ?? undefined,
        },
        {
          facts: (assignment: Assignment) => [
            AssignmentGiven.fact(assignment.id, assignmentEvent(assignment, actorOf(ctx))),
          ],
        },
      );
      await tellAssignee(this, made, "given");
      return assignmentView(made, now);
    },
  }),

  "assignments.list": endpoint({
    rest: "GET /assignments",
    summary: "List the assignments that you can see",
    permit: "signed-in",
    within: { set, may: "assignments:read" },
    query: { problemSetId: Assignment.query.problemSetId, ...query },
    returns: list(AssignmentView),
    tool: "list_assignments",
    description: "From all your problem sets, or from one; those of one person with `assigneeId`.",
    handler(ctx) {
      return pageOf(this, ctx, ctx.params);
    },
  }),

  "assignments.listOfDocument": endpoint({
    rest: "GET /documents/:documentId/assignments",
    summary: "List the assignments about a document",
    permit: "signed-in",
    ...onFiling("assignments:read"),
    query,
    returns: list(AssignmentView),
    handler(ctx, { id: subjectId, problemSetId }) {
      return pageOf(this, ctx, ctx.params, { problemSetId, subjectKind: "document", subjectId });
    },
  }),

  "assignments.update": endpoint({
    rest: "PATCH /assignments/:id",
    summary: "Edit an assignment, or say how far yours is",
    permit: "signed-in",
    ...onAssignment,
    body: {
      status: z
        .enum(["accepted", "done", "declined"])
        .optional()
        .describe("The assignee's move: `accepted` from `open`, `done` from `accepted`, `declined` from both."),
      note: z.string().max(2_000).optional().describe("The assignee's word on it."),
      title: Assignment.change.title,
      description: Assignment.change.description,
      dueAt: Assignment.change.dueAt,
      remindAt: Assignment.change.remindAt,
      assigneeId: Assignment.change.assigneeId.describe("Reassigns it to another member, reopened, unless it is done."),
    },
    returns: data(AssignmentView),
    description:
      "The assignee changes its status; whoever gave it, deputies and planners can edit and reassign " +
      "it. If the assignee is removed from the set, or read out of a compartment that it lies in, it " +
      "counts as declined: `ended` says so, and it can be reassigned.",
    errors: {
      403: "Not yours to move, or not yours to edit.",
      409: "A move that its state does not allow (`INVALID_TRANSITION`).",
      422: "The assignee does not see the subject (`ASSIGNEE_CANNOT_SEE`).",
    },
    async handler(ctx, before) {
      const edit: Edit = ctx.params;
      demandPart(ctx, before, edit);
      const now = this.world.clock.now();
      const change = edited(before, edit, iso(now));
      const { problemSetId, compartments } = before;
      if (edit.assigneeId) await demandSight(this, { problemSetId, compartments, assigneeId: edit.assigneeId });
      const after = await this.store(Assignment).revise(ctx, before, change, {
        facts: ({ status, ...rest }: Assignment) =>
          status === before.status && rest.assigneeId === before.assigneeId
            ? []
            : [AssignmentMoved.fact(before.id, { ...assignmentEvent({ status, ...rest }, actorOf(ctx)), status })],
      });
      await tellAssignee(this, after, after.assigneeId === before.assigneeId ? "changed" : "given");
      return assignmentView(after, now);
    },
  }),

  "assignments.remove": endpoint({
    rest: "DELETE /assignments/:id",
    summary: "Withdraw an assignment",
    permit: "signed-in",
    ...onAssignment,
    returns: nothing(),
    status: 204,
    description: "Allowed to whoever gave it, deputies and planners.",
    async handler(ctx, assignment) {
      if (assignment.createdBy !== actorOf(ctx))
        memberOf(ctx.meta.actor, assignment.problemSetId, "assignments:manage", { writes: true });
      await this.store(Assignment).remove(ctx, assignment);
      return null;
    },
  }),
};
