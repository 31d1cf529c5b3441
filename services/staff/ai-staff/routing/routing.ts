import { z } from "zod";
import { derivedId } from "../../../../core/ids.ts";
import { notFound } from "../../../../core/problem.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";

/** The tabs of a workspace, each of which an agent can serve. */
export const TABS = [
  "overview",
  "news",
  "documents",
  "objectives",
  "design",
  "plan",
  "missions",
  "gates",
  "governance",
  "picture",
  "resources",
  "messages",
] as const;
export type TabId = (typeof TABS)[number];
/** Throws 404 for an unknown tab. */
export function demandTab(tab: string): void {
  if (!TABS.includes(tab as TabId)) throw notFound("tab", `${tab}; there are ${TABS.join(", ")}`);
}

/** Who answers on a tab without an agent. */
const DEFAULT_NAME = "Assistant";

/** Which agent, or which team by its lead, serves a tab of a problem set. */
export const Route = entity("ai-staff.routes", {
  title: "route",
  fields: { problemSetId: TextId, tab: z.enum(TABS), agentId: TextId.optional(), teamId: TextId.optional() },
  indexes: [{ fields: ["problemSetId"] }, { fields: ["agentId"], sparse: true }, { fields: ["teamId"], sparse: true }],
});
export type Route = Item<typeof Route>;
export const routeId = (problemSetId: string, tab: string): string => derivedId(`route ${problemSetId} ${tab}`);

export interface Usable {
  id: string;
  name: string;
}
/** A team with its available members, its lead first. */
export interface UsableTeam extends Usable {
  agentIds: readonly string[];
}
export interface Routed {
  agentId?: string;
  agentName: string;
  why: string;
}

const NOBODY = (tab: string): string => `Of the team that serves the tab ${tab} nobody can work`;

/** The first available member of a team: its lead, if possible. */
function byTeam(
  tab: string,
  teamId: string,
  agents: readonly Usable[],
  teams: readonly UsableTeam[],
): Routed | undefined {
  const team = teams.find(({ id }) => id === teamId);
  const agent = agents.find(({ id }) => id === team?.agentIds[0]);
  if (!team || !agent) return undefined;
  return {
    agentId: agent.id,
    agentName: agent.name,
    why: `It stands first in the team ${team.name}, which serves the tab ${tab}.`,
  };
}

/** Who answers on a tab, and why. */
export function routed(
  tab: string | undefined,
  route: Pick<Route, "agentId" | "teamId"> | null,
  agents: readonly Usable[],
  teams: readonly UsableTeam[] = [],
): Routed {
  const defaulting = (why: string): Routed => ({ agentName: DEFAULT_NAME, why: `${why}: the assistant answers.` });
  if (tab === undefined) return defaulting("No tab was named");
  if (route?.teamId) return byTeam(tab, route.teamId, agents, teams) ?? defaulting(NOBODY(tab));
  if (!route?.agentId) return defaulting(`No agent serves the tab ${tab}`);
  const agent = agents.find(({ id }) => id === route.agentId);
  if (!agent) return defaulting(`The agent that serves the tab ${tab} is switched off, or gone`);
  return { agentId: agent.id, agentName: agent.name, why: `It serves the tab ${tab}.` };
}

export const RouteView = z
  .object({
    tab: z.enum(TABS),
    agentId: TextId.nullable().describe("Who answers at the moment."),
    teamId: TextId.nullable().describe("The team that serves it."),
    agentName: z.string(),
    why: z.string(),
    rev: z.int().describe("0 where nobody has set it."),
  })
  .meta({ id: "StaffRoute" });
