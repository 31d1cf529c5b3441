import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { GATE_STATES } from "./gates.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  name: z.string(),
  by: z.string(),
});
export const GateCreated = event("workspace.gate.created", EventData, {
  activity: { subject: ["gate", "id"], words: ({ name }) => `The gate "${name}" was added.` },
});
export const GateConfigured = event(
  "workspace.gate.configured",
  EventData.extend({
    reopened: z.boolean().default(false).describe("It is open again."),
    was: z.enum(GATE_STATES).default("expired").describe("What it was before it was opened again."),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["gate", "id"],
      words: ({ name, reopened, was, reason }) =>
        reopened
          ? `The gate "${name}", which ${was === "expired" ? "had" : "was"} ${was}, is open again${reason ? `: ${reason}` : "."}`
          : `The gate "${name}" was set up anew.`,
    },
  },
);
export const GateSubmitted = event("workspace.gate.submitted", EventData, {
  activity: { subject: ["gate", "id"], words: ({ name }) => `The gate "${name}" was put up for approval.` },
});
/** Approved, rejected, overridden or expired. */
export const GateDecided = event(
  "workspace.gate.decided",
  EventData.extend({ status: z.enum(GATE_STATES), reason: z.string().optional() }),
  {
    activity: {
      subject: ["gate", "id"],
      words: ({ name, status, reason }) => `The gate "${name}" was ${status}${reason ? `: ${reason}` : "."}`,
    },
  },
);
export const GateEscalated = event(
  "workspace.gate.escalated",
  EventData.extend({ to: z.object({ problemSetId: z.string(), gateId: z.string() }), reason: z.string().optional() }),
  { activity: { subject: ["gate", "id"], words: ({ name }) => `The gate "${name}" was passed up to the parent.` } },
);
