import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { advise, Advice, closesSoon, type Governance } from "./copilot.ts";

/** How many of the newest records of each kind it reads in each problem set. */
const MOST_SEEN = 100;
const MOST_SETS = 20;

type Row = Governance["proposals"][number];

interface Page<T> {
  data: T[];
}

/** What the caller may see, read on their behalf. */
async function seen(ctx: Ctx<unknown>, sets: readonly string[], now: number): Promise<Governance> {
  const page = async <T>(action: string, params: object): Promise<T[]> =>
    (await ctx.call<Page<T>, object>(action, { ...params, limit: MOST_SEEN })).data;
  const gates = await Promise.all(
    sets.map((problemSetId) => page<Governance["gates"][number]>("gates.list", { problemSetId })),
  );
  const daos = (
    await Promise.all(sets.map((problemSetId) => page<Governance["daos"][number]>("dao.list", { problemSetId })))
  ).flat();
  const proposals = await Promise.all(daos.map(({ id: daoId }) => page<Row>("dao.proposals.list", { daoId })));
  const counted = proposals
    .flat()
    .map(async (one) => (closesSoon(one, now) ? { ...one, isQuorate: await isQuorate(ctx, one) } : one));
  return { gates: gates.flat(), daos, proposals: await Promise.all(counted) };
}

async function isQuorate(ctx: Ctx<unknown>, { daoId, id: proposalId }: Row): Promise<boolean> {
  const { recomputed } = await ctx.call<{ recomputed: { quorum: { reached: boolean } } }, object>(
    "dao.proposals.getTally",
    { daoId, proposalId },
  );
  return recomputed.quorum.reached;
}

export const copilotActions = {
  "governanceAnalyses.get": endpoint({
    rest: "GET /agents/governance-copilot/analyze",
    summary: "Show what blocks decisions, with proposals",
    permit: "signed-in",
    within: { set: "problemSetId", may: "agents:read" },
    query: { problemSetId: TextId.optional().describe("Without it, your first twenty problem sets.") },
    returns: data(
      z.object({
        asOf: Instant,
        method: z.literal("rules"),
        seen: z.object({ problemSets: z.int(), gates: z.int(), daos: z.int(), proposals: z.int() }),
        advice: z.array(Advice),
      }),
    ),
    description:
      "Applies rules to the DAOs, gates, deadlines and quorums that you can see. It starts and stores " +
      "nothing: proposals are drafts.",
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const own = Object.keys(ctx.meta.actor?.memberships ?? {})
        .sort()
        .slice(0, MOST_SETS);
      const sets = problemSetId === undefined ? own : [problemSetId];
      const now = this.world.clock.now();
      const { gates, daos, proposals } = await seen(ctx, sets, now);
      return {
        asOf: iso(now),
        method: "rules" as const,
        seen: { problemSets: sets.length, gates: gates.length, daos: daos.length, proposals: proposals.length },
        advice: advise({ gates, daos, proposals }, now),
      };
    },
  }),
};
