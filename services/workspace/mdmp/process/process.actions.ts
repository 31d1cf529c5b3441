import { z } from "zod";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { notFound } from "../../../../core/problem.ts";
import { ACTIVITIES, activityOf, ACTIVITY_CATEGORIES } from "./activities.ts";
import { PHASES, TITLES } from "./phases.ts";
import { phaseFigures } from "./statistics.ts";
import { reading } from "../permits.ts";

const Phase = z.enum(PHASES);
const ActivityView = z
  .object({
    id: z.string(),
    phase: Phase,
    category: z.enum(ACTIVITY_CATEGORIES),
    title: z.string(),
    inputs: z.array(z.string()),
    steps: z.array(z.string()),
    outputs: z.array(z.string()),
  })
  .meta({ id: "PlanningActivity" });

export const processActions = {
  "activities.list": endpoint({
    rest: "GET /activities",
    summary: "List the activities of the process, by phase and category",
    permit: "signed-in",
    query: { phase: Phase.optional(), category: z.enum(ACTIVITY_CATEGORIES).optional() },
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
    summary: "Get figures about one phase, over the workflows you may see",
    permit: "signed-in",
    path: { phase: Phase.describe("The phase of the process.") },
    query: { problemSetId: TextId.optional() },
    within: reading,
    returns: data(
      z.object({
        phase: Phase,
        title: z.string(),
        workflows: z.int().describe("Workflows that have been in the phase."),
        present: z.int().describe("Workflows that are in it now."),
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
        ...(await phaseFigures(this, ctx, phase, problemSetId ? { problemSetId } : {})),
      };
    },
  }),
};
