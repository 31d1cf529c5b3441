import canonicalize from "canonicalize";
import { z } from "zod";
import { CONFIGURATIONS_COLLECTION, type Configurations, type Kept } from "../../../../adapters/configurations.ts";
import {
  CONFIGURATION_NAMES,
  CONFIGURATIONS,
  defaultsOf,
  fieldsOf,
  SECRETS,
  type ConfigurationName,
} from "../../../../config/configurations.ts";
import type { Env } from "../../../../config/env.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/records/event.ts";

export const Name = z.enum(CONFIGURATION_NAMES);
const Values = z.record(z.string(), z.unknown());

/** One field that has become another; of a secret only that it did. */
export const Change = z
  .object({
    path: z.string(),
    from: z.unknown().optional().describe("As it was set; absent where it was the environment's."),
    to: z.unknown().optional().describe("As it is set; absent where it is the environment's."),
    secret: z.enum(["set", "cleared", "dropped"]).optional().describe("`dropped`: it was for another address."),
  })
  .meta({ id: "ConfigurationChange" });
export type Change = z.output<typeof Change>;

/** What is set of a configuration; what holds is that over the environment. Its revision is its version. */
export const Configuration = entity("admin.configurations", {
  title: "configuration",
  collection: CONFIGURATIONS_COLLECTION,
  fields: {
    value: Values,
    secrets: z.record(
      z.string(),
      z.custom<Kept>((given) => typeof given === "object"),
    ),
    updatedBy: PersonId,
  },
  hidden: ["secrets"],
});
export type Configuration = Item<typeof Configuration>;

const version = {
  name: Name,
  version: z.int(),
  value: Values.describe("What was set, without secrets; every other field was the environment's."),
  changes: z.array(Change),
  reason: z.string().optional(),
  restored: z.int().optional().describe("The version that it brought back."),
  at: Instant,
  by: PersonId,
  requestId: z.string(),
};
/** A version as it was stored, for good. */
export const Version = entity("admin.configuration-versions", {
  title: "version",
  collection: "configuration_versions",
  fields: { ...version, change: TextId },
  sort: ["version"],
  hidden: ["change"],
  lists: [{ by: ["name"], filter: [], sort: ["-version"] }],
});
export type Version = Item<typeof Version>;
export const VersionView = z.object(version).meta({ id: "ConfigurationVersion" });
export const versionId = (name: ConfigurationName, at: number): string => `${name}:${at}`;

/** The fact that a version is made from, where whoever stored it could not. */
export const ConfigurationStored = event("admin.configuration.stored", z.object({ ...version, change: TextId }));

const Mask = z.object({
  set: z.boolean(),
  last4: z.string().optional().describe("Of a secret that is long enough to tell them."),
  updatedAt: Instant.optional().describe("Absent where it is the environment's."),
});
export type Mask = z.output<typeof Mask>;

export const Wanted = <N extends ConfigurationName>(name: N) =>
  z
    .strictObject({
      ...Object.fromEntries(fieldsOf(name).map(([key, { schema }]) => [key, schema.nullable().optional()])),
      ...Object.fromEntries(
        Object.keys(SECRETS[name]).map((key) => [
          key,
          z
            .union([z.string().min(1).max(2_000), Mask])
            .nullable()
            .optional()
            .describe("Absent: stays. Null: is cleared. What is read of it is refused (422)."),
        ]),
      ),
    })
    .meta({ id: `${titled(name)}ConfigurationValue` });
export type Wanted = Record<string, unknown>;

const titled = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
const Source = z.enum(["environment", "stored", "none"]);

/** A configuration as it is read. */
export const viewFor = (name: ConfigurationName) => {
  const keys = [...Object.keys(CONFIGURATIONS[name]), ...Object.keys(SECRETS[name])];
  const each = (of: z.ZodType): z.ZodRawShape => Object.fromEntries(keys.map((key) => [key, of]));
  const values = {
    ...Object.fromEntries(fieldsOf(name).map(([key, { schema }]) => [key, schema.optional()])),
    ...Object.fromEntries(Object.keys(SECRETS[name]).map((key) => [key, Mask])),
  };
  return z
    .object({
      name: z.literal(name),
      version: z.int().describe("0: nothing was ever set."),
      rev: z.int(),
      value: z.object(values).describe("What holds."),
      environment: z.object(values).describe("What would hold of each field that is given back."),
      sources: z.object(each(Source)).describe("Where each field is from."),
      updatedAt: Instant.optional(),
      updatedBy: PersonId.optional(),
      warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
      dryRun: z.literal(true).optional().describe("Nothing was stored."),
    })
    .meta({ id: `${titled(name)}Configuration` });
};

const LEAST_TOLD = 12;
export const last4Of = (secret: string): string | undefined =>
  secret.length >= LEAST_TOLD ? secret.slice(-4) : undefined;

