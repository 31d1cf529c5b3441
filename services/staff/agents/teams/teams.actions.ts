import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { bare, data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { notFound, unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { MESH } from "../executions/records.ts";
import { Agent, pauseOf, agentScope } from "../registry/agents.ts";
import { administering, changing, onAgent } from "../registry/administering.ts";
import { refuseInUse, usesSeen, UsesView } from "../registry/uses.ts";
import { leadFirst, MOST_MEMBERS, Team, unfitFor } from "./teams.ts";

const onTeam = { on: Team, by: "teamId" } as const;
const View = data(Team.view);

/** Throws 422 where the lead is no member, 404 for an agent out of sight, 422 for one that does not fit. */
async function demandFit(host: Host, ctx: Ctx<unknown>, team: Parameters<typeof unfitFor>[0] & Partial<Team>) {
  const { members = [], leadId } = team;
  if (leadId !== undefined && !members.includes(leadId))
    throw unprocessable("LEAD_NOT_MEMBER", "leadId: the lead of a team is one of its members.");
  const agents = new Map((await host.store(Agent).many(ctx, members)).map((one) => [one.id, one]));
  for (const [at, id] of members.entries()) {
    const agent = agents.get(id);
    if (!agent) throw unprocessable("NO_SUCH_AGENT", `members.${at}: there is no agent ${id}.`);
    const unfit = unfitFor(team, agent);
    if (unfit) throw unprocessable("UNFIT", `members.${at}: ${unfit}.`);
  }
}

export const teamActions = {
  "teams.list": endpoint({
    rest: "GET /admin/teams",
    summary: "List the teams of agents",
    permit: administering,
    query: Team.query,
    returns: list(Team.view),
    description: "Those of all problem sets, and those of your own.",
    handler(ctx) {
      return this.store(Team).page(ctx, ctx.params);
    },
  }),

  "teams.get": endpoint({
    rest: "GET /admin/teams/:teamId",
    summary: "Show a team of agents",
    permit: administering,
    ...onTeam,
    returns: View,
    handler: (_ctx, team) => team,
  }),

  "teams.create": endpoint({
    rest: "POST /admin/teams",
    summary: "Create a team of agents",
    permit: administering,
    within: changing,
    body: Team.create,
    returns: View,
    status: 201,
    description: "In a problem set, or for all of them. The lead is a member; each member is in the team once.",
    example: { name: "Analysis cell", members: [] },
    errors: { 422: "`LEAD_NOT_MEMBER`, `NO_SUCH_AGENT`, or `UNFIT`: an agent of another problem set or compartment." },
    async handler(ctx) {
      await demandFit(this, ctx, ctx.params as Team);
      return this.store(Team).create(ctx, { ...ctx.params, ...agentScope(ctx.params.problemSetId) });
    },
  }),

  "teams.update": endpoint({
    rest: "PUT /admin/teams/:teamId",
    summary: "Change a team of agents",
    permit: administering,
    within: changing,
    ...onTeam,
    body: Team.change,
    returns: View,
    description: "Omitted fields stay unchanged; null clears.",
    errors: { 422: "As for creating one." },
    async handler(ctx, team) {
      const { leadId = team.leadId, members = team.members } = ctx.params;
      await demandFit(this, ctx, { ...team, members, leadId: leadId ?? undefined } as Team);
      return this.store(Team).revise(ctx, team, ctx.params);
    },
  }),

  "teams.remove": endpoint({
    rest: "DELETE /admin/teams/:teamId",
    summary: "Remove a team of agents",
    permit: administering,
    within: changing,
    ...onTeam,
    returns: nothing(),
    status: 204,
    description: "Its agents are kept.",
    errors: { 409: "`IN_USE`, with what uses it." },
    async handler(ctx, team) {
      await refuseInUse(this, ctx, "team", team.id, Team.title);
      await this.store(Team).remove(ctx, team);
      return null;
    },
  }),

  "teams.listUses": endpoint({
    rest: "GET /admin/teams/:teamId/uses",
    summary: "Show what uses a team",
    permit: administering,
    ...onTeam,
    beyond: true,
    returns: data(UsesView),
    handler(ctx, team) {
      return usesSeen(this, ctx, "team", team.id);
    },
  }),

  "members.add": endpoint({
    rest: "POST /admin/teams/:teamId/members",
    summary: "Add an agent to a team",
    permit: administering,
    within: changing,
    ...onTeam,
    body: { agentId: TextId, lead: z.boolean().default(false).describe("Makes it the lead of the team.") },
    returns: View,
    description: "An agent that is in the team already stays in it once.",
    example: { agentId: "the agent's id" },
    errors: { 422: "`NO_SUCH_AGENT` or `UNFIT`." },
    async handler(ctx, team) {
      const { agentId, lead } = ctx.params;
      const members = [...new Set([...team.members, agentId])];
      const leadId = lead ? agentId : team.leadId;
      if (members.length === team.members.length && leadId === team.leadId) return team;
      if (members.length > MOST_MEMBERS)
        throw unprocessable("FULL", `agentId: a team has at most ${MOST_MEMBERS} members.`);
      await demandFit(this, ctx, { ...team, members, leadId } as Team);
      return this.store(Team).revise(ctx, team, { members, leadId });
    },
  }),

  "members.remove": endpoint({
    rest: "DELETE /admin/teams/:teamId/members/:agentId",
    summary: "Remove an agent from a team",
    permit: administering,
    within: changing,
    ...onTeam,
    path: { agentId: TextId },
    returns: nothing(),
    status: 204,
    errors: {
      404: "It is no member.",
      422: "`LEADS`: it leads the team and others are still in it; name another lead first.",
    },
    async handler(ctx, team) {
      const { agentId } = ctx.params;
      if (!team.members.includes(agentId)) throw notFound("member", agentId);
      const members = team.members.filter((id) => id !== agentId);
      if (team.leadId === agentId && members.length)
        throw unprocessable("LEADS", "agentId: it leads the team; name another lead first.");
      await this.store(Team).revise(ctx, team, { members, ...(team.leadId === agentId && { leadId: null }) });
      return null;
    },
  }),

  "memberships.list": endpoint({
    rest: "GET /admin/agents/:agentId/teams",
    summary: "List the teams that an agent is in",
    permit: administering,
    ...onAgent,
    query: Team.query,
    returns: list(Team.view),
    description: "Those that you can see.",
    handler(ctx, agent) {
      return this.store(Team).page(ctx, ctx.params as never, { members: agent.id });
    },
  }),

  /** Called by domains that give a team work. */
  "teams.ready": endpoint({
    summary: "The members of a team that can work now, its lead first; refused where there are none",
    permit: "internal",
    body: { teamId: TextId, problemSetId: TextId.optional() },
    returns: bare(
      z.object({ id: z.string(), name: z.string(), leadId: z.string().optional(), agentIds: z.array(z.string()) }),
    ),
    async handler(ctx) {
      const { teamId, problemSetId } = ctx.params;
      const team = await this.store(Team).get(MESH, teamId);
      if (team.problemSetId !== undefined && team.problemSetId !== problemSetId) throw notFound(Team.title, teamId);
      const agents = await this.store(Agent).many(MESH, team.members);
      const working = new Set(agents.filter((one) => !pauseOf(one)).map((one) => one.id));
      const agentIds = leadFirst(team).filter((one) => working.has(one));
      if (!agentIds.length) throw unprocessable("EMPTY_TEAM", "teamId: no agent of this team can work now.");
      const { id, name, leadId } = team;
      return { id, name, agentIds, ...(agentIds[0] === leadId && { leadId }) };
    },
  }),
};
