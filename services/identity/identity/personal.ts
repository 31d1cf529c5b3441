import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Holding } from "../../../core/records/keeping/personal-data.ts";
import { Did } from "./dids.ts";
import { PrfCredential } from "./keys/prf.ts";

/**
 * A person's DIDs are deactivated and lose name and key at their erasure; they stay, so that nobody else can take one
 * up.
 */
export const heldDids: Holding = {
  what: "DIDs",
  async gather(this: Host, userId, caller) {
    return (await this.store(Did).find(caller, { userId }, { sort: ["-createdAt"] })).map((did) => Did.view.parse(did));
  },
  async erase(this: Host, userId) {
    await this.store(Did).collection.updateMany(
      { userId },
      {
        $set: { status: "deactivated", deactivatedAt: iso(this.world.clock.now()) },
        $unset: { name: 1, sealedKey: 1, primaryOf: 1 },
        $inc: { rev: 1 },
      },
    );
  },
};

/** Salts and public keys serve nobody else. */
export const heldPrfKeys: Holding = { what: "PRF keys", entity: PrfCredential, by: "userId", erasure: "remove" };
