import { base58 } from "@scure/base";
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { isCanonical } from "../access/base64url.ts";

/**
 * Kinds of public key, with their multicodec prefix (an unsigned varint, https://github.com/multiformats/multicodec)
 * and length in bytes.
 */
const KINDS = {
  Ed25519: { prefix: [0xed, 0x01], bytes: 32, jwk: { kty: "OKP", crv: "Ed25519" } },
  X25519: { prefix: [0xec, 0x01], bytes: 32, jwk: { kty: "OKP", crv: "X25519" } },
  secp256k1: { prefix: [0xe7, 0x01], bytes: 33, jwk: { kty: "EC", crv: "secp256k1" } },
  "P-256": { prefix: [0x80, 0x24], bytes: 33, jwk: { kty: "EC", crv: "P-256" } },
  "P-384": { prefix: [0x81, 0x24], bytes: 49, jwk: { kty: "EC", crv: "P-384" } },
} as const;

export type KeyType = keyof typeof KINDS;
export const KEY_TYPES = Object.keys(KINDS) as [KeyType, ...KeyType[]];
/** A public key: 32 raw bytes, or a compressed point. */
export interface PublicKey {
  type: KeyType;
  bytes: Uint8Array;
}
export interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
  y?: string;
}

const WEIERSTRASS = { secp256k1, "P-256": p256, "P-384": p384 } as const;

const P25519 = 2n ** 255n - 19n;
/**
 * The points of Curve25519 and its twist of small order, by their coordinate u: what anybody agrees on with them is
 * zero (RFC 7748 §6.1). To look them up costs a thousandth of agreeing.
 */
const SMALL_ORDER = new Set([
  0n,
  1n,
  P25519 - 1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
]);
/** The first bit is masked, and what is beyond the field is taken modulo it (RFC 7748 §5). */
const coordinateU = (bytes: Uint8Array): bigint =>
  (BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`) & (2n ** 255n - 1n)) % P25519;

/** Whether the bytes are a point of the curve, other than one of small order. */
export function isPoint({ type, bytes }: PublicKey): boolean {
  if (bytes.length !== KINDS[type].bytes) return false;
  try {
    if (type === "X25519") return !SMALL_ORDER.has(coordinateU(bytes));
    if (type === "Ed25519") return !ed25519.Point.fromBytes(bytes).isSmallOrder();
    return WEIERSTRASS[type].Point.fromBytes(bytes) !== undefined;
  } catch {
    return false;
  }
}

/** Multikey form: multibase base58btc over multicodec prefix and key (`z6Mk…`). */
export const multibaseOf = ({ type, bytes }: PublicKey): string =>
  `z${base58.encode(Uint8Array.from([...KINDS[type].prefix, ...bytes]))}`;

/**
 * Reads a Multikey; null where it is not base58btc, of no kind we know, of a wrong length, or no point of its curve.
 */
export function readMultibase(text: string): PublicKey | null {
  if (!/^z[1-9A-HJ-NP-Za-km-z]{1,128}$/.test(text)) return null;
  const whole = base58.decode(text.slice(1));
  const type = KEY_TYPES.find((kind) => KINDS[kind].prefix.every((byte, at) => whole[at] === byte));
  if (!type) return null;
  const key = { type, bytes: whole.subarray(2) };
  return isPoint(key) ? key : null;
}

/** Kinds of key that did:key can name and nothing here works with, with their prefix and least and most bytes. */
const FOREIGN = {
  "BLS12-381 G1": { prefix: [0xea, 0x01], bytes: [48, 48] },
  "BLS12-381 G2": { prefix: [0xeb, 0x01], bytes: [96, 96] },
  "BLS12-381 G1 and G2": { prefix: [0xee, 0x01], bytes: [144, 144] },
  "P-521": { prefix: [0x82, 0x24], bytes: [67, 67] },
  Ed448: { prefix: [0x83, 0x24], bytes: [57, 57] },
  X448: { prefix: [0x84, 0x24], bytes: [56, 56] },
  // RFC 8017 §A.1.1 in DER: a modulus of 1,024 to 8,192 bits.
  RSA: { prefix: [0x85, 0x24], bytes: [136, 1_040] },
} as const;

/** Names the kind of a well-formed Multikey that nothing here works with; undefined where it is none of them. */
export function foreignKindOf(text: string): string | undefined {
  if (!/^z[1-9A-HJ-NP-Za-km-z]{1,1024}$/.test(text)) return undefined;
  const whole = base58.decode(text.slice(1));
  const found = Object.entries(FOREIGN).find(([, { prefix }]) => prefix.every((byte, at) => whole[at] === byte));
  if (!found) return undefined;
  const [kind, { bytes }] = found;
  return whole.length - 2 >= bytes[0] && whole.length - 2 <= bytes[1] ? kind : undefined;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/**
 * The one curve of an algorithm for signatures (RFC 7518 §3.4, RFC 8812 §3.2, RFC 9864 §2); EdDSA's other one is none
 * of ours.
 */
const CURVES = new Map(
  Object.entries({
    ES256: "P-256",
    ES384: "P-384",
    ES512: "P-521",
    ES256K: "secp256k1",
    EdDSA: "Ed25519",
    Ed25519: "Ed25519",
    Ed448: "Ed448",
  }),
);

/** RFC 7517 form (RFC 8037 for Ed25519 and X25519, RFC 8812 for secp256k1). */
export function jwkOf({ type, bytes }: PublicKey): PublicJwk {
  if (type === "Ed25519" || type === "X25519") return { ...KINDS[type].jwk, x: base64url(bytes) };
  const whole = WEIERSTRASS[type].Point.fromBytes(bytes).toBytes(false);
  const half = (whole.length - 1) / 2;
  return { ...KINDS[type].jwk, x: base64url(whole.subarray(1, 1 + half)), y: base64url(whole.subarray(1 + half)) };
}

/** A coordinate of so many bytes, in the one text that they have (RFC 7518 §6.2.1.2). */
function coordinateOf(text: unknown, bytes: number): Buffer | undefined {
  const read = typeof text === "string" && isCanonical(text) ? Buffer.from(text, "base64url") : undefined;
  return read?.length === bytes ? read : undefined;
}

/**
 * Reads a public JWK; null where it is of no kind we know, names the algorithm of another, or is no point of its curve.
 */
export function readJwk(jwk: Readonly<Record<string, unknown>>): PublicKey | null {
  const type = KEY_TYPES.find((kind) => kind === jwk["crv"] && KINDS[kind].jwk.kty === jwk["kty"]);
  if (!type || (CURVES.get(jwk["alg"] as string) ?? type) !== type) return null;
  if (type === "Ed25519" || type === "X25519") {
    const bytes = coordinateOf(jwk["x"], 32);
    return bytes ? checked({ type, bytes }) : null;
  }
  const [x, y] = [jwk["x"], jwk["y"]].map((one) => coordinateOf(one, KINDS[type].bytes - 1));
  if (!x || !y) return null;
  try {
    return checked({ type, bytes: WEIERSTRASS[type].Point.fromBytes(Uint8Array.from([4, ...x, ...y])).toBytes(true) });
  } catch {
    return null;
  }
}

const checked = (key: PublicKey): PublicKey | null => (isPoint(key) ? key : null);

/**
 * The X25519 key for agreement that belongs to an Ed25519 key (did:key §3.1.3; the birational map of RFC 7748 §4.1).
 */
export const agreementKeyOf = ({ bytes }: PublicKey): PublicKey => ({
  type: "X25519",
  bytes: ed25519.utils.toMontgomery(bytes),
});
