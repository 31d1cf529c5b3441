import { z } from "zod";
import { outranks, SET_ROLE_NAMES, type SetRole } from "../../../../config/set-roles.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, paging, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { forbidden } from "../../../../core/problem.ts";

/** A decentralised identifier (W3C DID Core §3.1). */
export const Did = z
  .string()
  .max(2_048)
  .regex(/^did:[a-z0-9]+:[\w.:%-]+$/, "A DID: did:method:identifier.");
export const Role = z.enum(SET_ROLE_NAMES).describe("Role in the problem set.");

export const Member = entity("problem-sets.members", {
  title: "member",
  collection: "problem_set_members",
  fields: {
    problemSetId: TextId,
    userId: PersonId,
    did: Did.describe("The member's primary DID when they joined."),
    role: Role,
    status: z.enum(["active", "suspended"]).default("active"),
    /** Ids of the compartments they are read into. */
    compartments: z.array(TextId).default([]),
  },
  immutable: ["problemSetId", "userId", "did"],
  hidden: ["compartments"],
  filter: ["role", "status"],
  barrier: { set: "problemSetId" },
  lists: [
    { by: ["problemSetId"], sort: ["createdAt"] },
    { by: ["problemSetId", "status"], filter: [], sort: ["userId"] },
  ],
  indexes: [
    { fields: ["problemSetId", "userId"], unique: true },
    { fields: ["userId"] },
    { fields: ["problemSetId", "did"] },
  ],
});
export type Member = Item<typeof Member>;

/**
 * As members are listed. Neither revision nor time of change: both would tell that somebody was read into a
 * compartment.
 */
export const MemberView = Member.view
  .pick({ id: true, userId: true, did: true, role: true, status: true, createdAt: true })
  .meta({ id: "ProblemSetMember" });
export const memberQuery = {
  role: Role.optional(),
  status: z.enum(["active", "suspended"]).optional(),
  sort: z.enum(["createdAt", "-createdAt"]).default("createdAt"),
  ...paging,
};

const about = { problemSetId: TextId, userId: z.string(), did: Did, by: z.string().describe("User id of who did it.") };
export const MemberJoined = event("workspace.member.joined", z.object({ ...about, role: Role }), {
  activity: { subject: ["member", "did"], words: ({ did, role }) => `${did} joined as ${role}.` },
});
export const MemberRoleChanged = event("workspace.member.role-changed", z.object({ ...about, from: Role, to: Role }), {
  activity: { subject: ["member", "did"], words: ({ did, from, to }) => `${did}, ${from} until now, is ${to}.` },
});
export const MemberSuspended = event(
  "workspace.member.suspended",
  z.object({ ...about, reason: z.string().optional() }),
  { activity: { subject: ["member", "did"], words: ({ did }) => `${did} was suspended.` } },
);
export const MemberUnsuspended = event("workspace.member.unsuspended", z.object(about), {
  activity: { subject: ["member", "did"], words: ({ did }) => `${did} is no longer suspended.` },
});
export const MemberRemoved = event("workspace.member.removed", z.object({ ...about, reason: z.string().optional() }), {
  activity: { subject: ["member", "did"], words: ({ did }) => `${did} is no longer a member.` },
});
/** Facts of a compartment lie in it. */
const inside = { ...about, compartments: z.array(TextId).describe("The compartment.") };
export const MemberReadIn = event("workspace.member.read-in", z.object(inside), {
  activity: { subject: ["member", "did"], words: ({ did }) => `${did} was read into a compartment.` },
});
export const MemberReadOut = event("workspace.member.read-out", z.object(inside), {
  activity: { subject: ["member", "did"], words: ({ did }) => `${did} was read out of a compartment.` },
});

/** Whether this member commands: what there must always be one of. */
export const commands = ({ role, status }: Pick<Member, "role" | "status">): boolean =>
  role === "commander" && status === "active";

/** Throws 403 where somebody acts on a member above them, or gives a role above their own. No role: the mesh itself. */
export function refuseAbove(own: SetRole | undefined, member: Pick<Member, "role"> | undefined, given?: SetRole): void {
  if (!own) return;
  if (member && outranks(member.role, own))
    throw forbidden(`A ${own} cannot do this to a ${member.role}.`, { role: own });
  if (given && outranks(given, own)) throw forbidden(`A ${own} cannot give the role ${given}.`, { role: own });
}
