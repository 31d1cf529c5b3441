import type { IdentityEvent } from "../../../adapters/chain/chain.ts";
import { isUpstreamAway } from "../../../config/broker.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { Remembered } from "../../../core/remembered.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { Sealer } from "../../../core/access/sealed.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { AccessChanged } from "../auth/events.ts";
import { Challenges } from "./proofs/challenges.ts";
import type { EthrAccount } from "../../../core/did/did-accounts.ts";
import { fetchDidWeb } from "./did-methods/did-web.ts";
import { dids } from "./dids.actions.ts";
import { Did } from "./dids.ts";
import { identities } from "./identities.actions.ts";
import { keys } from "./keys/keys.actions.ts";
import { Lookups } from "./did-methods/lookups.ts";
import { meshOnly } from "./mesh.actions.ts";
import { primariesAtHand } from "./client.ts";
import { boundDid, type Identity } from "./parts.ts";
import { heldDids, heldPrfKeys } from "./personal.ts";
import { Platform } from "./did-methods/platform.ts";
import { PrfCredential } from "./keys/prf.ts";
import { Dids } from "./did-methods/resolver.ts";
import { Unresolved } from "./did-methods/resolution.ts";
import { newSigningKey } from "../../../core/did/signatures.ts";

export default {
  name: "identity",
  metadata: { description: "DIDs: creating and resolving them, signing with them, and the keys behind them." },
  settings: { rest: "/identity" },
  mixins: [
    domain({
      entities: [Did, PrfCredential],
      personal: [heldDids, heldPrfKeys],
      schedules: {
        "forget-challenges": {
          everyMs: 3_600_000,
          run(this: Identity) {
            return this.challenges.sweep(this.world.clock.now());
          },
        },
      },
    }),
  ],

  actions: { ...dids, ...identities, ...keys, ...meshOnly },

  events: {
    [AccessChanged.name]: {
      context: true,
      handler(this: Identity, { params }: Ctx<{ userId?: string; problemSetId?: string }>) {
        if (params.problemSetId === undefined) this.primaries.forget(params.userId);
      },
    },
  },

  created(this: Identity) {
    this.primaries = new Remembered(this.world.clock, { remembers: !this.broker.transit });
    primariesAtHand.set(this.broker, this.primaries);
    const { secret, trustedSecrets, env } = this.world;
    this.sealer = new Sealer(this.world, "identity keys");
    this.platform = new Platform(secret, env.PUBLIC_URL, trustedSecrets);
    this.decoy = newSigningKey("Ed25519");
    const lookups = new Lookups();
    this.dids = new Dids({
      platform: this.platform,
      bound: (did) => boundDid(this, did),
      fetchWeb: (did, url, asker) =>
        lookups.ask(new URL(url).host, asker, (signal) => fetchDidWeb(this.world.outbound, did, url, signal)),
      eventsOf: (account, asker) => lookups.ask("the chain", asker, () => eventsOf(this, account)),
      now: () => Math.floor(this.world.clock.now() / 1000),
    });
  },

  async started(this: Identity) {
    this.challenges = new Challenges(
      await this.world.documents.collection("identity_challenges", { indexes: [{ fields: ["expiresAt"] }] }),
    );
  },
} satisfies MeshService;

/** Without the chain nobody can tell who owns an identity now: to answer its first owner would be a guess. */
async function eventsOf({ world: { chain } }: Identity, { chainId, address }: EthrAccount): Promise<IdentityEvent[]> {
  if (chain?.chainId !== chainId)
    throw new Unresolved(
      "methodNotSupported",
      `Owners of did:ethr stand on their chain: this needs CHAIN_RPC_URL with CHAIN_ID ${chainId}.`,
    );
  const events = await chain.identityEvents(address).catch((error: Error) => {
    throw new Unresolved("internalError", error.message, isUpstreamAway(error));
  });
  if (!events) throw new Unresolved("methodNotSupported", `Chain ${chainId} has no registry of identities (ERC-1056).`);
  return events;
}