/** An address of the environment may have a password in it. */
function withoutPassword(value: unknown): unknown {
  if (typeof value !== "string" || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (!url.username && !url.password && !url.search) return value;
  url.username = url.password = url.search = "";
  return url.href;
}

/** What a record says, as it is read; `record` null: nothing is set. */
export function shown(
  configurations: Configurations,
  env: Env,
  name: ConfigurationName,
  record:
    | (Pick<Configuration, "rev" | "value" | "secrets"> & Partial<Pick<Configuration, "updatedAt" | "updatedBy">>)
    | null,
) {
  const standing = configurations.standing(name, record);
  const bare = configurations.standing(name, null);
  const masksOf = (secrets: Readonly<Record<string, string>>, place: typeof standing): Record<string, Mask> =>
    Object.fromEntries(
      Object.entries(SECRETS[name]).map(([key, { sentTo }]) => {
        const kept = place === standing ? record?.secrets[key] : undefined;
        const isKept = kept && configurations.isFor(name, key, kept, (place.value as Record<string, unknown>)[sentTo]);
        const secret = secrets[key];
        const last4 = secret && last4Of(secret);
        return [
          key,
          { set: secret !== undefined, ...(last4 && { last4 }), ...(isKept && { updatedAt: kept.updatedAt }) },
        ];
      }),
    );
  const told = (place: typeof standing) => ({
    ...Object.fromEntries(Object.entries(place.value).map(([key, value]) => [key, withoutPassword(value)])),
    ...masksOf(place.secrets, place),
  });
  const defaults = defaultsOf(name, env);
  const masks = masksOf(standing.secrets, standing);
  const sourceOf = (key: string): z.output<typeof Source> => {
    const mask = masks[key];
    if (mask) return mask.updatedAt ? "stored" : mask.set ? "environment" : "none";
    return key in standing.stored ? "stored" : defaults[key] === undefined ? "none" : "environment";
  };
  const keys = [...Object.keys(CONFIGURATIONS[name]), ...Object.keys(SECRETS[name])];
  return {
    name,
    version: record?.rev ?? 0,
    rev: record?.rev ?? 0,
    value: told(standing),
    environment: told(bare),
    sources: Object.fromEntries(keys.map((key) => [key, sourceOf(key)])),
    ...(record && { updatedAt: record.updatedAt, updatedBy: record.updatedBy }),
  };
}

const same = (one: unknown, other: unknown): boolean => canonicalize(one) === canonicalize(other);

/** What is different between two settings of the same configuration, by path. */
export const changesBetween = (
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
): Change[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .sort()
    .filter((path) => !same(from[path], to[path]))
    .map((path) => ({
      path,
      ...(from[path] !== undefined && { from: from[path] }),
      ...(to[path] !== undefined && { to: to[path] }),
    }));

const MASKED = /^[*•●·…]{3,}.{0,4}$/u;

/** The text of a secret that is to be set; null clears, undefined leaves. Throws 422 on what is read of one. */
function secretOf(key: string, given: unknown): string | null | undefined {
  if (given === undefined || given === null) return given;
  if (typeof given !== "string" || MASKED.test(given))
    throw unprocessable("MASKED_SECRET", `value.${key}: this is what is shown of the secret, not the secret itself.`, [
      { path: `value.${key}`, message: "Leave it out to keep the secret, or send the whole one." },
    ]);
  return given;
}

interface Draft {
  value: Record<string, unknown>;
  secrets: Record<string, Kept>;
  changes: Change[];
}

/** What a record becomes when this is set in place of all that was: a field without a value is the environment's. */
export function drafted(
  configurations: Configurations,
  name: ConfigurationName,
  record: Pick<Configuration, "rev" | "value" | "secrets"> | null,
  wanted: Wanted,
  at: string,
): Draft {
  const value = Object.fromEntries(
    Object.keys(CONFIGURATIONS[name]).flatMap((key) =>
      wanted[key] === undefined || wanted[key] === null ? [] : [[key, wanted[key]] as const],
    ),
  );
  const changes = changesBetween(record?.value ?? {}, value);
  const places = configurations.standing(name, { rev: 0, value }).value as Record<string, unknown>;
  const present = configurations.standing(name, record).secrets;
  const secrets: Record<string, Kept> = {};
  for (const [key, { sentTo }] of Object.entries(SECRETS[name])) {
    const [given, kept, place] = [secretOf(key, wanted[key]), record?.secrets[key], places[sentTo]];
    const isFor = kept !== undefined && configurations.isFor(name, key, kept, place);
    if (typeof given === "string" && !(isFor && present[key] === given)) {
      const last4 = last4Of(given);
      secrets[key] = {
        sealed: configurations.seal(name, key, given, place),
        ...(last4 && { last4 }),
        updatedAt: at,
      };
      changes.push({ path: key, secret: "set" });
    } else if (isFor && given !== null) secrets[key] = kept;
    else if (kept) changes.push({ path: key, secret: given === null ? "cleared" : "dropped" });
    else if (
      given === undefined &&
      present[key] !== undefined &&
      !configurations.standing(name, { rev: 0, value }).secrets[key]
    )
      changes.push({ path: key, secret: "dropped" });
  }
  return { value, secrets, changes };
}
