import { data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { obstruct, told } from "./transitions.ts";
import { placeUnderWay } from "./under-way.ts";
import { Assumption, Constraint } from "./workflows.ts";
import { AssumptionAccepted } from "./events.ts";
import { reading, planning, deciding, onMission } from "./permits.ts";

export const assumptionActions = {
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
    summary: "Record an assumption",
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
      await placeUnderWay(ctx, missionId);
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
    description: "Accepting an accepted one changes nothing.",
    async handler(ctx, workflow) {
      const assumption = await this.store(Assumption).get(ctx, ctx.params.id);
      if (assumption.missionId !== workflow.id) throw notFound(Assumption.title, assumption.id);
      if (assumption.status === "accepted") return assumption;
      if (assumption.status === "withdrawn")
        throw conflict("The design was handed over again without this assumption: there is nothing to accept.");
      await placeUnderWay(ctx, workflow.id);
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
    summary: "List the constraints of a workflow",
    permit: "signed-in",
    beyond: true,
    ...onMission,
    within: reading,
    query: Constraint.query,
    returns: list(Constraint.view),
    description: "They come from the problem set's design; another handoff replaces them.",
    handler(ctx, workflow) {
      const { id: missionId, problemSetId } = workflow;
      return this.store(Constraint).page(ctx, ctx.params, { problemSetId, missionId });
    },
  }),
};
