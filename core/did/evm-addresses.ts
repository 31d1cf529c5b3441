import { keccak_256 } from "@noble/hashes/sha3.js";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** EIP-55: capitals where the hash of the lower-case address says so. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString("hex");
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at]!, 16) >= 8 ? digit.toUpperCase() : digit)).join("")}`;
}

/** The checksummed form; null where it is no address, or its capitals (if it has both cases) are a wrong checksum. */
export function readAddress(text: string): string | null {
  if (!ADDRESS.test(text)) return null;
  const right = checksummed(text);
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || text === right ? right : null;
}

/** The address of a key: the last 20 bytes of Keccak-256 over the uncompressed point without its first byte. */
export const addressOfPoint = (uncompressed: Uint8Array): string =>
  checksummed(`0x${Buffer.from(keccak_256(uncompressed.subarray(1)).subarray(-20)).toString("hex")}`);
