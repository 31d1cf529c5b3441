import { z } from "zod";
import { authorize, memberOf, personOf } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, unprocessable } from "../../../../core/problem.ts";
import { aloneIn } from "../../../../core/work/job.ts";
import { CursorMeta, feeding, Figure, Instant, TextId } from "../../../../core/records/entity.ts";
import { Agent, agentRecord, EVERYWHERE, moveCircuit, toldTo } from "../../agents/client.ts";
import { noteMove, MESH } from "../circuits/circuits.ts";
import { suitePlace } from "../place.ts";
import { BASELINE, BASELINE_CASES } from "../suites/baseline.ts";
import { Case } from "../suites/cases.ts";
import { MOST_CASES, Suite } from "../suites/suites.ts";
import { demandSound } from "../suites/suites.actions.ts";
import { DRIVE } from "./driving.ts";
import { Interval, CaseOutcome, ValidationRun } from "./runs.ts";
import { lineOf } from "./scoring.ts";

const MOST_ANSWERS = 100;
const LEFT_MS = 5_000;
const set = "problemSetId";

/** An agent in the form that its barrier needs: a shared one marks that in a field which answers do not contain. */
async function agentPlaced(host: Host, agentId: string): Promise<Agent> {
  const agent = await agentRecord(host, agentId);
  return agent.problemSetId === undefined ? { ...agent, scope: EVERYWHERE } : agent;
}

/** Loads the agent that a path names. */
export const onAgent = { on: Agent, by: "agentId", loads: agentPlaced, within: { set, may: "set:read" } } as const;

/** Throws 403 where the caller may not do this to an agent: in its problem set, or on the platform for a shared one. */
export function demandOver(ctx: Ctx<unknown>, problemSetId: string | undefined, may: string): void {
  if (problemSetId === undefined) authorize(ctx.meta.actor, "agents:administer");
  else memberOf(ctx.meta.actor, problemSetId, may, { writes: true });
}

interface Put {
  suite: string;
  suiteName: string;
  cases: readonly Case[];
}
interface Asked {
  suiteId: string;
  own: readonly Case[] | undefined;
  /** The run's problem set, whose members will see the suite's name and cases. */
  problemSetId: string | undefined;
  compartments: readonly string[];
}
/** The cases to run. Throws 422 for a suite that some who see the run may not see. */
async function putTo(host: Host, ctx: Ctx<unknown>, { suiteId, own, ...place }: Asked): Promise<Put> {
  if (own) {
    await demandSound(host, own);
    return { suite: "own", suiteName: "cases of its own", cases: own };
  }
  if (suiteId === BASELINE) return { suite: BASELINE, suiteName: "Baseline", cases: BASELINE_CASES };
  const { name, cases, problemSetId, compartments } = await host.store(Suite).get(ctx, suiteId);
  if (problemSetId !== undefined && problemSetId !== place.problemSetId)
    throw unprocessable("OTHER_SET", "suiteId: this suite belongs to another problem set.");
  if (!compartments.every((id) => place.compartments.includes(id)))
    throw unprocessable("COMPARTMENTS", "suiteId: this suite lies in a compartment that the agent does not lie in.");
  return { suite: suiteId, suiteName: name, cases };
}

const begin = (host: Host, run: ValidationRun): Promise<unknown> =>
  host.jobs.add(DRIVE, { runId: run.id }, { by: run.by, onlookers: aloneIn(run), key: run.id });

/** Stored runs without a job, after a kill in between. */
export async function sweep(this: Host): Promise<void> {
  const before = iso(this.world.clock.now() - LEFT_MS);
  const left = await this.store(ValidationRun).find(
    MESH,
    { status: "queued", createdAt: { $lt: before } },
    { limit: 100 },
  );
  for (const run of left) await begin(this, run);
}

/**
 * Where an agent's runs lie that the caller sees: with the agent, or for a shared one in each set where it was tried.
 */
const placesTried = ({ meta: { actor } }: Ctx<unknown>, { id: agentId, problemSetId }: Agent) => {
  const completed = { agentId, status: "completed" };
  if (problemSetId !== undefined) return [{ problemSetId, ...completed }];
  const sets = Object.keys(actor?.memberships ?? {}).map((one) => ({ problemSetId: one, ...completed }));
  return [{ scope: EVERYWHERE, ...completed }, ...sets];
};

const Whole = ValidationRun.view.extend({ outcomes: z.array(CaseOutcome.view) }).meta({ id: "ValidationRunWhole" });
const Scored = z
  .object({
    runId: TextId,
    at: Instant,
    score: Figure,
    passRate: Figure,
    interval: Interval,
    cases: z.int(),
    suite: z.string(),
    suiteName: z.string(),
    model: z.string().optional(),
    agentVersion: z.int(),
    line: z.string(),
  })
  .meta({ id: "ValidationScore" });

export const scored = (run: ValidationRun): z.input<typeof Scored> => ({
  runId: run.id,
  at: run.endedAt ?? run.createdAt,
  score: run.score!,
  passRate: run.passRate!,
  interval: run.interval!,
  cases: run.conclusive,
  suite: run.suite,
  suiteName: run.suiteName,
  ...(run.model !== undefined && { model: run.model }),
  agentVersion: run.agentVersion,
  line: run.line,
});

