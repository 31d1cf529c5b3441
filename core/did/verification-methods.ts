import type { DidDocument } from "./did-documents.ts";
import { readJwk, readMultibase, type PublicKey } from "./key-encodings.ts";

export type Relationship = "assertionMethod" | "keyAgreement";
export type Method = Record<string, unknown> & { id: string };

/** Ids may be relative to the document (DID Core §3.2.2). */
const absolute = (document: DidDocument, id: string): string => (id.startsWith("#") ? document.id + id : id);

/** The methods a DID document lists under a relationship, embedded or referred to, with absolute ids. */
export function methodsFor(document: DidDocument, relationship: Relationship): Method[] {
  return (document[relationship] ?? []).flatMap((entry): Method[] => {
    const id = typeof entry === "string" ? entry : entry["id"];
    if (typeof id !== "string") return [];
    const method =
      typeof entry === "string"
        ? document.verificationMethod?.find((one) => absolute(document, one.id) === absolute(document, entry))
        : entry;
    return method ? [{ ...method, id: absolute(document, id) }] : [];
  });
}

/** The public key of a verification method, as a Multikey or a JWK; null for a type that is not known. */
export function publicKeyOf({ publicKeyMultibase, publicKeyJwk }: Method): PublicKey | null {
  if (typeof publicKeyMultibase === "string") return readMultibase(publicKeyMultibase);
  return typeof publicKeyJwk === "object" && publicKeyJwk !== null
    ? readJwk(publicKeyJwk as Record<string, unknown>)
    : null;
}
