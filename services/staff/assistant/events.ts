import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { EMERGENCY_ACTIONS } from "./emergencies/emergencies.ts";
import { upTo } from "../../../core/text/cutting.ts";

type Ordered = (typeof EMERGENCY_ACTIONS)[number];

const WORDS: Readonly<Record<Ordered, string>> = {
  "freeze-agents": "All agents everywhere are stopped",
  "freeze-set": "All agents here are stopped",
  "cancel-runs": "What agents and workflows had under way is ended",
  "revoke-delegations": "What was delegated to agents is withdrawn",
  resume: "Agents may work again",
};

/** Sent before it is carried out. */
export const EmergencyOrdered = event(
  "assistant.emergency.ordered",
  z.object({
    id: z.string(),
    problemSetId: z.string(),
    compartments: z.array(z.string()),
    by: z.string(),
    action: z.enum(EMERGENCY_ACTIONS),
    scope: z.enum(["set", "all"]),
    reason: z.string(),
  }),
  {
    activity: {
      subject: ["emergency", "id"],
      words: ({ action, reason }) => `${WORDS[action]}: ${upTo(500, reason)}`,
    },
  },
);
