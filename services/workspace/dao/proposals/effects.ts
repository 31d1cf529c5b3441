import type { Host } from "../../../../core/contract/endpoint.ts";
import { forbidden, isNotFound, notFound, unprocessable } from "../../../../core/problem.ts";
import { ask, daoActor, didOf, served, userOf } from "../members/accounts.ts";
import { openDue, snapshotOf } from "./opening.ts";
import { Dao, daoPlace } from "../daos.ts";
import { MESH } from "../context.ts";
import { DaoConfigured } from "../events.ts";
import type { ProposalMeasure, MeasureName, MeasureStep } from "./measures.ts";
import { DaoRole } from "../members/members.ts";
import type { Proposal } from "./proposals.ts";
import { giveRole, takeRole } from "../members/roles.ts";

type Done = Pick<MeasureStep, "simulated" | "result">;
type Deed<M> = (host: Host, dao: Dao, proposal: Proposal, measure: M, key: string) => Promise<Done>;
/** Looks for what a measure names, as the DAO itself; throws 404 where that is not there for it. */
type Look<M> = (host: Host, dao: Dao, measure: M) => Promise<unknown>;
type Of<N extends MeasureName> = Extract<ProposalMeasure, { do: N }>;

/** Who it is that acts, as others record it: the vote, by name. */
const authority = (dao: Dao, proposal: Proposal): string => `dao:${dao.id}/proposal:${proposal.id}`;
const KEPT_KEYS = 500;

const DEEDS: { [N in MeasureName]: { needs?: string; finds?: Look<Of<N>>; does: Deed<Of<N>> } } = {
  "change-config": {
    async does(host, dao, proposal, { config }, key) {
      const told = {
        ...daoPlace(dao),
        by: authority(dao, proposal),
        fields: Object.keys(config),
        proposalId: proposal.id,
      };
      await host.store(Dao).amend(
        MESH,
        dao.id,
        (at) => {
          if (at.applied.includes(key)) return null;
          return { config: { ...at.config, ...config }, applied: [...at.applied, key].slice(-KEPT_KEYS) };
        },
        { facts: [DaoConfigured.fact(dao.id, told)] },
      );
      return { result: { fields: Object.keys(config) } };
    },
  },
  "grant-dao-role": {
    finds: (host, dao, { account, roleId }) => Promise.all([roleOf(host, dao, roleId), userOf(host, account)]),
    async does(host, dao, proposal, { account, roleId }, key) {
      const role = await roleOf(host, dao, roleId);
      const userId = await userOf(host, account);
      await openDue(host, dao.id);
      await giveRole(host, MESH, dao, userId, role, { by: authority(dao, proposal), proposalId: proposal.id, key });
      return { result: { userId, roleId } };
    },
  },
  "revoke-dao-role": {
    finds: (host, dao, { account, roleId }) => Promise.all([roleOf(host, dao, roleId), userOf(host, account)]),
    async does(host, dao, proposal, { account, roleId }, key) {
      const role = await roleOf(host, dao, roleId);
      const userId = await userOf(host, account);
      await openDue(host, dao.id);
      await takeRole(host, MESH, dao, userId, role, { by: authority(dao, proposal), proposalId: proposal.id, key });
      return { result: { userId, roleId } };
    },
  },
  "grant-set-role": {
    needs: "problem-sets.grant",
    async does(host, dao, proposal, { account, role }) {
      const did = await didOf(host, account);
      const granted = await ask<{ userId: string; role: string }>(
        host,
        "problem-sets.grant",
        { problemSetId: dao.problemSetId, did, role, membersOnly: true },
        daoActor(dao, authority(dao, proposal)),
      );
      return { result: { userId: granted.userId, role: granted.role } };
    },
  },
  "open-gate": {
    needs: "gates.open",
    finds: (host, dao, { gateId }) => ask(host, "gates.get", { gateId }, daoActor(dao, `dao:${dao.id}`)),
    async does(host, dao, proposal, { gateId }) {
      const by = authority(dao, proposal);
      // As the DAO itself: a gate of another problem set, or in a compartment the DAO does not lie in, is not there for
      // it.
      await ask(host, "gates.open", { gateId, reason: `Decided by vote: ${proposal.title}`, by }, daoActor(dao, by));
      return { result: { gateId } };
    },
  },
  "pay-bounty": {
    needs: "escrow.bounty.pay",
    async does(host, dao, proposal, { bountyId }) {
      if (dao.training) return { simulated: true, result: { bountyId } };
      const bounty = await ask<{ createdBy: string }>(host, "escrow.bounty.of", { bountyId });
      const snapshot = await snapshotOf(host, proposal.id);
      if (!snapshot?.electors.some(({ id }) => id === bounty.createdBy))
        throw forbidden("A DAO pays bounties that a member of its electorate promised, no others.");
      const { payoutId, state } = await ask<{ payoutId: string; state: string }>(host, "escrow.bounty.pay", {
        bountyId,
        by: authority(dao, proposal),
      });
      return { result: { bountyId, payoutId, state } };
    },
  },
};

async function roleOf(host: Host, dao: Dao, roleId: string): Promise<DaoRole> {
  const role = await host.store(DaoRole).one(MESH, { _id: roleId, daoId: dao.id });
  if (!role) throw notFound(DaoRole.title, roleId);
  return role;
}

/** Throws 422 where a measure names what is not there for the DAO: a vote on it would come to nothing. */
export async function demandTargets(host: Host, dao: Dao, measures: readonly ProposalMeasure[]): Promise<void> {
  if (lacking(host, dao, measures)) return;
  for (const [at, measure] of measures.entries()) {
    const look = DEEDS[measure.do].finds as Look<ProposalMeasure> | undefined;
    await look?.(host, dao, measure).catch((error: Error) => {
      if (!isNotFound(error)) throw error;
      throw unprocessable("TARGET_NOT_FOUND", `measures.${at}: ${error.message}`);
    });
  }
}

/** Why measures cannot be done because this installation lacks what they need; null where it has all. */
export function lacking(host: Host, dao: Dao, measures: readonly ProposalMeasure[]): string | null {
  const missing = measures
    .map((measure) => DEEDS[measure.do].needs)
    .find((needed) => needed && !(dao.training && needed.startsWith("escrow.")) && !served(host, needed));
  return missing ? `This installation has no ${missing}.` : null;
}

/** Carries out one measure. The key tells a repetition, which changes nothing more. */
export const carryOutMeasure = (
  host: Host,
  dao: Dao,
  proposal: Proposal,
  measure: ProposalMeasure,
  key: string,
): Promise<Done> => (DEEDS[measure.do].does as Deed<ProposalMeasure>)(host, dao, proposal, measure, key);
