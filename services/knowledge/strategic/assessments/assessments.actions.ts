import { z } from "zod";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { CitedPlace } from "../../../../core/contract/citation.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid } from "../../../../core/problem.ts";
import { citationsAt } from "../objectives/citing.ts";
import { ObjectiveAssessed, objectiveEvent } from "../objectives/events.ts";
import { tellLive } from "../objectives/live.ts";
import { onObjective, reading } from "../objectives/objectives.actions.ts";
import { keepingIn } from "./keeping.ts";
import type { Measure, Objective } from "../objectives/objectives.ts";
import { demandStill } from "../objectives/removing.ts";
import { withinSet } from "../objectives/actor-role.ts";
import { Assessment } from "./assessments.ts";
import { MOST_POINTS, trendOf, type Trend } from "./trend.ts";

const { value, status, at, evidence } = Assessment.create;

/** The trend of all values up to this one; undefined without a value, or where the objective has no measure or date. */
async function trendWith(
  host: Host,
  ctx: Ctx<unknown>,
  objective: Objective,
  point: { at: string; value?: number | undefined },
): Promise<Trend | undefined> {
  const { id: objectiveId, problemSetId, statement, measure, dueAt, createdAt } = objective;
  if (!measure || !dueAt || point.value === undefined) return undefined;
  const before = await host
    .store(Assessment)
    .find(
      ctx,
      { problemSetId, objectiveId, at: { $lte: point.at } },
      { sort: ["-at"], limit: MOST_POINTS, fields: ["value", "at", "problemSetId", "compartments"] },
    );
  const points = [...before, point].flatMap((one) =>
    one.value === undefined ? [] : [{ at: Date.parse(one.at), value: one.value }],
  );
  const begins = Math.min(Date.parse(createdAt), ...points.map((one) => one.at));
  const keep = measure.keep ?? (hasWayToGo(measure) ? undefined : keepingIn(statement, measure.unit));
  const course = { measure: { ...measure, ...(keep && { keep }) }, begins, due: Date.parse(dueAt) };
  return trendOf(points, course, Date.parse(point.at)) ?? undefined;
}

const hasWayToGo = ({ baseline, target }: Measure): boolean => baseline !== undefined && baseline !== target;

export const assessmentActions = {
  "objectives.assess": endpoint({
    rest: "POST /objectives/:id/assess",
    summary: "Assess the progress of an objective",
    permit: "signed-in",
    within: withinSet("objectives:assess"),
    ...onObjective,
    body: {
      value,
      status: status.optional().describe("Your judgement; what the trend says without it."),
      at: at.optional().describe("When it was so; now without it."),
      evidence,
      citations: z.array(CitedPlace).max(50).default([]),
    },
    returns: data(Assessment.view),
    status: 201,
    description:
      "With a measure and a date, the trend of all values is compared with the line to the target: its " +
      "Theil-Sen slope, where it leads, and what would be required. What is to be kept (`keep`, or words " +
      'like "keep" and "stay below") is on track while it is. Otherwise, send the `status`.',
    example: { status: "on-track", evidence: ["The weekly report of the convoy escort"] },
    async handler(ctx, objective) {
      const now = iso(this.world.clock.now());
      const { citations: places, at: when = now, ...fields } = ctx.params;
      if (when > now) throw invalid([{ path: "at", message: "It was not so yet." }]);
      if (objective.status === "superseded" || objective.status === "rejected")
        throw conflict(`An objective that is ${objective.status} is not assessed.`);
      const trend = await trendWith(this, ctx, objective, { at: when, value: fields.value });
      const said = fields.status ?? trend?.status;
      if (!said)
        throw invalid([
          {
            path: "status",
            message: "Say it: it follows only from a value of an objective with a measure and a date.",
          },
        ]);
      const { id: objectiveId, problemSetId, compartments } = objective;
      const citations = await citationsAt(ctx, places, objective);
      const told = (made: Assessment) => ({
        ...objectiveEvent(objective, actorOf(ctx)),
        status: said,
        assessmentId: made.id,
      });
      const assessment = await this.store(Assessment).create(
        ctx,
        { ...fields, objectiveId, problemSetId, compartments, at: when, status: said, citations, trend },
        { facts: (made: Assessment) => [ObjectiveAssessed.fact(objectiveId, told(made))] },
      );
      await tellLive(this, objective);
      return demandStill(this, objectiveId, Assessment, assessment);
    },
  }),

  "objectives.listAssessments": endpoint({
    rest: "GET /objectives/:id/assessments",
    summary: "List the assessments of an objective",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    query: Assessment.query,
    returns: list(Assessment.view),
    beyond: true,
    handler(ctx, objective) {
      return this.store(Assessment).page(ctx, ctx.params, {
        problemSetId: objective.problemSetId,
        objectiveId: objective.id,
      });
    },
  }),
};
