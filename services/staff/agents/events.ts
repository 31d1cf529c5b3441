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

/** The agent is removed for good, and its identifier is deactivated. */
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
        `A run of ${name === undefined ? "an agent" : `the agent "${name}"`} ` +
        `${status === "cancelled" ? "was cancelled" : status}${reason ? `: ${reason}` : "."}`,
    },
  },
);

/** A run that an agent began by itself has ended, in a problem set or outside all; trainings are not announced. */
export const RunOver = event("agents.run.over", z.object({ agentId: z.string() }));

/**
 * A hint: the runs that it names, or all runs, may have lost their authority. Their work in progress is checked at once
 * instead of a moment later.
 */
export const AuthorityLessened = event(
  "agents.authority.lessened",
  z.object({
    executionId: z.string().optional(),
    agentId: z.string().optional(),
    problemSetId: z.string().optional(),
  }),
);

/** A person stated the outcome of an act that was cut off. */
export const ActSettled = event("agents.agent-act.settled", EventData.extend({ executionId: z.string() }), {
  activity: { subject: ["execution", "executionId"], words: () => "What became of an agent's act was said." },
});

/** A tool was replaced or removed: approvals and preferences for the former one end. */
export const ToolChanged = event(
  "agents.tool.changed",
  z.object({ tool: z.string(), definition: z.string().nullable(), by: z.string() }),
);
