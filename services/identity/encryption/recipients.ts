import { type Detail, unprocessable } from "../../../core/problem.ts";
import { resolveDid } from "../identity/client.ts";
import { jwkOf } from "../../../core/did/key-encodings.ts";
import { methodsFor, publicKeyOf } from "../../../core/did/verification-methods.ts";
import type { Desk } from "./decrypting.ts";
import type { Recipient } from "./encrypting.ts";

/** Curves that JOSE agrees on keys with here. */
const AGREEING = new Set(["X25519", "P-256", "P-384"]);

/** Most DIDs that are resolved at a time for one request: nobody may wait for more than a few other servers. */
const AT_ONCE = 4;

/**
 * For each DID the first key its document names for agreement that we can encrypt to. Throws 422, naming the recipients
 * that have none.
 */
export async function agreementKeys(at: Desk, dids: readonly string[], asker: string): Promise<Recipient[]> {
  const found: (Recipient | string)[] = [];
  while (found.length < dids.length)
    found.push(
      ...(await Promise.all(
        dids.slice(found.length, found.length + AT_ONCE).map((did) => agreementKey(at, did, asker)),
      )),
    );
  const wrong = found.flatMap((one, index): Detail[] =>
    typeof one === "string" ? [{ path: `recipients.${index}`, message: one }] : [],
  );
  if (wrong.length) throw unprocessable("NO_KEY_FOR_RECIPIENT", "Not every recipient can be encrypted to.", wrong);
  return found as Recipient[];
}

/** The key, or in words why there is none. */
async function agreementKey(at: Desk, did: string, asker: string): Promise<Recipient | string> {
  const { didDocument, error, deactivated } = await resolveDid(at, did, asker);
  if (!didDocument || deactivated)
    return deactivated ? "This DID is deactivated." : `This DID does not resolve: ${error ?? "notFound"}.`;
  for (const method of methodsFor(didDocument, "keyAgreement")) {
    const key = publicKeyOf(method);
    if (key && AGREEING.has(key.type)) return { kid: method.id, jwk: { ...jwkOf(key) } };
  }
  return "This DID's document names no key to encrypt to: X25519, P-256 or P-384.";
}
