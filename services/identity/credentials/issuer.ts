import type { Host } from "../../../core/contract/endpoint.ts";
import { signedBy, type PlatformSigner } from "../identity/client.ts";
import { proofOptions, hashData, withProof } from "./securing/data-integrity.ts";
import type { Credential } from "./data-model.ts";
import { signingInput } from "./securing/jose.ts";
import { disclosable } from "./securing/sd-jwt.ts";

/** Secures a credential by a Data Integrity proof of the platform. */
export async function prove(
  host: Host,
  { did, verificationMethod }: PlatformSigner,
  credential: Credential,
  created: string,
): Promise<Credential> {
  const options = proofOptions(credential, verificationMethod, created);
  return withProof(credential, options, await signedBy(host, did, hashData(credential, { ...options })));
}

/** Secures a credential as a JWT of the platform. */
export async function sealJwt(
  host: Host,
  { did, verificationMethod }: PlatformSigner,
  credential: Credential,
): Promise<string> {
  const input = signingInput(credential, verificationMethod);
  return `${input}.${(await signedBy(host, did, Buffer.from(input))).toString("base64url")}`;
}

/**
 * Secures a credential as an SD-JWT of the platform, with every disclosure: its holder leaves out what they hold back.
 */
export async function sealSdJwt(
  host: Host,
  { did, verificationMethod }: PlatformSigner,
  credential: Credential,
): Promise<string> {
  const { input, disclosures } = await disclosable(credential, verificationMethod);
  return [`${input}.${(await signedBy(host, did, Buffer.from(input))).toString("base64url")}`, ...disclosures, ""].join(
    "~",
  );
}
