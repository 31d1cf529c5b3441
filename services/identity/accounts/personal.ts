import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Holding } from "../../../core/records/keeping/personal-data.ts";
import { Account, AccountView, MpcKey, accountView } from "./accounts.ts";

const ERASURE = asSystem("erasure");

/** Erases a person's blockchain account with its key store, which nobody could open any more, and its MPC keys. */
export const heldAccount: Holding = {
  what: "Blockchain account",
  async gather(this: Host, userId, caller) {
    const account = await this.store(Account).one(caller, { identityUserId: userId });
    return account
      ? [AccountView.parse(accountView(account, await this.store(MpcKey).find(caller, { accountId: account.id })))]
      : [];
  },
  async erase(this: Host, userId) {
    const account = await this.store(Account).one(ERASURE, { identityUserId: userId });
    if (!account) return;
    // The keys first: a repeated erasure finds the account until all of it is gone.
    await this.store(MpcKey).removeAll(ERASURE, { accountId: account.id });
    await this.store(Account).removeAll(ERASURE, { _id: account.id });
  },
};
