import { z } from "zod";
import type { Configurations } from "../../../../adapters/configurations.ts";
import {
  CONFIGURATIONS,
  defaultsOf,
  fieldsOf,
  SECRETS,
  type ConfigurationName,
} from "../../../../config/configurations.ts";
import type { Env } from "../../../../config/env.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { Instant } from "../../../../core/records/entity.ts";
import type { Configuration } from "./configurations.ts";

const Mask = z.object({
  set: z.boolean(),
  last4: z.string().optional().describe("The last characters of a secret that is long enough."),
  updatedAt: Instant.optional().describe("Absent if it comes from the environment."),
});
export type Mask = z.output<typeof Mask>;

export const ConfigurationInput = <N extends ConfigurationName>(name: N) =>
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
            .describe("Absent: unchanged. Null: cleared. Sending back the masked value is refused (422)."),
        ]),
      ),
    })
    .meta({ id: `New${titled(name)}Configuration` });
export type ConfigurationInput = Record<string, unknown>;

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
      value: z.object(values).describe("The values in force."),
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
export function configurationView(
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
