import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384, p521 } from "@noble/curves/nist.js";

/** Labels of a COSE key's parameters (RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4). */
const KTY = 1,
  ALG = 3,
  CRV = -1,
  X = -2,
  Y = -3,
  N = -1,
  E = -2;

interface Curve {
  crv: number;
  bytes: number;
  Point: { fromBytes(bytes: Uint8Array): unknown };
}
/** By algorithm, which fixes the curve (WebAuthn Level 3 §5.8.5). */
const CURVES: Readonly<Record<number, Curve>> = {
  [-7]: { crv: 1, bytes: 32, Point: p256.Point },
  [-35]: { crv: 2, bytes: 48, Point: p384.Point },
  [-36]: { crv: 3, bytes: 66, Point: p521.Point },
};
const LEAST_RSA_BITS = 2_048;
const MOST_RSA_BITS = 8_192;

type Key = ReadonlyMap<number, unknown>;

const bytesAt = (key: Key, label: number): Uint8Array => {
  const value = key.get(label);
  return value instanceof Uint8Array ? Uint8Array.from(value) : new Uint8Array();
};
const holds = (check: () => boolean): boolean => {
  try {
    return check();
  } catch {
    return false;
  }
};
const bitsOf = (bytes: Uint8Array): number => {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first]!) + 24;
};

function ecFlaw(key: Key, { crv, bytes, Point }: Curve): string | undefined {
  if (key.get(KTY) !== 2 || key.get(CRV) !== crv) return "Its curve is not the one of its algorithm.";
  const [x, y] = [bytesAt(key, X), bytesAt(key, Y)];
  if (x.length !== bytes || y.length !== bytes) return `Its coordinates have ${bytes} bytes each.`;
  const isPoint = holds(() => Point.fromBytes(Uint8Array.from([4, ...x, ...y])) !== undefined);
  return isPoint ? undefined : "It is no point of its curve.";
}

function edFlaw(key: Key): string | undefined {
  if (key.get(KTY) !== 1 || key.get(CRV) !== 6) return "Its curve is not the one of its algorithm.";
  const x = bytesAt(key, X);
  if (x.length !== 32) return "It has 32 bytes.";
  return holds(() => !ed25519.Point.fromBytes(x).isSmallOrder()) ? undefined : "It is no point of its curve.";
}

function rsaFlaw(key: Key): string | undefined {
  const [n, e] = [bytesAt(key, N), bytesAt(key, E)],
    bits = bitsOf(n);
  if (key.get(KTY) !== 3) return "It is not of its algorithm's kind.";
  if (bits < LEAST_RSA_BITS || bits > MOST_RSA_BITS || n.at(-1)! % 2 === 0) {
    return `Its modulus is odd and has ${LEAST_RSA_BITS} to ${MOST_RSA_BITS} bits.`;
  }
  const exponentBits = bitsOf(e);
  const isExponent = exponentBits >= 2 && exponentBits <= 64 && e.at(-1)! % 2 === 1;
  return isExponent ? undefined : "Its exponent is odd, above 1, and of at most 64 bits.";
}

/** Why no signature can ever be verified with this key, in words; undefined where one can. */
export function flawOf(key: Key): string | undefined {
  const algorithm = key.get(ALG),
    curve = CURVES[algorithm as number];
  if (curve) return ecFlaw(key, curve);
  if (algorithm === -8) return edFlaw(key);
  return algorithm === -257 ? rsaFlaw(key) : "Its algorithm is not among those that were offered.";
}
