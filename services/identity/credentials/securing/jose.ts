import { isCanonical } from "../../../../core/access/base64url.ts";
import { nestsTooDeep } from "../../../../core/contract/input/nesting.ts";
import { isUnicode } from "../../../../core/contract/input/unicode.ts";
import type { PublicKey } from "../../../../core/did/key-encodings.ts";
import { verifies } from "../../../../core/did/signatures.ts";
import { issuerOf, type Credential } from "../data-model.ts";

/** VC-JOSE-COSE §3.1.1: the type of a credential secured by JOSE. */
const JWT_TYPE = "vc+jwt";
/** §3.2.1: one whose holder can hold claims back. */
export const SD_JWT_TYPE = "vc+sd-jwt";
type JwtType = typeof JWT_TYPE | typeof SD_JWT_TYPE;
/**
 * Which signatures each curve makes; nothing else is taken (RFC 8725 §3.1). `Ed25519` is the name RFC 9864 gives to
 * what `EdDSA` means here.
 */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  Ed25519: ["EdDSA", "Ed25519"],
  "P-256": ["ES256"],
  "P-384": ["ES384"],
  secp256k1: ["ES256K"],
};

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What is signed of a credential: `<header>.<payload>`; the JWT is this, a dot and the signature. */
export const signingInput = (credential: Credential, verificationMethod: string, typ: JwtType = JWT_TYPE): string =>
  `${encode({ alg: "EdDSA", typ, cty: "vc", kid: verificationMethod })}.${encode(credential)}`;

export interface OpenedJwt {
  credential: Credential;
  verificationMethod: string;
}

/**
 * Base64url has several texts for some bytes; only the one an encoder gives is taken, so that no letter can be changed
 * unnoticed.
 */
const strict = (part: string): boolean => part !== "" && isCanonical(part);

const decode = (part: string): Record<string, unknown> | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(part, "base64url"));
    if (nestsTooDeep(text)) return undefined;
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) && isUnicode(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};

/** Header and payload of a `vc+jwt`, unverified; or in words why it is none. A `kid` may be relative to the issuer. */
export function openJwt(jwt: string, type: JwtType = JWT_TYPE): OpenedJwt | string {
  const parts = jwt.split(".");
  const [header, credential] = parts.length === 3 && parts.every(strict) ? parts.slice(0, 2).map(decode) : [];
  if (!header || !credential) return "This is not a JWT.";
  if (header["typ"] !== type) return `The JWT's type must be ${type}.`;
  if (header["crit"] !== undefined) return "The JWT asks for extensions (crit) that are not known here.";
  if ("vc" in credential || "vp" in credential)
    return "The payload must be the credential itself (VC-JOSE-COSE §3.1.1), not hold it in a claim.";
  const { kid } = header;
  const issuer = issuerOf(credential);
  if (typeof kid !== "string") return "The JWT's header names no key (kid).";
  if (credential["iss"] !== undefined && credential["iss"] !== issuer)
    return "The claim iss is not the credential's issuer.";
  return { credential, verificationMethod: kid.startsWith("#") ? `${issuer}${kid}` : kid };
}

/** Whether the JWT is signed by this key, with an algorithm that the key's curve has. */
export function jwtHolds(jwt: string, key: PublicKey): boolean {
  const parts = jwt.split(".");
  const [head, payload, signature] = parts;
  if (parts.length !== 3 || !parts.every(strict)) return false;
  const algorithm = decode(head!)?.["alg"];
  return (
    ALGORITHMS[key.type]?.includes(algorithm as string) === true &&
    verifies(key, Buffer.from(`${head}.${payload}`), Buffer.from(signature!, "base64url"))
  );
}

/** Which keys sign JWTs here; others are of no algorithm that we know. */
export const signsJwts = ({ type }: PublicKey): boolean => type in ALGORITHMS;
