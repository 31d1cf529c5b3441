import { z } from "zod";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { derivedId } from "../../../../core/ids.ts";
import { barrier } from "../../../../core/access/place.ts";
import { Amount } from "../votes/integers.ts";

/** What a role of a DAO lets its holders do beyond voting. */
export const POWERS = ["propose", "cancel"] as const;

export const DaoRole = entity("dao.roles", {
  title: "DAO role",
  fields: {
    daoId: TextId,
    problemSetId: TextId,
    compartments: z.array(TextId).default([]),
    name: z.string().trim().min(1).max(80),
    description: z.string().max(2_000).default(""),
    weight: Amount.default("1").describe(
      "Power of each holder where power rests on roles; the weights of several roles add up.",
    ),
    allows: z
      .array(z.enum(POWERS))
      .max(POWERS.length)
      .default([])
      .describe("`propose`: regardless of the threshold. `cancel`: any proposal before its execution (guardian)."),
  },
  readonly: ["daoId", "problemSetId", "compartments"],
  immutable: ["problemSetId", "compartments", "daoId"],
  sort: ["name"],
  barrier,
  lists: [{ by: ["problemSetId", "daoId"] }],
  indexes: [{ fields: ["daoId"] }],
});
export type DaoRole = Item<typeof DaoRole>;
export const DaoRoleView = DaoRole.view.meta({ id: "DaoRole" });

/** An EVM address with EIP-55 checksum, or all in lower case. */
export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "Must be 0x and 40 hexadecimal digits.");

/**
 * What a DAO knows of a person: roles, tokens, the address they sign with. With a listed electorate, who has such a
 * record is enrolled.
 */
export const DaoMember = entity("dao.members", {
  title: "DAO member",
  fields: {
    daoId: TextId,
    problemSetId: TextId,
    compartments: z.array(TextId).default([]),
    userId: PersonId,
    did: z.string().optional(),
    roles: z.array(TextId).default([]),
    tokens: Amount.default("0"),
    address: Address.optional().describe("Proved by a signature of its own; votes are signed with it."),
    /**
     * The address with its DAO: an address is one member's. A field of its own, because not every server keeps a
     * compound index to those that have both.
     */
    votingAddress: z.string().optional(),
    applied: z.array(z.string()).default([]),
  },
  readonly: ["daoId", "problemSetId", "compartments", "applied", "address", "votingAddress", "did"],
  immutable: ["problemSetId", "compartments", "daoId", "userId"],
  hidden: ["applied", "votingAddress"],
  barrier,
  lists: [{ by: ["problemSetId", "daoId"] }],
  indexes: [{ fields: ["daoId", "roles"] }, { fields: ["votingAddress"], unique: true, sparse: true }],
});
export type DaoMember = Item<typeof DaoMember>;
export const DaoMemberView = DaoMember.view.meta({ id: "DaoMember" });

/** One record a person and DAO: its id follows from both. */
export const memberId = (daoId: string, userId: string): string => derivedId(`dao/${daoId}/member/${userId}`);

/** An address as one DAO knows it: unique among its members. */
export const votingAddress = (daoId: string, address: string): string => `${daoId} ${address.toLowerCase()}`;

/** Whether any of these roles allows it. */
export const allows = (roles: readonly Pick<DaoRole, "allows">[], power: (typeof POWERS)[number]): boolean =>
  roles.some((role) => role.allows.includes(power));
