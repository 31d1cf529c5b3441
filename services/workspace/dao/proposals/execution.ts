import type { Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { aloneIn, type JobKind } from "../../../../core/work/job.ts";
import { archived, isProblem, Problem } from "../../../../core/problem.ts";
import { ask } from "../members/accounts.ts";
import { Dao } from "../daos.ts";
import { about, BY, changeProposal, MESH, nowOf } from "../context.ts";
import { carryOutMeasure, lacking } from "./effects.ts";
import { ProposalExecuted } from "../events.ts";
import { calledFor, type ProposalMeasure, type MeasureStep } from "./measures.ts";
import { begin, finish, halt, Proposal } from "./proposals.ts";

export const EXECUTE = "dao.execute";

/**
 * Marks a proposal as being executed, for one alone by compare-and-set, and orders the work as a durable job; where it
 * is marked already, only makes sure that the job is there. Throws 409 where it may not be executed.
 */
export async function orderProposal(
  host: Host,
  proposal: Proposal,
  starting?: { by: string; caller: Caller },
): Promise<Proposal> {
  const begun = starting
    ? await changeProposal(host, starting.caller, proposal.id, (at) => begin(at, starting.by, nowOf(host)))
    : proposal;
  const { id, executedBy: by = BY } = begun;
  await host.jobs.add(EXECUTE, { proposalId: id }, { by, onlookers: aloneIn(begun), key: id });
  return begun;
}

/**
 * Does the measures that the vote called for, in order, each once: a step that is done is stored before the next
 * begins, and each effect bears being asked for again under its key.
 */
export const executing: JobKind<{ proposalId: string }> = {
  async run(this: Host, { job }) {
    const { proposalId } = job.input;
    let proposal = await this.store(Proposal).get(MESH, proposalId);
    if (proposal.status !== "queued" || !proposal.running) return { status: proposal.status };
    const measures = calledFor(proposal.measures, proposal.tally!).map((at) => proposal.measures[at]!);
    for (const [at, measure] of measures.entries()) {
      if (proposal.steps![at]!.status === "done") continue;
      const step = await attempt(this, proposal, measure, at, measures.slice(at));
      proposal = await record(this, proposal, at, step);
      if (step.status !== "done") return { status: "queued", waitingFor: step.reason };
    }
    const simulated = proposal.steps!.some((step) => step.simulated);
    await changeProposal(
      this,
      MESH,
      proposalId,
      (now) => (now.status === "queued" && now.running ? finish(now, nowOf(this)) : null),
      (now) => [ProposalExecuted.fact(now.id, { ...about(now, now.executedBy ?? BY), simulated })],
    );
    return { status: "executed" };
  },
  async failed(this: Host, job, reason) {
    await changeProposal(this, MESH, job.input.proposalId, (at) =>
      at.status === "queued" && at.running ? halt(at, reason) : null,
    );
  },
};

/**
 * Does one measure. What its target refuses, or the installation lacks, stops the execution with the reason; what
 * merely failed is thrown, and the job tries again.
 */
async function attempt(
  host: Host,
  proposal: Proposal,
  measure: ProposalMeasure,
  at: number,
  left: readonly ProposalMeasure[],
): Promise<MeasureStep> {
  const now = nowOf(host);
  try {
    const dao = await host.store(Dao).get(MESH, proposal.daoId);
    // Nothing is begun that this installation could not end.
    const missing = lacking(host, dao, left);
    if (missing) throw new Problem(503, "NOT_CONFIGURED", missing);
    const { archived: shelved } = await ask<{ archived: boolean }>(host, "problem-sets.lineage", {
      problemSetId: dao.problemSetId,
    });
    if (shelved) throw archived();
    if (!dao.config.measures.includes(measure.do))
      throw new Problem(422, "MEASURE_NOT_ALLOWED", `This DAO may not ${measure.do} any more.`);
    return {
      do: measure.do,
      status: "done",
      at: now,
      ...(await carryOutMeasure(host, dao, proposal, measure, `${proposal.id}:${at}`)),
    };
  } catch (error) {
    if (!isProblem(error) || (error.code >= 500 && error.type !== "NOT_CONFIGURED")) throw error;
    return { do: measure.do, status: "waiting", at: now, code: error.type, reason: error.message };
  }
}

const record = (host: Host, proposal: Proposal, at: number, step: MeasureStep): Promise<Proposal> =>
  changeProposal(host, MESH, proposal.id, (now) => {
    if (now.status !== "queued" || !now.running) return null;
    const steps = now.steps!.map((before, n) => (n === at ? step : before));
    return step.status === "done" ? { steps } : { steps, ...halt(now, step.reason!) };
  });
