import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { notFound } from "../../../../core/problem.ts";
import { advance, countOf } from "./proposal-clock.ts";
import { Dao, daoPlace, rulesFor } from "../daos.ts";
import { about, changeProposal, MESH, nowOf, ofDao } from "../context.ts";
import { ProposalCancelled, ProposalSubmitted } from "../events.ts";
import { demandTargets } from "./effects.ts";
import { orderProposal } from "./execution.ts";
import { refuseMeasures } from "./measures.ts";
import { refuseBelowThreshold, refuseUnlessTheirs } from "../standing/rights.ts";
import { carry, Elector, Handover } from "../votes/power.ts";
import { cancel, optionsOf, Proposal, ProposalView, refuseUnlessEnded, timetable } from "./proposals.ts";
import { Total } from "../votes/integers.ts";
import { Tally, tally, validOf } from "../votes/tally.ts";
import { Choice } from "../votes/choices.ts";

const dao = { daoId: TextId };
const reads = {
  permit: "signed-in",
  on: Proposal,
  by: "proposalId",
  within: { set: "problemSetId", may: "dao:read" },
  path: dao,
} as const;
const proposes = {
  permit: "signed-in",
  on: Proposal,
  by: "proposalId",
  within: { set: "problemSetId", may: "dao:propose" },
  path: dao,
} as const;

const Recount = z
  .object({
    stored: Tally.nullable().describe("The tally of the close; null while the voting runs."),
    recomputed: Tally.describe("Counted now, from the inputs below."),
    equal: z.boolean().nullable().describe("Whether both are the same; null while nothing is stored."),
    carried: z
      .array(z.object({ voter: PersonId, power: Total }))
      .describe("What each vote counts: the voter's own power and what is delegated to them."),
    inputs: z.object({
      electors: z.array(Elector),
      delegations: z.array(Handover),
      depth: z.int(),
      ballots: z.array(z.object({ voter: PersonId, choice: Choice })),
    }),
  })
  .meta({ id: "DaoRecount" });

const WAIT_MS = 5_000;
const LOOK_MS = 20;

