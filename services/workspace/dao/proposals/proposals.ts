import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { iso } from "../../../../core/clock.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { lifecycle, refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { Problem, unprocessable } from "../../../../core/problem.ts";
import { barrier } from "../../../../core/access/place.ts";
import { VOTE_KINDS, MOST_OPTIONS, STANCES } from "../votes/choices.ts";
import { Rules } from "../daos.ts";
import { Total } from "../votes/integers.ts";
import { calledFor, ProposalMeasure, MeasureStep } from "./measures.ts";
import { extended } from "../votes/quorum.ts";
import { Tally } from "../votes/tally.ts";

const own = { permit: "internal" } as const;

/**
 * The life of a proposal. Time and people ask for moves; each is checked against this table and the clock, and stored
 * by compare-and-set.
 */
export const COURSE = lifecycle(
  ["pending", "active", "succeeded", "defeated", "queued", "executed", "expired", "cancelled"],
  {
    open: { ...own, from: ["pending"], to: "active", summary: "Voting begins" },
    succeed: { ...own, from: ["active"], to: "succeeded", summary: "Voting ended, and it passed" },
    defeat: { ...own, from: ["active"], to: "defeated", summary: "Voting ended, and it did not pass" },
    queue: { ...own, from: ["succeeded"], to: "queued", summary: "The timelock runs" },
    execute: { ...own, from: ["queued"], to: "executed", summary: "It was carried out" },
    expire: { ...own, from: ["queued"], to: "expired", summary: "Nobody executed it in time" },
    cancel: {
      ...own,
      from: ["pending", "active", "succeeded", "queued"],
      to: "cancelled",
      summary: "It was withdrawn",
    },
  },
);
export type Status = (typeof COURSE.states)[number];

const Option = z.string().trim().min(1).max(500);

export const Proposal = entity("dao.proposals", {
  title: "proposal",
  fields: {
    daoId: TextId,
    problemSetId: TextId,
    compartments: z.array(TextId).default([]),
    title: z.string().trim().min(1).max(200),
    description: z.string().max(50_000).default(""),
    class: z.string().optional().describe("A class of the DAO's configuration, with rules of its own."),
    kind: z.enum(VOTE_KINDS).default("basic"),
    options: z
      .array(Option)
      .max(MOST_OPTIONS)
      .default([])
      .describe("The options to vote for; for a `basic` proposal always for, against, abstain."),
    measures: z.array(ProposalMeasure).max(20).default([]).describe("What its execution does; none: a resolution."),
    rules: Rules,
    status: COURSE.field,
    startsAt: Instant,
    deadline: Instant.describe("When the voting ends; a late quorum moves it."),
    totalPower: Total.optional().describe("All power at the snapshot."),
    quorumReachedAt: Instant.optional(),
    extendedFrom: Instant.optional().describe("The close before a late quorum moved it."),
    tally: Tally.optional().describe("Of the close."),
    closedAt: Instant.optional(),
    eta: Instant.optional().describe("Not executed before."),
    expiresAt: Instant.optional().describe("Not executed from then on; a resolution stands."),
    running: z.boolean().optional().describe("Its execution is under way."),
    executedBy: PersonId.optional(),
    executedAt: Instant.optional(),
    steps: z.array(MeasureStep).optional().describe("How far its measures are."),
    waitingFor: z.string().optional().describe("Why the execution stopped, to be tried again."),
    cancelled: z.object({ by: PersonId, reason: z.string().optional(), at: Instant }).optional(),
    /** When the mesh must look at it next. */
    dueAt: Instant.optional(),
  },
  readonly: [
    "daoId",
    "problemSetId",
    "compartments",
    "rules",
    "status",
    "startsAt",
    "deadline",
    "totalPower",
    "quorumReachedAt",
    "extendedFrom",
    "tally",
    "closedAt",
    "eta",
    "expiresAt",
    "running",
    "executedBy",
    "executedAt",
    "steps",
    "waitingFor",
    "cancelled",
    "dueAt",
  ],
  immutable: ["problemSetId", "compartments", "daoId"],
  hidden: ["dueAt"],
  filter: ["status"],
  sort: ["deadline", "startsAt"],
  barrier,
  lists: [{ by: ["problemSetId", "daoId"] }, { by: ["problemSetId"] }],
  indexes: [{ fields: ["daoId", "status"] }, { fields: ["dueAt"], sparse: true }],
});
export type Proposal = Item<typeof Proposal>;
export const ProposalView = Proposal.view.meta({ id: "DaoProposal" });

