import { z } from "zod";
import { entity, type Item } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";
import { unprocessable } from "../../../core/problem.ts";
import { multibaseOf, readMultibase, type PublicKey } from "../../../core/did/key-encodings.ts";
import { publicKeyOf, sign, SIGNING_TYPES, type SigningKey } from "../../../core/did/signatures.ts";
import type { Sealer } from "../../../core/access/sealed.ts";

export const DID_METHODS = ["key", "web", "pkh", "ethr"] as const;
/**
 * How a DID came to belong to an account: we made its key, its holder proved control of a key we never saw, or it names
 * the account's address.
 */
export const ORIGINS = ["minted", "proved", "prf", "account"] as const;

/** What an identity can stand for. */
export const ENTITY_TYPES = {
  person: "A human being",
  organization: "A legal or military body, agency or company",
  unit: "A part of an organization that is tasked as one",
  team: "People and agents who work on something together",
  agent: "Software that acts by itself on somebody's behalf",
  service: "Software that answers requests",
  device: "A machine, sensor or vehicle with a key of its own",
} as const;
export type EntityType = keyof typeof ENTITY_TYPES;
const EntityType = z.enum(Object.keys(ENTITY_TYPES) as [EntityType, ...EntityType[]]);

/** A path segment of a did:web of ours. */
export const WebName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "Small letters, digits and hyphens, at most 63.")
  .describe("The last part of a did:web; made up when absent.");

/** An account holds at most this many DIDs. */
const MOST_DIDS = 100;

/** A DID bound to an account of ours. */
export const Did = entity("dids", {
  title: "DID",
  fields: {
    did: z.string(),
    method: z.enum([...DID_METHODS, "other"]),
    origin: z.enum(ORIGINS),
    userId: z.string(),
    /** The user whose primary DID this is: the unique index lets there be one. */
    primaryOf: z.string().optional(),
    status: z.enum(["active", "deactivated"]).default("active"),
    deactivatedAt: z.string().optional(),
    entityType: EntityType.default("person"),
    name: z.string().trim().min(1).max(120).optional(),
    /** Multikey form of the key, where it is known. */
    publicKey: z.string().optional(),
    /** The last part of a did:web of ours. */
    webName: z.string().optional(),
    keyType: z.enum(SIGNING_TYPES).optional(),
    sealedKey: z.string().optional(),
  },
  readonly: [
    "did",
    "method",
    "origin",
    "userId",
    "primaryOf",
    "status",
    "deactivatedAt",
    "publicKey",
    "webName",
    "keyType",
    "sealedKey",
  ],
  hidden: ["sealedKey", "primaryOf", "webName"],
  filter: ["status", "method"],
  most: {
    count: MOST_DIDS,
    per: ["userId"],
    refusal: (count) => unprocessable("TOO_MANY_DIDS", `An account holds at most ${count} DIDs.`),
  },
  indexes: [
    { fields: ["did"], unique: true },
    { fields: ["primaryOf"], unique: true, sparse: true },
    { fields: ["webName"], unique: true, sparse: true },
    { fields: ["userId", "-createdAt"] },
  ],
});
export type Did = Item<typeof Did>;
export { EntityType };
export const DidView = Did.view.omit({ createdBy: true }).meta({ id: "BoundDid" });

/** Nobody is addressed by this DID any longer. */
export const DidDeactivated = event("identity.did.deactivated", z.object({ did: z.string(), userId: z.string() }));

export const isActive = (did: Did | null): did is Did => did?.status === "active";

/** The stored form of a key of ours under this DID. */
export const keyRecord = (sealer: Sealer, did: string, key: SigningKey) => ({
  keyType: key.type,
  publicKey: multibaseOf(publicKeyOf(key)),
  sealedKey: sealer.seal(key.secret, did),
});

/** Unseals the key of a DID that we made; null where its holder keeps the key. */
export const keyOf = (sealer: Sealer, { did, keyType, sealedKey }: Did): SigningKey | null =>
  keyType && sealedKey ? { type: keyType, secret: sealer.open(sealedKey, did) } : null;

export const publicKeyOfDid = ({ publicKey }: Did): PublicKey | null => (publicKey ? readMultibase(publicKey) : null);

/** Where the key stands in the DID's document. */
export const verificationMethodOf = ({ did, publicKey }: Pick<Did, "did" | "publicKey">): string =>
  `${did}#${publicKey}`;

export const signAs = (key: SigningKey, data: string): string =>
  Buffer.from(sign(key, Buffer.from(data, "base64url"))).toString("base64url");
