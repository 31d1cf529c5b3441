import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event, type EventType, type Fact } from "../../../../core/records/event.ts";
import { derivedId } from "../../../../core/ids.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { RelationshipChanged, RelationshipCreated, RelationshipRemoved, UnitChanged, UnitCreated, UnitRemoved } from "../../command/events.ts";
import { DaoConfigured, DaoFounded, DaoRoleGranted, DaoRoleRevoked, DelegationRevoked, PowerDelegated, ProposalCancelled, ProposalClosed, ProposalExecuted, ProposalExpired, ProposalExtended, ProposalOpened, ProposalSubmitted, VoteCast } from "../../dao/events.ts";
import { GateConfigured, GateCreated, GateDecided, GateEscalated, GateSubmitted } from "../../gates/events.ts";
import { DirectionChanged, RfiAsked, RfiMessaged, RfiMoved } from "../../inheritance/events.ts";
import { AssumptionAccepted, GateSatisfied, PhaseChanged, WorkflowStarted } from "../../mdmp/events.ts";
import { MissionChanged, MissionCreated, MissionMoved } from "../../missions/events.ts";
import { barrier } from "../../../../core/access/place.ts";
import { CompartmentCreated, CompartmentDissolved } from "../compartments/compartments.ts";
import { InvitationAccepted, InvitationApproved, InvitationIssued, InvitationWithdrawn } from "../invitations/invitations.ts";
import { MemberJoined, MemberReadIn, MemberReadOut, MemberRemoved, MemberRoleChanged, MemberSuspended, MemberUnsuspended } from "../members/members.ts";
import { PanelsChanged } from "../panels/panels.ts";
import { PositionChanged, PositionCreated, PositionRemoved } from "../positions/positions.ts";
import { ScenarioLinked } from "../scenarios/scenarios.ts";
import { ProblemSetArchived, ProblemSetChanged, ProblemSetCreated, ProblemSetRestored } from "../sets/sets.ts";

const Subject = z.object({ type: z.string(), id: z.string() });

/** What happened in a problem set, for those who may know of it: it lies in the compartments that it happened in. */
export const Activity = entity("problem-sets.activity", {
  title: "activity item",
  fields: {
    problemSetId: TextId, compartments: z.array(TextId),
    kind: z.string().describe("`noun.what-happened`, as `gate.submitted`."),
    summary: z.string().describe("In words."),
    by: z.string().describe("User id of who did it; `system:…` for the platform itself."),
    subject: Subject.optional(),
    at: Instant.describe("When it happened."),
  },
  immutable: ["problemSetId"], filter: ["kind", "by"], barrier,
  indexes: [{ fields: ["problemSetId", "-at"] }, { fields: ["subject.id"], sparse: true }],
});
export type Activity = Item<typeof Activity>;

export const ActivityView = Activity.view.meta({ id: "ActivityItem" });
export const ActivityItem = liveType("activity.item", { domain: "problem-sets", summary: "Something happened in a problem set that you subscribed to", payload: ActivityView, may: "activity:read" });

/** Up to when somebody has looked at a set's activity. */
export const ActivityRead = entity("problem-sets.activity-read", {
  title: "read mark", fields: { problemSetId: TextId, userId: z.string(), until: Instant }, immutable: ["problemSetId", "userId"], barrier: { set: "problemSetId" },
});
export const readMarkId = (problemSetId: string, userId: string): string => derivedId(`read in ${problemSetId} by ${userId}`);

export const EscalationFired = event("workspace.escalation.fired", z.object({ id: z.string(), problemSetId: z.string(), compartments: z.array(z.string()), by: z.string(), what: z.string(), reason: z.string() }));

interface Told { problemSetId: string; by: string; compartments?: string[]; [field: string]: unknown }
type Describe = (told: any) => string;
interface Kind { type: EventType<any>; subject?: [type: string, field: string]; words: Describe }

