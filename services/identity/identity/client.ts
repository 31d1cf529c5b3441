import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import type { Remembered } from "../../../core/remembered.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { unprocessable } from "../../../core/problem.ts";
import type { DidDocument } from "../../../core/did/did-documents.ts";
import type { Purpose } from "./proofs/challenges.ts";

/**
 * The identity domain as other services ask it. Keys stay there: what comes out are signatures, agreed secrets and
 * documents.
 */
const ask = <T>(host: Host, action: string, params: object): Promise<T> => host.ask(`identity.${action}`, params);

/** A DID and verification method by which the platform signs; `dids` are those it signed by before, too. */
export interface PlatformSigner {
  did: string;
  dids: string[];
  verificationMethod: string;
}
/** By what the platform itself signs, and by what in training. */
export interface Platform extends PlatformSigner {
  training: PlatformSigner;
}
export const platformOf = (host: Host): Promise<Platform> => ask(host, "platform", {});

/** What the domain remembers of primary DIDs, for those in its own process: looked at, it costs no call. */
export const primariesAtHand = new WeakMap<ServiceBroker, Pick<Remembered<{ did: string }>, "known">>();

/** A person's primary DID, made when first needed. */
export async function primaryDid(host: Host, userId: string): Promise<string> {
  const known = primariesAtHand.get(host.broker)?.known(userId);
  return (await (known ?? ask<{ did: string }>(host, "primaryDid", { userId }))).did;
}
/** Who holds a DID; undefined where nobody here does. */
export const holderOf = async (host: Host, did: string): Promise<string | undefined> =>
  (await ask<{ userId: string } | null>(host, "holderOf", { did }))?.userId;

/** Whose DIDs these are or were, deactivated ones too: users by DID. */
export const ownersOf = async (host: Host, dids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map(dids.length ? await ask<[did: string, userId: string][]>(host, "ownersOf", { dids }) : []);

/** A raw signature over the bytes by a DID of ours. */
export async function signedBy(host: Host, did: string, data: Uint8Array): Promise<Buffer> {
  const { signature } = await ask<{ signature: string }>(host, "sign", {
    did,
    data: Buffer.from(data).toString("base64url"),
  });
  return Buffer.from(signature, "base64url");
}

/**
 * The secret agreed between a key we keep for this user's DID and a public key; undefined where we keep none for them.
 */
export async function agreedSecret(
  host: Host,
  userId: string,
  did: string,
  peer: Record<string, unknown>,
): Promise<Buffer | undefined> {
  const agreed = await ask<{ secret: string } | null>(host, "agree", { userId, did, peer });
  return agreed ? Buffer.from(agreed.secret, "base64url") : undefined;
}

export interface Resolution {
  didDocument: DidDocument | null;
  error?: string;
  deactivated?: boolean;
}
interface Resolved {
  didDocument: DidDocument | null;
  didResolutionMetadata: { error?: string };
  didDocumentMetadata: { deactivated?: boolean };
}

/**
 * A DID's document, with the error names of DID Resolution; a resolver that fails is an `internalError`. `asker`: the
 * account that waits for it.
 */
export async function resolveDid(host: Host, did: string, asker: string | undefined): Promise<Resolution> {
  try {
    const { didDocument, didResolutionMetadata, didDocumentMetadata } = await ask<Resolved>(host, "documentOf", {
      did,
      asker,
    });
    return { didDocument, error: didResolutionMetadata.error, deactivated: didDocumentMetadata.deactivated };
  } catch (error) {
    host.logger.warn(`Resolving ${did}: ${(error as Error).message}`);
    return { didDocument: null, error: "internalError" };
  }
}

const SIGNED =
  "Over the challenge's `message` as UTF-8: Ed25519, or ECDSA r‖s over SHA-256 (P-384: over " +
  "SHA-384); for an EVM address, a personal message (EIP-191). Base64url.";
const Signature = z
  .string()
  .max(1_024)
  .regex(/^[\w-]+$/, "Base64url without padding.")
  .describe(SIGNED);
const ChallengeText = z.string().regex(/^[\w-]{43}$/, "A challenge of ours has 43 characters.");
/** What a body carries to prove a key: a challenge that was asked for, and its message signed. */
export const proof = { challenge: ChallengeText, signature: Signature };

export interface Spending {
  userId: string;
  purpose: Purpose;
  subject: string;
  challenge: string;
}
/** Uses a challenge up; answers the message that had to be signed. Throws 422 on one that is not good for this. */
export const spendChallenge = (host: Host, spending: Spending): Promise<string> => ask(host, "spend", spending);

/** 422: the signature is not the one that was asked for. */
export const proofRefused = (what: string, field = "signature") =>
  unprocessable("INVALID_PROOF", `The signature is not one of ${what} over the challenge's message.`, [
    { path: field, message: `no signature of ${what} over the message` },
  ]);
