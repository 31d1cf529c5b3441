import type { Input } from "../../api/client.ts";

export type ActivityKind = NonNullable<NonNullable<Input<"GET /problem-sets/{id}/activity">["query"]>["kind"]>;

/** What a reader of the activity may look for, by what it is about. */
const KINDS: readonly (readonly [about: string, kinds: readonly ActivityKind[]])[] = [
  [
    "Members",
    [
      "member.joined",
      "member.role-changed",
      "member.suspended",
      "member.unsuspended",
      "member.removed",
      "member.read-in",
      "member.read-out",
    ],
  ],
  ["Invitations", ["invitation.issued", "invitation.accepted", "invitation.approved", "invitation.withdrawn"]],
  ["Compartments", ["compartment.created", "compartment.closing", "compartment.dissolved", "compartment.restored"]],
  ["Gates", ["gate.created", "gate.submitted", "gate.decided", "gate.escalated", "gate.configured"]],
  ["Missions", ["mission.created", "mission.changed", "mission.moved", "mission.joined", "mission.left"]],
  [
    "Decision process",
    [
      "workflow.started",
      "workflow.phase-changed",
      "workflow.gate-recorded",
      "workflow.gate-satisfied",
      "workflow.gate-reopened",
      "workflow.assumption-recorded",
      "workflow.assumption-accepted",
      "workflow.assumption-reopened",
      "workflow.assumption-withdrawn",
    ],
  ],
  ["Direction", ["intent.changed", "direction.changed", "objective.changed", "objective.decided"]],
  ["Objectives", ["objective.assessed", "operations.changed", "risk.assessed", "risk.reviewed", "validity.alerted"]],
  ["Documents", ["document.added", "document.read", "document.versioned", "document.removed"]],
  ["Requests for information", ["rfi.asked", "rfi.messaged", "rfi.moved"]],
  ["Votes", ["proposal.opened", "vote.cast", "proposal.closed", "proposal.executed"]],
  ["Picture", ["layer.added", "layer.drawn", "layer.moved", "resource.added", "resource.readiness-changed"]],
  ["Agents", ["agent-approval.wanted", "agent-approval.decided", "agent-run.ended"]],
  ["The set itself", ["problem-set.changed", "problem-set.archived", "problem-set.restored", "escalation.fired"]],
];

/** "Members: read in"; where what is told is of several kinds of things, "Picture: layer added". */
export const KIND_OPTIONS = KINDS.flatMap(([about, kinds]) => {
  const things = new Set(kinds.map((kind) => kind.split(".")[0]));
  return kinds.map((kind): [ActivityKind, string] => {
    const told = things.size > 1 ? kind : kind.slice(kind.indexOf(".") + 1);
    return [kind, `${about}: ${told.replaceAll(/[-.]/g, " ")}`];
  });
});

/** Spans that a reader looks back over, in hours. */
export const SPANS: readonly (readonly [hours: string, words: string])[] = [
  ["", "ever"],
  ["1", "the last hour"],
  ["24", "the last day"],
  ["168", "the last week"],
];
