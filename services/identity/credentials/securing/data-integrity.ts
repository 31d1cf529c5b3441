import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { base58 } from "@scure/base";
import canonicalize from "canonicalize";
import type { KeyType, PublicKey } from "../../../../core/did/key-encodings.ts";
import { verifies } from "../../../../core/did/signatures.ts";
import type { Credential } from "../data-model.ts";

/** Data Integrity EdDSA Cryptosuites v1.0 §3.3; the one suite that we make. */
const SUITE = "eddsa-jcs-2022";
/** The suites that we take, with the hash of each kind of key (Data Integrity ECDSA Cryptosuites v1.0 §3.3). */
const SUITES: Readonly<Record<string, Readonly<Partial<Record<KeyType, "sha256" | "sha384">>>>> = {
  [SUITE]: { Ed25519: "sha256" },
  "ecdsa-jcs-2019": { "P-256": "sha256", "P-384": "sha384" },
};

export interface ProofOptions {
  type: "DataIntegrityProof";
  cryptosuite: typeof SUITE;
  created: string;
  verificationMethod: string;
  proofPurpose: "assertionMethod";
  "@context"?: unknown;
}

/**
 * Options of a new proof: they take over the document's context, so that it cannot be swapped under the signature
 * (§3.3.1).
 */
export const proofOptions = (document: Credential, verificationMethod: string, created: string): ProofOptions => ({
  type: "DataIntegrityProof",
  cryptosuite: SUITE,
  // Whole seconds: xsd:dateTimeStamp as the published vectors have it.
  created: created.replace(/\.\d+Z$/, "Z"),
  verificationMethod,
  proofPurpose: "assertionMethod",
  ...("@context" in document && { "@context": document["@context"] }),
});

/** What is signed: the hash of the canonical options, then of the canonical document (§3.3.4). */
export const hashData = (
  document: Credential,
  options: Record<string, unknown>,
  hash: "sha256" | "sha384" = "sha256",
): Buffer => Buffer.concat([options, document].map((value) => createHash(hash).update(canonicalize(value)!).digest()));

/** The secured document; `signature` is the raw Ed25519 one over `hashData`. */
export const withProof = (document: Credential, options: ProofOptions, signature: Uint8Array): Credential => ({
  ...document,
  proof: { ...options, proofValue: `z${base58.encode(signature)}` },
});

export interface IntegrityProof {
  verificationMethod: string;
  purpose: string;
  value: string;
  options: Record<string, unknown>;
}

/** The proof of a secured document, or in words why there is none that we take. */
export function readProof(secured: Credential): IntegrityProof | string {
  if (secured["proof"] === undefined) return "It carries no proof.";
  const proof = secured["proof"] as Record<string, unknown> | null;
  if (typeof proof !== "object" || proof === null || Array.isArray(proof)) return "It must carry exactly one proof.";
  const { proofValue, ...options } = proof;
  if (options["type"] !== "DataIntegrityProof" || !Object.hasOwn(SUITES, String(options["cryptosuite"])))
    return `Only proofs by ${Object.keys(SUITES).join(" and ")} are taken.`;
  const { verificationMethod, proofPurpose } = options;
  const texts = [verificationMethod, proofPurpose, proofValue];
  if (!texts.every((text) => typeof text === "string"))
    return "The proof lacks its verification method, purpose or value.";
  return {
    verificationMethod: verificationMethod as string,
    purpose: proofPurpose as string,
    value: proofValue as string,
    options,
  };
}

/** Whether the proof is the key's over this document. */
export function proofHolds(secured: Credential, { options, value }: IntegrityProof, key: PublicKey): boolean {
  const hash = SUITES[String(options["cryptosuite"])]?.[key.type];
  if (!hash || !/^z[1-9A-HJ-NP-Za-km-z]{80,135}$/.test(value)) return false;
  const { proof: _proof, ...document } = secured;
  // The suite (§3.3.2) would let contexts be appended after signing; they could give signed terms another meaning, so
  // none may.
  if ("@context" in options && !isDeepStrictEqual(options["@context"], document["@context"])) return false;
  const signature = base58.decode(value.slice(1));
  return verifies(key, hashData(document, options, hash), signature);
}
