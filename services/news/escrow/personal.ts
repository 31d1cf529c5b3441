import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { commonWork, MOST_GATHERED, type Holding } from "../../../core/records/keeping/personal-data.ts";
import { Bounty } from "./bounties/bounties.ts";
import { Subscription } from "./subscriptions/subscriptions.ts";

/** What somebody answered to bounties, without what is their creators' own. */
async function answersOf(this: Host, userId: string, caller: Caller): Promise<readonly unknown[]> {
  const answered = await this.store(Bounty).find(caller, { "submission.by": userId }, { limit: MOST_GATHERED });
  return answered.map(({ id, title, amount, status, submission, verdict }) => ({
    bountyId: id,
    title,
    amount,
    status,
    submission,
    verdict,
  }));
}

/** Books of money are kept, with whoever was paid by an id that leads to nobody. */
export const PERSONAL: readonly Holding[] = [
  commonWork("Bounties that you placed", Bounty),
  { what: "Your answers to bounties", gather: answersOf, erase: async () => null },
  commonWork("Subscriptions that you pay", Subscription),
];
