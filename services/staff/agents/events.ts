import { z } from "zod";
import { AUTHORITIES } from "../../../config/safety.ts";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  id: z.string(),
  agentId: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
});

const Named = EventData.extend({ name: z.string() });
export const AgentEnrolled = event("agents.agent.enrolled", Named, {
  activity: { subject: ["agent", "id"], words: ({ name }) => `The agent "${name}" was enrolled.` },
});
export const AgentDeactivated = event("agents.agent.deactivated", Named, {
  activity: { subject: ["agent", "id"], words: ({ name }) => `The agent "${name}" was switched off.` },
});

/** It is gone for good, and so is its identifier. */
export const AgentRemoved = event("agents.agent.removed", z.object({ agentId: z.string(), did: z.string() }));

export const DelegationGiven = event("agents.agent-delegation.given", Named, {
  activity: { subject: ["delegation", "id"], words: ({ name }) => `The agent "${name}" was given a delegation.` },
});
export const DelegationRevoked = event("agents.agent-delegation.revoked", EventData, {
  activity: { subject: ["delegation", "id"], words: () => "An agent's delegation was revoked." },
});

/** Facts of an older version name no agent. */
const agentName = { agentName: z.string().optional() };
const nameOf = ({ agentName: name }: { agentName?: string | undefined }): string =>
  name === undefined ? "An agent" : `The agent "${name}"`;
const momentOf = (instant: string): string => `${instant.slice(0, 16).replace("T", " ")} UTC`;

const Wanted = EventData.extend({
  ...agentName,
  executionId: z.string(),
  tool: z.string(),
  approver: z.enum(AUTHORITIES),
  expiresAt: z.string().optional(),
});
export const ApprovalWanted = event("agents.agent-approval.wanted", Wanted, {
  activity: {
    subject: ["approval", "id"],
    words: ({ tool, approver, expiresAt, ...told }) =>
      `${nameOf(told)} asks to use ${tool}: a ${approver} or above decides` +
      `${expiresAt === undefined ? "" : `, until ${momentOf(expiresAt)}`}.`,
  },
});
/** Nobody has decided yet, and an hour is left. */
export const ApprovalExpiring = event("agents.agent-approval.expiring", Wanted, {
  activity: {
    subject: ["approval", "id"],
    words: ({ tool, ...told }) =>
      `${nameOf(told)} still asks to use ${tool}: without an answer it is refused in an hour.`,
  },
});
export const ApprovalDecided = event(
  "agents.agent-approval.decided",
  Wanted.extend({ status: z.enum(["approved", "rejected", "expired", "cancelled"]) }),
  {
    activity: {
      subject: ["approval", "id"],
      words: ({ tool, status, ...told }) =>
        `${nameOf(told)}'s use of ${tool} ${status === "expired" ? "" : "was "}${status}.`,
    },
  },
);

export const ExecutionEnded = event(
  "agents.agent-run.ended",
  EventData.extend({
    ...agentName,
    status: z.enum(["completed", "stopped", "cancelled", "failed"]),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["execution", "id"],
      words: ({ status, reason, agentName: name }) =>
        `A run of ${name === undefined ? "an agent" : `the agent "${name}"`} ${status === "cancelled" ? "was cancelled" : status}${reason ? `: ${reason}` : "."}`,
    },
  },
);

/** A run of an agent's own is over, in a problem set or outside of all; a training is none. */
export const RunOver = event("agents.run.over", z.object({ agentId: z.string() }));

/**
 * A hint: runs, of what it names and otherwise of everything, may have lost what they act by. What they have under way is
 * looked at now instead of a moment later.
 */
export const AuthorityLessened = event(
  "agents.authority.lessened",
  z.object({
    executionId: z.string().optional(),
    agentId: z.string().optional(),
    problemSetId: z.string().optional(),
  }),
);

/** A person said what became of an act that was cut off. */
export const ActSettled = event("agents.agent-act.settled", EventData.extend({ executionId: z.string() }), {
  activity: { subject: ["execution", "executionId"], words: () => "What became of an agent's act was said." },
});

/** A tool is another one than before, or is none any longer: what was approved or preferred for the one before ends. */
export const ToolChanged = event(
  "agents.tool.changed",
  z.object({ tool: z.string(), definition: z.string().nullable(), by: z.string() }),
);
