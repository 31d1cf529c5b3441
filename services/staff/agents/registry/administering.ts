import { Agent } from "./agents.ts";

/** For the platform's administrators: in problem sets they see what their membership allows. */
export const administering = "platform:administer";
/** And change, where their role in the set allows it too. */
export const changing = { set: "problemSetId", may: "agents:enrol" } as const;
export const onAgent = { on: Agent, by: "agentId" } as const;
