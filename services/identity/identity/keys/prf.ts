import { z } from "zod";
import { isCanonical } from "../../../../core/access/base64url.ts";
import { entity, type Item } from "../../../../core/records/entity.ts";

/** Unpadded base64url of at least so many bytes and at most so many. */
const base64UrlBytes = (least: number, most: number) =>
  z
    .string()
    .max(Math.ceil((most * 4) / 3))
    .refine((text) => text !== "" && isCanonical(text), "Base64url without padding, as an encoder writes it.")
    .refine(
      (text) => Math.floor((text.length * 3) / 4) >= least && Math.floor((text.length * 3) / 4) <= most,
      least === most ? `${least} bytes.` : `${least} to ${most} bytes.`,
    );

/**
 * A key that a passkey derives by the WebAuthn extension `prf`. What the passkey puts out stays with its holder; here
 * are the salt to put in, and the public key of what comes out.
 */
export const PrfCredential = entity("prf-credentials", {
  title: "PRF credential",
  fields: {
    userId: z.string(),
    credentialId: base64UrlBytes(16, 1_023).describe("The passkey's credential id (WebAuthn §4), base64url."),
    salt: base64UrlBytes(32, 32).describe("Input of the PRF: 32 bytes, base64url."),
    did: z.string().describe("did:key of the key derived from the PRF's output."),
    publicKey: z.string(),
  },
  readonly: ["userId", "did"],
  immutable: ["credentialId", "salt", "publicKey"],
  filter: ["credentialId"],
  indexes: [{ fields: ["userId", "credentialId"], unique: true }],
});
export type PrfCredential = Item<typeof PrfCredential>;

export const PrfView = PrfCredential.view.omit({ userId: true, createdBy: true }).meta({ id: "PrfCredential" });
