import { Resolver, type DIDResolutionResult, type DIDResolver, type ParsedDID } from "did-resolver";
import type { IdentityEvent } from "../../../../adapters/chain/chain.ts";
import { pkhDocument, readEthr, readPkh, type EthrAccount } from "../../../../core/did/did-accounts.ts";
import { documentOf, type DidDocument, type KeyFormat } from "../../../../core/did/did-documents.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { didKeyDocument } from "./did-methods.ts";
import { ethrDocument } from "./did-ethr.ts";
import { parseDid } from "./did-syntax.ts";
import { didWebUrl } from "./did-web.ts";
import { publicKeyOfDid, type Did } from "../dids.ts";
import { foreignKindOf, readMultibase } from "../../../../core/did/key-encodings.ts";
import type { Platform } from "./platform.ts";
import {
  deactivated,
  REPRESENTATIONS,
  seconds,
  Unresolved,
  unresolved,
  type Representation,
  type Resolution,
} from "./resolution.ts";

/** What the methods need of the world. */
export interface Sources {
  platform: Platform;
  /** The record of a DID bound to one of our accounts, by its canonical spelling. */
  bound(did: string): Promise<Did | null>;
  fetchWeb(did: string, url: string, asker: string): Promise<DidDocument>;
  /** What the registry of did:ethr tells of an identity, oldest first. Throws Unresolved. */
  eventsOf(account: EthrAccount, asker: string): Promise<IdentityEvent[]>;
  /** Seconds since the epoch. */
  now(): number;
}

/** `asker`: who waits where somebody else's server has to be asked; the mesh itself where nobody is named. */
export interface ResolveOptions {
  accept?: string;
  publicKeyFormat?: KeyFormat;
  asker?: string;
}

const MESH = "mesh";

type Method = (did: string, parsed: ParsedDID, options: ResolveOptions) => Promise<DidDocument | null>;

/** Turns our errors into the form of the resolver library, and back. */
const asResolver =
  (method: Method): DIDResolver =>
  async (did, parsed, _resolver, options): Promise<DIDResolutionResult> => {
    try {
      const didDocument = await method(did, parsed, options as ResolveOptions);
      // A method answers null where ERC-1056 says that the identity was given up.
      return {
        didDocument: didDocument as DIDResolutionResult["didDocument"],
        didResolutionMetadata: {},
        didDocumentMetadata: didDocument ? {} : { deactivated: true },
      };
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      return {
        didDocument: null,
        didResolutionMetadata: { error: error.error, message: error.message },
        didDocumentMetadata: {},
      };
    }
  };

/** Resolves DIDs: those of our accounts from our records, others by the rules of their methods. */
export class Dids {
  readonly #sources: Sources;
  readonly #resolver: Resolver;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#resolver = new Resolver({
      key: asResolver(this.#key),
      web: asResolver(this.#web),
      pkh: asResolver(this.#pkh),
      ethr: asResolver(this.#ethr),
    });
  }

  /** Never throws for the DID's sake: what is wrong with it stands in the result's metadata. */
  async resolve(
    text: string,
    { accept = REPRESENTATIONS[0], publicKeyFormat, asker }: ResolveOptions = {},
  ): Promise<Resolution> {
    if (!parseDid(text))
      return unresolved("invalidDid", "This is no DID: did:method:identifier (DID Core 1.0, section 3.1).");
    if (!REPRESENTATIONS.includes(accept as Representation))
      return unresolved("representationNotSupported", `A document can be had as ${REPRESENTATIONS.join(", ")}.`);
    const record = await this.#sources.bound(text);
    if (record?.status === "deactivated") return deactivated(record.createdAt, record.updatedAt);
    const {
      didDocument,
      didResolutionMetadata: { error, message },
      didDocumentMetadata,
    } = await this.#resolver.resolve(text, { publicKeyFormat, asker });
    if (error)
      return unresolved(
        error === "unsupportedDidMethod" ? "methodNotSupported" : (error as "notFound"),
        String(message ?? "We resolve did:key, did:web, did:pkh and did:ethr."),
      );
    const stamps = record && { created: seconds(record.createdAt), updated: seconds(record.updatedAt) };
    return {
      didDocument: didDocument as DidDocument | null,
      didResolutionMetadata: { contentType: accept as Representation },
      didDocumentMetadata: { ...stamps, ...(didDocumentMetadata.deactivated && { deactivated: true }) },
    };
  }

  #key: Method = async (did, { id }, { publicKeyFormat }) => {
    const key = readMultibase(id);
    const foreign = key ? undefined : foreignKindOf(id);
    if (foreign)
      throw new Unresolved(
        "unsupportedPublicKeyType",
        `This is a did:key of a ${foreign} key; we work with Ed25519, X25519, secp256k1, P-256 and P-384.`,
      );
    if (!key)
      throw new Unresolved(
        "invalidDid",
        "Its identifier is no key that we know: Ed25519, X25519, secp256k1, P-256 or P-384.",
      );
    return didKeyDocument(did, key, publicKeyFormat);
  };

  #web: Method = async (did, { id }, { publicKeyFormat, asker = MESH }) => {
    const { platform, bound, fetchWeb } = this.#sources;
    const url = didWebUrl(id);
    if (!url) throw new Unresolved("invalidDid", "did:web takes a domain name, perhaps a port, and path segments.");
    if (did === platform.didWeb) return platform.document(did, publicKeyFormat);
    const ours = platform.didWeb !== undefined && did.startsWith(`${platform.didWeb}:`);
    if (!ours) return fetchWeb(did, url, asker);
    const record = await bound(did);
    const key = record && publicKeyOfDid(record);
    if (!key) throw new Unresolved("notFound", "There is no such DID here.");
    return documentOf({ did, key, format: publicKeyFormat });
  };

  #pkh: Method = async (did, { id }) => {
    const account = readPkh(did);
    if (account) return pkhDocument(did, account);
    if (id.startsWith("eip155:"))
      throw new Unresolved("invalidDid", "This names no account of an EVM chain, or its checksum (EIP-55) is wrong.");
    throw new Unresolved("methodNotSupported", "Of did:pkh we resolve the accounts of EVM chains (eip155).");
  };

  #ethr: Method = async (did, _parsed, { asker = MESH }) => {
    const account = readEthr(did);
    if (!account)
      throw new Unresolved(
        "invalidDid",
        "did:ethr takes a network that we know and an address (EIP-55) or a compressed public key.",
      );
    // Accounts whose key we keep sign messages, never transactions: the registry can have nothing of them.
    const ours = (await this.#sources.bound(did))?.origin === "account";
    const events = ours ? [] : await this.#sources.eventsOf(account, asker);
    return inTurns(ethrDocument(did, account, events, this.#sources.now()));
  };
}
