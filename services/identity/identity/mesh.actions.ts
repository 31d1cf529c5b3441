import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { agree } from "./keys/agreement.ts";
import { DidDocument } from "../../../core/did/did-documents.ts";
import { acceptField, publicKeyFormat, webDid } from "./dids.actions.ts";
import { isActive, keyOf, signAs, verificationMethodOf } from "./dids.ts";
import { readJwk } from "../../../core/did/key-encodings.ts";
import { boundDid, primaryDid, self } from "./parts.ts";
import { Resolution } from "./did-methods/resolution.ts";

const Base64Url = z.string().regex(/^[\w-]*$/, "Base64url without padding.");

/** What other domains ask; no person reaches these. */
export const meshOnly = {
  primaryDid: endpoint({
    summary: "The DID by which others address an account; made when first needed",
    permit: "internal",
    body: { userId: z.string().min(1) },
    returns: bare(z.object({ did: z.string() })),
    handler(ctx) {
      return primaryDid(self(this), ctx.params.userId);
    },
  }),

  holderOf: endpoint({
    summary:
      "The account that a DID is bound to, by proof or because we made it; null when there is none or it is " +
      "deactivated",
    permit: "internal",
    body: { did: z.string() },
    returns: bare(z.object({ userId: z.string() }).nullable()),
    async handler(ctx) {
      const bound = await boundDid(this, ctx.params.did);
      return bound?.status === "active" ? { userId: bound.userId } : null;
    },
  }),

  ownersOf: endpoint({
    summary: "The accounts that DIDs are bound to or were, deactivated ones too, as pairs: for names in old records",
    permit: "internal",
    body: { dids: z.array(z.string()) },
    returns: bare(z.array(z.tuple([z.string(), z.string()]))),
    async handler(ctx) {
      const bound = await Promise.all(ctx.params.dids.map((did) => boundDid(this, did)));
      return bound.flatMap((one) => (one ? [[one.did, one.userId] as [string, string]] : []));
    },
  }),

  bound: endpoint({
    summary: "Whether a DID is bound to this account and in force",
    permit: "internal",
    body: { userId: z.string(), did: z.string() },
    returns: bare(z.boolean()),
    async handler(ctx) {
      const bound = await boundDid(this, ctx.params.did);
      return bound?.status === "active" && bound.userId === ctx.params.userId;
    },
  }),

  platform: endpoint({
    summary: "The DID and key by which the platform itself signs",
    permit: "internal",
    returns: bare(
      z.object({
        did: z.string(),
        dids: z.array(z.string()),
        verificationMethod: z.string(),
        publicKeyJwk: z.object({ kty: z.string(), crv: z.string(), x: z.string() }),
        training: z.object({ did: z.string(), dids: z.array(z.string()), verificationMethod: z.string() }),
      }),
    ),
    handler() {
      const { platform } = self(this);
      const [trainingDid] = platform.trainingDids;
      return {
        did: platform.did,
        dids: platform.dids,
        verificationMethod: platform.verificationMethod(),
        publicKeyJwk: platform.publicKeyJwk,
        training: {
          did: trainingDid!,
          dids: [...platform.trainingDids],
          verificationMethod: platform.verificationMethod(trainingDid),
        },
      };
    },
  }),

  sign: endpoint({
    summary: "Sign bytes as the platform or as a DID whose key we keep; whoever calls answers for the permission",
    permit: "internal",
    body: { did: z.string(), data: Base64Url },
    returns: bare(z.object({ signature: z.string(), verificationMethod: z.string() })),
    async handler(ctx) {
      const { did, data: bytes } = ctx.params;
      const { platform, sealer } = self(this);
      const own = platform.keyOf(did);
      if (own) return { signature: signAs(own, bytes), verificationMethod: platform.verificationMethod(did) };
      const record = await boundDid(this, did);
      if (record?.status !== "active") throw notFound("DID", did);
      const key = keyOf(sealer, record);
      if (!key) throw conflict("The holder of this DID keeps its key; we cannot sign by it.", { did });
      return { signature: signAs(key, bytes), verificationMethod: verificationMethodOf(record) };
    },
  }),

  "web.document": endpoint({
    summary: "The document of a did:web of ours, as its address serves it",
    permit: "internal",
    body: { webName: z.string().optional() },
    returns: bare(z.object({ document: DidDocument.nullable(), gone: z.boolean() })),
    async handler(ctx) {
      const { platform, dids: resolver } = self(this);
      if (!platform.didWeb) return { document: null, gone: false };
      const { webName } = ctx.params;
      const { didDocument, didDocumentMetadata } = await resolver.resolve(
        webName === undefined ? platform.didWeb : webDid(platform.didWeb, webName),
      );
      return { document: didDocument, gone: didDocumentMetadata.deactivated === true };
    },
  }),

  agree: endpoint({
    summary:
      "The secret that a public key and the key we keep for a user's DID agree on; null where we keep none for them",
    permit: "internal",
    body: { userId: z.string(), did: z.string(), peer: z.record(z.string(), z.unknown()) },
    returns: bare(z.object({ secret: z.string() }).nullable()),
    async handler(ctx) {
      const { userId, did, peer } = ctx.params;
      const { sealer, decoy } = self(this);
      const point = readJwk(peer);
      const bound = await boundDid(this, did);
      const key = isActive(bound) && bound.userId === userId ? keyOf(sealer, bound) : null;
      const secret = point && agree(key ?? decoy, point);
      return key && secret ? { secret: Buffer.from(secret).toString("base64url") } : null;
    },
  }),

  documentOf: endpoint({
    summary: "Resolve a DID, inside the mesh",
    permit: "internal",
    body: { did: z.string(), accept: acceptField, publicKeyFormat, asker: z.string().optional() },
    returns: bare(Resolution),
    handler(ctx) {
      return self(this).dids.resolve(ctx.params.did, ctx.params);
    },
  }),
};
