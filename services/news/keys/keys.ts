import { createHmac, randomBytes, type KeyObject } from "node:crypto";
import { z } from "zod";
import { PersonId } from "../../../core/access/person-reference.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { conflict, unprocessable } from "../../../core/problem.ts";

const PREFIX = "sm_";
/** Document 1: a service prefix, an underscore, then 32 hexadecimal characters. */
export const KEY_FORM = /^sm_[0-9a-f]{32}$/;
/** A person has use for a few keys; more are forgotten ones. */
export const MOST_KEYS = 20;

/** As keys have it; of an older one the domain may be no more. */
const Scope = z
  .string()
  .describe("`read`, `write`, or a domain of the API (`articles`, `search`, …) that the key is confined to.");

let domains: readonly string[] = [];
/** Learns of the domains that keys can be confined to. */
export function learnScopes(_events: unknown, scopes: readonly string[]): void {
  domains = scopes;
}
/** A scope that a key can be given: one that confined it to nothing would fail at the first use. */
export const KnownScope = z.lazy(() => z.enum(["read", "write", ...domains])).describe(Scope.description!);

export const ApiKey = entity("keys", {
  title: "API key",
  collection: "api_keys",
  fields: {
    name: z.string().trim().min(1).max(120).describe("A label of your own."),
    userId: TextId,
    /** HMAC-SHA256 under a key derived from the root secret: a stolen database opens nothing. */
    hash: z.string(),
    keyPrefix: z.string().length(8),
    isActive: z.boolean().default(true),
    scopes: z.array(Scope).min(1).max(20).default(["read"]),
    expiresAt: Instant.optional(),
    lastUsedAt: Instant.optional(),
    /** After a re-roll the old secret works until then. */
    oldHash: z.string().optional(),
    oldUntil: Instant.optional(),
    /** The repeatable request that re-rolled it last. */
    renewedIn: z.string().optional(),
  },
  readonly: ["userId", "hash", "keyPrefix", "isActive", "lastUsedAt", "oldHash", "oldUntil", "renewedIn"],
  hidden: ["hash", "oldHash", "renewedIn"],
  filter: ["userId", "isActive"],
  most: {
    count: MOST_KEYS,
    per: ["userId"],
    refusal: (count) => unprocessable("TOO_MANY_KEYS", `You have ${count} keys; revoke one that is not used.`),
  },
  indexes: [
    { fields: ["hash"], unique: true },
    { fields: ["oldHash"], sparse: true },
    { fields: ["userId", "-createdAt"] },
  ],
});
export type ApiKey = Item<typeof ApiKey>;

/** A key as its owner sees it; the secret is in the answer to its creation alone. */
export const KeyView = ApiKey.view
  .pick({
    id: true,
    name: true,
    keyPrefix: true,
    isActive: true,
    createdAt: true,
    lastUsedAt: true,
    scopes: true,
    expiresAt: true,
  })
  .meta({ id: "ApiKey" });
export const NewKeyView = KeyView.extend({
  key: z.string().regex(KEY_FORM).describe("The secret. It is shown only this once."),
}).meta({ id: "NewApiKey" });
export const AnyKeyView = KeyView.extend({ userId: PersonId }).meta({ id: "OwnedApiKey" });

export interface Secret {
  key: string;
  hash: string;
  keyPrefix: string;
}

export const hashOfKey = (pepper: KeyObject, key: string): string =>
  createHmac("sha256", pepper).update(key).digest("hex");

export function mint(pepper: KeyObject): Secret {
  const key = PREFIX + randomBytes(16).toString("hex");
  return { key, hash: hashOfKey(pepper, key), keyPrefix: key.slice(0, 8) };
}

/** What the scopes allow, as permits: the actor may do what both these and the owner's roles allow. */
export function limitsOf(scopes: readonly string[]): string[] {
  const nouns = scopes.filter((scope) => scope !== "read" && scope !== "write");
  const responsibility = scopes.includes("write") ? "*" : "read";
  if (!nouns.length) return responsibility === "*" ? ["*"] : ["*:read"];
  return nouns.map((noun) => `${noun}:${responsibility}`);
}

/** Whether the key, found by this hash, works at this instant. */
export const works = (key: ApiKey, hash: string, now: string): boolean =>
  key.isActive &&
  (key.expiresAt === undefined || key.expiresAt > now) &&
  (key.hash === hash || (key.oldHash === hash && (key.oldUntil ?? "") > now));

/** Throws 409 for a key of which no secret works any more, however new. */
export function refuseEnded({ isActive, expiresAt }: ApiKey, now: string): void {
  if (!isActive) throw conflict("This key is switched off by an administrator: a new secret of it would not work.");
  if (expiresAt !== undefined && expiresAt <= now)
    throw conflict(`This key expired on ${expiresAt}: a new secret of it would not work. Make another key.`);
}
