import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { clientNetwork } from "../../../core/access/client-network.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { conflict, notFound, unprocessable } from "../../../core/problem.ts";
import type { Remembered } from "../../../core/remembered.ts";
import type { Sealer } from "../../../core/access/sealed.ts";
import type { Challenges } from "./proofs/challenges.ts";
import { didKeyOf } from "./did-methods/did-methods.ts";
import { canonicalDid } from "./did-methods/did-syntax.ts";
import { Did, isActive, keyRecord, keyOf } from "./dids.ts";
import type { Platform } from "./did-methods/platform.ts";
import type { Dids } from "./did-methods/resolver.ts";
import { newSigningKey, publicKeyOf, type SigningKey } from "../../../core/did/signatures.ts";

/** What the actions of identities have under `this`, beyond what every service has. */
export interface Identity extends Host {
  sealer: Sealer;
  platform: Platform;
  challenges: Challenges;
  primaries: Remembered<{ did: string }>;
  dids: Dids;
  /** Agrees in place of keys that we do not have, so that both take as long. */
  decoy: SigningKey;
}

export const self = (host: Host): Identity => host as unknown as Identity;
export const MESH = asSystem("identity");

/** Who waits for a DID of somebody else's server: a person, or whoever is at an address. */
export const askerOf = ({ meta: { actor, address } }: Ctx<unknown>): string => actor?.userId ?? clientNetwork(address);

export const boundDid = (host: Host, did: string): Promise<Did | null> =>
  host.store(Did).one(MESH, { did: canonicalDid(did) });

/** One of the caller's own DIDs, in force. Throws 404 on any other, 409 on one that was deactivated. */
export async function ownDid(host: Host, ctx: Ctx<unknown>, did: string): Promise<Did> {
  const record = await boundDid(host, did);
  if (record?.userId !== ctx.meta.actor!.userId) throw notFound("DID", did);
  if (!isActive(record)) throw conflict("This DID is deactivated.", { did });
  return record;
}

/**
 * The Ed25519 key of one of the caller's DIDs, the primary one where none is named, and the root secret it was sealed
 * under.
 */
export async function ownEd25519(
  identity: Identity,
  ctx: Ctx<unknown>,
  named: string | undefined,
): Promise<{ did: string; key: SigningKey; root: Uint8Array }> {
  const did = named ?? (await primaryDid(identity, ctx.meta.actor!.userId)).did;
  const record = await ownDid(identity, ctx, did);
  const key = keyOf(identity.sealer, record);
  if (key?.type !== "Ed25519")
    throw unprocessable("UNSUITABLE_KEY", "This needs a DID with an Ed25519 key that we keep.", [
      { path: "did", message: "no Ed25519 key that we keep" },
    ]);
  return { did, key, root: identity.sealer.rootOf(record.sealedKey!) };
}

/** When several calls race, on whichever nodes, one of them makes the DID; the unique index sends the others to it. */
export const primaryDid = (identity: Identity, userId: string): Promise<{ did: string }> =>
  identity.primaries.of(userId, () => primaryOf(identity, userId));

async function primaryOf(identity: Identity, userId: string): Promise<{ did: string }> {
  const store = identity.store(Did);
  const before = await store.one(MESH, { primaryOf: userId });
  if (before) return { did: before.did };
  const key = newSigningKey("Ed25519");
  const did = didKeyOf(publicKeyOf(key));
  const { record } = await store.createOnce(
    MESH,
    { did, method: "key", origin: "minted", userId, primaryOf: userId, ...keyRecord(identity.sealer, did, key) },
    { by: ["primaryOf"], beyondMost: true },
  );
  return { did: record.did };
}
