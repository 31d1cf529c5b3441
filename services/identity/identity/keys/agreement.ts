import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import type { PublicKey } from "../../../../core/did/key-encodings.ts";
import type { SigningKey } from "../../../../core/did/signatures.ts";

/**
 * The secret that a key of ours and a public key agree on (RFC 7748 §6.1; RFC 6090 §4 for P-256: the x coordinate);
 * null where the curves differ or the point is bad.
 */
export function agree({ type, secret }: SigningKey, peer: PublicKey): Uint8Array | null {
  try {
    if (type === "Ed25519" && peer.type === "X25519")
      return x25519.getSharedSecret(ed25519.utils.toMontgomerySecret(secret), peer.bytes);
    if (type === "P-256" && peer.type === "P-256") return p256.getSharedSecret(secret, peer.bytes, true).subarray(1);
    return null;
  } catch {
    return null;
  }
}
