import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { GATE_STATES, type GateState } from "./gates.ts";

const back = (was: GateState): string =>
  was === "escalated"
    ? " was taken back from the parent"
    : `, which ${was === "expired" ? "had" : "was"} ${was}, is open again`;

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
    reopened: z.boolean().default(false).describe("It is open again, or what it was before it was passed up."),
    was: z.enum(GATE_STATES).default("expired").describe("What it was before it was opened again."),
    status: z.enum(GATE_STATES).default("open").describe("What it is then."),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["gate", "id"],
      words: ({ name, reopened, was, reason }) =>
        reopened
          ? `The gate "${name}"${back(was)}${reason ? `: ${reason}` : "."}`
          : `The gate "${name}" was set up anew.`,
    },
  },
);
export const GateSubmitted = event("workspace.gate.submitted", EventData, {
  activity: { subject: ["gate", "id"], words: ({ name }) => `The gate "${name}" was put up for approval.` },
});
/** What became of a gate that was decided, or that nobody decided in time. */
function became(status: string, isWithdrawn: boolean): string {
  if (isWithdrawn) return "was taken back below";
  return status === "expired" ? status : `was ${status}`;
}
/** Approved, rejected, overridden or expired. */
export const GateDecided = event(
  "workspace.gate.decided",
  EventData.extend({
    status: z.enum(GATE_STATES),
    withdrawn: z.boolean().default(false).describe("It was passed up by a child, which took it back."),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["gate", "id"],
      words: ({ name, status, withdrawn, reason }) =>
        `The gate "${name}" ${became(status, withdrawn)}${reason ? `: ${reason}` : "."}`,
    },
  },
);
export const GateEscalated = event(
  "workspace.gate.escalated",
  EventData.extend({ to: z.object({ problemSetId: z.string(), gateId: z.string() }), reason: z.string().optional() }),
  { activity: { subject: ["gate", "id"], words: ({ name }) => `The gate "${name}" was passed up to the parent.` } },
);
