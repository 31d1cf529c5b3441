import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { data } from "../../../../core/contract/answer.ts";
import { demandMatch, endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { agentUses, MOST_USES, type Use } from "../../agents/client.ts";
import { reading } from "../feed/feed.actions.ts";
import { demandTab, Route, routed, routeId, RouteView, TABS, type Routed, type Usable } from "./routing.ts";

const US = asSystem("ai-staff");
const path = { problemSetId: TextId };

/** Agents of a problem set that everybody in it knows of, and that work. */
export const usableIn = (host: Host, problemSetId: string): Promise<Usable[]> =>
  host.ask<Usable[]>("agents.available", { problemSetId });

const viewOf = (tab: (typeof TABS)[number], route: Route | null, agents: readonly Usable[]) => {
  const found: Routed = routed(tab, route, agents);
  return { tab, agentId: found.agentId ?? null, agentName: found.agentName, why: found.why, rev: route?.rev ?? 0 };
};

/** Who answers on a tab of a problem set at this moment. */
export async function answererOn(host: Host, problemSetId: string, tab: string | undefined): Promise<Routed> {
  const [route, agents] = await Promise.all([
    tab === undefined ? null : host.store(Route).one(US, { _id: routeId(problemSetId, tab) }),
    usableIn(host, problemSetId),
  ]);
  return routed(tab, route, agents);
}

export const routeActions = {
  "routes.list": endpoint({
    rest: "GET /:problemSetId/routing",
    summary: "List which agent serves which tab",
    permit: "signed-in",
    within: reading,
    path,
    returns: data(z.array(RouteView)),
    description: "All tabs that there are; where no agent serves one, the assistant answers, and `why` says so.",
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const [routes, agents] = await Promise.all([
        this.store(Route).find(US, { problemSetId }),
        usableIn(this, problemSetId),
      ]);
      return TABS.map((tab) => viewOf(tab, routes.find((route) => route.tab === tab) ?? null, agents));
    },
  }),

  agentUses: endpoint({
    ...agentUses,
    async handler(ctx): Promise<Use[]> {
      const { kind, id } = ctx.params;
      if (kind !== "agent") return [];
      const routes = await this.store(Route).find(US, { agentId: id }, { limit: MOST_USES });
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
    summary: "Say which agent serves a tab",
    permit: "signed-in",
    within: { set: "problemSetId", may: "ai-staff:route" },
    path: { ...path, tabId: z.string().max(60) },
    body: { agentId: TextId.nullable().describe("Null: the assistant answers.") },
    returns: data(RouteView),
    description: `An agent of this problem set, or of every one, that works. Tabs: ${TABS.join(", ")}.`,
    example: { agentId: null },
    errors: { 404: "There is no such tab.", 422: "`OTHER_SET`: no agent of this problem set." },
    async handler(ctx) {
      const { problemSetId, tabId, agentId } = ctx.params;
      demandTab(tabId);
      const tab = tabId as (typeof TABS)[number];
      const agents = await usableIn(this, problemSetId);
      if (agentId !== null && !agents.some(({ id }) => id === agentId))
        throw unprocessable("OTHER_SET", "agentId: no agent that can be used in this problem set.");
      const id = routeId(problemSetId, tab);
      const there = await this.store(Route).one(US, { _id: id });
      demandMatch(ctx.locals.ifMatch, Route.title, there ?? { id, rev: 0 });
      const given = { id, problemSetId, tab, ...(agentId !== null && { agentId }) };
      const { record, made } = await this.store(Route).createOnce(ctx, given);
      return viewOf(tab, made ? record : await this.store(Route).change(ctx, id, () => ({ agentId })), agents);
    },
  }),
};
