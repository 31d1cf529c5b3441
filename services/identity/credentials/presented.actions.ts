import { z } from "zod";
import { data } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { invalid } from "../../../core/problem.ts";
import { documentHash } from "./data-model.ts";
import { opened, VerificationReport, verify } from "./verification.ts";
import { portsOf } from "./verifying.ts";
import { DID } from "./issuing.actions.ts";

/** A credential as it is presented: an object with the marks of one, or a JWT. */
const Presented = z
  .union([
    z.string().min(1).max(500_000),
    z.looseObject({
      "@context": z.union([z.string(), z.array(z.unknown()).min(1)]),
      type: z.union([z.string(), z.array(z.string()).min(1)]),
    }),
  ])
  .describe("A credential as JSON, or in compact form (JWT, SD-JWT).");

const Hash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "64 hexadecimal characters")
  .overwrite((hash) => hash.toLowerCase());

const Hashed = z.object({ hash: z.string(), algorithm: z.literal("sha-256"), canonicalization: z.literal("JCS") });

const VERIFYING =
  "Verifies credentials of this platform and of any issuer whose DID resolves, secured as `vc+jwt` " +
  "or `vc+sd-jwt` (EdDSA, ES256, ES384, ES256K), or by `eddsa-jcs-2022` or `ecdsa-jcs-2019` (P-256 " +
  "with SHA-256, P-384 with SHA-384). Checks structure (VC Data Model 2.0), schema, issuer, proof, " +
  "validity period, and status (Bitstring Status List v1.0). A check that cannot be decided is " +
  "`unknown`, and the credential does not count as verified; this includes an `issuer` given as a " +
  "URL, since no key can be tied to it here.";

const HASHING =
  "SHA-256 over the JCS form (RFC 8785) of the credential as sent, including its proof; for a JWT, " +
  "over its payload; for an SD-JWT, over what it discloses. Equal credentials have equal hashes, " +
  "however they are written.";

const CREDENTIAL = {
  "@context": ["https://www.w3.org/ns/credentials/v2"],
  type: ["VerifiableCredential"],
  issuer: DID,
  credentialSubject: { clearance: "secret" },
};

/** What anybody may ask about a credential at hand. */
export const presentedCredentials = {
  hash: endpoint({
    rest: "POST /hash",
    summary: "Compute the hash of a credential",
    permit: "signed-in",
    reads: true,
    description: HASHING,
    body: { credential: Presented },
    returns: data(Hashed),
    example: { credential: CREDENTIAL },
    handler: async ({ params }) => ({
      hash: documentHash(await documentOf(params.credential)),
      algorithm: "sha-256" as const,
      canonicalization: "JCS" as const,
    }),
  }),

  verifyHash: endpoint({
    rest: "POST /verify-hash",
    summary: "Check the hash of a credential",
    permit: "signed-in",
    reads: true,
    body: { credential: Presented, hash: Hash },
    returns: data(Hashed.extend({ matches: z.boolean() })),
    example: { credential: CREDENTIAL, hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
    async handler({ params }) {
      const hash = documentHash(await documentOf(params.credential));
      return { matches: hash === params.hash, hash, algorithm: "sha-256" as const, canonicalization: "JCS" as const };
    },
  }),

  verify: endpoint({
    rest: "POST /verify",
    summary: "Verify a credential and report each check",
    permit: "signed-in",
    beyond: true,
    reads: true,
    description: VERIFYING,
    body: { credential: Presented },
    returns: data(VerificationReport),
    example: { credential: CREDENTIAL },
    async handler(ctx) {
      return verify(ctx.params.credential, await portsOf(this, ctx.meta.actor));
    },
  }),
};

/** What a hash is taken over: the JSON as it was sent, or what stands in a JWT. */
async function documentOf(presented: Record<string, unknown> | string): Promise<Record<string, unknown>> {
  if (typeof presented !== "string") return presented;
  const secured = await opened(presented);
  if (secured.format === "none") throw invalid([{ path: "credential", message: secured.why }]);
  return secured.credential;
}
