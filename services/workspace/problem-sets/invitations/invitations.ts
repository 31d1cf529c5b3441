import { z } from "zod";
import { PersonId, personDid } from "../../../../core/access/person-reference.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { event } from "../../../../core/events/event.ts";
import { sha256 } from "../../../../core/ids.ts";
import { Did, Role } from "../members/members.ts";

export const MOST_USES = 1_000;
export const LONGEST_DAYS = 90;
const DEFAULT_DAYS = 7;
const DAY_MS = 86_400_000;

export const InvitationStatus = z.enum(["open", "used-up", "expired", "withdrawn", "archived"]);
export type InvitationStatus = z.output<typeof InvitationStatus>;

const Waiting = z.object({ userId: PersonId, did: Did, since: Instant });

/** Leave to join a problem set: for whoever has the code, or for the holder of one DID. */
export const Invitation = entity("problem-sets.invitations", {
  title: "invitation",
  collection: "invitations",
  fields: {
    problemSetId: TextId,
    role: Role.describe("The invitee's role; never above the inviter's."),
    did: personDid(Did).optional().describe("Whom it is for; absent: anybody with the code."),
    /** The account behind the DID. */
    userId: z.string().optional(),
    /** SHA-256 of the code: 160 random bits need no slower hash. */
    codeHash: z.string().optional(),
    uses: z.int().min(1).max(MOST_USES).default(1).describe("How many people may accept it."),
    /** Falls by one in the same atomic step that notes who accepted. */
    left: z.int().min(0),
    expiresAt: Instant,
    approval: z.boolean().default(false).describe("Whether invitees must wait for a manager's approval."),
    approvedBy: PersonId.optional().describe(
      "User id of the person who approved it: from then on, invitees join at once.",
    ),
    withdrawn: z.boolean().default(false),
    /** Who accepted and is no member yet. */
    waiting: z.array(Waiting).default([]),
    /** Who joined by it: not a second time. */
    admitted: z.array(z.string()).default([]),
  },
  immutable: ["problemSetId"],
  hidden: ["userId", "codeHash", "left", "withdrawn", "admitted"],
  barrier: { set: "problemSetId" },
  indexes: [
    { fields: ["problemSetId", "withdrawn", "-createdAt"] },
    { fields: ["codeHash"], unique: true, sparse: true },
    { fields: ["userId"], sparse: true },
  ],
});
export type Invitation = Item<typeof Invitation>;

export const InvitationView = Invitation.view
  .extend({ status: InvitationStatus, used: z.int().describe("How many accepted it.") })
  .meta({ id: "Invitation" });
export const NewInvitationView = InvitationView.extend({
  code: z.string().nullable().describe("Shown this once; null where the invitation is for one DID."),
}).meta({ id: "NewInvitation" });

const about = { problemSetId: TextId, by: z.string() };
export const InvitationIssued = event(
  "workspace.invitation.issued",
  z.object({ ...about, role: Role, did: Did.optional() }),
  { activity: { words: ({ role }) => `Somebody was invited as ${role}.` } },
);
export const InvitationAccepted = event(
  "workspace.invitation.accepted",
  z.object({ ...about, did: Did, waits: z.boolean() }),
  {
    activity: {
      subject: ["member", "did"],
      words: ({ did, waits }) =>
        waits ? `${did} accepted an invitation and waits for approval.` : `${did} accepted an invitation.`,
    },
  },
);
export const InvitationApproved = event("workspace.invitation.approved", z.object(about), {
  activity: { words: () => "An invitation was approved." },
});
export const InvitationWithdrawn = event("workspace.invitation.withdrawn", z.object(about), {
  activity: { words: () => "An invitation was withdrawn." },
});

/** Told to the person it is addressed to. */
export const InvitationChanged = liveType("invitation.changed", {
  domain: "problem-sets",
  summary: "You were invited to a problem set, or an invitation to you, or by which you wait, was withdrawn",
  payload: z.object({
    id: TextId,
    status: z.enum(["open", "withdrawn"]),
    name: z.string().describe("Name of the problem set."),
    role: Role,
  }),
});

/** What a client says of an invitation it issues. */
export const invitationBody = {
  role: Role.default("observer"),
  did: Did.optional().describe(
    "Invites the holder of this DID, who finds the invitation under their own; without it the answer holds " +
      "a code to hand on.",
  ),
  uses: z.int().min(1).max(MOST_USES).default(1).describe("How many people may accept it; 1 with `did`."),
  expiresAt: Instant.optional().describe(`${DEFAULT_DAYS} days from now by default, ${LONGEST_DAYS} at most.`),
  approval: z
    .boolean()
    .default(false)
    .describe("Makes those who accept wait for an approval; always the case if you may not manage members."),
};

/** 160 random bits, 27 characters. */
export const hashOfCode = (code: string): string => sha256(`invitation ${code}`);

export const defaultExpiry = (now: number): number => now + DEFAULT_DAYS * DAY_MS;
/** What is wrong with an instant of expiry; undefined where nothing is. */
export function expiryFault(expiresAt: number, now: number): string | undefined {
  if (expiresAt <= now) return "This lies in the past.";
  return expiresAt > now + LONGEST_DAYS * DAY_MS ? `At most ${LONGEST_DAYS} days from now.` : undefined;
}

/** How an invitation stands at an instant (ISO). */
export function invitationStatus(
  { withdrawn, left, expiresAt }: Pick<Invitation, "withdrawn" | "left" | "expiresAt">,
  now: string,
): InvitationStatus {
  if (withdrawn) return "withdrawn";
  if (left === 0) return "used-up";
  return expiresAt <= now ? "expired" : "open";
}

export const invitationView = (invitation: Invitation, now: string): z.input<typeof InvitationView> => ({
  ...invitation,
  status: invitationStatus(invitation, now),
  used: invitation.uses - invitation.left,
});

/** Invitations that are still open: somebody may accept them, or waits for an approval. */
export const pendingAt = (now: string): Record<string, unknown> => ({
  withdrawn: false,
  $or: [{ left: { $gt: 0 }, expiresAt: { $gt: now } }, { "waiting.userId": { $exists: true } }],
});
