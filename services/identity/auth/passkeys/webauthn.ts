import type { RegistrationResponseJSON, AuthenticationResponseJSON } from "@simplewebauthn/server";
import { invalid, Problem } from "../../../../core/problem.ts";
import { flawOf } from "./cose-keys.ts";
import { ALGORITHMS, type NewCredential, type Passkey, type Proof } from "./passkeys.ts";

/** What an answer of an authenticator is held against. */
export interface Expected {
  challenge: string;
  origin: string;
  rpID: string;
  verified: boolean;
}

/** One answer for every reason, so that nobody learns from it how far a forgery got; the reason is in the log. */
export class PasskeyRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "PasskeyRefused";
  }
}

export const refused = (status: 401 | 403 | 422): Problem =>
  new Problem(
    status,
    "INVALID_PASSKEY",
    status === 401
      ? "The passkey was not accepted. Begin again; if it was removed from its account, sign in another way."
      : "The passkey was not accepted. Begin again.",
    status === 401 ? { headers: { "WWW-Authenticate": 'Bearer realm="signalmesh"' } } : {},
  );

const library = () => import("@simplewebauthn/server");

const reasonOf = (error: unknown): never => {
  throw new PasskeyRefused((error as Error).message);
};

/**
 * A credential that was just made (WebAuthn Level 3 §7.1), as a passkey to store. Throws PasskeyRefused; 400 for a key
 * that nothing can ever be proved with.
 */
export async function verifyNew(credential: NewCredential, { challenge, origin, rpID, verified }: Expected) {
  const { verifyRegistrationResponse } = await library();
  refuseForeign(credential.response.clientDataJSON);
  const { verified: good, registrationInfo: info } = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: verified,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(reasonOf);
  if (!good) throw new PasskeyRefused("the attestation does not fit");
  // The id is covered by no signature where it stands beside the attestation.
  if (info.credential.id !== credential.id) throw new PasskeyRefused("the credential id is not the attested one");
  const { decodeCredentialPublicKey } = await import("@simplewebauthn/server/helpers");
  const key = decodeCredentialPublicKey(info.credential.publicKey) as unknown as ReadonlyMap<number, unknown>;
  const flaw = flawOf(key);
  if (flaw)
    throw invalid([
      { path: "response.attestationObject", message: `The public key in it can verify nothing. ${flaw}` },
    ]);
  return {
    credentialId: info.credential.id,
    publicKey: Buffer.from(info.credential.publicKey).toString("base64url"),
    algorithm: key.get(3) as number,
    counter: info.credential.counter,
    transports: credential.response.transports ?? [],
    synced: info.credentialDeviceType === "multiDevice",
    backedUp: info.credentialBackedUp,
    aaguid: info.aaguid,
  };
}

/** A proof by a known passkey (WebAuthn Level 3 §7.2): its new counter and backup state. Throws PasskeyRefused. */
export async function verifyProof(
  proof: Proof,
  passkey: Passkey,
  { challenge, origin, rpID, verified }: Expected,
): Promise<Pick<Passkey, "counter" | "backedUp">> {
  const { verifyAuthenticationResponse } = await library();
  refuseForeign(proof.response.clientDataJSON);
  const { verified: good, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: proof as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: verified,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.counter,
    },
  }).catch(reasonOf);
  if (!good) throw new PasskeyRefused("the signature does not fit");
  // §6.1.3: backup eligibility is a credential's for ever; a change means another authenticator.
  if ((info.credentialDeviceType === "multiDevice") !== passkey.synced)
    throw new PasskeyRefused("backup eligibility changed");
  return { counter: info.newCounter, backedUp: info.credentialBackedUp };
}

/** Our pages are never framed, so a ceremony from inside a frame is not ours. */
function refuseForeign(clientDataJSON: string): void {
  const { crossOrigin, topOrigin } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as {
    crossOrigin?: unknown;
    topOrigin?: unknown;
  };
  if (crossOrigin === true || topOrigin !== undefined)
    throw new PasskeyRefused("it was made inside another site's frame");
}
