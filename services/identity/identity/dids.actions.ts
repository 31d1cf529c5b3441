import { z } from "zod";
import { may } from "../../../core/access/access.ts";
import { data, list } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { clientNetwork } from "../../../core/access/client-network.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { conflict, invalid, notConfigured, notFound, tooMany, unprocessable } from "../../../core/problem.ts";
import { AccessChanged } from "../auth/events.ts";
import { ethrOf, pkhOf, type ChainAccount } from "../../../core/did/did-accounts.ts";
import { DidDocument, KEY_FORMATS } from "../../../core/did/did-documents.ts";
import { didKeyOf } from "./did-methods/did-methods.ts";
import { DidText, LONGEST_DID } from "./did-methods/did-syntax.ts";
import { Did, DID_METHODS, DidDeactivated, DidView, EntityType, keyRecord, WebName } from "./dids.ts";
import { askerOf, boundDid, self } from "./parts.ts";
import { Resolution } from "./did-methods/resolution.ts";
import { newSigningKey, publicKeyOf, SIGNING_TYPES } from "../../../core/did/signatures.ts";

/** Whatever it is, the resolver says what is wrong with it: an answer of a resolver, not an error of the request. */
const AnyDid = z.string().min(1).max(LONGEST_DID);
export const acceptField = z
  .string()
  .max(100)
  .optional()
  .describe(
    "Media type of the document wanted: `application/did+ld+json` (default), `application/did+json` or " +
      "`application/did`.",
  );
export const publicKeyFormat = z
  .enum(KEY_FORMATS)
  .optional()
  .describe("How keys are written where we make the document; `Multikey` by default.");
const RESOLUTION =
  "Answers the standard's resolution result (DID Core §7.1). What is wrong with the DID stands in " +
  "`didResolutionMetadata.error`: `invalidDid`, `notFound`, `methodNotSupported`, " +
  "`unsupportedPublicKeyType` (a did:key that is right, of a kind of key that we do not work with: " +
  "BLS12-381, P-521, Ed448, X448, RSA), `representationNotSupported`, `invalidDidDocument` or " +
  "`internalError`. A deactivated DID has no document and `didDocumentMetadata.deactivated`. Methods: " +
  "did:key, did:web, did:pkh (EVM), did:ethr (by its registry on the chain of CHAIN_RPC_URL).";

/**
 * Anybody may resolve; for a DID of these methods somebody else's server is asked, so many times a minute from one
 * place.
 */
const ASKED_ELSEWHERE = /^did:(?:web|ethr):/;
const MOST_LOOKUPS = 300;
const MINUTE_MS = 60_000;
const TOO_MANY = { 429: "Too many DIDs of other servers were asked for, or are waited for (eight at a time)." };

async function countLookup({ world: { limiter, env, clock } }: Host, ctx: Ctx<{ did: string }>): Promise<void> {
  if (!ASKED_ELSEWHERE.test(ctx.params.did)) return;
  const { allowed, resetAt } = await limiter.take(
    `${env.NAMESPACE}:did-lookup:${clientNetwork(ctx.meta.address)}`,
    MOST_LOOKUPS,
    MINUTE_MS,
  );
  if (!allowed)
    throw tooMany(
      "Too many DIDs of other servers were asked for; wait a little.",
      Math.max(1, (resetAt - clock.now()) / 1000),
    );
}