export const proposalActions = {
  "proposals.list": endpoint({
    rest: "GET /:daoId/proposals",
    summary: "List the proposals of a DAO",
    tool: "list_proposals",
    description: "Newest first, with the state and the count of each; those that can be voted on have `status=active`.",
    permit: "signed-in",
    on: Dao,
    by: "daoId",
    within: { set: "problemSetId", may: "dao:read" },
    query: Proposal.query,
    returns: list(ProposalView),
    handler(ctx, { id: daoId, problemSetId }) {
      return this.store(Proposal).page(ctx, ctx.params, { problemSetId, daoId });
    },
  }),

  "proposals.listAll": endpoint({
    rest: "GET /proposals",
    summary: "List the proposals of all DAOs of your problem sets",
    description: "Newest first; with `status=active` those that are voted on now.",
    permit: "signed-in",
    within: { set: "problemSetId", may: "dao:read" },
    beyond: true,
    query: { ...Proposal.query, problemSetId: TextId.optional().describe("Only those of this problem set.") },
    returns: list(ProposalView),
    handler(ctx) {
      const { problemSetId, ...query } = ctx.params;
      return this.store(Proposal).page(ctx, query, problemSetId ? { problemSetId } : {});
    },
  }),

  "proposals.getById": endpoint({
    rest: "GET /proposals/:proposalId",
    summary: "Read a proposal without knowing its DAO",
    description: "For whoever has its id alone, as from the activity of a problem set.",
    permit: "signed-in",
    on: Proposal,
    by: "proposalId",
    within: { set: "problemSetId", may: "dao:read" },
    beyond: true,
    returns: data(ProposalView),
    handler: (_ctx, proposal) => proposal,
  }),

  "proposals.get": endpoint({
    rest: "GET /:daoId/proposals/:proposalId",
    summary: "Read a proposal",
    tool: "show_proposal",
    description:
      "What it would do, by which rules it is decided, when the vote opens and closes, and how the count stands.",
    ...reads,
    returns: data(ProposalView),
    handler: (ctx, proposal) => ofDao(proposal, ctx.params.daoId),
  }),

  "proposals.create": endpoint({
    rest: "POST /:daoId/proposals",
    summary: "Submit a proposal to a DAO",
    permit: "signed-in",
    on: Dao,
    by: "daoId",
    within: { set: "problemSetId", may: "dao:propose" },
    body: Proposal.create,
    returns: data(ProposalView),
    status: 201,
    description:
      "Voting opens after the DAO's delay, or immediately if there is none; power and delegations are " +
      "snapshotted then. `measures` is what its execution does, from the DAO's allow-list; a proposal " +
      "without any is a resolution.",
    errors: {
      403: "The proposer's power is below the DAO's threshold.",
      422: "Options, class or a measure do not fit; the message names which.",
    },
    example: {
      title: "Raise the quorum",
      kind: "basic",
      measures: [{ do: "change-config", config: { quorumBps: 4_000 } }],
    },
    async handler(ctx, dao) {
      const { kind, measures } = ctx.params;
      const rules = rulesFor(dao.config, ctx.params.class);
      const options = optionsOf(kind, ctx.params.options);
      refuseMeasures(measures, dao.config, kind, options.length);
      await demandTargets(this, dao, measures);
      await refuseBelowThreshold(this, dao, actorOf(ctx), rules);
      const facts = (made: Proposal) => [ProposalSubmitted.fact(made.id, about(made, actorOf(ctx)))];
      const made = await this.store(Proposal).create(
        ctx,
        { ...ctx.params, ...daoPlace(dao), options, rules, ...timetable(rules, nowOf(this)) },
        { facts },
      );
      return advance(this, made);
    },
  }),

  "proposals.cancel": endpoint({
    rest: "POST /:daoId/proposals/:proposalId/cancel",
    summary: "Withdraw a proposal of yours",
    ...proposes,
    beyond: true,
    body: { reason: z.string().max(2_000).optional() },
    returns: data(ProposalView),
    description:
      "Allowed to its proposer until execution starts, and to whoever has a role in the DAO that allows " +
      "cancelling.",
    errors: { 403: "It is not yours.", 409: "It has ended or its execution has begun." },
    async handler(ctx, item) {
      const proposal = ofDao(item, ctx.params.daoId);
      const { id } = proposal;
      const by = actorOf(ctx);
      await refuseUnlessTheirs(this, proposal, by);
      const { reason } = ctx.params;
      return changeProposal(
        this,
        ctx,
        id,
        (at) => cancel(at, by, reason, nowOf(this)),
        (at) => [ProposalCancelled.fact(at.id, { ...about(at, by), ...(reason && { reason }) })],
      );
    },
  }),

  "proposals.finalize": endpoint({
    rest: "POST /:daoId/proposals/:proposalId/finalize",
    summary: "Count the votes on a proposal after its close",
    ...proposes,
    returns: data(ProposalView),
    description:
      "Counts the votes and stores the tally; a proposal that passed is queued until its timelock ends. " +
      "The platform does this by itself at the close; repeating it returns the proposal as it is.",
    errors: { 409: "Voting has not begun (`INVALID_TRANSITION`) or is still open (`VOTING_OPEN`)." },
    async handler(ctx, item) {
      const proposal = await advance(this, ofDao(item, ctx.params.daoId));
      if (proposal.closedAt === undefined) refuseUnlessEnded(proposal, nowOf(this));
      return proposal;
    },
  }),

  "proposals.execute": endpoint({
    rest: "POST /:daoId/proposals/:proposalId/execute",
    summary: "Execute a passed proposal after its timelock",
    ...proposes,
    returns: data(ProposalView),
    description:
      "Executed only once, however many requests are made. 202 if the work continues. If this " +
      "installation lacks something (`NOT_CONFIGURED`) or the target refuses, execution stops: the " +
      "proposal stays queued, `waitingFor` and `steps` say why, and it can be executed again until it " +
      "expires. In training, external effects are simulated.",
    errors: { 409: "Not passed (`INVALID_TRANSITION`), `TIMELOCKED`, `EXECUTING` or expired." },
    accepted: ({ running }) => running === true,
    async handler(ctx, item) {
      const proposal = await advance(this, ofDao(item, ctx.params.daoId));
      await orderProposal(this, proposal, { by: actorOf(ctx), caller: ctx });
      return executed(this, proposal.id);
    },
  }),

  "proposals.getTally": endpoint({
    rest: "GET /:daoId/proposals/:proposalId/tally",
    summary: "Recount a proposal from the stored votes",
    ...reads,
    beyond: true,
    returns: data(Recount),
    description: "Includes all inputs, so that anybody can recount.",
    errors: { 404: "Voting has not begun." },
    async handler(ctx, item) {
      const proposal = ofDao(item, ctx.params.daoId);
      if (proposal.totalPower === undefined) throw notFound("tally of proposal", proposal.id);
      const {
        count: { ballots, ...rest },
        snapshot: { electors, delegations, depth },
      } = await countOf(this, proposal);
      const recomputed = tally({ ...rest, ballots });
      const stored = proposal.tally ?? null;
      const { carried } = carry(rest.electorate, new Set(validOf(rest, ballots).keys()));
      return {
        carried: [...carried].map(([voter, { total }]) => ({ voter, power: String(total) })),
        stored,
        recomputed,
        equal: stored && sameTally(stored, recomputed),
        inputs: { electors, delegations, depth, ballots: [...ballots] },
      };
    },
  }),
};

/** Whether two counts agree; their reasons say the same in words, which have changed. */
const sameTally = (one: Tally, other: Tally): boolean =>
  JSON.stringify(Tally.parse({ ...one, reason: "" })) === JSON.stringify(Tally.parse({ ...other, reason: "" }));

/** Waits a little for the execution, which is quick as a rule. */
async function executed(host: Host, id: string): Promise<Proposal> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const proposal = await host.store(Proposal).get(MESH, id);
    if (!proposal.running || waited >= WAIT_MS) return proposal;
    await setTimeout(LOOK_MS);
  }
}
