import { z } from "zod";
import { bare } from "../../../core/answer.ts";
import { asSystem } from "../../../core/caller.ts";
import { endpoint, type Host, type MeshService } from "../../../core/endpoint.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { Sealer } from "../../../core/sealed.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { Did, isActive, keeping, keyOf, signAs, verificationMethodOf } from "./dids.ts";
import { agree } from "./agreement.ts";
import { readJwk } from "./key-encodings.ts";
import { didKeyOf } from "./did-methods.ts";
import { heldDids } from "./personal.ts";
import { Platform } from "./platform.ts";
import { newSigningKey, publicKeyOf, type SigningKey } from "./signatures.ts";

interface Identity extends Host {
  sealer: Sealer;
  platform: Platform;
  /** Agrees in place of keys that we do not have, so that both take as long. */
  decoy: SigningKey;
}

const self = (host: Host): Identity => host as unknown as Identity;
const MESH = asSystem("identity");
const Base64Url = z.string().regex(/^[\w-]*$/, "base64url without padding");

export default {
  name: "identity",
  settings: { rest: "/identity" },
  mixins: [domain({ entities: [Did], personal: [heldDids] })],

  actions: {
    primaryDid: endpoint({
      summary: "The DID by which others address an account; made when first needed", permit: "internal", body: { userId: z.string().min(1) }, returns: bare(z.object({ did: z.string() })),
      handler(ctx) { return primaryDid(self(this), ctx.params.userId); },
    }),

    holderOf: endpoint({
      summary: "The account that a DID is bound to, by proof or because we made it; null when there is none or it is deactivated", permit: "internal",
      body: { did: z.string() }, returns: bare(z.object({ userId: z.string() }).nullable()),
      async handler(ctx) {
        const bound = await boundDid(self(this), ctx.params.did);
        return isActive(bound) ? { userId: bound.userId } : null;
      },
    }),

    bound: endpoint({
      summary: "Whether a DID is bound to this account and in force", permit: "internal", body: { userId: z.string(), did: z.string() }, returns: bare(z.boolean()),
      async handler(ctx) {
        const bound = await boundDid(self(this), ctx.params.did);
        return isActive(bound) && bound.userId === ctx.params.userId;
      },
    }),

    platform: endpoint({
      summary: "The DID and key by which the platform itself signs", permit: "internal",
      returns: bare(z.object({ did: z.string(), verificationMethod: z.string(), publicKeyJwk: z.object({ kty: z.string(), crv: z.string(), x: z.string() }) })),
      handler() {
        const { platform } = self(this);
        return { did: platform.did, verificationMethod: platform.verificationMethod(), publicKeyJwk: platform.publicKeyJwk };
      },
    }),

    sign: endpoint({
      summary: "Sign bytes as the platform or as a DID whose key we keep; whoever calls answers for the permission", permit: "internal",
      body: { did: z.string(), data: Base64Url }, returns: bare(z.object({ signature: z.string(), verificationMethod: z.string() })),
      async handler(ctx) {
        const { did, data } = ctx.params;
        const { platform, sealer } = self(this);
        if (platform.is(did)) return { signature: signAs(platform.key, data), verificationMethod: platform.verificationMethod(did) };
        const bound = await boundDid(self(this), did);
        if (!isActive(bound)) throw notFound("DID", did);
        const key = keyOf(sealer, bound);
        if (!key) throw conflict("The holder of this DID keeps its key; we cannot sign by it.", { did });
        return { signature: signAs(key, data), verificationMethod: verificationMethodOf(bound) };
      },
    }),

    agree: endpoint({
      summary: "The secret that a public key and the key we keep for a user's DID agree on; null where we keep none for them", permit: "internal",
      body: { userId: z.string(), did: z.string(), peer: z.record(z.string(), z.unknown()) }, returns: bare(z.object({ secret: z.string() }).nullable()),
      async handler(ctx) {
        const { userId, did, peer } = ctx.params;
        const { sealer, decoy } = self(this);
        const point = readJwk(peer);
        const bound = await boundDid(self(this), did);
        const key = isActive(bound) && bound.userId === userId ? keyOf(sealer, bound) : null;
        const secret = point && agree(key ?? decoy, point);
        return key && secret ? { secret: Buffer.from(secret).toString("base64url") } : null;
      },
    }),
  },

  created(this: Identity) {
    this.decoy = newSigningKey("Ed25519");
    this.sealer = new Sealer(this.world.secret, "identity keys");
    this.platform = new Platform(this.world.secret, this.world.env.PUBLIC_URL);
  },
} satisfies MeshService;

const boundDid = (identity: Identity, did: string): Promise<Did | null> => identity.store(Did).one(MESH, { did });

/** Of several calls at once, on whichever nodes, one makes the DID; the unique index sends the others to it. */
async function primaryDid(identity: Identity, userId: string): Promise<{ did: string }> {
  const store = identity.store(Did);
  const before = await store.one(MESH, { primaryOf: userId });
  if (before) return { did: before.did };
  const key = newSigningKey("Ed25519");
  const did = didKeyOf(publicKeyOf(key));
  try {
    await store.create(asSystem("identity"), { did, method: "key", origin: "minted", userId, primaryOf: userId, ...keeping(identity.sealer, did, key) });
    return { did };
  } catch (error) {
    if ((error as { code?: number }).code !== 409) throw error;
    return { did: (await store.one(MESH, { primaryOf: userId }))!.did };
  }
}