type Change = { [K in keyof Proposal]?: Proposal[K] | null };
const later = (instant: string, seconds: number): string => iso(Date.parse(instant) + seconds * 1_000);
const tooEarly = (code: string, message: string, details: object) => new Problem(409, code, message, { details });

/** The options that a proposal is voted on with. Throws 422 where they do not fit its kind. */
export function optionsOf(kind: Proposal["kind"], options: readonly string[]): string[] {
  if (kind === "basic") {
    if (options.length && options.join() !== STANCES.join())
      throw unprocessable("OPTIONS", "options: a basic proposal has for, against and abstain; leave them out.");
    return [...STANCES];
  }
  if (options.length < 2) throw unprocessable("OPTIONS", `options: a ${kind} proposal has two options at least.`);
  if (new Set(options).size !== options.length) throw unprocessable("OPTIONS", "options: no two may be the same.");
  return [...options];
}

/** The times of a proposal submitted now. */
export function timetable(
  { delaySeconds, periodSeconds }: Rules,
  now: string,
): Pick<Proposal, "startsAt" | "deadline" | "dueAt"> {
  const startsAt = later(now, delaySeconds);
  return { startsAt, deadline: later(startsAt, periodSeconds), dueAt: startsAt };
}

/** Voting begins. Throws 409 before its time. */
export function open(proposal: Proposal, totalPower: string, now: string): Change {
  refuseUnless(COURSE.moves.open.from, proposal.status, "open");
  if (now < proposal.startsAt)
    throw tooEarly("NOT_OPEN", `Voting begins at ${proposal.startsAt}.`, { startsAt: proposal.startsAt });
  return { status: "active", totalPower, dueAt: proposal.deadline };
}

/**
 * The close moves because the quorum was reached late; null where it stays. Decided once: at the first time the quorum
 * is reached.
 */
export function extend(proposal: Proposal, reachedAt: string | null): Change | null {
  refuseUnless(["active"], proposal.status, "extend");
  if (reachedAt === null || proposal.quorumReachedAt !== undefined || proposal.rules.lateQuorumSeconds === 0)
    return null;
  const deadline = extended(proposal.deadline, reachedAt, proposal.rules.lateQuorumSeconds * 1_000);
  return {
    quorumReachedAt: reachedAt,
    ...(deadline !== proposal.deadline && { deadline, dueAt: deadline, extendedFrom: proposal.deadline }),
  };
}

/** Throws 409 unless the voting is on and its close has come. */
export function refuseUnlessEnded(proposal: Proposal, now: string): void {
  refuseUnless(COURSE.moves.succeed.from, proposal.status, "finalize");
  if (now < proposal.deadline)
    throw tooEarly("VOTING_OPEN", `Voting runs until ${proposal.deadline}.`, { deadline: proposal.deadline });
}

/** The voting ends with this tally. Throws 409 before the close. */
export function close(proposal: Proposal, tally: Tally, now: string): Change {
  refuseUnlessEnded(proposal, now);
  const passed = tally.outcome === "succeeded";
  return { status: passed ? "succeeded" : "defeated", tally, closedAt: now, dueAt: passed ? now : null };
}

/** What the vote called for does nothing by itself: it stands once it passed, and people carry it out. */
export const isResolution = ({ steps }: Pick<Proposal, "steps">): boolean => steps?.length === 0;

