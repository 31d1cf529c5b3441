import type { Host } from "../../../core/contract/endpoint.ts";
import type { DidDocument } from "./did-methods/did-documents.ts";

/** The identity domain as other services ask it. Keys stay there: what comes out are signatures, agreed secrets and documents. */
const ask = <T>(host: Host, action: string, params: object): Promise<T> => host.ask(`identity.${action}`, params);

/** The DID and verification method by which the platform itself signs; `dids` are those it signed by before, too. */
export interface Platform { did: string; dids: string[]; verificationMethod: string }
export const platformOf = (host: Host): Promise<Platform> => ask(host, "platform", {});

/** A person's primary DID, made when first needed. */
export const primaryDid = async (host: Host, userId: string): Promise<string> => (await ask<{ did: string }>(host, "primaryDid", { userId })).did;
/** Who holds a DID; undefined where nobody here does. */
export const holderOf = async (host: Host, did: string): Promise<string | undefined> => (await ask<{ userId: string } | null>(host, "holderOf", { did }))?.userId;

/** A raw signature over the bytes by a DID of ours. */
export async function signedBy(host: Host, did: string, data: Uint8Array): Promise<Buffer> {
  const { signature } = await ask<{ signature: string }>(host, "sign", { did, data: Buffer.from(data).toString("base64url") });
  return Buffer.from(signature, "base64url");
}

/** The secret agreed between a key we keep for this user's DID and a public key; undefined where we keep none for them. */
export async function agreedSecret(host: Host, userId: string, did: string, peer: Record<string, unknown>): Promise<Buffer | undefined> {
  const agreed = await ask<{ secret: string } | null>(host, "agree", { userId, did, peer });
  return agreed ? Buffer.from(agreed.secret, "base64url") : undefined;
}

export interface Resolution { didDocument: DidDocument | null; error?: string; deactivated?: boolean }
interface Resolved { didDocument: DidDocument | null; didResolutionMetadata: { error?: string }; didDocumentMetadata: { deactivated?: boolean } }

/** A DID's document, with the error names of DID Resolution; a resolver that fails is an `internalError`. `asker`: the account that waits for it. */
export async function resolveDid(host: Host, did: string, asker: string | undefined): Promise<Resolution> {
  try {
    const { didDocument, didResolutionMetadata, didDocumentMetadata } = await ask<Resolved>(host, "documentOf", { did, asker });
    return { didDocument, error: didResolutionMetadata.error, deactivated: didDocumentMetadata.deactivated };
  } catch (error) {
    host.logger.warn(`Resolving ${did}: ${(error as Error).message}`);
    return { didDocument: null, error: "internalError" };
  }
}
