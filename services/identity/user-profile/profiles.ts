import { z } from "zod";
import { isTimeZone } from "../../../core/clock.ts";
import { entity, TextId, type Item } from "../../../core/records/entity.ts";

const canonical = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
};

/** Characters of a language tag: as it comes, and as it is kept, since some grow (`sh` is `sr-Latn`). */
const LONGEST_TAG = 60;
/** A language tag of BCP 47, in its canonical form: `de-ch` becomes `de-CH`. */
const Locale = z
  .string()
  .max(LONGEST_TAG)
  .overwrite((tag) => canonical(tag) ?? tag)
  .max(LONGEST_TAG)
  .refine((tag) => canonical(tag) !== undefined, "This is not a language tag of BCP 47, such as `en-GB`.");

/** A zone of the IANA time zone database; fixed offsets are refused, since they know no daylight saving. */
const TimeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, "This is not a zone of the IANA time zone database, such as `Europe/Vienna`.");

const text = (most: number) => z.string().trim().min(1).max(most);

/** What a person tells of themself. The one table: bodies, requirements and views are made from it. */
export const FIELDS = {
  displayName: text(120).describe("How others see you."),
  givenName: text(120).describe("Given name."),
  familyName: text(120).describe("Family name."),
  organisation: text(200).describe("The organisation you work for."),
  position: text(120).describe("What you are there."),
  phone: z
    .string()
    .regex(/^\+[1-9]\d{5,14}$/, "An international number as `+` and digits (E.164).")
    .describe("Telephone number in the form of E.164."),
  biography: text(2_000).describe("A few words about you."),
  locale: Locale.describe("Language and region, BCP 47."),
  timeZone: TimeZone.describe("Time zone, IANA."),
} as const;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as [FieldName, ...FieldName[]];

const optional = Object.fromEntries(Object.entries(FIELDS).map(([name, schema]) => [name, schema.optional()])) as {
  [K in FieldName]: z.ZodOptional<(typeof FIELDS)[K]>;
};
const clearable = Object.fromEntries(
  Object.entries(FIELDS).map(([name, schema]) => [name, schema.nullable().optional()]),
) as { [K in FieldName]: z.ZodOptional<z.ZodNullable<(typeof FIELDS)[K]>> };

/** The body of a save: absent fields stay, null clears. */
export const Saved = clearable;

/** A person's profile, under the person's own id. */
export const Profile = entity("user-profile", {
  title: "profile",
  collection: "user_profiles",
  fields: { ...optional, avatar: z.object({ type: z.string(), checksum: z.string() }).optional() },
  readonly: ["avatar"],
});
export type Profile = Item<typeof Profile>;

export const ProfileView = z
  .object({
    userId: TextId,
    email: z.string().optional().describe("The account's address."),
    role: z.string().optional().describe("The account's role on the platform."),
    ...optional,
    avatar: z.string().optional().describe("Where the picture is."),
    complete: z.boolean().describe("Whether everything that registration asks for is there."),
    missing: z.array(z.enum(FIELD_NAMES)).describe("What registration asks for and is not there."),
    rev: z.int(),
    updatedAt: z.string().optional(),
  })
  .meta({ id: "UserProfile" });

/** The required fields that a profile lacks. */
export const missingOf = (profile: Partial<Record<FieldName, unknown>>, required: readonly FieldName[]): FieldName[] =>
  required.filter((name) => profile[name] === undefined || profile[name] === null);

/** What the account says of the person; null where the caller has no account (`AUTH=off`). */
export interface AccountFacts {
  email?: string;
  claimedEmail?: string;
  name?: string;
  role: string;
}

/** The profile as its owner sees it. */
export function profileView(
  userId: string,
  account: AccountFacts | null,
  kept: Profile | null,
  required: readonly FieldName[],
): z.input<typeof ProfileView> {
  const {
    id: _id,
    createdAt: _createdAt,
    createdBy: _createdBy,
    avatar,
    rev = 0,
    updatedAt,
    ...told
  } = kept ?? ({} as Partial<Profile>);
  const fields = { ...(account?.name && { displayName: account.name }), ...told };
  const missing = missingOf(fields, required);
  return {
    userId,
    ...(account?.email && { email: account.email }),
    ...(account && { role: account.role }),
    ...fields,
    ...(avatar && { avatar: `/api/user-profile/avatars/${userId}?v=${avatar.checksum}` }),
    complete: missing.length === 0,
    missing,
    rev,
    updatedAt,
  };
}
