import { randomBytes } from "node:crypto";
import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import type { Sealer } from "../../../core/access/sealed.ts";
import { barrier } from "../../../core/access/place.ts";

/** Rotating once a day for years stays below. */
export const MOST_VERSIONS = 2_000;
export const DEFAULT_KEY = "default";

const Version = z.object({ version: z.int(), sealed: z.string(), createdAt: Instant });
type Version = z.output<typeof Version>;

export const KeyName = z
  .string()
  .min(1)
  .max(80)
  .refine((name) => /^[\w.-]+$/.test(name), "Must be letters from a to z, digits, dots, dashes and underscores.");

/**
 * A named key: its maker's own, or shared by a problem set; each rotation adds a version, and the old ones still
 * decrypt.
 */
export const EncryptionKey = entity("encryption.keys", {
  title: "encryption key",
  collection: "encryption_keys",
  fields: {
    name: KeyName.describe("Unique among yours, or among those of the problem set that lie in the same compartments."),
    ownerId: TextId.optional(),
    problemSetId: TextId.optional().describe(
      "Shares the key with the members of this problem set; absent: it is yours alone.",
    ),
    compartments: z.array(TextId).max(100).optional().describe("Only members read into all of them can use the key."),
    /**
     * The owner, or the problem set and the compartments together: names are told apart only among keys that whoever
     * makes one can see.
     */
    place: z.string(),
    version: z.int().describe("The version that encrypts now."),
    rotatedAt: Instant.optional(),
    /** The repeatable request that rotated it last. */
    rotatedIn: z.string().optional(),
    /** The keys themselves, each sealed under a key derived from the root secret. */
    versions: z.array(Version),
  },
  readonly: ["ownerId", "place", "version", "rotatedAt", "rotatedIn", "versions"],
  immutable: ["name", "problemSetId", "compartments"],
  hidden: ["ownerId", "place", "rotatedIn", "versions"],
  filter: ["name", "problemSetId"],
  sort: ["name"],
  // Beside those of the problem sets, everybody's own.
  barrier: { ...barrier, outside: ({ userId }) => [{ ownerId: userId }] },
  indexes: [
    { fields: ["place", "name"], unique: true },
    { fields: ["ownerId", "name"], sparse: true },
    { fields: ["problemSetId", "name"], sparse: true },
    { fields: ["ownerId", "-createdAt"], sparse: true },
    { fields: ["name"] },
  ],
});
export type EncryptionKey = Item<typeof EncryptionKey>;
export const KeyView = EncryptionKey.view.meta({ id: "EncryptionKey" });

/** Where a key of a problem set lies, as a text. */
export const setPlace = (problemSetId: string, compartments: readonly string[] = []): string =>
  [problemSetId, ...[...new Set(compartments)].sort()].join(" ");

/** Where a person's own keys lie; no problem set's id looks like it. */
export const ownPlace = (userId: string): string => `own ${userId}`;

/** How a version is named in a JWE's header. */
export const kidOf = (id: string, version: number): string => `${id}.${version}`;
export function readKid(kid: unknown): { id: string; version: number } | undefined {
  const [, id, version] = (typeof kid === "string" && /^([\w-]{1,64})\.([1-9]\d{0,5})$/.exec(kid)) || [];
  return id ? { id, version: Number(version) } : undefined;
}

/** A new version: 256 random bits, sealed and bound to their place. */
export const newVersion = (sealer: Sealer, id: string, version: number, createdAt: string): Version => ({
  version,
  sealed: sealer.seal(randomBytes(32), kidOf(id, version)),
  createdAt,
});

/** The key of a version; undefined where there is none. Throws when it was not sealed here for this place. */
export function materialOf(
  sealer: Sealer,
  { id, versions }: Pick<EncryptionKey, "id" | "versions">,
  version: number,
): Buffer | undefined {
  const found = versions.find((one) => one.version === version);
  return found && sealer.open(found.sealed, kidOf(id, version));
}
