import { z } from "zod";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { Instant, MOST_ROWS, paging } from "../../../../core/records/entity.ts";
import { invalid, notFound } from "../../../../core/problem.ts";
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
    summary: "Who has handed their voting power to whom",
    permit: "signed-in",
    on: Dao,
    by: "daoId",
    within: { set: "problemSetId", may: "dao:read" },
    query: {
      from: z.string().optional().describe("Who handed it on."),
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
    summary: "Hand your voting power to somebody",
    ...votes,
    returns: data(Delegation),
    status: 201,
    body: { to: z.string().min(1).max(2_048).describe("A user id or a DID."), expiresAt: Instant.optional() },
    description:
      "Power goes whole and on: from you to your delegate, and from them to theirs, as far as the DAO's " +
      "`delegationDepth`; the first on the way who votes speaks for it. Who votes themselves takes their " +
      "power back from that proposal. A later delegation replaces the earlier; votes that have opened keep " +
      "the delegations of their snapshot.",
    errors: {
      404: "Nobody who could vote here has that account.",
      422: "To oneself (`SELF_DELEGATION`), or round in a circle (`DELEGATION_CYCLE`).",
    },
    example: { to: "did:key:z6Mk…" },
    async handler(ctx, dao) {
      const now = nowOf(this);
      const { expiresAt } = ctx.params;
      if (expiresAt && expiresAt <= now) throw invalid([{ path: "expiresAt", message: "Must lie in the future" }]);
      const to = await userOf(this, ctx.params.to);
      if (!(await peopleOf(this, dao)).some(({ userId }) => userId === to)) throw notFound("member", ctx.params.to);
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
    summary: "Take your voting power back",
    ...votes,
    beyond: true,
    returns: nothing(),
    status: 204,
    description: "For votes that open from now on; in one that is open, vote yourself.",
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