export const runActions = {
  "runs.start": endpoint({
    rest: "POST /runs",
    summary: "Validate an agent with a suite",
    permit: "signed-in",
    within: { set, may: "validation:run" },
    body: {
      agentId: TextId,
      suiteId: TextId.default(BASELINE).describe("`baseline` is the suite that every agent must pass."),
      cases: z.array(Case).min(1).max(MOST_CASES).optional().describe("Cases of your own, instead of a suite."),
      repeats: z.int().min(1).max(5).default(1).describe("A case is passed where every repetition passes."),
      problemSetId: TextId.optional().describe("Where an agent of every set is tried: what comes of it lies there."),
      delegationId: TextId.optional().describe("The delegation under which it acts; without it, your newest."),
    },
    returns: data(z.object({ runId: TextId })),
    status: 202,
    description:
      "Returns immediately; `GET /api/validation/runs/{runId}` shows the progress. The agent works for " +
      "you in training mode: it reads what it may, and every act that would change something is " +
      "simulated. An agent whose circuit is open is probed, and does no other work meanwhile. In a " +
      "problem set it needs a delegation from you, as for any work.",
    example: { agentId: "the agent's id", repeats: 2 },
    errors: {
      404: "There is no such agent or suite, or you do not see it.",
      409: "It is being probed already.",
      422:
        "`AGENT_DEACTIVATED`, `OTHER_SET`, `COMPARTMENTS`, `NO_ASSERTIONS`, `RUBRIC_ALONE`, `TWICE`, `NO_PRICES`, " +
        "`SCHEMA`, `NO_TOOL`: `details` name the case.",
    },
    async handler(ctx) {
      const { agentId, suiteId, cases: own, repeats, problemSetId, delegationId } = ctx.params;
      const by = personOf(ctx.meta.actor);
      const agent = await this.broker.call<Agent, object>(
        "agents.get",
        { agentId },
        { meta: { actor: ctx.meta.actor } },
      );
      if (agent.problemSetId !== undefined && problemSetId !== undefined && problemSetId !== agent.problemSetId)
        throw unprocessable("OTHER_SET", "problemSetId: this agent belongs to another problem set.");
      const where = agent.problemSetId ?? problemSetId;
      demandOver(ctx, where, "validation:run");
      if (agent.status === "deactivated") throw unprocessable("AGENT_DEACTIVATED", "This agent is switched off.");
      const put = await putTo(this, ctx, { suiteId, own, problemSetId: where, compartments: agent.compartments });
      if (put.cases.length * repeats > MOST_ANSWERS)
        throw invalid([{ path: "repeats", message: `A run has at most ${MOST_ANSWERS} answers: cases by repeats.` }]);
      if (agent.circuit === "probing") throw conflict("It is being probed already.", { circuit: "probing" });
      const model = toldTo(agent).model ?? this.world.llm.model;
      const run = await this.store(ValidationRun).create(ctx, {
        ...suitePlace({ ...(where !== undefined && { problemSetId: where }), compartments: agent.compartments }),
        agentId,
        agentName: agent.name,
        agentVersion: agent.version,
        ...(where !== undefined && { where }),
        ...(delegationId && { delegationId }),
        ...put,
        repeats,
        ...(model !== undefined && { model }),
        line: lineOf(put.cases, agent, { model, judge: this.world.llm.model }),
        status: "queued",
        done: 0,
        conclusive: 0,
        inconclusive: 0,
        tokens: 0,
        by,
      });
      const isProbe = where === agent.problemSetId;
      if (isProbe && (await moveCircuit(this, agentId, ["open"], "probing")))
        await noteMove(this, agent, { move: "probing", why: "A validation was begun.", runIds: [run.id], by });
      await begin(this, run);
      return { runId: run.id };
    },
  }),

  "runs.list": endpoint({
    rest: "GET /runs",
    summary: "List the latest validation runs that you can see",
    permit: "signed-in",
    within: { set, may: "set:read" },
    query: ValidationRun.query,
    returns: list(ValidationRun.view),
    handler(ctx) {
      return this.store(ValidationRun).page(ctx, ctx.params);
    },
  }),

  "runs.get": endpoint({
    rest: "GET /runs/:runId",
    summary: "Show a validation run with every answer and its verdict",
    permit: "signed-in",
    on: ValidationRun,
    by: "runId",
    within: { set, may: "set:read" },
    returns: data(Whole),
    async handler(ctx, run) {
      const outcomes = await this.store(CaseOutcome).find(ctx, { runId: run.id }, { sort: ["caseId", "repeat"] });
      return { ...run, outcomes };
    },
  }),

  "scores.list": endpoint({
    rest: "GET /agents/:agentId/scores",
    summary: "List an agent's scores over time",
    permit: "signed-in",
    ...onAgent,
    query: feeding,
    returns: list(Scored, CursorMeta),
    description:
      "Newest first; runs without a result are left out. Scores of different `line`s (suite, model, or " +
      "what the agent is told) are not comparable.",
    async handler(ctx, agent) {
      const { limit, cursor } = ctx.params;
      const window = { limit, ...(cursor && { cursor }) };
      const { data: runs, meta } = await this.store(ValidationRun).feed(ctx, window, placesTried(ctx, agent));
      return { data: runs.map(scored), meta };
    },
  }),
};
