import { derive } from "../../../../core/ids.ts";
import { documentOf, type DidDocument, type KeyFormat } from "../../../../core/did/did-documents.ts";
import { didKeyOf } from "./did-methods.ts";
import { jwkOf, multibaseOf, type PublicJwk, type PublicKey } from "../../../../core/did/key-encodings.ts";
import { publicKeyOf, type SigningKey } from "../../../../core/did/signatures.ts";

const keyUnder = (secret: Uint8Array, label = "platform did ed25519"): SigningKey => ({
  type: "Ed25519",
  secret: derive(secret, label),
});
const trainingKeyUnder = (secret: Uint8Array): SigningKey => keyUnder(secret, "platform training did ed25519");

/** The platform as a DID subject: it issues credentials. Every node derives the same key from the root secret. */
export class Platform {
  readonly key: SigningKey;
  readonly publicKey: PublicKey;
  readonly publicKeyJwk: PublicJwk;
  readonly multibase: string;
  /** Its did:key: resolvable by anybody, for ever. */
  readonly didKey: string;
  /** Its did:web, where a public name is set. */
  readonly didWeb: string | undefined;

  /** Keys it signed with under root secrets before: they vouch for what they signed, and do nothing else. */
  readonly formerKeys: readonly PublicKey[];
  /** Signs what is issued in training, under a did:key that nobody outside has a reason to trust. */
  readonly trainingKey: SigningKey;
  /** The DIDs of that key, and of those under root secrets before. */
  readonly trainingDids: readonly string[];

  constructor(secret: Uint8Array, publicUrl: string | undefined, formerSecrets: readonly Uint8Array[] = []) {
    this.key = keyUnder(secret);
    this.formerKeys = formerSecrets.map((former) => publicKeyOf(keyUnder(former)));
    this.trainingKey = trainingKeyUnder(secret);
    this.trainingDids = [secret, ...formerSecrets].map((root) => didKeyOf(publicKeyOf(trainingKeyUnder(root))));
    this.publicKey = publicKeyOf(this.key);
    this.publicKeyJwk = jwkOf(this.publicKey);
    this.multibase = multibaseOf(this.publicKey);
    this.didKey = didKeyOf(this.publicKey);
    this.didWeb = publicUrl === undefined ? undefined : didWebOfOrigin(publicUrl);
  }

  /** The DID it signs by: did:web where others can fetch it over HTTPS, else did:key. */
  get did(): string {
    return this.didWeb ?? this.didKey;
  }

  /** The key that it signs with under a DID of its own; undefined for any other. */
  keyOf(did: string): SigningKey | undefined {
    if (did === this.trainingDids[0]) return this.trainingKey;
    return did === this.didKey || did === this.didWeb ? this.key : undefined;
  }

  /** The DIDs by which it signs, and signed under root secrets before. */
  get dids(): string[] {
    return [...new Set([this.did, this.didKey, ...this.formerKeys.map(didKeyOf)])];
  }

  verificationMethod(did = this.did): string {
    return `${did}#${did === this.trainingDids[0] ? multibaseOf(publicKeyOf(this.trainingKey)) : this.multibase}`;
  }

  document(did = this.did, format?: KeyFormat): DidDocument {
    return documentOf({
      did,
      key: this.publicKey,
      formerKeys: this.formerKeys,
      format,
      alsoKnownAs: [this.didKey, this.didWeb].filter((one) => one !== undefined && one !== did) as string[],
    });
  }
}

/** did:web of an origin; undefined where it can have none: did:web is HTTPS and a domain name, never an address. */
function didWebOfOrigin(origin: string): string | undefined {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "https:" || /^[\d.]+$|^\[/.test(hostname)) return undefined;
  return `did:web:${hostname}${port ? `%3A${port}` : ""}`;
}
