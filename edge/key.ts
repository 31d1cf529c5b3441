import { readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import canonicalize from "canonicalize";
import { syncFolder, writeSecretly } from "../adapters/folder.ts";
import { multibaseOf } from "../core/did/key-encodings.ts";
import { newSigningKey, publicKeyOf, sign, type SigningKey } from "../core/did/signatures.ts";
import { StartRefused } from "../core/start-refused.ts";

/** Whoever reads the file can speak as the node: it is its owner's alone. */
const OTHERS = 0o077;

const keyFile = (folder: string): string => join(folder, "node.key");

/** The node's own key pair; the hub knows it by its DID, and never sees the secret. */
export class NodeKey {
  readonly #key: SigningKey;
  /** did:key: a hub that was never told of it can still check what it signed. */
  readonly did: string;

  constructor(key: SigningKey) {
    this.#key = key;
    this.did = `did:key:${multibaseOf(publicKeyOf(key))}`;
  }

  /** Base64url of the Ed25519 signature over the text as UTF-8. */
  signText(text: string): string {
    return Buffer.from(sign(this.#key, Buffer.from(text))).toString("base64url");
  }

  /** Over the value's canonical form (RFC 8785): the same value has the same signature. */
  signValue(value: object): string {
    return this.signText(canonicalize(value)!);
  }
}

/**
 * The key that is kept in the folder, or a new one where there is none.
 * @throws StartRefused where the file holds no key, or others may read it
 */
export function keptKey(folder: string): NodeKey {
  const path = keyFile(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return new NodeKey(newKey(path));
  if (found.mode & OTHERS)
    throw new StartRefused(`${path} can be read by others, and whoever has it is this node: chmod 600 ${path}`);
  const text = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new StartRefused(`${path} holds no key, which is 64 hexadecimal characters. Put back the node's own.`);
  return new NodeKey({ type: "Ed25519", secret: Buffer.from(text, "hex") });
}

/** Never half written: a kill leaves the whole key or none. */
function newKey(path: string): SigningKey {
  const key = newSigningKey("Ed25519");
  const draft = `${path}.begun`;
  writeSecretly(draft, Buffer.from(key.secret).toString("hex"));
  renameSync(draft, path);
  syncFolder(dirname(path));
  return key;
}
