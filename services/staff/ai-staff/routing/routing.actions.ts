import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { data } from "../../../../core/contract/answer.ts";
import { demandMatch, endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid, unprocessable } from "../../../../core/problem.ts";
import { TextId, textId } from "../../../../core/records/entity.ts";
import { agentUses, MOST_USES, type RecordUse } from "../../agents/client.ts";
import { reading } from "../feed/feed.actions.ts";
import {
  demandTab,
  Route,
  routed,
  routeId,
  RouteView,
  TABS,
  type Routed,
  type Usable,
  type UsableTeam,
} from "./routing.ts";

const MESH = asSystem("ai-staff");
const path = { problemSetId: TextId };

/** Available agents of a problem set that all its members may see. */
export const usableIn = (host: Host, problemSetId: string): Promise<Usable[]> =>
  host.ask<Usable[]>("agents.available", { problemSetId });

const teamsUsableIn = (host: Host, problemSetId: string): Promise<UsableTeam[]> =>
  host.ask<UsableTeam[]>("agents.teams", { problemSetId });

interface Usables {
  agents: readonly Usable[];
  teams: readonly UsableTeam[];
}
async function usables(host: Host, problemSetId: string): Promise<Usables> {
  const [agents, teams] = await Promise.all([usableIn(host, problemSetId), teamsUsableIn(host, problemSetId)]);
  return { agents, teams };
}

const viewOf = (tab: (typeof TABS)[number], route: Route | null, { agents, teams }: Usables) => {
  const { agentId, agentName, why }: Routed = routed(tab, route, agents, teams);
  return { tab, agentId: agentId ?? null, teamId: route?.teamId ?? null, agentName, why, rev: route?.rev ?? 0 };
};

/** Throws 400 unless exactly one agent or team is named to serve a tab. */
function demandOne({
  agentId,
  teamId,
}: {
  agentId?: string | null | undefined;
  teamId?: string | null | undefined;
}): void {
  if (agentId === undefined && teamId === undefined)
    throw invalid([{ path: "agentId", message: "An agent, a team, or null." }]);
  if (agentId && teamId) throw invalid([{ path: "teamId", message: "An agent, or a team; not both." }]);
}

/** Who answers on a tab of a problem set now. */
export async function answererOn(host: Host, problemSetId: string, tab: string | undefined): Promise<Routed> {
  const [route, agents] = await Promise.all([
    tab === undefined ? null : host.store(Route).one(MESH, { _id: routeId(problemSetId, tab) }),
    usableIn(host, problemSetId),
  ]);
  const teams = route?.teamId ? await teamsUsableIn(host, problemSetId) : [];
  return routed(tab, route, agents, teams);
}

export const routeActions = {
  "routes.list": endpoint({
    rest: "GET /:problemSetId/routing",
    summary: "List which agent serves which tab",
    permit: "signed-in",
    within: reading,
    path,
    returns: data(z.array(RouteView)),
    description:
      "Lists all tabs. If neither an agent nor a team serves a tab, the assistant answers, and `why` says so.",
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const [routes, known] = await Promise.all([
        this.store(Route).find(MESH, { problemSetId }),
        usables(this, problemSetId),
      ]);
      return TABS.map((tab) => viewOf(tab, routes.find((route) => route.tab === tab) ?? null, known));
    },
  }),

  agentUses: endpoint({
    ...agentUses,
    async handler(ctx): Promise<RecordUse[]> {
      const { kind, id } = ctx.params;
      if (kind === "tool") return [];
      const query = kind === "agent" ? { agentId: id } : { teamId: id };
      const routes = await this.store(Route).find(MESH, query, { limit: MOST_USES });
      return routes.map((one) => ({
        type: "tab",
        id: one.tab,
        name: `The staff's tab ${one.tab}`,
        problemSetId: one.problemSetId,
      }));
    },
  }),

  "routes.set": endpoint({
    rest: "PUT /:problemSetId/routing/:tabId",
    summary: "Set which agent or team serves a tab",
    permit: "signed-in",
    within: { set: "problemSetId", may: "ai-staff:route" },
    path: { ...path, tabId: textId(60) },
    body: {
      agentId: TextId.nullable().optional().describe("Null: the assistant answers, unless a team is named."),
      teamId: TextId.nullable()
        .optional()
        .describe("A team instead: its lead answers, or otherwise its first member that can work."),
    },
    returns: data(RouteView),
    description:
      "Names an agent or a team of this problem set, or one for all sets; who leads the team, and whether they can " +
      `work, is checked for each message. Tabs: ${TABS.join(", ")}.`,
    example: { agentId: null },
    errors: {
      404: "There is no such tab.",
      400: "Both an agent and a team, or neither, are given.",
      422: "`OTHER_SET`: no agent or team of this problem set.",
    },
    async handler(ctx) {
      const { problemSetId, tabId, agentId = null, teamId = null } = ctx.params;
      demandTab(tabId);
      const tab = tabId as (typeof TABS)[number];
      demandOne(ctx.params);
      const known = await usables(this, problemSetId);
      if (agentId !== null && !known.agents.some(({ id }) => id === agentId))
        throw unprocessable("OTHER_SET", "agentId: no agent that can be used in this problem set.");
      if (teamId !== null && !known.teams.some(({ id }) => id === teamId))
        throw unprocessable("OTHER_SET", "teamId: no team that can be used in this problem set.");
      const id = routeId(problemSetId, tab);
      const there = await this.store(Route).one(MESH, { _id: id });
      demandMatch(ctx.locals.ifMatch, Route.title, there ?? { id, rev: 0 });
      const served = { ...(agentId !== null && { agentId }), ...(teamId !== null && { teamId }) };
      const { record, made } = await this.store(Route).createOnce(ctx, { id, problemSetId, tab, ...served });
      return viewOf(tab, made ? record : await this.store(Route).change(ctx, id, () => ({ agentId, teamId })), known);
    },
  }),
};
