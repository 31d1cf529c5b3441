import { Agent } from "./agents.ts";

/** The platform's administrators: of problem sets they see what their membership there shows them. */
export const administering = "platform:administer";
/** And change, where their role there allows it too. */
export const changing = { set: "problemSetId", may: "agents:enrol" } as const;
export const onAgent = { on: Agent, by: "agentId" } as const;
