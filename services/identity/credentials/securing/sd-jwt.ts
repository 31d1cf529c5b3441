import { createHash, randomBytes } from "node:crypto";
import { pack, SDJwt } from "@sd-jwt/core";
import { nestsTooDeep } from "../../../../core/contract/input/nesting.ts";
import { isUnicode } from "../../../../core/contract/input/unicode.ts";
import type { Credential } from "../data-model.ts";
import { openJwt, SD_JWT_TYPE, signingInput, type OpenedJwt } from "./jose.ts";

const ALGORITHM = "sha-256";
const hasher = (data: string | ArrayBuffer): Uint8Array =>
  createHash("sha256")
    .update(typeof data === "string" ? data : new Uint8Array(data))
    .digest();
const salt = (bytes: number): string => randomBytes(bytes).toString("base64url");

/** Digest of a disclosure as it is written (RFC 9901 §4.2.3). */
export const digestOf = (disclosure: string): string => Buffer.from(hasher(disclosure)).toString("base64url");

/**
 * What is signed of a credential each of whose claims its holder can hold back, and the disclosures that go with it.
 */
export async function disclosable(
  credential: Credential,
  verificationMethod: string,
): Promise<{ input: string; disclosures: string[] }> {
  const { id: _id, ...claims } = credential["credentialSubject"] as Credential;
  const frame = { credentialSubject: { _sd: Object.keys(claims) } };
  const { packedClaims, disclosures } = await pack(
    credential as never,
    frame as never,
    { hasher, alg: ALGORITHM },
    salt,
  );
  return {
    input: signingInput({ ...packedClaims, _sd_alg: ALGORITHM }, verificationMethod, SD_JWT_TYPE),
    disclosures: disclosures.map((disclosure) => disclosure.encode()),
  };
}

export interface OpenedSdJwt extends OpenedJwt {
  /** The signed part. */
  jwt: string;
  /** Whether nothing was held back. */
  whole: boolean;
}

/** Names that no claim may have: two are the format's own (RFC 9901 §4.2.1), the others JavaScript's. */
const RESERVED = new Set(["_sd", "...", "__proto__", "constructor", "prototype"]);

/** A disclosure's value, or undefined for one that is malformed. */
function valueOf(disclosure: string): { value: unknown } | undefined {
  try {
    const text = Buffer.from(disclosure, "base64url").toString("utf8");
    if (nestsTooDeep(text)) return undefined;
    const parts: unknown = JSON.parse(text);
    if (
      !Array.isArray(parts) ||
      !isUnicode(parts) ||
      digestOf(Buffer.from(disclosure, "base64url").toString("base64url")) !== digestOf(disclosure)
    )
      return undefined;
    if (parts.length === 3 && typeof parts[1] === "string" && !RESERVED.has(parts[1])) return { value: parts[2] };
    return parts.length === 2 ? { value: parts[1] } : undefined;
  } catch {
    return undefined;
  }
}

/** The digests in a value, at whatever depth. */
function digestsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(digestsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === "_sd") return Array.isArray(inner) ? inner.map(String) : [];
    return name === "..." && typeof inner === "string" ? [inner] : digestsIn(inner);
  });
}

/**
 * An SD-JWT with what its holder disclosed put back in its place, unverified; or in words why it is none (RFC 9901
 * §7.1).
 */
export async function openSdJwt(text: string): Promise<OpenedSdJwt | string> {
  const [jwt, ...rest] = text.split("~");
  const keyBinding = rest.pop();
  const opened = openJwt(jwt!, SD_JWT_TYPE);
  if (typeof opened === "string") return opened;
  if (keyBinding) return "Key binding is not read here: our credentials name no key of their holder.";
  if ((opened.credential["_sd_alg"] ?? ALGORITHM) !== ALGORITHM) return `Digests must be by ${ALGORITHM}.`;
  const values = rest.map(valueOf);
  if (!values.every((one) => one !== undefined)) return "A disclosure is malformed.";
  const digests = [opened.credential, ...values.map(({ value }) => value)].flatMap(digestsIn);
  if (new Set(digests).size !== digests.length || new Set(rest).size !== rest.length)
    return "A digest or disclosure stands there twice.";
  if (!rest.every((disclosure) => digests.includes(digestOf(disclosure))))
    return "A disclosure belongs to nothing that was signed.";
  try {
    const { _sd_alg: _alg, ...credential } = await (await SDJwt.fromEncode(text, hasher)).getClaims<Credential>(hasher);
    return { ...opened, credential, jwt: jwt!, whole: digests.length === rest.length };
  } catch {
    return "This is not an SD-JWT.";
  }
}
