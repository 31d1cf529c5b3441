import { z } from "zod";
import { AUTHORITIES } from "../../../config/safety.ts";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
  name: z.string(),
});

export const WorkflowEnded = event(
  "orchestration.workflow-run.ended",
  EventData.extend({
    status: z.enum(["completed", "stopped", "failed", "cancelled", "expired"]),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["workflow-run", "id"],
      words: ({ name, status, reason }) => `The workflow "${name}" ${status}${reason ? `: ${reason}` : "."}`,
    },
  },
);

const Asked = EventData.extend({ executionId: z.string(), approver: z.enum(AUTHORITIES) });
export const CheckpointReached = event("orchestration.checkpoint.reached", Asked, {
  activity: {
    subject: ["checkpoint", "id"],
    words: ({ name, approver }) => `The workflow "${name}" waits at a checkpoint for a ${approver} or above.`,
  },
});
/** Nobody has decided yet, and little time is left. */
export const CheckpointExpiring = event("orchestration.checkpoint.expiring", Asked, {
  activity: {
    subject: ["checkpoint", "id"],
    words: ({ name }) => `The workflow "${name}" still waits at a checkpoint, which is about to expire.`,
  },
});
export const CheckpointDecided = event(
  "orchestration.checkpoint.decided",
  Asked.extend({ status: z.enum(["approved", "rejected", "expired", "cancelled"]) }),
  {
    activity: {
      subject: ["checkpoint", "id"],
      words: ({ name, status }) =>
        `A checkpoint of the workflow "${name}" ${status === "expired" ? "" : "was "}${status}.`,
    },
  },
);

const Supervised = EventData;
export const SupervisorSaved = event("orchestration.supervisor.saved", Supervised, {
  activity: { subject: ["supervisor", "id"], words: ({ name }) => `The supervisor "${name}" was saved.` },
});
