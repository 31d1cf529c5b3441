import { Agent } from "./agents.ts";

/** The platform's administrators; in a problem set their role there must allow it too. */
export const administering = "platform:administer";
const set = "problemSetId";
export const administers = {
  reading: { set, may: "agents:read" },
  writing: { set, may: "agents:enrol" },
} as const;
export const onAgent = { on: Agent, by: "agentId" } as const;
