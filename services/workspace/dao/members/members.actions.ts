import { z } from "zod";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { notFound } from "../../../../core/problem.ts";
import { didOf, peopleOf, userOf } from "./accounts.ts";
import { Dao, daoPlace, refuseUnlessGoverned } from "../daos.ts";
import { enrolled, memberOfDao } from "../context.ts";
import { Address, DaoMember, DaoMemberView, DaoRole, DaoRoleView, votingAddress } from "./members.ts";
import { openDue } from "../proposals/opening.ts";
import { giveRole, takeRole } from "./roles.ts";
import { addressTypedData, Signed, signedBy, TypedData } from "../votes/typed-data.ts";

const reads = { permit: "signed-in", on: Dao, by: "daoId", within: { set: "problemSetId", may: "dao:read" } } as const;
const governs = {
  permit: "signed-in",
  on: Dao,
  by: "daoId",
  within: { set: "problemSetId", may: "dao:govern" },
} as const;
const votes = { permit: "signed-in", on: Dao, by: "daoId", within: { set: "problemSetId", may: "dao:vote" } } as const;
const account = { account: z.string().min(1).max(2_048).describe("A user id or a DID.") };
const BY_VOTE = { 409: "The DAO can be changed only by proposal (`AMENDMENT_BY_PROPOSAL_ONLY`)." };

