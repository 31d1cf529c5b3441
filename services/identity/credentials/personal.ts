import type { Host } from "../../../core/contract/endpoint.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Holding } from "../../../core/records/keeping/personal-data.ts";
import { CredentialView, IssuedCredential } from "./credentials.ts";
import { CredentialRevoked, credentialEvent } from "./events.ts";
import { listChanged } from "./status/publishing.ts";

const ERASURE = asSystem("erasure");
const BATCH = 100;

/**
 * What was attested of a person goes at their erasure; the entry in the status list stays, marked revoked, since copies
 * are out in the world.
 */
export const heldCredentials: Holding = {
  what: "Credentials",
  async gather(this: Host, userId, caller) {
    return (await this.store(IssuedCredential).find(caller, { holderId: userId }, { sort: ["-createdAt"] })).map(
      (held) => CredentialView.parse(held),
    );
  },
  async erase(this: Host, userId) {
    const credentials = this.store(IssuedCredential);
    for (let held; (held = await credentials.find(ERASURE, { holderId: userId }, { limit: BATCH })).length;) {
      for (const item of held) {
        const change = {
          status: "revoked",
          statusReason: null,
          statusSince: iso(this.world.clock.now()),
          statusBy: null,
          credential: {},
          jwt: null,
          hash: "",
          holderId: null,
        };
        await credentials.revise(ERASURE, item, change, {
          facts: item.status === "revoked" ? [] : [CredentialRevoked.fact(item.id, credentialEvent(item))],
        });
        await listChanged(this, item.list);
      }
    }
  },
};
