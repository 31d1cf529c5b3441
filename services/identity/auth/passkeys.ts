import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/entity.ts";

export const PasskeyName = z.string().trim().min(1).max(120).describe("A label of your own.");

/** A public key credential of an account (WebAuthn Level 3). */
export const Passkey = entity("passkeys", {
  title: "passkey",
  fields: {
    userId: TextId,
    name: PasskeyName,
    /** Base64url; up to 1,023 bytes. */
    credentialId: z.string().max(1_400),
    /** COSE key, base64url. */
    publicKey: z.string(),
    /** COSE algorithm identifier. */
    algorithm: z.int(),
    /** Signatures counted by the authenticator; 0 for ever where it does not count. */
    counter: z.int(),
    transports: z.array(z.string().max(32)).max(8).default([]),
    synced: z.boolean().describe("Whether it may be carried over to other devices of its owner (backup eligible)."),
    backedUp: z.boolean(),
    aaguid: z.string().describe("The make of the authenticator, where it tells."),
    lastUsedAt: Instant.optional(),
  },
  readonly: ["userId", "credentialId", "publicKey", "algorithm", "counter", "transports", "synced", "backedUp", "aaguid", "lastUsedAt"],
  hidden: ["publicKey", "counter", "userId"],
  indexes: [{ fields: ["credentialId"], unique: true }, { fields: ["userId", "-createdAt"] }],
});
export type Passkey = Item<typeof Passkey>;

export const PasskeyView = Passkey.view.meta({ id: "Passkey" });
