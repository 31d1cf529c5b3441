import { z } from "zod";
import { actorOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict, invalidTransition } from "../../../../core/problem.ts";
import { Objective, objectiveRecord, theilSen } from "../../strategic/client.ts";
import { calculate, isOut } from "./calculating.ts";
import { bear, Borne } from "./validity-updates.ts";
import { FALL_DAYS } from "./scoring.ts";
import { Validity, ValidityAlert, ValidityPoint } from "./validity.ts";

const set = "problemSetId";
const reading = { set, may: "validity:read" } as const;
const onObjective = { on: Objective, by: "objectiveId", loads: objectiveRecord } as const;
const DAY_MS = 86_400_000;
const MOST_POINTS = 200;
/** A slope of less than so many a day is none. */
const STEADY = 0.2;

/** What happened within less than this gives no change a day. */
const APART_MS = DAY_MS / 2;

const directionOf = (slope: number): "rising" | "steady" | "falling" =>
  slope > STEADY ? "rising" : slope < -STEADY ? "falling" : "steady";

const Trend = z
  .object({
    objectiveId: z.string(),
    score: z.number().nullable().describe("Now; null before it was calculated."),
    points: z.int(),
    slope: z
      .number()
      .nullable()
      .describe("Change a day (Theil-Sen); null with points of fewer than two times half a day apart."),
    week: z.number().nullable().describe("Change within seven days; null without a point so old, or none."),
    direction: z.enum(["rising", "steady", "falling"]).nullable(),
    days: z.int(),
  })
  .meta({ id: "ValidityTrend" });

export const validityActions = {
  "validities.calculate": endpoint({
    rest: "POST /validity/:objectiveId/calculate",
    summary: "Calculate the validity of an objective",
    permit: "signed-in",
    ...onObjective,
    within: { set, may: "validity:calculate" },
    returns: data(Validity.view),
    tool: "calculate_validity",
    description:
      "A score from 0 to 100, in parts that add up: 100 minus its age (MISP's decay over 180 days since " +
      "it was last approved or assessed), contradictions weighted by their likelihood, withdrawn " +
      "sources and a failing assessment, plus what confirms it. Only what everybody who sees the " +
      "objective can see counts. From then on it is recalculated with each change, and daily.",
    errors: { 409: "It was rejected, or gave way to another." },
    handler(_ctx, objective) {
      if (isOut(objective)) throw conflict(`An objective that is ${objective.status} has no validity.`);
      return calculate(this, objective);
    },
  }),

  "validities.listHistory": endpoint({
    rest: "GET /validity/:objectiveId/history",
    summary: "List the validity of an objective over time, one point per change",
    permit: "signed-in",
    ...onObjective,
    within: reading,
    query: ValidityPoint.query,
    returns: list(ValidityPoint.view),
    handler(ctx, { id: objectiveId, problemSetId }) {
      return this.store(ValidityPoint).page(ctx, ctx.params, { problemSetId, objectiveId });
    },
  }),

  "validities.getTrend": endpoint({
    rest: "GET /validity/:objectiveId/trend",
    summary: "Forecast the validity of an objective",
    permit: "signed-in",
    ...onObjective,
    within: reading,
    query: { days: z.int().min(1).max(366).default(30).describe("How far back points are taken.") },
    returns: data(Trend),
    tool: "validity_trend",
    description:
      "The change a day and within a week, and its direction, from the scores of the last `days`. Null as long as " +
      "there are too few of them; `POST /api/graph/validity/{objectiveId}/calculate` makes the first.",
    async handler(ctx, { id: objectiveId, problemSetId }) {
      const { days } = ctx.params;
      const now = this.world.clock.now();
      const [validity, found] = await Promise.all([
        this.store(Validity).one(ctx, { _id: objectiveId }),
        this.store(ValidityPoint).find(ctx, { problemSetId, objectiveId }, { sort: ["-at"], limit: MOST_POINTS }),
      ]);
      const points = found.map(({ at, score }) => ({ at: Date.parse(at), value: score }));
      const recent = points.filter(({ at }) => at >= now - days * DAY_MS);
      // A score holds until it changes: it is a point of today as well.
      const drawn = validity ? [...recent, { at: now, value: validity.score }] : recent;
      const slope = theilSen(drawn, APART_MS)?.slope ?? null;
      const old = points.find(({ at }) => at <= now - FALL_DAYS * DAY_MS);
      const direction = slope === null ? null : directionOf(slope);
      return {
        ...{ objectiveId, days, points: recent.length, slope, direction },
        score: validity?.score ?? null,
        week: validity && old ? Math.round((validity.score - old.value) * 10) / 10 : null,
      };
    },
  }),

  "validities.listAlerts": endpoint({
    rest: "GET /validity/alerts",
    summary: "List the alerts about objectives that no longer hold",
    permit: "signed-in",
    within: reading,
    query: ValidityAlert.query,
    returns: list(ValidityAlert.view),
    tool: "list_validity_alerts",
    description:
      "An alert opens below 50, or after a loss of 15 within seven days, and closes automatically above " +
      "60. From all your problem sets, or from one.",
    handler(ctx) {
      return this.store(ValidityAlert).page(ctx, ctx.params);
    },
  }),

  "validities.acknowledgeAlert": endpoint({
    rest: "POST /validity/alerts/:alertId/acknowledge",
    summary: "Acknowledge an alert about an objective",
    permit: "signed-in",
    on: ValidityAlert,
    by: "alertId",
    within: { set, may: "validity:acknowledge" },
    body: { note: z.string().trim().min(1).max(2_000).optional() },
    returns: data(ValidityAlert.view),
    errors: { 409: "It is acknowledged or closed already (`INVALID_TRANSITION`)." },
    handler(ctx, alert) {
      if (alert.status !== "open") throw invalidTransition("acknowledge", alert.status, ["open"]);
      const { note } = ctx.params;
      return this.store(ValidityAlert).revise(ctx, alert, {
        ...{ status: "acknowledged", acknowledgedBy: actorOf(ctx), acknowledgedAt: iso(this.world.clock.now()) },
        ...(note !== undefined && { note }),
      });
    },
  }),

  "validities.list": endpoint({
    rest: "GET /validity/objectives",
    summary: "List the objectives whose validity is known",
    permit: "signed-in",
    within: reading,
    query: Validity.query,
    returns: list(Validity.view),
    description: "Approved objectives, and others calculated once; the lowest score first with `sort=score`.",
    handler(ctx) {
      return this.store(Validity).page(ctx, ctx.params);
    },
  }),

  "validities.bear": endpoint({
    summary: "Take note of what a product of fusion says, or says no longer",
    permit: "internal",
    body: Borne.shape,
    returns: bare(z.null()),
    async handler(ctx) {
      await bear(this, ctx.params);
      return null;
    },
  }),
};
