import { createDecipheriv, createHash } from "node:crypto";
import { CompoundFile } from "./compound-file.ts";
import { damaged, Unreadable, WRONG_PASSWORD } from "../text.ts";

/** Agile encryption ([MS-OFFCRYPTO] 2.3.4.10), written by programs since 2010. */
const AGILE = 4;
const HASHES: Readonly<Record<string, string>> = { SHA1: "sha1", SHA256: "sha256", SHA384: "sha384", SHA512: "sha512" };
const SEGMENT_BYTES = 4_096;
/** Programs use 100,000; a much higher number would only cost us time. */
const MOST_ROUNDS = 1_000_000;
const FOR_VERIFIER = Buffer.from("fea7d2763b4b9e79", "hex");
const FOR_VERIFIED = Buffer.from("d7aa0f6d3061344e", "hex");
const FOR_KEY = Buffer.from("146e0be7abacd0d6", "hex");

interface Scheme {
  salt: Buffer;
  hash: string;
  keyBytes: number;
  blockBytes: number;
}
export interface PasswordScheme extends Scheme {
  rounds: number;
  verifier: Buffer;
  verified: Buffer;
  key: Buffer;
}

const hashed = (hash: string, ...parts: readonly Uint8Array[]): Buffer => {
  const made = createHash(hash);
  for (const part of parts) made.update(part);
  return made.digest();
};
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
/** Cut, or padded as the standard says. */
const sized = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), 0x36)]).subarray(0, length);

function deciphered(key: Buffer, iv: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** The key of a package for a password; undefined for a wrong one. */
function packageKey(scheme: PasswordScheme, password: string): Buffer | undefined {
  const { salt, hash, keyBytes, blockBytes, rounds, verifier, verified, key } = scheme;
  let spun = hashed(hash, salt, Buffer.from(password, "utf16le"));
  for (let round = 0; round < rounds; round++) spun = hashed(hash, number(round), spun);
  const opened = (purpose: Buffer, sealed: Buffer): Buffer =>
    deciphered(sized(hashed(hash, spun, purpose), keyBytes), sized(salt, blockBytes), sealed);
  const is = hashed(hash, opened(FOR_VERIFIER, verifier).subarray(0, salt.length));
  if (!is.equals(opened(FOR_VERIFIED, verified).subarray(0, is.length))) return undefined;
  return opened(FOR_KEY, key).subarray(0, keyBytes);
}

/** Attributes of an element of the description, which is XML of a few fixed elements. */
function attributesOf(xml: string, element: string): (name: string) => string {
  const tag = new RegExp(`<(?:\\w{1,20}:)?${element}\\s[^>]{0,4000}>`).exec(xml)?.[0] ?? "";
  return (name) => new RegExp(`\\s${name}="([^"]{0,2000})"`).exec(tag)?.[1] ?? "";
}

function schemeOf(of: (name: string) => string): Scheme {
  const hash = HASHES[of("hashAlgorithm")];
  const [keyBytes, blockBytes] = [Number(of("keyBits")) / 8, Number(of("blockSize"))];
  const isKnown = of("cipherAlgorithm") === "AES" && of("cipherChaining") === "ChainingModeCBC";
  if (!hash || !isKnown || ![16, 24, 32].includes(keyBytes) || blockBytes !== 16)
    throw new Unreadable("encrypted", "It is encrypted in a way that is not read here.");
  return { salt: Buffer.from(of("saltValue"), "base64"), hash, keyBytes, blockBytes };
}

/** The document inside an encrypted one. Throws Unreadable: `encrypted` for a wrong password. */
export function decrypted(bytes: Buffer, password: string | undefined): Buffer {
  let file: CompoundFile;
  try {
    file = new CompoundFile(bytes);
  } catch (error) {
    throw damaged(`It is an encrypted document that cannot be read: ${(error as Error).message}.`);
  }
  const [info, sealed] = [file.stream("EncryptionInfo"), file.stream("EncryptedPackage")];
  if (!info && sealed) throw new Unreadable("encrypted", "It opens by the rights management of its author only.");
  if (!info || !sealed || info.length < 8 || sealed.length < 8)
    throw damaged("Parts of an encrypted document are missing.");
  if (info.readUInt16LE(0) !== AGILE || info.readUInt16LE(2) !== AGILE)
    throw new Unreadable("encrypted", "It is encrypted in an older way, which is not read here.");
  if (password === undefined) throw new Unreadable("encrypted", "It opens with a password only.");
  const xml = info.toString("utf8", 8);
  const [data, by] = [attributesOf(xml, "keyData"), attributesOf(xml, "encryptedKey")];
  const rounds = Number(by("spinCount"));
  if (!(rounds >= 0 && rounds <= MOST_ROUNDS)) throw damaged(`It asks for ${by("spinCount")} rounds of its hash.`);
  const [verifier, verified, key] = [
    "encryptedVerifierHashInput",
    "encryptedVerifierHashValue",
    "encryptedKeyValue",
  ].map((name) => Buffer.from(by(name), "base64")) as [Buffer, Buffer, Buffer];
  const secret = packageKey({ ...schemeOf(by), rounds, verifier, verified, key }, password);
  if (!secret) throw new Unreadable("encrypted", WRONG_PASSWORD);
  return opened(sealed, secret, schemeOf(data));
}

function opened(sealed: Buffer, key: Buffer, { salt, hash, blockBytes }: Scheme): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8, nth = 0; at < sealed.length; at += SEGMENT_BYTES, nth++) {
    const segment = sealed.subarray(at, at + SEGMENT_BYTES);
    const whole = segment.subarray(0, segment.length - (segment.length % blockBytes));
    parts.push(deciphered(key, sized(hashed(hash, salt, number(nth)), blockBytes), whole));
  }
  return Buffer.concat(parts).subarray(0, Number(sealed.readBigUInt64LE(0)));
}
