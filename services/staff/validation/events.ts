import { z } from "zod";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  id: z.string(),
  agentId: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
  name: z.string(),
});

const percent = (share: number | undefined): string =>
  share === undefined ? "came to no result" : `passed ${Math.round(100 * share)} % of its cases`;

export const RunEnded = event("validation.run.ended", EventData.extend({ passRate: z.number().optional() }), {
  activity: {
    subject: ["validation-run", "id"],
    words: ({ name, passRate }) => `The agent "${name}" was validated: it ${percent(passRate)}.`,
  },
});
export const CircuitOpened = event("validation.circuit.opened", EventData.extend({ why: z.string() }), {
  activity: {
    subject: ["agent", "agentId"],
    words: ({ name, why }) => `The agent "${name}" was stopped by validation: ${why}`,
  },
});
export const AgentReinstated = event("validation.circuit.closed", EventData, {
  activity: { subject: ["agent", "agentId"], words: ({ name }) => `The agent "${name}" was brought back.` },
});
