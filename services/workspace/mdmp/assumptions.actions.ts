import { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import { data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { conflict, invalidTransition, notFound } from "../../../core/problem.ts";
import { obstruct, workflowEvent } from "./transitions.ts";
import { placeUnderWay } from "./under-way.ts";
import { Assumption, Constraint, type Workflow } from "./workflows.ts";
import type { MissionPlace } from "../missions/client.ts";
import { AssumptionAccepted, AssumptionRecorded, AssumptionReopened, AssumptionWithdrawn } from "./events.ts";
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
    async handler(ctx, workflow) {
      const { id: missionId, problemSetId, compartments, phase } = workflow;
      const mission = await placeUnderWay(ctx, missionId);
      const assumption = await this.store(Assumption).create(
        ctx,
        { ...ctx.params, missionId, problemSetId, compartments, phase, status: "open" },
        {
          facts: (made: Assumption) => [
            AssumptionRecorded.fact(made.id, { ...toldOf(workflow, ctx, mission, made), blocking: made.blocking }),
          ],
        },
      );
      if (assumption.blocking) await obstruct(this, missionId);
      return assumption;
    },
  }),

  "assumptions.accept": endpoint({
    rest: "PUT /workflows/:missionId/assumptions/:id/accept",
    summary: "Accept an assumption, or declare it open again",
    permit: "signed-in",
    ...onMission,
    within: deciding,
    path: { id: TextId },
    body: { accepted: z.boolean().default(true), reason: Assumption.record.shape.reason },
    returns: data(Assumption.view),
    description:
      "`accepted: false` takes the acceptance, or a withdrawal, back: a blocking assumption then blocks again whatever " +
      "the process has not left yet. Accepting an accepted one changes nothing.",
    async handler(ctx, workflow) {
      const assumption = await ofWorkflow(this, ctx, workflow);
      const { accepted, reason } = ctx.params;
      if (assumption.status === (accepted ? "accepted" : "open")) return assumption;
      refuseWithdrawn(assumption, accepted);
      const told = toldOf(workflow, ctx, await placeUnderWay(ctx, workflow.id), assumption);
      return accepted ? accept(this, ctx, assumption, told) : reopen(this, ctx, assumption, told, reason);
    },
  }),

  "assumptions.withdraw": endpoint({
    rest: "POST /workflows/:missionId/assumptions/:id/withdraw",
    summary: "Withdraw an assumption that proved wrong, or is needed no longer",
    permit: "signed-in",
    beyond: true,
    ...onMission,
    within: deciding,
    path: { id: TextId },
    body: { reason: z.string().trim().min(1).max(4_000) },
    returns: data(Assumption.view),
    example: { reason: "The bridge fell at noon." },
    description:
      "It blocks nothing any more. `PUT …/accept` with `accepted: false` takes that back; a design that is handed over " +
      "again does not.",
    async handler(ctx, workflow) {
      const assumption = await ofWorkflow(this, ctx, workflow);
      const { status, id } = assumption;
      if (status === "withdrawn") throw invalidTransition("withdraw", status, ["open", "accepted"]);
      const mission = await placeUnderWay(ctx, workflow.id);
      const withdrawn = { withdrawnAt: iso(this.world.clock.now()), withdrawnBy: ctx.meta.actor!.userId };
      const change = { status: "withdrawn", ...UNACCEPTED, ...withdrawn, reason: ctx.params.reason } as const;
      return this.store(Assumption).revise(ctx, assumption, change, {
        facts: [AssumptionWithdrawn.fact(id, toldOf(workflow, ctx, mission, assumption))],
      });
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

const UNACCEPTED = { acceptedAt: null, acceptedBy: null };

const toldOf = (
  workflow: Workflow,
  ctx: Ctx<unknown>,
  mission: MissionPlace,
  { id, statement }: Pick<Assumption, "id" | "statement">,
) => ({
  ...workflowEvent(workflow, ctx, mission),
  assumptionId: id,
  statement,
});

async function ofWorkflow(host: Host, ctx: Ctx<{ id: string }>, workflow: Workflow): Promise<Assumption> {
  const assumption = await host.store(Assumption).get(ctx, ctx.params.id);
  if (assumption.missionId !== workflow.id) throw notFound(Assumption.title, assumption.id);
  return assumption;
}

/**
 * Throws 409 for a withdrawn assumption: a person's withdrawal must be reopened first, and what a design left out comes
 * back with a later design only.
 */
function refuseWithdrawn({ status, withdrawnBy }: Assumption, accepted: boolean): void {
  if (status !== "withdrawn") return;
  if (withdrawnBy === undefined)
    throw conflict("The design was handed over again without this assumption: there is nothing to accept.");
  if (accepted) throw invalidTransition("accept", status, ["open"]);
}

type Told = ReturnType<typeof toldOf>;

const accept = (host: Host, ctx: Ctx<unknown>, assumption: Assumption, told: Told): Promise<Assumption> =>
  host
    .store(Assumption)
    .revise(
      ctx,
      assumption,
      { status: "accepted", acceptedAt: iso(host.world.clock.now()), acceptedBy: ctx.meta.actor!.userId, reason: null },
      { facts: [AssumptionAccepted.fact(assumption.id, told)] },
    );

async function reopen(
  host: Host,
  ctx: Ctx<unknown>,
  assumption: Assumption,
  told: Told,
  reason: string | null = null,
): Promise<Assumption> {
  const opened = await host
    .store(Assumption)
    .revise(
      ctx,
      assumption,
      { status: "open", ...UNACCEPTED, withdrawnAt: null, withdrawnBy: null, reason },
      { facts: [AssumptionReopened.fact(assumption.id, told)] },
    );
  if (opened.blocking) await obstruct(host, assumption.missionId);
  return opened;
}
