import { z } from "zod";
import { memberOf } from "../../../core/access/access.ts";
import { bare, data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { eventsIn, on } from "../../../core/records/event.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ACTIVITIES, activitiesIn, activityOf, CATEGORIES } from "./activities.ts";
import { PHASES, reachable, STAGES, TITLES } from "./phases.ts";
import { ACTION_CLASSES, AUTHORITIES, AUTONOMY, decide, SAFETY, VERDICTS } from "../../../config/safety.ts";
import { begunTold, DesignGiven, PlannedDesign, takeOver } from "./from-design.ts";
import { figuresOf } from "./statistics.ts";
import { inTheWay, moveOn, obstruct, told } from "./transitions.ts";
import { Assumption, Constraint, PhaseGate, Workflow } from "./workflows.ts";
import * as events from "./events.ts";
import { AssumptionAccepted, GateSatisfied, WorkflowStarted } from "./events.ts";
import { placeOfMission } from "../missions/client.ts";

const set = "problemSetId";
const reading = { set, may: "mdmp:read" };
const planning = { set, may: "mdmp:plan" };
const deciding = { set, may: "mdmp:decide" };
/** Gates that a workflow may have. */
const onMission = { on: Workflow, by: "missionId" } as const;

const Phase = z.enum(PHASES);
const Stage = z.enum(STAGES);
const ActivityView = z
  .object({
    id: z.string(),
    phase: Phase,
    category: z.enum(CATEGORIES),
    title: z.string(),
    inputs: z.array(z.string()),
    steps: z.array(z.string()),
    outputs: z.array(z.string()),
  })
  .meta({ id: "PlanningActivity" });
const Blocker = z.object({
  kind: z.enum(["phase-gate", "assumption", "decision-gate"]),
  id: z.string(),
  message: z.string(),
});
const WorkflowState = Workflow.view
  .extend({
    title: z.string(),
    reachable: z.array(Stage).describe("Where it can go from here: one phase on, or back to any before."),
    blockers: z.array(Blocker).describe("What stands in the way of going on."),
    gates: z.array(PhaseGate.view),
    design: z
      .object({ number: z.int(), hash: z.string(), at: z.string() })
      .nullable()
      .describe("The handoff of the problem set's design that was taken over; null before the first."),
    activities: z
      .array(z.object({ id: z.string(), title: z.string(), category: z.enum(CATEGORIES), done: z.boolean() }))
      .describe("Those of the present phase."),
  })
  .meta({ id: "WorkflowState" });
const Authority = z.enum(AUTHORITIES);
const Autonomy = z.literal(AUTONOMY).describe("How much is left to a machine, 0 (nothing) to 4 (all).");
const Decision = z.object({ verdict: z.enum(VERDICTS), approver: Authority.nullable(), why: z.string() });

export default {
  name: "mdmp",
  settings: { rest: "/mdmp" },
  mixins: [
    domain({
      entities: [Workflow, PhaseGate, Assumption, Constraint, PlannedDesign],
      tells: () => eventsIn(events),
      hears: [on(WorkflowStarted, begunTold)],
    }),
  ],

  actions: {
    "workflows.start": endpoint({
      rest: "POST /workflows",
      summary: "Start the decision-process workflow of a mission",
      permit: "signed-in",
      body: { missionId: TextId },
      returns: data(Workflow.view),
      status: 201,
      description: "One workflow a mission; it lies where the mission lies and begins with receipt of mission.",
      errors: { 404: "There is no mission of this id that you could see.", 409: "The mission has a workflow already." },
      async handler(ctx) {
        const { problemSetId, compartments, status } = await placeOfMission(ctx, ctx.params.missionId);
        memberOf(ctx.meta.actor, problemSetId, planning.may, { writes: true });
        if (status === "completed" || status === "archived")
          throw conflict(`The mission is ${status}: nothing is planned for it any more.`);
        if (await this.store(Workflow).one(ctx, { _id: ctx.params.missionId }))
          throw conflict("This mission has a workflow already.");
        const first = { phase: PHASES[0], from: iso(this.world.clock.now()), by: ctx.meta.actor!.userId };
        return this.store(Workflow).create(
          ctx,
          { id: ctx.params.missionId, problemSetId, compartments, phase: PHASES[0], history: [first], done: [] },
          { facts: (made: Workflow) => [WorkflowStarted.fact(made.id, told(made, ctx))] },
        );
      },
    }),

    "workflows.get": endpoint({
      rest: "GET /workflows/:missionId",
      summary: "Show where a mission's workflow stands, and what stands in its way",
      tool: "show_planning",
      permit: "signed-in",
      ...onMission,
      within: reading,
      returns: data(WorkflowState),
      async handler(ctx, workflow) {
        const [{ gates, found }, design] = await Promise.all([
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
          gates,
          design,
          activities,
        };
      },
    }),

    "gates.register": endpoint({
      rest: "POST /workflows/:missionId/gates",
      summary: "Lay down gates at the ends of phases",
      permit: "signed-in",
      ...onMission,
      within: planning,
      status: 201,
      body: {
        gates: z
          .array(
            z.strictObject({
              phase: PhaseGate.create.phase,
              name: PhaseGate.create.name,
              criteria: PhaseGate.create.criteria,
              required: PhaseGate.create.required,
            }),
          )
          .min(1)
          .max(50),
      },
      returns: data(z.array(PhaseGate.view)),
      example: { gates: [{ phase: "mission-analysis", name: "Mission statement approved" }] },
      async handler(ctx, { id: missionId, problemSetId, compartments }) {
        const store = this.store(PhaseGate);
        await store.demandRoom({ missionId }, ctx.params.gates.length);
        const laying = await Promise.allSettled(
          ctx.params.gates.map((gate) =>
            store.create(ctx, { ...gate, missionId, problemSetId, compartments, satisfied: false }),
          ),
        );
        const laid = laying.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
        const refused = laying.find((one) => one.status === "rejected");
        if (refused) {
          // Others laid theirs meanwhile: all of these, or none.
          await Promise.all(laid.map((gate) => store.remove(ctx, gate)));
          throw refused.reason;
        }
        await obstruct(this, missionId);
        return laid;
      },
    }),

    "gates.satisfy": endpoint({
      rest: "PUT /workflows/:missionId/gates/:gateId",
      summary: "Mark a phase gate as satisfied, or as open again",
      permit: "signed-in",
      ...onMission,
      within: deciding,
      path: { gateId: TextId },
      body: {
        satisfied: z.boolean().default(true),
        evidence: z.string().max(4_000).optional().describe("What shows it."),
      },
      returns: data(PhaseGate.view),
      async handler(ctx, workflow) {
        const gate = await this.store(PhaseGate).get(ctx, ctx.params.gateId);
        if (gate.missionId !== workflow.id) throw notFound(PhaseGate.title, gate.id);
        const { satisfied, evidence = null } = ctx.params;
        if (!satisfied) {
          const reopened = await this.store(PhaseGate).revise(ctx, gate, {
            satisfied,
            satisfiedAt: null,
            satisfiedBy: null,
            evidence,
          });
          await obstruct(this, workflow.id);
          return reopened;
        }
        const mark = {
          satisfied,
          evidence,
          satisfiedAt: iso(this.world.clock.now()),
          satisfiedBy: ctx.meta.actor!.userId,
        };
        return this.store(PhaseGate).revise(ctx, gate, mark, {
          facts: [GateSatisfied.fact(gate.id, { ...told(workflow, ctx), gateId: gate.id, name: gate.name })],
        });
      },
    }),

    "workflows.transition": endpoint({
      rest: "POST /workflows/:missionId/transitions",
      summary: "Ask to move on to another phase",
      permit: "signed-in",
      ...onMission,
      within: deciding,
      description:
        "One phase on, or back to any before. Going on needs the phase's required gates satisfied, blocking assumptions accepted, and every hard decision gate that guards this transition open; the refusal says what is missing.",
      body: { to: Stage, note: z.string().max(2_000).optional() },
      returns: data(Workflow.view),
      example: { to: "mission-analysis" },
      errors: {
        409: "`INVALID_TRANSITION`: not reachable from here. `BLOCKED`: something stands in the way; `details` lists it.",
      },
      handler(ctx, workflow) {
        return moveOn(this, ctx, workflow);
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
      handler(ctx, workflow) {
        const { activityId, done, note } = ctx.params;
        if (!activityOf(activityId)) throw notFound("activity", activityId);
        const others = workflow.done.filter((one) => one.activityId !== activityId);
        const mark = { activityId, at: iso(this.world.clock.now()), by: ctx.meta.actor!.userId, ...(note && { note }) };
        return this.store(Workflow).revise(ctx, workflow, { done: done ? [...others, mark] : others });
      },
    }),

    "assumptions.list": endpoint({
      rest: "GET /workflows/:missionId/assumptions",
      summary: "List the assumptions of a workflow",
      permit: "signed-in",
      ...onMission,
      within: reading,
      query: Assumption.query,
      returns: list(Assumption.view),
      handler(ctx, workflow) {
        const { id: missionId, problemSetId } = workflow;
        return this.store(Assumption).page(ctx, ctx.params, { problemSetId, missionId });
      },
    }),

    "assumptions.create": endpoint({
      rest: "POST /workflows/:missionId/assumptions",
      summary: "Write an assumption down",
      permit: "signed-in",
      ...onMission,
      within: planning,
      status: 201,
      body: {
        statement: Assumption.create.statement,
        rationale: Assumption.create.rationale,
        confirmBy: Assumption.create.confirmBy,
        blocking: Assumption.create.blocking,
      },
      returns: data(Assumption.view),
      example: { statement: "The bridge at Row Town carries 40 tonnes.", blocking: true },
      async handler(ctx, { id: missionId, problemSetId, compartments, phase }) {
        const assumption = await this.store(Assumption).create(ctx, {
          ...ctx.params,
          missionId,
          problemSetId,
          compartments,
          phase,
          status: "open",
        });
        if (assumption.blocking) await obstruct(this, missionId);
        return assumption;
      },
    }),

    "assumptions.accept": endpoint({
      rest: "PUT /workflows/:missionId/assumptions/:id/accept",
      summary: "Accept an assumption",
      permit: "signed-in",
      ...onMission,
      within: deciding,
      path: { id: TextId },
      returns: data(Assumption.view),
      description: "Accepting one that is accepted changes nothing.",
      async handler(ctx, workflow) {
        const assumption = await this.store(Assumption).get(ctx, ctx.params.id);
        if (assumption.missionId !== workflow.id) throw notFound(Assumption.title, assumption.id);
        if (assumption.status === "accepted") return assumption;
        if (assumption.status === "withdrawn")
          throw conflict("The design was handed over again without this assumption: there is nothing to accept.");
        return this.store(Assumption).revise(
          ctx,
          assumption,
          { status: "accepted", acceptedAt: iso(this.world.clock.now()), acceptedBy: ctx.meta.actor!.userId },
          {
            facts: [
              AssumptionAccepted.fact(assumption.id, {
                ...told(workflow, ctx),
                assumptionId: assumption.id,
                statement: assumption.statement,
              }),
            ],
          },
        );
      },
    }),

    "constraints.list": endpoint({
      rest: "GET /workflows/:missionId/constraints",
      summary: "List what a workflow must keep to",
      permit: "signed-in",
      beyond: true,
      ...onMission,
      within: reading,
      query: Constraint.query,
      returns: list(Constraint.view),
      description: "They came with the problem set's design; another handoff of it replaces them.",
      handler(ctx, workflow) {
        const { id: missionId, problemSetId } = workflow;
        return this.store(Constraint).page(ctx, ctx.params, { problemSetId, missionId });
      },
    }),

    "activities.list": endpoint({
      rest: "GET /activities",
      summary: "List the activities of the process, by phase and category",
      permit: "signed-in",
      query: { phase: Phase.optional(), category: z.enum(CATEGORIES).optional() },
      cacheSeconds: 3_600,
      returns: list(ActivityView, z.object({ total: z.int() })),
      handler(ctx) {
        const { phase, category } = ctx.params;
        const found = ACTIVITIES.filter(
          (one) => (!phase || one.phase === phase) && (!category || one.category === category),
        );
        return { data: found, meta: { total: found.length } };
      },
    }),

    "activities.get": endpoint({
      rest: "GET /activities/:id",
      summary: "Read an activity of the process",
      permit: "signed-in",
      path: { id: TextId },
      returns: data(ActivityView),
      cacheSeconds: 3_600,
      handler(ctx) {
        const found = activityOf(ctx.params.id);
        if (!found) throw notFound("activity", ctx.params.id);
        return found;
      },
    }),

    "phases.getStatistics": endpoint({
      rest: "GET /phases/:phase/statistics",
      summary: "Figures about one phase, over the workflows you may see",
      permit: "signed-in",
      path: { phase: Phase },
      query: { problemSetId: TextId.optional() },
      within: reading,
      returns: data(
        z.object({
          phase: Phase,
          title: z.string(),
          workflows: z.int().describe("That have been in the phase."),
          present: z.int().describe("That are in it now."),
          stays: z
            .object({
              count: z.int(),
              shortestMs: z.number().nullable(),
              medianMs: z.number().nullable(),
              meanMs: z.number().nullable(),
              longestMs: z.number().nullable(),
            })
            .describe("Completed stays."),
          gates: z.object({ satisfied: z.int(), total: z.int() }),
          activities: z.object({
            done: z.int(),
            total: z.int().describe("Activities of the phase, once for each workflow that has been in it."),
          }),
        }),
      ),
      async handler(ctx) {
        const { phase, problemSetId } = ctx.params;
        return {
          phase,
          title: TITLES[phase],
          ...(await figuresOf(this, ctx, phase, problemSetId ? { problemSetId } : {})),
        };
      },
    }),

    /** Asked by the design, once it was handed over. */
    takeOver: endpoint({
      summary: "Take a design over into planning",
      permit: "internal",
      body: DesignGiven.shape,
      returns: bare(z.null()),
      async handler(ctx) {
        await takeOver(this, ctx.params);
        return null;
      },
    }),

    /** Asked by the gates, after they put one in a mission's way and before they answer. */
    obstructed: endpoint({
      summary: "Something was put in the way of a workflow",
      permit: "internal",
      body: { subject: TextId },
      returns: bare(z.null()),
      async handler(ctx) {
        await obstruct(this, ctx.params.subject);
        return null;
      },
    }),

    validateSafety: endpoint({
      rest: "POST /safety/validate",
      summary: "Test an authority against the safety matrix",
      permit: "signed-in",
      reads: true,
      body: { action: z.enum(ACTION_CLASSES), authority: Authority, autonomy: Autonomy.default(0) },
      returns: data(Decision.extend({ action: z.enum(ACTION_CLASSES), authority: Authority, autonomy: Autonomy })),
      example: { action: "task-units", authority: "planner", autonomy: 2 },
      handler({ params: { action, authority, autonomy } }) {
        return { action, authority, autonomy, ...decide(action, authority, autonomy) };
      },
    }),

    getSafetyMatrix: endpoint({
      rest: "GET /safety/matrix",
      summary: "Read the safety matrix in full",
      permit: "signed-in",
      cacheSeconds: 3_600,
      description:
        "What each class of action asks for by authority and autonomy. Agents are held to the same matrix when they act.",
      returns: data(
        z.object({
          authorities: z.array(Authority),
          autonomy: z.array(Autonomy),
          actions: z.array(
            z.object({
              action: z.enum(ACTION_CLASSES),
              meaning: z.string(),
              least: Authority,
              approver: Authority,
              verdicts: z.array(z.object({ authority: Authority, byAutonomy: z.array(z.enum(VERDICTS)) })),
            }),
          ),
        }),
      ),
      handler: () => ({
        authorities: [...AUTHORITIES],
        autonomy: [...AUTONOMY],
        actions: ACTION_CLASSES.map((action) => ({
          action,
          meaning: SAFETY[action].meaning,
          least: SAFETY[action].least,
          approver: SAFETY[action].approver,
          verdicts: AUTHORITIES.map((authority) => ({
            authority,
            byAutonomy: AUTONOMY.map((autonomy) => decide(action, authority, autonomy).verdict),
          })),
        })),
      }),
    }),
  },
} satisfies MeshService;
