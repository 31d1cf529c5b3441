import { z } from "zod";
import { memberOf } from "../../../core/access/access.ts";
import { data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { activitiesIn, activityOf, ACTIVITY_CATEGORIES } from "./process/activities.ts";
import { PHASES, reachable, STAGES, TITLES } from "./process/phases.ts";
import { PlannedDesign } from "./from-design.ts";
import { inTheWay, moveOn, workflowEvent } from "./transitions.ts";
import { Blocker, PhaseGate, Workflow } from "./workflows.ts";
import { WorkflowStarted } from "./events.ts";
import { placeUnderWay } from "./under-way.ts";
import { reading, planning, deciding, onMission } from "./permits.ts";

const Stage = z.enum(STAGES);
const WorkflowState = Workflow.view
  .extend({
    title: z.string(),
    reachable: z.array(Stage).describe("Where it can go from here: one phase on, or back to any before."),
    blockers: z.array(Blocker).describe("What blocks the next phase."),
    gates: z.array(PhaseGate.view).describe("Those of all phases, in the order of the phases."),
    design: z
      .object({ number: z.int(), hash: z.string(), at: z.string() })
      .nullable()
      .describe("The handoff of the problem set's design that planning uses; null before the first."),
    activities: z
      .array(z.object({ id: z.string(), title: z.string(), category: z.enum(ACTIVITY_CATEGORIES), done: z.boolean() }))
      .describe("Those of the present phase."),
  })
  .meta({ id: "WorkflowState" });

export const workflowActions = {
  "workflows.start": endpoint({
    rest: "POST /workflows",
    summary: "Start the decision-process workflow of a mission",
    permit: "signed-in",
    body: { missionId: TextId },
    returns: data(Workflow.view),
    status: 201,
    description: "One workflow per mission; it lies where the mission lies and starts with receipt of mission.",
    errors: { 404: "There is no mission of this id that you could see.", 409: "The mission has a workflow already." },
    example: { missionId: "the mission's id" },
    async handler(ctx) {
      const mission = await placeUnderWay(ctx, ctx.params.missionId);
      const { problemSetId, compartments } = mission;
      memberOf(ctx.meta.actor, problemSetId, planning.may, { writes: true });
      if (await this.store(Workflow).one(ctx, { _id: ctx.params.missionId }))
        throw conflict("This mission has a workflow already.");
      const first = { phase: PHASES[0], from: iso(this.world.clock.now()), by: ctx.meta.actor!.userId };
      return this.store(Workflow).create(
        ctx,
        { id: ctx.params.missionId, problemSetId, compartments, phase: PHASES[0], history: [first], done: [] },
        { facts: (made: Workflow) => [WorkflowStarted.fact(made.id, workflowEvent(made, ctx, mission))] },
      );
    },
  }),

  "workflows.list": endpoint({
    rest: "GET /workflows",
    summary: "List the decision-process workflows that you may see",
    description: "In which phase each mission's planning is, and since when. What blocks one: `GET …/{missionId}`.",
    permit: "signed-in",
    beyond: true,
    within: reading,
    query: {
      ...Workflow.query,
      missionIds: z.array(TextId).max(100).optional().describe("Only those of these missions, separated by commas."),
    },
    returns: list(Workflow.view),
    handler(ctx) {
      const { missionIds, ...page } = ctx.params;
      return this.store(Workflow).page(ctx, page, missionIds && { _id: { $in: missionIds } });
    },
  }),

  "workflows.get": endpoint({
    rest: "GET /workflows/:missionId",
    summary: "Show the state of a mission's workflow and what blocks it",
    tool: "show_planning",
    description:
      "The phase of planning that it is in, the phases that it can go to, and what blocks the next: gates, " +
      "assumptions, activities.",
    permit: "signed-in",
    ...onMission,
    within: reading,
    returns: data(WorkflowState),
    async handler(ctx, workflow) {
      const [gates, found, design] = await Promise.all([
        this.store(PhaseGate).find(ctx, { missionId: workflow.id }, { sort: ["createdAt"] }),
        inTheWay(this, ctx, workflow),
        this.store(PlannedDesign).one(ctx, { _id: workflow.problemSetId }),
      ]);
      const activities =
        workflow.phase === "complete"
          ? []
          : activitiesIn(workflow.phase).map(({ id, title, category }) => ({
              id,
              title,
              category,
              done: workflow.done.some((one) => one.activityId === id),
            }));
      return {
        ...workflow,
        title: TITLES[workflow.phase],
        reachable: reachable(workflow.phase),
        blockers: found,
        gates: gates.toSorted((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase)),
        design,
        activities,
      };
    },
  }),

  "workflows.transition": endpoint({
    rest: "POST /workflows/:missionId/transitions",
    summary: "Move the workflow to another phase",
    permit: "signed-in",
    ...onMission,
    within: deciding,
    description:
      "One phase forward, or back to any earlier one. Moving forward requires that the phase's required " +
      "gates are satisfied, blocking assumptions accepted, and every hard decision gate on this " +
      "transition approved; the refusal says what is missing.",
    body: { to: Stage, note: z.string().max(2_000).optional() },
    returns: data(Workflow.view),
    example: { to: "mission-analysis" },
    errors: {
      409:
        "`INVALID_TRANSITION`: not reachable from here. `BLOCKED`: something stands in the way; `details` lists it. " +
        "`CONFLICT`: the mission is over.",
    },
    async handler(ctx, workflow) {
      return moveOn(this, ctx, workflow, await placeUnderWay(ctx, workflow.id));
    },
  }),

  "activities.mark": endpoint({
    rest: "PUT /workflows/:missionId/activities/:activityId",
    summary: "Mark an activity of the workflow as done, or as not done",
    permit: "signed-in",
    beyond: true,
    ...onMission,
    within: planning,
    path: { activityId: TextId },
    body: { done: z.boolean().default(true), note: z.string().max(2_000).optional() },
    returns: data(Workflow.view),
    async handler(ctx, workflow) {
      const { activityId, done, note } = ctx.params;
      if (!activityOf(activityId)) throw notFound("activity", activityId);
      await placeUnderWay(ctx, workflow.id);
      const others = workflow.done.filter((one) => one.activityId !== activityId);
      const mark = { activityId, at: iso(this.world.clock.now()), by: ctx.meta.actor!.userId, ...(note && { note }) };
      return this.store(Workflow).revise(ctx, workflow, { done: done ? [...others, mark] : others });
    },
  }),
};
