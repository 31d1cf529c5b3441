import { documentOf, type DidDocument, type KeyFormat } from "../../../../core/did/did-documents.ts";
import { multibaseOf, type PublicKey } from "../../../../core/did/key-encodings.ts";

export const didKeyOf = (key: PublicKey): string => `did:key:${multibaseOf(key)}`;

/** did:key §3.1: the document is computed from the DID alone. */
export const didKeyDocument = (did: string, key: PublicKey, format?: KeyFormat): DidDocument =>
  documentOf({ did, key, format });