export const dids = {
  "dids.create": endpoint({
    rest: "POST /did/create",
    summary: "Create a DID of your own",
    permit: "identity:hold",
    status: 201,
    returns: data(DidView.extend({ didDocument: DidDocument.nullable() })),
    description:
      "`key`: a new key, which the platform stores encrypted and signs with on your request. `web`: the " +
      "same, with its document served by this platform (needs PUBLIC_URL). `pkh` and `ethr`: DIDs of " +
      "your account's address.",
    body: {
      method: z.enum(DID_METHODS).default("key"),
      keyType: z.enum(SIGNING_TYPES).optional().describe("Ed25519 by default."),
      webName: WebName.optional(),
      entityType: EntityType.default("person"),
      name: Did.create.name,
    },
    example: { method: "key", keyType: "Ed25519", entityType: "person" },
    errors: {
      409: "The name is taken, or the account's DID is there already.",
      422: "No account yet, or too many DIDs.",
      503: "did:web without PUBLIC_URL.",
    },
    async handler(ctx) {
      const { method, entityType, name } = ctx.params;
      const userId = ctx.meta.actor!.userId;
      await this.store(Did).demandRoom({ userId });
      const own = method === "key" || method === "web" ? withKey(this, ctx) : await ofAccount(this, ctx);
      const record = await this.store(Did).create(ctx, { method, userId, entityType, name, ...own });
      return { ...record, didDocument: (await self(this).dids.resolve(record.did)).didDocument };
    },
  }),

  "dids.list": endpoint({
    rest: "GET /dids",
    summary: "List your DIDs",
    permit: "identity:read",
    beyond: true,
    query: Did.query,
    returns: list(DidView),
    handler(ctx) {
      return this.store(Did).page(ctx, ctx.params, { userId: ctx.meta.actor!.userId });
    },
  }),

  "dids.resolve": endpoint({
    rest: "POST /did/resolve",
    summary: "Resolve a DID to its document",
    description: RESOLUTION,
    permit: "public",
    reads: true,
    body: { did: AnyDid, accept: acceptField, publicKeyFormat },
    returns: data(Resolution),
    example: { did: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp" },
    errors: TOO_MANY,
    async handler(ctx) {
      await countLookup(this, ctx);
      return self(this).dids.resolve(ctx.params.did, { ...ctx.params, asker: askerOf(ctx) });
    },
  }),

  "dids.get": endpoint({
    rest: "GET /resolve/:did",
    summary: "Resolve the DID in the path",
    description: `${RESOLUTION} The DID may be percent-encoded or stand with its colons.`,
    permit: "public",
    path: { did: AnyDid.describe("The DID to resolve.") },
    query: { accept: acceptField, publicKeyFormat },
    returns: data(Resolution),
    errors: TOO_MANY,
    async handler(ctx) {
      await countLookup(this, ctx);
      return self(this).dids.resolve(ctx.params.did, { ...ctx.params, asker: askerOf(ctx) });
    },
  }),

  "dids.checkActive": endpoint({
    rest: "POST /did/check-active",
    summary: "Check whether a DID is active",
    permit: "public",
    reads: true,
    body: { did: AnyDid },
    description:
      "A DID is active if it resolves to a document and is not deactivated. `reason` is `deactivated` " +
      "or the resolution's error.",
    returns: data(
      z.object({ did: z.string(), active: z.boolean(), reason: z.string().optional(), checkedAt: z.string() }),
    ),
    example: { did: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp" },
    async handler(ctx) {
      const { did } = ctx.params;
      await countLookup(this, ctx);
      const {
        didResolutionMetadata: { error },
        didDocumentMetadata: { deactivated },
      } = await self(this).dids.resolve(did, { asker: askerOf(ctx) });
      const reason = deactivated ? "deactivated" : error;
      return { did, active: !reason, ...(reason && { reason }), checkedAt: iso(this.world.clock.now()) };
    },
  }),

  "dids.deactivate": endpoint({
    rest: "POST /did/deactivate",
    summary: "Deactivate one of your DIDs permanently",
    permit: "identity:hold",
    beyond: true,
    body: { did: DidText },
    returns: data(DidView),
    description:
      "Its key, if it is kept here, is destroyed, and the DID identifies nobody any longer. A new " +
      "primary DID is created when needed. An administrator can do this for others.",
    errors: { 404: "You have no such DID.", 409: "It is deactivated already." },
    example: { did: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp" },
    async handler(ctx) {
      const record = await boundDid(this, ctx.params.did);
      const actor = ctx.meta.actor!;
      if (!record || (record.userId !== actor.userId && !may(actor, "accounts:administer")))
        throw notFound("DID", ctx.params.did);
      if (record.status === "deactivated") throw conflict("This DID is deactivated already.");
      const change = {
        status: "deactivated",
        deactivatedAt: iso(this.world.clock.now()),
        primaryOf: null,
        sealedKey: null,
      };
      const revised = await this.store(Did).revise(ctx, record, change, {
        facts: [DidDeactivated.fact(record.did, { did: record.did, userId: record.userId })],
      });
      await AccessChanged.emit(ctx, { userId: record.userId });
      return revised;
    },
  }),
};

export const webDid = (platform: string, webName: string): string => `${platform}:identities:${webName}`;

interface Wanted {
  method: (typeof DID_METHODS)[number];
  keyType?: (typeof SIGNING_TYPES)[number];
  webName?: string;
}

function withKey(host: Host, ctx: Ctx<Wanted>) {
  const { method, keyType = "Ed25519", webName = ctx.id.replace(/\W/g, "").toLowerCase() } = ctx.params;
  const key = newSigningKey(keyType);
  const { platform, sealer } = self(host);
  if (method === "key") {
    if (ctx.params.webName !== undefined) throw invalid([{ path: "webName", message: "Only a did:web has one." }]);
    const did = didKeyOf(publicKeyOf(key));
    return { did, origin: "minted", ...keyRecord(sealer, did, key) };
  }
  if (!platform.didWeb) throw notConfigured("did:web needs PUBLIC_URL: an https address with a domain name.");
  const did = webDid(platform.didWeb, webName);
  return { did, origin: "minted", webName, ...keyRecord(sealer, did, key) };
}

async function ofAccount(host: Host, ctx: Ctx<Wanted>) {
  const { method, keyType, webName } = ctx.params;
  const superfluous = keyType ? "keyType" : webName !== undefined ? "webName" : undefined;
  if (superfluous)
    throw invalid([{ path: superfluous, message: `A did:${method} is your account's address; it takes none.` }]);
  const account = await host.ask<ChainAccount | null>("accounts.of", { userId: ctx.meta.actor!.userId });
  if (!account)
    throw unprocessable("NO_ACCOUNT", "You have no blockchain account yet: POST /api/accounts/create makes one.");
  return { did: method === "pkh" ? pkhOf(account) : ethrOf(account), origin: "account" };
}
