import { createDecipheriv, createHash, pbkdf2Sync } from "node:crypto";
import { damaged, Unreadable, WRONG_PASSWORD } from "../text.ts";
import type { Package, XmlHandlers } from "./xml.ts";

/** Programs use 100,000; a much higher number would only cost us time. */
const MOST_ROUNDS = 1_000_000;
/** The checksum covers this many encrypted bytes (OASIS ODF 1.3 part 2, 4.16.2). */
const CHECKED_BYTES = 1_024;
const MANIFEST = "META-INF/manifest.xml";
/** The only part of a package that is encrypted as a whole. */
const WHOLE = "encrypted-package";

type Attributes = Readonly<Record<string, string>>;
const nameOf = (uri = ""): string => uri.slice(uri.lastIndexOf("#") + 1).toLowerCase();

/** How a part of a package is encrypted, by its manifest; undefined where it is not. */
class Manifest implements XmlHandlers {
  readonly #part: string;
  #isIn = false;
  isSealed = false;
  said: Record<string, Attributes> = {};

  constructor(part: string) {
    this.#part = part;
  }
  open(name: string, attributes: Attributes): void {
    if (name === "file-entry") this.#isIn = [this.#part, WHOLE].includes(attributes["full-path"] ?? "");
    if (!this.#isIn) return;
    if (name === "encryption-data") this.isSealed = true;
    this.said[name] = attributes;
  }
  text(): void {}
  close(name: string): void {
    if (name === "file-entry") this.#isIn = false;
  }
}

const unknownWay = (): Unreadable => new Unreadable("encrypted", "It is encrypted in a way that is not read here.");

/** The decrypted bytes of a part, still deflated. */
function opened(sealed: Buffer, said: Record<string, Attributes>, password: string): Buffer {
  const { algorithm = {}, "key-derivation": derivation = {}, "encryption-data": data = {} } = said;
  const rounds = Number(derivation["iteration-count"]);
  if (!(rounds > 0 && rounds <= MOST_ROUNDS))
    throw damaged(`It asks for ${derivation["iteration-count"]} rounds of its hash.`);
  const start = createHash("sha256").update(password, "utf8").digest();
  const [salt, iv] = [derivation["salt"], algorithm["initialisation-vector"]].map((text) =>
    Buffer.from(text ?? "", "base64"),
  ) as [Buffer, Buffer];
  if (iv.length !== 16 || sealed.length === 0 || sealed.length % 16) throw damaged("Its encrypted parts are torn.");
  const key = pbkdf2Sync(start, salt, rounds, 32, "sha1");
  const decipher = createDecipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(sealed), decipher.final()]);
  const plain = padded.subarray(0, padded.length - Math.min(16, padded.at(-1)!));
  const is = createHash("sha256").update(plain.subarray(0, CHECKED_BYTES)).digest("base64");
  if (is !== data["checksum"]) throw new Unreadable("encrypted", WRONG_PASSWORD);
  return plain;
}

const isKnown = ({
  algorithm,
  "key-derivation": derivation,
  "start-key-generation": start,
  "encryption-data": data,
}: Record<string, Attributes>) =>
  nameOf(algorithm?.["algorithm-name"]) === "aes256-cbc" &&
  nameOf(derivation?.["key-derivation-name"]) === "pbkdf2" &&
  nameOf(start?.["start-key-generation-name"]) === "sha256" &&
  nameOf(data?.["checksum-type"]) === "sha256-1k";

/**
 * How an encrypted part is opened, by the manifest; undefined where it is not encrypted. Throws Unreadable where we do
 * not support the encryption, or the password is missing.
 */
export async function unsealing(
  parts: Package,
  part: string,
  password: string | undefined,
): Promise<((sealed: Buffer) => Buffer) | undefined> {
  if (!parts.has(MANIFEST)) return undefined;
  const manifest = new Manifest(part);
  await parts.read(MANIFEST, manifest);
  if (!manifest.isSealed && !parts.has(WHOLE)) return undefined;
  if (!isKnown(manifest.said) || !parts.has(part)) throw unknownWay();
  if (password === undefined) throw new Unreadable("encrypted", "It opens with a password only.");
  return (sealed) => opened(sealed, manifest.said, password);
}
