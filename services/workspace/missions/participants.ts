import { z } from "zod";
import { entity, Instant, type Item } from "../../../core/records/entity.ts";
import { PersonId, personDid } from "../../../core/access/person-reference.ts";
import { barrier } from "../../../core/access/place.ts";
import { PLACE, missionFields } from "./missions.ts";

export const PARTICIPANT_ROLES = ["lead", "planner", "operator", "observer"] as const;
const Part = z
  .enum(PARTICIPANT_ROLES)
  .describe("A participant's part in the mission; their rights come from their role in the problem set.");

/** A person takes part once: the id is made of mission and person. */
export const Participant = entity("missions.participants", {
  title: "participant",
  fields: { ...missionFields, userId: PersonId, did: z.string(), part: Part, joinedAt: Instant },
  readonly: ["userId", "did", "joinedAt"],
  immutable: [...PLACE],
  filter: ["part"],
  barrier,
  lists: [{ by: ["problemSetId", "missionId"] }],
  indexes: [{ fields: ["missionId"] }, { fields: ["userId", "problemSetId"] }],
});
export type Participant = Item<typeof Participant>;

export const Invite = entity("missions.invites", {
  title: "invite",
  fields: {
    ...missionFields,
    part: Part.default("operator"),
    did: personDid(z.string().max(500)).optional().describe("Whom it is for; without one, whoever has the code."),
    expiresAt: Instant.describe("Seven days from now, unless said otherwise."),
    mostUses: z.int().min(1).max(1_000).default(1),
    used: z.int(),
    acceptedBy: z.array(z.string()).describe("Whose uses these are."),
    /** Those of them who left or were removed: the same invitation does not bring them back. */
    left: z.array(z.string()).default([]),
    revoked: z.boolean(),
    codeHash: z.string(),
  },
  readonly: ["used", "acceptedBy", "left", "revoked", "codeHash"],
  immutable: [...PLACE],
  hidden: ["codeHash", "acceptedBy", "left"],
  barrier,
  lists: [{ by: ["problemSetId", "missionId"], sort: ["-createdAt"] }],
  indexes: [{ fields: ["codeHash"] }, { fields: ["missionId"] }, { fields: ["createdBy"] }],
});
export type Invite = Item<typeof Invite>;

/** What stands in the way of accepting an invite, in words; undefined when nothing does. */
export function obstacle(invite: Invite, did: string, now: string): string | undefined {
  if (invite.revoked) return "This invite was withdrawn.";
  if (invite.expiresAt <= now) return "This invite has expired.";
  if (invite.used >= invite.mostUses) return "This invite was used up.";
  if (invite.did && invite.did !== did) return "This invite is for somebody else.";
  return undefined;
}
