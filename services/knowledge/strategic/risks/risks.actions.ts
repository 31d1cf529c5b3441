import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { memberOf, personOf } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict, forbidden, invalid, invalidTransition } from "../../../../core/problem.ts";
import { onObjective, reading } from "../objectives/objectives.actions.ts";
import { demandStill } from "../objectives/removing.ts";
import { whoIs, withinSet } from "../objectives/actor-role.ts";
import { isHigh, isWorse, levelOf } from "./matrix.ts";
import { Risk, RiskAssessed, RiskReviewed } from "./risks.ts";

const { hazard, before, controls, after } = Risk.create;
const { sort, page, limit } = Risk.query;
const LONGEST_TITLE = 120;

const told = (
  { id, objectiveId, problemSetId, compartments, hazard: title, residualLevel: level }: Risk,
  by: string,
) => ({
  ...{ id, objectiveId, problemSetId, compartments, level, by },
  title: upTo(LONGEST_TITLE, title),
});

export const riskActions = {
  "risks.list": endpoint({
    rest: "GET /objectives/:id/risk",
    summary: "List the risk assessments of an objective",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    query: { status: Risk.query.status, residualLevel: Risk.query.residualLevel, sort, page, limit },
    returns: list(Risk.view),
    handler(ctx, objective) {
      return this.store(Risk).page(ctx, ctx.params, {
        problemSetId: objective.problemSetId,
        objectiveId: objective.id,
      });
    },
  }),

  "risks.assess": endpoint({
    rest: "POST /objectives/:id/risk",
    summary: "Assess a risk of an objective, before and after controls",
    permit: "signed-in",
    within: withinSet("risks:assess"),
    ...onObjective,
    body: { hazard, before, controls, after },
    returns: data(Risk.view),
    status: 201,
    description:
      "The level is derived from probability and severity by the matrix of ATP 5-19 and cannot be sent. " +
      "Without `after`, the controls change nothing.",
    example: {
      hazard: "The bridge is closed by ice",
      before: { probability: "likely", severity: "critical" },
      controls: [{ text: "Two ferries stand by", owner: "G4" }],
      after: { probability: "seldom", severity: "moderate" },
    },
    async handler(ctx, objective) {
      if (objective.status === "superseded" || objective.status === "rejected")
        throw conflict(`Risks of an objective that is ${objective.status} are not assessed.`);
      const { id: objectiveId, problemSetId, compartments } = objective;
      const initialLevel = levelOf(ctx.params.before);
      const residualLevel = levelOf(ctx.params.after ?? ctx.params.before);
      if (isWorse(residualLevel, initialLevel))
        throw invalid([{ path: "after", message: "With controls the risk is no worse than without." }]);
      if (ctx.params.after && residualLevel !== initialLevel && !ctx.params.controls.length)
        throw invalid([{ path: "controls", message: "Say what makes the risk less." }]);
      const derived = { initialLevel, residualLevel, ...(isHigh(residualLevel) && { high: true }) };
      const risk = await this.store(Risk).create(
        ctx,
        { ...ctx.params, ...derived, objectiveId, problemSetId, compartments, status: "proposed" },
        { facts: (made: Risk) => [RiskAssessed.fact(made.id, told(made, actorOf(ctx)))] },
      );
      return demandStill(this, objectiveId, Risk, risk);
    },
  }),

  "risks.review": endpoint({
    rest: "PUT /risk/:assessmentId/review",
    summary: "Accept a risk, or return it",
    permit: "signed-in",
    on: Risk,
    by: "assessmentId",
    within: withinSet("risks:decide"),
    body: {
      decision: z.enum(["accept", "return"]),
      reason: z.string().trim().min(1).max(4_000).optional().describe("The reason; required for a return."),
    },
    returns: data(Risk.view),
    description:
      "Requires a person. Only the commander can accept a residual level of EH or H; deputies cannot " +
      "accept a risk that they assessed themselves. A returned risk is assessed again.",
    errors: { 403: "Your role may not accept a risk of this level, you assessed it yourself, or you come with a key." },
    example: { decision: "return", reason: "Nobody has the ferries yet." },
    handler(ctx, risk) {
      const { decision, reason } = ctx.params;
      personOf(ctx.meta.actor);
      const status = decision === "accept" ? ("accepted" as const) : ("returned" as const);
      if (risk.status !== "proposed") throw invalidTransition(decision, risk.status, ["proposed"]);
      if (decision === "return" && !reason) throw invalid([{ path: "reason", message: "Say what is missing." }]);
      const { role, userId } = whoIs(ctx.meta.actor, risk.problemSetId);
      if (decision === "accept" && isHigh(risk.residualLevel))
        memberOf(ctx.meta.actor, risk.problemSetId, "risks:accept-high", { writes: true });
      if (decision === "accept" && role !== "commander" && userId === risk.createdBy)
        throw forbidden("Whoever assessed a risk does not accept it.");
      const at = iso(this.world.clock.now());
      return this.store(Risk).revise(
        ctx,
        risk,
        { status, reviewedBy: userId, reviewedAt: at, ...(reason && { reason }) },
        { facts: [RiskReviewed.fact(risk.id, { ...told(risk, userId), status })] },
      );
    },
  }),

  "risks.listHigh": endpoint({
    rest: "GET /risk/high-risk",
    summary: "List the high risks that you can see",
    permit: "signed-in",
    within: reading,
    query: Risk.query,
    returns: list(Risk.view),
    tool: "list_high_risks",
    description: "Those whose residual level is H or EH, from all your problem sets or from one.",
    handler(ctx) {
      return this.store(Risk).page(ctx, ctx.params, { high: { $exists: true } });
    },
  }),
};