/** The timelock begins, counted from the close of the voting. A resolution never expires. */
export function queue(proposal: Proposal): Change {
  refuseUnless(COURSE.moves.queue.from, proposal.status, "queue");
  const { timelockSeconds, graceSeconds, autoExecute } = proposal.rules;
  const eta = later(proposal.deadline, timelockSeconds);
  const expiresAt = later(eta, graceSeconds);
  const called = new Set(calledFor(proposal.measures, proposal.tally!));
  const steps: MeasureStep[] = proposal.measures
    .filter((_, at) => called.has(at))
    .map((measure) => ({ do: measure.do, status: "pending" }));
  if (isResolution({ steps })) return { status: "queued", eta, steps, dueAt: autoExecute ? eta : null };
  return { status: "queued", eta, expiresAt, steps, dueAt: autoExecute ? eta : expiresAt };
}

/** When the mesh looks whether an execution that began still has its job. */
const RECHECK_SECONDS = 15;

/**
 * The execution begins, for whoever holds it alone from here on. Throws 409 before the timelock ended, after it
 * expired, and while it runs.
 */
export function begin(proposal: Proposal, by: string, now: string): Change {
  refuseUnless(COURSE.moves.execute.from, proposal.status, "execute");
  if (now < proposal.eta!)
    throw tooEarly("TIMELOCKED", `The timelock runs until ${proposal.eta}.`, { eta: proposal.eta });
  const { expiresAt } = proposal;
  if (expiresAt !== undefined && !isResolution(proposal) && now >= expiresAt)
    throw tooEarly("EXPIRED", `It could be executed until ${expiresAt}.`, { expiresAt });
  if (proposal.running) throw tooEarly("EXECUTING", "Its execution is under way.", {});
  return { running: true, executedBy: by, waitingFor: null, dueAt: later(now, RECHECK_SECONDS) };
}

/** The execution ends: every measure is done. */
export function finish(proposal: Proposal, now: string): Change {
  refuseUnless(COURSE.moves.execute.from, proposal.status, "execute");
  if (!proposal.running) throw new Problem(409, "NOT_EXECUTING", "Nothing is being executed.");
  return { status: "executed", executedAt: now, running: null, dueAt: null };
}

/** The execution stops for a reason that may pass: the proposal stays queued and may be executed again. */
export function halt(proposal: Proposal, reason: string): Change {
  refuseUnless(COURSE.moves.execute.from, proposal.status, "execute");
  return { running: null, waitingFor: reason, dueAt: proposal.expiresAt ?? null };
}

/** Nobody executed it in time. Throws 409 before that, and while its execution runs. */
export function expire(proposal: Proposal, now: string): Change {
  refuseUnless(COURSE.moves.expire.from, proposal.status, "expire");
  if (proposal.running || now < proposal.expiresAt!)
    throw tooEarly("NOT_EXPIRED", `It may be executed until ${proposal.expiresAt}.`, { expiresAt: proposal.expiresAt });
  return { status: "expired", dueAt: null };
}

/** A resolution that was queued when such still expired stands like any other. */
export const stand = (): Change => ({ expiresAt: null, dueAt: null });

/** It is withdrawn. Throws 409 once its execution began, or it stands as a resolution. */
export function cancel(proposal: Proposal, by: string, reason: string | undefined, now: string): Change {
  refuseUnless(COURSE.moves.cancel.from, proposal.status, "cancel");
  const begun = proposal.running || proposal.steps?.some(({ status }) => status === "done");
  if (begun) throw tooEarly("EXECUTING", "Its execution has begun.", {});
  if (isResolution(proposal) && now >= proposal.eta!)
    throw tooEarly("ADOPTED", "A resolution that was adopted is taken back by another vote alone.", {});
  return { status: "cancelled", cancelled: { by, ...(reason !== undefined && { reason }), at: now }, dueAt: null };
}
