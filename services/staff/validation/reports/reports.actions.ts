import { z } from "zod";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, file, pieces } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { CSV } from "../../../../core/contract/input/media.ts";
import { NAMELESS } from "../../../../core/access/person-reference.ts";
import { isUnserved, nullIf } from "../../../../core/problem.ts";
import { Figure, Instant, TextId } from "../../../../core/records/entity.ts";
import { type Agent } from "../../agents/client.ts";
import { breaches } from "../circuits/judging.ts";
import { measured } from "../circuits/circuits.ts";
import { Threshold } from "../circuits/thresholds.ts";
import { Interval, CaseOutcome, ValidationRun } from "../runs/runs.ts";
import { row } from "./csv.ts";
import type { HistoryPoint } from "./pdf.ts";
import { toPdf } from "./pdf-thread.ts";

const set = "problemSetId";
/** The most agents in one report, and runs of each. */
const MOST_AGENTS = 200;
const MOST_POINTS = 30;
const inSet = { query: { problemSetId: TextId.optional() }, within: { set, may: "set:read" } } as const;

interface Standing {
  agent: Agent;
  /** The newest first. */
  runs: ValidationRun[];
  bounds: Threshold[];
}

/** The agents that the caller sees, with their last conclusive runs and their thresholds. */
async function standings(
  host: Host,
  ctx: Ctx<{ problemSetId?: string | undefined }>,
  most: number,
): Promise<Standing[]> {
  const { problemSetId } = ctx.params;
  const narrowed = problemSetId === undefined ? {} : { problemSetId };
  const agents: Agent[] = [];
  for (let page = 1; agents.length < MOST_AGENTS; page++) {
    const { data: found } = await ctx.call<{ data: Agent[] }, object>("agents.list", {
      ...narrowed,
      page,
      limit: 100,
      sort: "name",
    });
    agents.push(...found);
    if (found.length < 100) break;
  }
  const thresholds = await host.store(Threshold).find(ctx, {}, { limit: 1_000 });
  return Promise.all(
    agents.slice(0, MOST_AGENTS).map(async (agent) => {
      const query = { ...narrowed, agentId: agent.id, status: "completed" };
      const runs = await host.store(ValidationRun).find(ctx, query, { sort: ["-createdAt"], limit: most });
      const own = thresholds.filter(({ agentId }) => agentId === agent.id);
      const all = thresholds.filter(
        (one) => one.agentId === undefined && !own.some(({ metric }) => metric === one.metric),
      );
      return { agent, runs, bounds: [...own, ...all] };
    }),
  );
}

const Row = z.object({
  agentId: TextId,
  name: z.string(),
  status: z.string(),
  circuit: z.string(),
  runId: TextId.optional(),
  at: Instant.optional(),
  score: Figure.optional(),
  passRate: Figure.optional(),
  interval: Interval.optional(),
  change: Figure.optional().describe("Of the pass rate against the run before it of the same line."),
  below: z.array(z.string()).describe("Metrics that lie below their threshold now."),
});
const Dashboard = z
  .object({
    asOf: Instant,
    agents: z.int(),
    open: z.int(),
    probing: z.int(),
    neverValidated: z.int(),
    below: z.int().describe("Agents that lie below a threshold."),
    rows: z.array(Row),
  })
  .meta({ id: "ValidationDashboard" });

function rowOf({ agent, runs, bounds }: Standing): z.input<typeof Row> {
  const { id: agentId, name, status, circuit } = agent;
  const [last, ...before] = runs;
  const previous = last && before.find(({ line }) => line === last.line);
  return {
    ...{ agentId, name, status, circuit },
    ...(last && {
      runId: last.id,
      at: last.endedAt ?? last.createdAt,
      score: last.score!,
      passRate: last.passRate!,
      interval: last.interval!,
    }),
    ...(previous && { change: last.passRate! - previous.passRate! }),
    below: last
      ? breaches(
          [measured(last)],
          bounds.map((one) => ({ ...one, consecutive: 1 })),
        ).map(({ metric }) => metric)
      : [],
  };
}

const HEAD = [
  "run",
  "ended",
  "agent",
  "agent name",
  "agent version",
  "suite",
  "model",
  "case",
  "repeat",
  "result",
  "score",
  "assertion",
  "assertion score",
  "why",
  "ms",
  "tokens",
  "cost",
  "steps",
  "answer",
];

/** How many runs are read at once. */
const RUNS_AT_ONCE = 20;

/**
 * A line for each assertion of each answer, run by run in the order of the cases; one line for an answer without a
 * result.
 */
