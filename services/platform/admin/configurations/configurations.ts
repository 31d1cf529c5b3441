import canonicalize from "canonicalize";
import { z } from "zod";
import { CONFIGURATIONS_COLLECTION, type Configurations, type Kept } from "../../../../adapters/configurations.ts";
import {
  CONFIGURATION_NAMES,
  CONFIGURATIONS,
  SECRETS,
  type ConfigurationName,
} from "../../../../config/configurations.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { last4Of, type ConfigurationInput } from "./views.ts";

export const Name = z.enum(CONFIGURATION_NAMES);
const Values = z.record(z.string(), z.unknown());

/** One field that has become another; of a secret only that it did. */
export const ConfigurationChange = z
  .object({
    path: z.string(),
    from: z.unknown().optional().describe("The stored value; absent if it came from the environment."),
    to: z.unknown().optional().describe("The stored value; absent if it comes from the environment."),
    secret: z.enum(["set", "cleared", "dropped"]).optional().describe("`dropped`: it was for another address."),
  })
  .meta({ id: "ConfigurationChange" });
export type ConfigurationChange = z.output<typeof ConfigurationChange>;

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
  value: Values.describe("The fields that were set, without secrets; all others were the environment's."),
  changes: z.array(ConfigurationChange),
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

const same = (one: unknown, other: unknown): boolean => canonicalize(one) === canonicalize(other);

/** An address as it may be told: a name and a password in it are refused, and what was refused is in the trail. */
function tellable(value: unknown): unknown {
  if (typeof value !== "string" || !URL.canParse(value)) return value;
  const { username, password } = new URL(value);
  return username || password ? value.replace(/\/\/[^/?#]*@/, "//…@") : value;
}

/** What is different between two settings of the same configuration, by path. */
export const changesBetween = (
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
): ConfigurationChange[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .sort()
    .filter((path) => !same(from[path], to[path]))
    .map((path) => ({
      path,
      ...(from[path] !== undefined && { from: tellable(from[path]) }),
      ...(to[path] !== undefined && { to: tellable(to[path]) }),
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
  changes: ConfigurationChange[];
}

/** What a record becomes when this is set in place of all that was: a field without a value is the environment's. */
export function nextConfiguration(
  configurations: Configurations,
  name: ConfigurationName,
  record: Pick<Configuration, "rev" | "value" | "secrets"> | null,
  wanted: ConfigurationInput,
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
