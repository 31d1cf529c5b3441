import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  randomUUID,
  scrypt as scryptInNode,
  timingSafeEqual,
} from "node:crypto";
import { promisify } from "node:util";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { z } from "zod";

/** Runs in libuv's pool, off the main thread. */
const scrypt = promisify<string | Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scryptInNode,
);

const Hex = z.string().regex(/^(?:[0-9a-f]{2})*$/i);

/**
 * Web3 Secret Storage, version 3, with scrypt
 * (https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage).
 */
export const Keystore = z.object({
  version: z.literal(3),
  id: z.string(),
  address: z.string().optional(),
  crypto: z.object({
    cipher: z.literal("aes-128-ctr"),
    cipherparams: z.object({ iv: Hex }),
    ciphertext: Hex,
    kdf: z.literal("scrypt"),
    kdfparams: z.object({
      dklen: z.literal(32),
      n: z
        .int()
        .min(2)
        .max(2 ** 20),
      r: z.int().min(1).max(32),
      p: z.int().min(1).max(16),
      salt: Hex,
    }),
    mac: Hex,
  }),
});
export type Keystore = z.output<typeof Keystore>;

/**
 * 16 MB and a fraction of a second: the passphrases are keys of 32 random bytes, which no stretching makes stronger.
 */
const COST = { n: 2 ** 14, r: 8, p: 1 };

const macOf = (key: Buffer, ciphertext: Buffer): Buffer =>
  Buffer.from(keccak_256(Buffer.concat([key.subarray(16, 32), ciphertext])));

/** Makes the 32 bytes of key from a passphrase. */
export type KeyDerivation = (
  passphrase: string,
  salt: Buffer,
  cost: { n: number; r: number; p: number },
) => Promise<Uint8Array>;

/** Node's scrypt keeps to RFC 7914, which wants n < 2^(16 r). */
const stretch = (passphrase: string, salt: Buffer, { n, r, p }: { n: number; r: number; p: number }): Promise<Buffer> =>
  scrypt(Buffer.from(passphrase), salt, 32, { N: n, r, p, maxmem: 256 * n * r + 1024 * 1024 });

/** Encrypts a private key of 32 bytes. */
export async function lockKey(secret: Uint8Array, passphrase: string, address?: string): Promise<Keystore> {
  const [salt, iv] = [randomBytes(32), randomBytes(16)];
  const key = await stretch(passphrase, salt, COST);
  const cipher = createCipheriv("aes-128-ctr", key.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return {
    version: 3,
    id: randomUUID(),
    ...(address && { address: address.slice(2).toLowerCase() }),
    crypto: {
      cipher: "aes-128-ctr",
      cipherparams: { iv: iv.toString("hex") },
      ciphertext: ciphertext.toString("hex"),
      kdf: "scrypt",
      kdfparams: { dklen: 32, ...COST, salt: salt.toString("hex") },
      mac: macOf(key, ciphertext).toString("hex"),
    },
  };
}

/** Decrypts the private key. Throws where the passphrase is wrong or the keystore was altered. */
export async function unlockKey(
  { crypto }: Keystore,
  passphrase: string,
  by: KeyDerivation = stretch,
): Promise<Buffer> {
  const key = Buffer.from(await by(passphrase, Buffer.from(crypto.kdfparams.salt, "hex"), crypto.kdfparams));
  const ciphertext = Buffer.from(crypto.ciphertext, "hex");
  const mac = Buffer.from(crypto.mac, "hex");
  const right = macOf(key, ciphertext);
  if (mac.length !== right.length || !timingSafeEqual(mac, right))
    throw new Error("The passphrase does not open this keystore.");
  const cipher = createDecipheriv("aes-128-ctr", key.subarray(0, 16), Buffer.from(crypto.cipherparams.iv, "hex"));
  return Buffer.concat([cipher.update(ciphertext), cipher.final()]);
}