const kind = (type: EventType<any>, words: Describe, subject?: [string, string]): Kind => ({ type, words, ...(subject && { subject }) });
const gate: [string, string] = ["gate", "id"], mission: [string, string] = ["mission", "id"], unit: [string, string] = ["unit", "id"], proposal: [string, string] = ["proposal", "proposalId"], dao: [string, string] = ["dao", "daoId"], rfi: [string, string] = ["rfi", "id"], workflow: [string, string] = ["workflow", "missionId"];

/** Every fact that makes an activity item, and its words. */
export const KINDS: readonly Kind[] = [
  kind(ProblemSetCreated, ({ name }) => `The problem set "${name}" was opened.`),
  kind(ProblemSetChanged, ({ fields }) => `The problem set was changed: ${fields.join(", ")}.`),
  kind(ProblemSetArchived, () => "The problem set was put into the archive."),
  kind(ProblemSetRestored, () => "The problem set was taken from the archive."),
  kind(MemberJoined, ({ did, role }) => `${did} joined as ${role}.`, ["member", "did"]),
  kind(MemberRoleChanged, ({ did, from, to }) => `${did}, ${from} until now, is ${to}.`, ["member", "did"]),
  kind(MemberSuspended, ({ did }) => `${did} was suspended.`, ["member", "did"]),
  kind(MemberUnsuspended, ({ did }) => `${did} is no longer suspended.`, ["member", "did"]),
  kind(MemberRemoved, ({ did }) => `${did} is no longer a member.`, ["member", "did"]),
  kind(MemberReadIn, ({ did }) => `${did} was read into a compartment.`, ["member", "did"]),
  kind(MemberReadOut, ({ did }) => `${did} was read out of a compartment.`, ["member", "did"]),
  kind(CompartmentCreated, () => "A compartment was set up."),
  kind(CompartmentDissolved, () => "A compartment was dissolved."),
  kind(InvitationIssued, ({ role }) => `Somebody was invited as ${role}.`),
  kind(InvitationAccepted, ({ did, waits }) => (waits ? `${did} accepted an invitation and waits for approval.` : `${did} accepted an invitation.`)),
  kind(InvitationApproved, () => "An invitation was approved."),
  kind(InvitationWithdrawn, () => "An invitation was withdrawn."),
  kind(PositionCreated, ({ title }) => `The position "${title}" was added.`),
  kind(PositionChanged, ({ title }) => `The position "${title}" was changed.`),
  kind(PositionRemoved, ({ title }) => `The position "${title}" was removed.`),
  kind(ScenarioLinked, ({ name, built }) => (built ? `The problem set was built from the scenario "${name}".` : `The scenario "${name}" was attached.`)),
  kind(PanelsChanged, () => "The panels were laid out anew."),
  kind(MissionCreated, ({ name }) => `The mission "${name}" was opened.`, mission),
  kind(MissionChanged, ({ name }) => `The mission "${name}" was changed.`, mission),
  kind(MissionMoved, ({ name, status }) => `The mission "${name}" is ${status}.`, mission),
  kind(UnitCreated, ({ name }) => `The unit "${name}" was added.`, unit),
  kind(UnitChanged, ({ name }) => `The unit "${name}" was changed.`, unit),
  kind(UnitRemoved, ({ name }) => `The unit "${name}" was removed.`, unit),
  kind(RelationshipCreated, ({ kind: relation }) => `A command relationship (${relation}) was added.`),
  kind(RelationshipChanged, ({ kind: relation }) => `A command relationship (${relation}) was changed.`),
  kind(RelationshipRemoved, ({ kind: relation }) => `A command relationship (${relation}) was removed.`),
  kind(WorkflowStarted, () => "The decision process of a mission was started.", workflow),
  kind(PhaseChanged, ({ from, to }) => `The decision process went from ${from} to ${to}.`, workflow),
  kind(GateSatisfied, ({ name }) => `The phase gate "${name}" is satisfied.`, workflow),
  kind(AssumptionAccepted, ({ statement }) => `An assumption was accepted: ${statement}`, workflow),
  kind(GateCreated, ({ name }) => `The gate "${name}" was added.`, gate),
  kind(GateConfigured, ({ name, reopened }) => (reopened ? `The gate "${name}", which had expired, is open again.` : `The gate "${name}" was set up anew.`), gate),
  kind(GateSubmitted, ({ name }) => `The gate "${name}" was put up for approval.`, gate),
  kind(GateDecided, ({ name, status, reason }) => `The gate "${name}" was ${status}${reason ? `: ${reason}` : "."}`, gate),
  kind(GateEscalated, ({ name }) => `The gate "${name}" was passed up to the parent.`, gate),
  kind(DirectionChanged, ({ removed }) => (removed ? "A direction was taken back." : "A direction was laid down."), ["direction", "id"]),
  kind(RfiAsked, ({ title }) => `Information was requested: ${title}`, rfi),
  kind(RfiMoved, ({ title, status }) => `The request "${title}" is ${status}.`, rfi),
  kind(RfiMessaged, ({ title }) => `There is a message about "${title}".`, rfi),
  kind(DaoFounded, ({ name }) => `The DAO "${name}" was founded.`, dao),
  kind(DaoConfigured, () => "A DAO was configured.", dao),
  kind(DaoRoleGranted, () => "A role in a DAO was granted.", dao),
  kind(DaoRoleRevoked, () => "A role in a DAO was revoked.", dao),
  kind(PowerDelegated, () => "Voting power was delegated.", dao),
  kind(DelegationRevoked, () => "A delegation of voting power was revoked.", dao),
  kind(ProposalSubmitted, ({ title }) => `A proposal was put forward: ${title}`, proposal),
  kind(ProposalOpened, ({ title }) => `Voting began: ${title}`, proposal),
  kind(ProposalExtended, ({ title, deadline }) => `Voting goes on until ${deadline}: ${title}`, proposal),
  kind(ProposalClosed, ({ title, outcome }) => `Voting ended (${outcome}): ${title}`, proposal),
  kind(ProposalExecuted, ({ title }) => `A proposal was carried out: ${title}`, proposal),
  kind(ProposalExpired, ({ title }) => `A proposal expired: ${title}`, proposal),
  kind(ProposalCancelled, ({ title }) => `A proposal was cancelled: ${title}`, proposal),
  kind(VoteCast, ({ title }) => `Somebody voted: ${title}`, proposal),
  kind(EscalationFired, ({ what, reason }) => `Escalated: ${what}. ${reason}`, ["escalation", "id"]),
];

const byType = new Map(KINDS.map((one) => [one.type.name, one]));
export const KIND_NAMES = KINDS.map(({ type }) => kindOf(type.name)).sort();
function kindOf(type: string): string { return type.replace(/^workspace\./, ""); }

/** Sets that a fact happened in: a request for information happens in the child and in the parent. */
const setsOf = ({ problemSetId, parentId }: Told, type: string): string[] => (type.startsWith("workspace.rfi.") && typeof parentId === "string" ? [problemSetId, parentId] : [problemSetId]);

/** The items that a fact makes; each has an id that follows from the fact, so that a fact told twice makes no second. */
export function itemsOf(fact: Fact): Omit<Activity, "rev" | "createdAt" | "updatedAt" | "createdBy">[] {
  const { words, subject } = byType.get(fact.type)!;
  const told = fact.data as unknown as Told;
  return setsOf(told, fact.type).map((problemSetId) => ({
    id: derivedId(`activity of ${fact.id} in ${problemSetId}`), problemSetId, compartments: told.compartments ?? [], kind: kindOf(fact.type), summary: words(told), by: told.by, at: fact.time,
    ...(subject && { subject: { type: subject[0], id: String(told[subject[1]]) } }),
  }));
}
