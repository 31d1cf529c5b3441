import { z } from "zod";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  missionId: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
});
export const WorkflowStarted = event("workspace.workflow.started", EventData, {
  activity: { subject: ["workflow", "missionId"], words: () => "The decision process of a mission was started." },
});
export const PhaseChanged = event(
  "workspace.workflow.phase-changed",
  EventData.extend({ from: z.string(), to: z.string() }),
  {
    activity: {
      subject: ["workflow", "missionId"],
      words: ({ from, to }) => `The decision process went from ${from} to ${to}.`,
    },
  },
);
export const GateSatisfied = event(
  "workspace.workflow.gate-satisfied",
  EventData.extend({ gateId: z.string(), name: z.string() }),
  { activity: { subject: ["workflow", "missionId"], words: ({ name }) => `The phase gate "${name}" is satisfied.` } },
);
export const GateReopened = event(
  "workspace.workflow.gate-reopened",
  EventData.extend({ gateId: z.string(), name: z.string() }),
  { activity: { subject: ["workflow", "missionId"], words: ({ name }) => `The phase gate "${name}" is open again.` } },
);
const AssumptionData = EventData.extend({ assumptionId: z.string(), statement: z.string() });
export const AssumptionAccepted = event("workspace.workflow.assumption-accepted", AssumptionData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ statement }) => `An assumption was accepted: ${statement}`,
  },
});
export const AssumptionReopened = event("workspace.workflow.assumption-reopened", AssumptionData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ statement }) => `An assumption is open again: ${statement}`,
  },
});
export const AssumptionWithdrawn = event("workspace.workflow.assumption-withdrawn", AssumptionData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ statement }) => `An assumption was withdrawn: ${statement}`,
  },
});
