/**
 * JSON Web Encryption (RFC 7516) as far as this platform takes it: which forms, which algorithms, and nothing beside.
 */

/** Content is encrypted by AES-256 in Galois/Counter Mode, always. */
export const CONTENT = "A256GCM";
/** Keys are wrapped by a named key, or agreed on with the holder of a DID. */
export const BY_KEY = "A256GCMKW";
export const BY_DID = "ECDH-ES+A256KW";

export interface Recipient {
  /** Protected, shared and own header parameters together; a parameter stands in one of them only (§7.2.1). */
  header: Readonly<Record<string, unknown>>;
  encryptedKey: Buffer;
}

export interface Jwe {
  /** As it came: it is authenticated in this form. */
  protected: string;
  /** Base64url of the associated data, as it came. */
  aad?: string;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
  recipients: readonly Recipient[];
}

/** More recipients than this are nobody's letter. */
export const MOST_RECIPIENTS = 20;

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Bytes of strict base64url: the one text that encodes them, so that no letter of a JWE can be changed unnoticed. */
export function bytesOf(text: unknown): Buffer | undefined {
  if (typeof text !== "string") return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

function headerOf(text: string): Json | undefined {
  const bytes = bytesOf(text);
  if (!bytes) return undefined;
  try {
    const header: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isJson(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

/** The members joined, or undefined when two of them name the same parameter. */
function joined(...headers: readonly Json[]): Json | undefined {
  const names = headers.flatMap((header) => Object.keys(header));
  return new Set(names).size === names.length ? (Object.assign({}, ...headers) as Json) : undefined;
}

/** Compression (plaintext would tell on its length) and extensions that we do not know are refused. */
const strange = (header: Json): boolean =>
  header["enc"] !== CONTENT || header["zip"] !== undefined || header["crit"] !== undefined;

function recipientOf(given: unknown, shielded: Json, shared: Json): Recipient | undefined {
  if (!isJson(given)) return undefined;
  const own = given["header"] ?? {};
  const header = isJson(own) ? joined(shielded, shared, own) : undefined;
  const encryptedKey = bytesOf(given["encrypted_key"]);
  return header && encryptedKey && !strange(header) ? { header, encryptedKey } : undefined;
}

/**
 * Reads compact, flattened and general form; undefined for anything that is none of them, or asks for another way of
 * encrypting.
 */
export function parseJwe(given: unknown): Jwe | undefined {
  if (typeof given === "string") {
    const parts = given.split(".");
    if (parts.length !== 5) return undefined;
    const [head, encrypted_key, iv, ciphertext, tag] = parts;
    return parseJwe({ protected: head, encrypted_key, iv, ciphertext, tag });
  }
  if (!isJson(given) || typeof given["protected"] !== "string") return undefined;
  const shielded = headerOf(given["protected"]);
  const shared = given["unprotected"] ?? {};
  const [iv, ciphertext, tag] = [bytesOf(given["iv"]), bytesOf(given["ciphertext"]), bytesOf(given["tag"])];
  const { aad } = given;
  if (
    !shielded ||
    !isJson(shared) ||
    iv?.length !== 12 ||
    !ciphertext ||
    tag?.length !== 16 ||
    (aad !== undefined && !bytesOf(aad))
  )
    return undefined;
  const listed: unknown = given["recipients"] ?? [{ header: given["header"], encrypted_key: given["encrypted_key"] }];
  if (!Array.isArray(listed) || !listed.length || listed.length > MOST_RECIPIENTS) return undefined;
  const recipients = listed.map((one) => recipientOf(one, shielded, shared));
  if (!recipients.every((one) => one !== undefined)) return undefined;
  return {
    protected: given["protected"],
    ...(aad !== undefined && { aad: aad as string }),
    iv,
    ciphertext,
    tag,
    recipients,
  };
}