async function* lines(
  host: Host,
  ctx: Ctx<{ problemSetId?: string | undefined; agentId?: string | undefined }>,
): AsyncGenerator<string> {
  const { problemSetId, agentId } = ctx.params;
  const query = { ...(problemSetId !== undefined && { problemSetId }), ...(agentId !== undefined && { agentId }) };
  yield row(HEAD);
  for await (const slice of host.store(ValidationRun).slices(ctx, query, { size: RUNS_AT_ONCE }))
    for (const run of slice) yield (await outcomesOf(host, ctx, run)).flatMap((one) => rowsOf(run, one)).join("");
}

async function outcomesOf(host: Host, ctx: Ctx<unknown>, run: ValidationRun): Promise<CaseOutcome[]> {
  const places = new Map(run.cases.map(({ id }, at) => [id, at]));
  const found = await host.store(CaseOutcome).find(ctx, { runId: run.id }, { sort: ["caseId", "repeat"] });
  return found.sort((one, other) => places.get(one.caseId)! - places.get(other.caseId)!);
}

function rowsOf(run: ValidationRun, one: CaseOutcome): string[] {
  const { id, endedAt, agentId, agentName, agentVersion, suiteName, model } = run;
  const result = one.inconclusive !== undefined ? "inconclusive" : one.passed ? "passed" : "failed";
  const about = [id, endedAt, agentId, agentName, agentVersion, suiteName, model];
  const start = [...about, one.caseId, one.repeat, result, one.score];
  const end = [one.ms, one.tokens, one.cost, one.steps, one.answer];
  const why = one.assertions.length ? one.assertions : [{ kind: undefined, score: undefined, why: one.inconclusive }];
  return why.map(({ kind, score, why: said }) => row([...start, kind, score, said, ...end]));
}

/** Sends the answer as a file, named by the day. */
function asFile(host: Host, ctx: Ctx<unknown>, ending: string): void {
  const name = `validation-${iso(host.world.clock.now()).slice(0, 10)}.${ending}`;
  ctx.meta.$responseHeaders = {
    ...ctx.meta.$responseHeaders,
    "Content-Disposition": `attachment; filename="${name}"`,
  };
}

const pointsOf = (runs: readonly ValidationRun[]): HistoryPoint[] =>
  runs.toReversed().map((run, at, all) => ({
    at: run.endedAt ?? run.createdAt,
    score: run.score!,
    passRate: run.passRate!,
    interval: run.interval!,
    isNewLine: at > 0 && all[at - 1]!.line !== run.line,
  }));

/** A person's name; null where they gave none, or the identity service is not running. */
async function nameOf(host: Host, person: string): Promise<string | null> {
  const asked = host.ask<(string | null)[]>("accounts.persons.names", { asked: [{ person }] });
  const [name = null] = (await asked.catch(nullIf(isUnserved))) ?? [];
  return name === NAMELESS ? null : name;
}

export const reportActions = {
  "dashboards.get": endpoint({
    rest: "GET /dashboard",
    summary: "Summarise the performance of the agents that you can see",
    permit: "signed-in",
    ...inSet,
    returns: data(Dashboard),
    tool: "show_validation",
    description: `At most ${MOST_AGENTS} agents, by name; those of one problem set with \`problemSetId\`.`,
    async handler(ctx) {
      const rows = (await standings(this, ctx, 10)).map(rowOf);
      const count = (fits: (one: (typeof rows)[number]) => boolean): number => rows.filter(fits).length;
      return {
        asOf: iso(this.world.clock.now()),
        agents: rows.length,
        open: count(({ circuit }) => circuit === "open"),
        probing: count(({ circuit }) => circuit === "probing"),
        neverValidated: count(({ runId }) => runId === undefined),
        below: count(({ below }) => below.length > 0),
        rows,
      };
    },
  }),

  "csvExports.get": endpoint({
    rest: "GET /export/csv",
    summary: "Export every judged answer as CSV",
    permit: "signed-in",
    query: { ...inSet.query, agentId: TextId.optional() },
    within: inSet.within,
    returns: pieces(`${CSV}; charset=utf-8`),
    description:
      "RFC 4180, one line for each assertion, the oldest run first, its cases in their order. Values that a " +
      "spreadsheet would take for a formula are prefixed with an apostrophe.",
    handler(ctx) {
      asFile(this, ctx, "csv");
      return lines(this, ctx);
    },
  }),

  "pdfExports.get": endpoint({
    rest: "GET /export/pdf",
    summary: "Download a PDF report on the agents that you see, with their pass rates over time",
    permit: "signed-in",
    ...inSet,
    returns: file("application/pdf"),
    noStore: true,
    async handler(ctx) {
      asFile(this, ctx, "pdf");
      const rows = (await standings(this, ctx, MOST_POINTS)).map(({ agent, runs, bounds }) => ({
        name: agent.name,
        circuit: agent.circuit,
        bounds,
        points: pointsOf(runs),
      }));
      const by = await nameOf(this, actorOf(ctx));
      return toPdf({ rows, at: iso(this.world.clock.now()), ...(by && { by }) });
    },
  }),
};
