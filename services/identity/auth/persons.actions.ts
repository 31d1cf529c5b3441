import { z } from "zod";
import { bare } from "../../../core/answer.ts";
import { asSystem, type Ctx } from "../../../core/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/endpoint.ts";
import { TextId } from "../../../core/entity.ts";
import { conflict } from "../../../core/problem.ts";
import { endSessions } from "./sessions.actions.ts";
import { refuseLast } from "./users.actions.ts";
import { Self, User } from "./users.ts";

const person = { userId: TextId };
const auth = asSystem("auth");

/** What other domains ask of accounts on behalf of the person. */
export const personActions = {
  person: endpoint({
    summary: "What the account says of a person, null without one", permit: "internal", body: person, returns: bare(Self.nullable()),
    handler(ctx) { return this.store(User).one(auth, { _id: ctx.params.userId }); },
  }),

  mayClose: endpoint({
    summary: "Refuses where an account must stay", permit: "internal", body: person, returns: bare(z.null()),
    async handler(ctx) {
      const user = await this.store(User).one(auth, { _id: ctx.params.userId });
      if (!user) throw conflict("There is no account to close.");
      await refuseLast(this, auth, user);
      return null;
    },
  }),

  close: endpoint({
    summary: "Closes an account: from now on none of its credentials is good", permit: "internal", body: person, returns: bare(z.null()),
    async handler(ctx) { return close(this, ctx, ctx.params.userId); },
  }),
};

async function close(host: Host, ctx: Ctx<unknown>, userId: string): Promise<null> {
  const now = iso(host.world.clock.now());
  const user = await host.store(User).one(auth, { _id: userId });
  if (user?.active) await host.store(User).amend(auth, userId, ({ active }) => (active ? { active: false, tokensFrom: now } : null));
  await endSessions(host, ctx, userId);
  return null;
}
