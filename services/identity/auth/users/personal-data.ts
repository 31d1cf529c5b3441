import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Holding } from "../../../../core/records/keeping/personal-data.ts";
import { authOf } from "../parts.ts";
import { User } from "./users.ts";

/**
 * Letters to a person that wait or were sent, and links in them: they hold the address. To be erased before the
 * account, which tells it.
 */
export const heldLetters: Holding = {
  what: "Letters",
  gather: async () => [],
  async erase(this: Host, userId) {
    await authOf(this).links.removeMany({ userId });
    const user = await this.store(User).one(asSystem("erasure"), { _id: userId });
    const addresses = [user?.email, user?.claimedEmail].filter((address) => address !== undefined);
    await Promise.all(
      addresses.flatMap((address) => [
        this.jobs.drop("auth.link", "email", address),
        this.jobs.drop("auth.letter", "to", address),
      ]),
    );
  },
};
