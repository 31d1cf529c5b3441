import { z } from "zod";
import { liveType, type LiveType, type Telling } from "../../../core/contract/live.ts";
import { showing } from "../../../core/events/showing.ts";
import { administering } from "./registry/administering.ts";
import { Agent } from "./registry/agents.ts";
import { Team } from "./teams/teams.ts";
import { Tool } from "./tools/tools.ts";

const TOPIC = "agents";
const about = { domain: "agents", topics: [TOPIC], payload: z.object({ id: z.string() }) };

export const AgentAltered = liveType("agent.changed", {
  ...about,
  summary: "An agent that you see came to be, changed, was stopped or removed (topic `agents` for those of all sets)",
  may: "agents:read",
});
export const TeamAltered = liveType("team.changed", {
  ...about,
  summary: "A team of agents that you see came to be, changed or was removed (topic `agents` for those of all sets)",
  permit: administering,
});
export const ToolAltered = liveType("tool.changed", {
  ...about,
  summary: "A tool of agents was added, changed or removed (topic `agents`)",
  permit: administering,
});

/** What lies in no problem set is the same in training and in operations. */
function tellings(
  event: LiveType<typeof about.payload>,
  id: string,
  { problemSetId, compartments }: { problemSetId?: string | undefined; compartments?: string[] } = {},
): Telling<typeof about.payload>[] {
  const data = { id };
  return problemSetId !== undefined
    ? [{ event, to: { problemSetId, compartments: compartments ?? [] }, data }]
    : [false, true].map((training) => ({ event, to: { topic: TOPIC, training }, data }));
}

export const SHOWS = [
  showing(Agent, (agent) => tellings(AgentAltered, agent.id, agent)),
  showing(Team, (team) => tellings(TeamAltered, team.id, team)),
  showing(Tool, ({ id }) => tellings(ToolAltered, id)),
];