export const memberActions = {
  "roles.list": endpoint({
    rest: "GET /:daoId/roles",
    summary: "List the roles of a DAO",
    ...reads,
    query: DaoRole.query,
    returns: list(DaoRoleView),
    handler(ctx, { id: daoId, problemSetId }) {
      return this.store(DaoRole).page(ctx, ctx.params, { problemSetId, daoId });
    },
  }),

  "roles.create": endpoint({
    rest: "POST /:daoId/roles",
    summary: "Create a role of a DAO",
    ...governs,
    body: DaoRole.create,
    returns: data(DaoRoleView),
    status: 201,
    errors: BY_VOTE,
    description: "`weight` applies where voting power is based on roles.",
    example: { name: "Steward", weight: "3", allows: ["cancel"] },
    handler(ctx, dao) {
      refuseUnlessGoverned(dao.config);
      return this.store(DaoRole).create(ctx, { ...ctx.params, ...daoPlace(dao) });
    },
  }),

  "members.list": endpoint({
    rest: "GET /:daoId/members",
    summary: "List the members of a DAO with roles, tokens and voting addresses",
    ...reads,
    beyond: true,
    query: { sort: DaoMember.query.sort, ...paging },
    returns: list(DaoMemberView),
    handler(ctx, { id: daoId, problemSetId }) {
      return this.store(DaoMember).page(ctx, ctx.params, { problemSetId, daoId });
    },
  }),

  "members.put": endpoint({
    rest: "PUT /:daoId/members/:account",
    summary: "Enrol a member of the problem set in a DAO, or set their tokens",
    ...governs,
    beyond: true,
    path: account,
    body: { tokens: DaoMember.update.tokens },
    returns: data(DaoMemberView),
    description: "Votes that have opened keep the power of their snapshot.",
    errors: { ...BY_VOTE, 404: "Nobody who could vote here has that account." },
    example: { tokens: "250" },
    async handler(ctx, dao) {
      refuseUnlessGoverned(dao.config);
      const userId = await userOf(this, ctx.params.account);
      const person = (await peopleOf(this, dao)).find((one) => one.userId === userId);
      if (!person) throw notFound("member", ctx.params.account);
      await openDue(this, dao.id);
      const member = await enrolled(this, ctx, dao, userId, person.did);
      const { tokens } = ctx.params;
      const members = this.store(DaoMember);
      return tokens === undefined
        ? member
        : members.change(ctx, member.id, (at) => (at.tokens === tokens ? null : { tokens }));
    },
  }),

  "members.remove": endpoint({
    rest: "DELETE /:daoId/members/:account",
    summary: "Remove a member from a DAO",
    ...governs,
    beyond: true,
    path: account,
    returns: nothing(),
    status: 204,
    errors: BY_VOTE,
    async handler(ctx, dao) {
      refuseUnlessGoverned(dao.config);
      const member = await memberOfDao(this, dao.id, await userOf(this, ctx.params.account));
      if (!member) throw notFound(DaoMember.title, ctx.params.account);
      await openDue(this, dao.id);
      await this.store(DaoMember).remove(ctx, member);
      return null;
    },
  }),

  "members.listRoles": endpoint({
    rest: "GET /:daoId/members/:account/roles",
    summary: "List a member's roles in a DAO",
    ...reads,
    path: account,
    returns: data(z.array(DaoRoleView)),
    async handler(ctx, { id: daoId }) {
      const member = await memberOfDao(this, daoId, await userOf(this, ctx.params.account));
      return member?.roles.length ? this.store(DaoRole).many(ctx, member.roles) : [];
    },
  }),

  "members.grantRole": endpoint({
    rest: "POST /:daoId/members/:account/roles",
    summary: "Give a member a role in a DAO",
    ...governs,
    beyond: true,
    path: account,
    body: { roleId: TextId },
    returns: data(DaoMemberView),
    errors: BY_VOTE,
    example: { roleId: "the role's id" },
    async handler(ctx, dao) {
      refuseUnlessGoverned(dao.config);
      const role = await this.store(DaoRole).one(ctx, { _id: ctx.params.roleId, daoId: dao.id });
      if (!role) throw notFound(DaoRole.title, ctx.params.roleId);
      const userId = await userOf(this, ctx.params.account);
      if (!(await peopleOf(this, dao)).some((one) => one.userId === userId))
        throw notFound("member", ctx.params.account);
      await openDue(this, dao.id);
      return giveRole(this, ctx, dao, userId, role, { by: actorOf(ctx) });
    },
  }),

  "members.revokeRole": endpoint({
    rest: "DELETE /:daoId/members/:account/roles/:roleId",
    summary: "Revoke a member's role in a DAO",
    ...governs,
    beyond: true,
    path: { ...account, roleId: TextId },
    returns: nothing(),
    status: 204,
    errors: BY_VOTE,
    async handler(ctx, dao) {
      refuseUnlessGoverned(dao.config);
      const role = await this.store(DaoRole).one(ctx, { _id: ctx.params.roleId, daoId: dao.id });
      if (!role) throw notFound(DaoRole.title, ctx.params.roleId);
      await openDue(this, dao.id);
      await takeRole(this, ctx, dao, await userOf(this, ctx.params.account), role, { by: actorOf(ctx) });
      return null;
    },
  }),

  "votingAddresses.getTypedData": endpoint({
    rest: "GET /:daoId/voting-address",
    summary: "Get the typed data to sign to prove your voting address",
    ...votes,
    beyond: true,
    query: { address: Address.describe("The address to register as yours.") },
    returns: data(TypedData),
    handler: (ctx, dao) => addressTypedData(dao.id, actorOf(ctx), ctx.params.address),
  }),

  "votingAddresses.set": endpoint({
    rest: "PUT /:daoId/voting-address",
    summary: "Register the address you sign your votes with",
    ...votes,
    beyond: true,
    body: { address: Address, signature: Signed },
    returns: data(DaoMemberView),
    description:
      "`signature` is over the typed data that `GET …/voting-address` returns, made by the address " +
      "itself. An address belongs to one member.",
    errors: {
      409: "Another member of the DAO has this address.",
      422: "The signature does not come from the address (`SIGNATURE_INVALID`).",
    },
    example: { address: "0x52908400098527886E0F7030069857D2E4169EE7", signature: `0x${"5a".repeat(65)}` },
    async handler(ctx, dao) {
      const { address, signature } = ctx.params;
      const userId = actorOf(ctx);
      await signedBy([address], addressTypedData(dao.id, userId, address), signature);
      const { id } = await enrolled(this, ctx, dao, userId, await didOf(this, userId));
      const members = this.store(DaoMember);
      return members.change(ctx, id, () => ({
        address: address.toLowerCase(),
        votingAddress: votingAddress(dao.id, address),
      }));
    },
  }),
};
