import { z } from "zod";
import { bare } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { endSessions } from "../sessions/sessions.actions.ts";
import { alter } from "./users.actions.ts";
import { endingSignIns, Self, User } from "./users.ts";
import { AccountGivenUp } from "../events.ts";

const person = { userId: TextId };
const auth = asSystem("auth");

/** What other domains ask of accounts on behalf of the person. */
export const personActions = {
  person: endpoint({
    summary: "What the account says of a person, null without one",
    permit: "internal",
    body: person,
    returns: bare(Self.nullable()),
    handler(ctx) {
      return this.store(User).one(auth, { _id: ctx.params.userId });
    },
  }),

  people: endpoint({
    summary: "What the accounts say persons are called",
    permit: "internal",
    body: { ids: z.array(z.string()) },
    returns: bare(z.array(User.view.pick({ id: true, name: true }))),
    handler(ctx) {
      return this.store(User).many(auth, ctx.params.ids);
    },
  }),

  endSignIns: endpoint({
    summary: "Ends every session and token of an account; answers how many there were",
    permit: "internal",
    body: person,
    returns: bare(z.int()),
    handler(ctx) {
      return endSessions(this, ctx, ctx.params.userId);
    },
  }),

  close: endpoint({
    summary: "Closes an account for its erasure: from now on none of its credentials is good",
    permit: "internal",
    body: person,
    returns: bare(z.null()),
    async handler(ctx) {
      return close(this, ctx, ctx.params.userId);
    },
  }),
};

/**
 * Closed and wished for in one write: of somebody whose account is closed, everybody knows that they are to be erased.
 */
async function close(host: Host, ctx: Ctx<unknown>, userId: string): Promise<null> {
  await retryOnConflict(async () => {
    const user = await host.store(User).one(auth, { _id: userId });
    if (!user?.active) return;
    const closed = (read: User) => ({ active: false, ...endingSignIns(read, host.world.clock.now()) });
    await alter(host, auth, user, closed, { facts: [AccountGivenUp.fact(userId, { userId })] });
  });
  await endSessions(host, ctx, userId);
  return null;
}
