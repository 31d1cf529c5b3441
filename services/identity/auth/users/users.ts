import { z } from "zod";
import { ROLE_NAMES } from "../../../../config/roles.ts";
import { iso } from "../../../../core/clock.ts";
import { Email, PersonName } from "../client.ts";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { searchWords, wordsIn } from "../../../../core/records/reading/by-words.ts";

export const User = entity("users", {
  title: "user",
  fields: {
    email: Email.optional().describe(
      "Confirmed address, by an administrator or by a link sent to it. Without one the account has no " +
        "role, and can only confirm an address, see itself and be closed.",
    ),
    /**
     * What a person who registered says; anybody may say it of anybody, so it counts for nothing until a mailed link
     * was followed.
     */
    claimedEmail: Email.optional().describe("Given at registration, not confirmed yet."),
    name: PersonName.optional(),
    role: z.enum(ROLE_NAMES).default("reader").describe("What the account may do on the platform."),
    active: z
      .boolean()
      .default(true)
      .describe("An inactive account cannot sign in, and its tokens and keys stop working."),
    /** PHC string, argon2id. */
    passwordHash: z.string().optional(),
    /** Hash of an identity provider's issuer and subject, where one vouches for the person. */
    subject: z.string().optional(),
    /** Tokens issued before this instant are no longer good: those that name no revision. */
    tokensFrom: z.string().optional(),
    /** Revisions from which sign-ins count, of any means and of one: what was begun under an earlier one has ended. */
    signInsFrom: z.object({ any: z.int(), password: z.int(), oidc: z.int() }).partial().optional(),
    /** The session or token which outlasts the change that ended all others. */
    signInKept: z.string().optional(),
    /** The words that it is found by. */
    words: z.array(z.string()).optional(),
  },
  readonly: ["passwordHash", "subject", "tokensFrom", "signInsFrom", "signInKept", "words", "claimedEmail"],
  immutable: ["email"],
  hidden: ["passwordHash", "subject", "tokensFrom", "signInsFrom", "signInKept", "words"],
  filter: ["role", "active", "email"],
  sort: ["email"],
  lists: [{ by: [] }],
  indexes: [
    { fields: ["email"], unique: true, sparse: true },
    { fields: ["subject"], unique: true, sparse: true },
    { fields: ["words"] },
  ],
});
export type User = Item<typeof User>;

/** The list's query, and by the words of what `findable` keeps. */
export const userQuery = { q: wordsIn("the name and the address"), ...User.query };

/** What an account is found by, beside the fields that say it: of its name and its address, confirmed or not. */
export const findable = <T extends Partial<Pick<User, "email" | "claimedEmail" | "name">>>(
  account: T,
): T & { words: string[] } => ({
  ...account,
  words: searchWords(account.name, account.email ?? account.claimedEmail),
});

/**
 * The part of a change that ends every sign-in made under the account as it was read, save one; or those of one means.
 * In one write with what it is for: a sign-in that compared the account before is begun under its revision, and ended
 * when it begins.
 */
export function endingSignIns(
  { rev, signInsFrom }: User,
  now: number,
  { kept, means }: { kept?: string | undefined; means?: "password" | "oidc" } = {},
): Record<string, unknown> {
  if (means) return { signInsFrom: { ...signInsFrom, [means]: rev + 1 } };
  return { signInsFrom: { ...signInsFrom, any: rev + 1 }, signInKept: kept ?? null, tokensFrom: iso(now) };
}

/** What a signed-in person sees of themself. */
export const Self = User.view
  .pick({ id: true, email: true, claimedEmail: true, name: true, role: true, createdAt: true })
  .meta({ id: "CurrentUser" });
