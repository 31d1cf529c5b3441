import { documentOf, type DidDocument, type KeyFormat } from "./did-documents.ts";
import { multibaseOf, readMultibase, type PublicKey } from "./key-encodings.ts";

export const didKeyOf = (key: PublicKey): string => `did:key:${multibaseOf(key)}`;

/** The key that a did:key is, or null where its id is no key. */
export const keyOfDidKey = (did: string): PublicKey | null => (did.startsWith("did:key:") ? readMultibase(did.slice("did:key:".length)) : null);

/** did:key §3.1: the document is computed from the DID alone. */
export const didKeyDocument = (did: string, key: PublicKey, format?: KeyFormat): DidDocument => documentOf({ did, key, format });
