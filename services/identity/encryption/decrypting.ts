import { randomBytes } from "node:crypto";
import type { Actor } from "../../../core/access/access.ts";
import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { unprocessable, type Problem } from "../../../core/problem.ts";
import type { Sealer } from "../../../core/access/sealed.ts";
import { agreedSecret } from "../identity/client.ts";
import { concatKdf, decryptContent, unwrapByGcm, unwrapByKw } from "./algorithms.ts";
import { underKey } from "./encrypting.ts";
import { BY_DID, BY_KEY, parseJwe, type Jwe, type Recipient } from "./jwe.ts";
import { EncryptionKey, materialOf, newVersion, readKid } from "./keys.ts";

/**
 * A wrong key, altered, truncated and foreign data, associated data that does not fit: one answer, which tells no more
 * than this.
 */
const cannotDecrypt = (): Problem => unprocessable("DECRYPTION_FAILED", "Cannot decrypt.");

/** Stands in wherever something is missing, so that what is missing takes as long as what is wrong. */
export interface Decoy {
  key: Pick<EncryptionKey, "id" | "versions">;
  material: Buffer;
  jwe: Jwe;
}

export async function decoyOf(sealer: Sealer): Promise<Decoy> {
  const key = { id: "decoy", versions: [newVersion(sealer, "decoy", 1, "")] };
  const material = randomBytes(32);
  return { key, material, jwe: parseJwe(await underKey(Buffer.alloc(32), randomBytes(32), "decoy.1"))! };
}

export interface Desk extends Host {
  sealer: Sealer;
  decoy: Decoy;
}

/** The content key by a named key that the caller can use. */
async function byNamedKey(desk: Desk, caller: Caller, recipient: Recipient): Promise<Buffer | undefined> {
  const { id, version } = readKid(recipient.header["kid"]) ?? { id: "decoy", version: 1 };
  const found = await desk.store(EncryptionKey).one(caller, { _id: id });
  const known = found?.versions.some((one) => one.version === version);
  const material = known ? materialOf(desk.sealer, found!, version) : materialOf(desk.sealer, desk.decoy.key, 1);
  const unwrapped = unwrapByGcm(material!, recipient);
  return known ? unwrapped : undefined;
}

/** The content key by a DID of the caller whose key we keep. */
async function byDid(desk: Desk, actor: Actor, { header, encryptedKey }: Recipient): Promise<Buffer | undefined> {
  const { kid, epk, apu, apv } = header;
  const did =
    typeof kid === "string" && kid.startsWith("did:") && kid.length <= 2_048 ? kid.split("#", 1)[0]! : "did:key:decoy";
  const peer = typeof epk === "object" && epk !== null ? (epk as Record<string, unknown>) : {};
  const secret = await agreedSecret(desk, actor.userId, did, peer);
  const unwrapped = unwrapByKw(concatKdf(secret ?? desk.decoy.material, BY_DID, 32, apu, apv), encryptedKey);
  return secret && unwrapped;
}

async function contentKey(desk: Desk, caller: Caller, { recipients }: Jwe): Promise<Buffer | undefined> {
  const named = recipients.find(({ header }) => header["alg"] === BY_KEY);
  const held = recipients.filter(({ header }) => header["alg"] === BY_DID);
  if (named || !held.length) return byNamedKey(desk, caller, named ?? desk.decoy.jwe.recipients[0]!);
  const keys = await Promise.all(held.map((recipient) => byDid(desk, caller.meta.actor!, recipient)));
  return keys.find((key) => key?.length === 32);
}

/** The plaintext of a JWE, with the associated data that it must have been bound to. Throws `DECRYPTION_FAILED`. */
export async function decrypt(desk: Desk, caller: Caller, given: unknown, aad: string | undefined): Promise<Buffer> {
  const read = parseJwe(given);
  const jwe = read ?? desk.decoy.jwe;
  const bound = aad === undefined ? undefined : Buffer.from(aad).toString("base64url");
  const key = await contentKey(desk, caller, jwe);
  const plain = decryptContent(jwe, key?.length === 32 ? key : desk.decoy.material, bound);
  if (!read || !key || !plain || jwe.aad !== bound) throw cannotDecrypt();
  return plain;
}
