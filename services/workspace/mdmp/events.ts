import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { isForward, PHASES, STAGES, TITLES } from "./process/phases.ts";

const EventData = z.object({
  missionId: z.string(),
  /** The mission's name; not told by a node of an older version. */
  mission: z.string().optional(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
});
const named = (mission: string | undefined): string =>
  mission === undefined ? "a mission" : `the mission "${mission}"`;

export const WorkflowStarted = event("workspace.workflow.started", EventData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ mission }) => `The decision process of ${named(mission)} was started.`,
  },
});
export const PhaseChanged = event(
  "workspace.workflow.phase-changed",
  EventData.extend({ from: z.enum(STAGES), to: z.enum(STAGES) }),
  {
    activity: {
      subject: ["workflow", "missionId"],
      words: ({ mission, from, to }) =>
        `The decision process of ${named(mission)} went ${isForward(from, to) ? "on" : "back"} from ` +
        `"${TITLES[from]}" to "${TITLES[to]}".`,
    },
  },
);
const GateData = EventData.extend({ gateId: z.string(), name: z.string() });
export const GateRecorded = event(
  "workspace.workflow.gate-recorded",
  GateData.extend({ phase: z.enum(PHASES), required: z.boolean() }),
  {
    activity: {
      subject: ["workflow", "missionId"],
      words: ({ mission, name, phase, required }) =>
        `${required ? "A phase gate" : "A phase gate that stops nothing"} of ${named(mission)} was recorded ` +
        `at the end of "${TITLES[phase]}": ${name}`,
    },
  },
);
export const GateSatisfied = event("workspace.workflow.gate-satisfied", GateData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ mission, name }) => `The phase gate "${name}" of ${named(mission)} is satisfied.`,
  },
});
export const GateReopened = event("workspace.workflow.gate-reopened", GateData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ mission, name }) => `The phase gate "${name}" of ${named(mission)} is open again.`,
  },
});
const AssumptionData = EventData.extend({ assumptionId: z.string(), statement: z.string() });
export const AssumptionRecorded = event(
  "workspace.workflow.assumption-recorded",
  AssumptionData.extend({ blocking: z.boolean() }),
  {
    activity: {
      subject: ["workflow", "missionId"],
      words: ({ mission, statement, blocking }) =>
        `${blocking ? "A blocking assumption" : "An assumption"} of ${named(mission)} was recorded: ${statement}`,
    },
  },
);
export const AssumptionAccepted = event("workspace.workflow.assumption-accepted", AssumptionData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ mission, statement }) => `An assumption of ${named(mission)} was accepted: ${statement}`,
  },
});
export const AssumptionReopened = event("workspace.workflow.assumption-reopened", AssumptionData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ mission, statement }) => `An assumption of ${named(mission)} is open again: ${statement}`,
  },
});
export const AssumptionWithdrawn = event("workspace.workflow.assumption-withdrawn", AssumptionData, {
  activity: {
    subject: ["workflow", "missionId"],
    words: ({ mission, statement }) => `An assumption of ${named(mission)} was withdrawn: ${statement}`,
  },
});
