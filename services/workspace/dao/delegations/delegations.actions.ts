import { z } from "zod";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { Instant, MOST_ROWS, paging } from "../../../../core/records/entity.ts";
import { invalid, Problem } from "../../../../core/problem.ts";
import { peopleOf, userOf } from "../members/accounts.ts";
import { Dao } from "../daos.ts";
import { delegated, Delegation, DelegationBook, revoked } from "./delegations.ts";
import { bookOf, nowOf } from "../context.ts";
import { DelegationRevoked, PowerDelegated } from "../events.ts";
import { openDue } from "../proposals/opening.ts";

const votes = { permit: "signed-in", on: Dao, by: "daoId", within: { set: "problemSetId", may: "dao:vote" } } as const;

export const delegationActions = {
  "delegations.list": endpoint({
    rest: "GET /:daoId/delegations",
    summary: "List who has delegated voting power to whom",
    permit: "signed-in",
    on: Dao,
    by: "daoId",
    within: { set: "problemSetId", may: "dao:read" },
    query: {
      from: z.string().optional().describe("Who delegated it."),
      to: z.string().optional().describe("Who has it now."),
      ...paging,
    },
    returns: list(Delegation),
    async handler(ctx, dao) {
      const { from, to, page, limit: asked } = ctx.params;
      const limit = Math.min(asked, MOST_ROWS);
      const now = nowOf(this);
      const { delegations } = await bookOf(this, dao);
      const rows = delegations.filter(
        (one) => (!from || one.from === from) && (!to || one.to === to) && (!one.expiresAt || one.expiresAt > now),
      );
      return { data: rows.slice((page - 1) * limit, page * limit), meta: { total: rows.length, page, limit } };
    },
  }),

  "delegations.create": endpoint({
    rest: "POST /:daoId/delegate",
    summary: "Delegate your voting power",
    ...votes,
    returns: data(Delegation),
    status: 201,
    body: { to: z.string().min(1).max(2_048).describe("A user id or a DID."), expiresAt: Instant.optional() },
    description:
      "All your power passes to your delegate, and on to theirs, up to the DAO's `delegationDepth`; the " +
      "first person on the way who votes uses it. If you vote yourself, you use your own power for that " +
      "proposal. A later delegation replaces the earlier one; open votes keep the delegations of their " +
      "snapshot.",
    errors: {
      404: "Nobody who could vote here has that account.",
      422: "The delegation is to oneself (`SELF_DELEGATION`), or forms a cycle (`DELEGATION_CYCLE`).",
    },
    example: { to: "did:key:z6Mk…" },
    async handler(ctx, dao) {
      const now = nowOf(this);
      const { expiresAt } = ctx.params;
      if (expiresAt && expiresAt <= now) throw invalid([{ path: "expiresAt", message: "Must lie in the future" }]);
      const to = await userOf(this, ctx.params.to);
      if (!(await peopleOf(this, dao)).some(({ userId }) => userId === to))
        throw new Problem(404, "NOT_FOUND", `Nobody who could vote in this DAO has the account ${ctx.params.to}.`);
      await openDue(this, dao.id);
      const made: Delegation = { from: actorOf(ctx), to, since: now, ...(expiresAt && { expiresAt }) };
      const books = this.store(DelegationBook);
      const fact = PowerDelegated.fact(dao.id, {
        daoId: dao.id,
        problemSetId: dao.problemSetId,
        compartments: dao.compartments,
        by: made.from,
        to,
      });
      const { id } = await bookOf(this, dao);
      await books.amend(ctx, id, (book) => ({ delegations: delegated(book.delegations, made, now) }), {
        facts: [fact],
      });
      return made;
    },
  }),

  "delegations.remove": endpoint({
    rest: "DELETE /:daoId/delegate",
    summary: "Take back your voting power",
    ...votes,
    beyond: true,
    returns: nothing(),
    status: 204,
    description: "Applies to votes that open from now on; in a vote that is already open, vote yourself.",
    async handler(ctx, dao) {
      await openDue(this, dao.id);
      const from = actorOf(ctx);
      const books = this.store(DelegationBook);
      const fact = DelegationRevoked.fact(dao.id, {
        daoId: dao.id,
        problemSetId: dao.problemSetId,
        compartments: dao.compartments,
        by: from,
      });
      const { id } = await bookOf(this, dao);
      await books.amend(
        ctx,
        id,
        ({ delegations }) => {
          return delegations.some((one) => one.from === from) ? { delegations: revoked(delegations, from) } : null;
        },
        { facts: [fact] },
      );
      return null;
    },
  }),
};
